create table if not exists entry(number integer, padding text);
create index if not exists by_padding on entry(padding);
insert into entry select 1, printf('%d %01500d', value, 1) from generate_series(1, 3);
select 'acked 1';
insert into entry select 2, printf('%d %01500d', value, 2) from generate_series(1, 3);
select 'acked 2';
insert into entry select 3, printf('%d %01500d', value, 3) from generate_series(1, 3);
select 'acked 3';
