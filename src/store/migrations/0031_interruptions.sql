-- How often a sender of the delivery ended before its attempt did: that attempt is made again, a few times.
alter table delivery_queue add column interruptions smallint not null default 0;
