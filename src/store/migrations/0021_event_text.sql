-- An event is kept as the text it is sent as: nothing is written out anew for each attempt, and its keys stay in the
-- order they were given.
alter table events alter column body type json using body::text::json;
-- Deliveries are written to once more by each attempt, those of one page at about the same time: with the page half
-- free the new row stays in it and no index changes.
alter table deliveries set (fillfactor = 50);
