-- What each call used of the recognisers, models and speakers of vendors: audio, tokens, characters. Prices are applied on reading.
alter table call_records add column usage jsonb;
