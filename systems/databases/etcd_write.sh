#!/bin/sh
# Sets three keys, one after the other, and says "acked 1" when the server has answered OK; ends when it does not.
for number in 1 2 3; do
  if [ "$(etcdctl --command-timeout=3s put "key$number" value)" != OK ]; then
    break
  fi
  echo "acked $number"
done
exit 0
