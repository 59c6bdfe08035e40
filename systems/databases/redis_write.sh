#!/bin/sh
# Sets three keys, one after the other, and says "acked 1" when the server has answered OK.
for number in 1 2 3; do
  if [ "$(redis-cli -p 7000 set "key$number" value)" = OK ]; then
    echo "acked $number"
  fi
done
exit 0
