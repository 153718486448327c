-- Declared by the provision file that was applied last, which sets them back at the next start.
alter table trunks add column from_file boolean not null default false;
alter table numbers add column from_file boolean not null default false;
