-- What an attempt adds makes a row a third longer, and the rows of one page end together: all find room in it only where
-- they fill less than half of it. One that does not is written into every index once more.
alter table deliveries set (fillfactor = 40);
