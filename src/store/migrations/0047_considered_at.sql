-- Names the column by what it records: when the scheduler last read a campaign that had a due time, whether or not it
-- could start a call of it. A rename changes the catalogue only.
alter table campaigns rename column looked_at to considered_at;
