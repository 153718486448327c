-- The secrets that sign links to recordings and refused rows. A token names its key by `id`. Sealed like every other
-- secret: the next start seals the one that was stored in plain text.
create table link_keys (
  id int primary key check (id between 1 and 65535),
  secret text not null,
  created_at timestamptz not null,
  -- Links that it signed are refused from then on. Null: the current key.
  retires_at timestamptz,
  -- It signed links of earlier versions, which have no expiry: they are refused RECORDING_LINK_DAYS after created_at.
  signed_old_form boolean not null default false
);
create unique index link_keys_current on link_keys ((true)) where retires_at is null;
insert into link_keys (id, secret, created_at, signed_old_form)
select 1, value, now(), true from installation where key = 'recording_secret';
delete from installation where key = 'recording_secret';
