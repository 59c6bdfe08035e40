-- Commits three rows, one after the other, with a checkpoint in between.
\set ON_ERROR_STOP on
insert into keys values (1);
\echo acked 1
checkpoint;
insert into keys values (2);
\echo acked 2
insert into keys values (3);
\echo acked 3
