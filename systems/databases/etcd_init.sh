#!/bin/sh
# Makes `etcd` in the current folder: the files of an etcd server that was started once and has no keys.
set -e
mkdir etcd
etcd --data-dir etcd --logger zap --log-outputs stderr --listen-peer-urls unix://etcd-peer:1 \
  --listen-client-urls unix://etcd-client:1 --advertise-client-urls http://localhost:2379 2> etcd.log &
server=$!
for attempt in $(seq 300); do
  if grep -q "serving client traffic" etcd.log 2> /dev/null; then
    break
  fi
  sleep 0.1
done
kill "$server"
wait "$server" 2> /dev/null || true
grep "serving client traffic" etcd.log > /dev/null || { cat etcd.log; exit 1; }
rm etcd.log
