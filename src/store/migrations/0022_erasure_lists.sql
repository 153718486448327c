-- Erasures go through the contact lists of their workspace before its calls: a list that is being read becomes calls.
alter table erasures
  add column after_list uuid,
  add column lists_done boolean not null default false;
update erasures set lists_done = true where state = 'done';

-- The address of an erased call's own receiver may carry what the call was made with: it is needed until the last
-- event was told, and cut down to its host then.
alter table deliveries add column forget_address boolean not null default false;
create function forget_address() returns trigger language plpgsql as $$
begin
  new.url := substring(new.url from '^[a-z]+://[^/?#]+') || '/';
  new.target := new.method || ' ' || new.url;
  new.headers := '{}';
  return new;
end $$;
create trigger deliveries_forgotten before update on deliveries for each row
  when (new.forget_address and new.state <> 'due') execute function forget_address();

-- Answers kept for repeated requests are deleted by age.
create index idempotency_keys_age on idempotency_keys (created_at);
