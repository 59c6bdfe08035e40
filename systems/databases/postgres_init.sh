#!/bin/sh
# Makes `postgres` in the current folder: the files of a PostgreSQL server with one table. Who is root gives them to
# the user postgres, since the server refuses to run as root; that user has to be able to reach the folder.
set -e
PATH=/usr/lib/postgresql/15/bin:$PATH
mkdir -m 700 postgres
as=
if [ "$(id -u)" = 0 ]; then
  chown postgres: postgres
  as="setpriv --reuid=postgres --regid=postgres --init-groups"
fi
$as initdb -D postgres -A trust -U postgres -E UTF8 --locale=C --no-sync --wal-segsize=1 > /dev/null
# Whatever nobody needs makes runs slow.
$as postgres --single -F -D postgres template1 > /dev/null 2>&1 <<SQL
create table keys (number integer primary key);
update pg_database set datistemplate = false;
drop database template0;
drop database postgres;
SQL
