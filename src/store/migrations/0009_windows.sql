-- The call that was scheduled because the person asked for it in this one; set once.
alter table calls add column callback_call_id uuid;
