select 'checked';
pragma integrity_check;
select 'stored ' || number || ' ' || count(*) from entry group by number;
