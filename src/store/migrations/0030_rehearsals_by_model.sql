-- Rehearsals whose callers a language model words. Amounts are millionths of `currency`.
alter table rehearsals
  add column by_model boolean not null default false,
  add column max_cost bigint,
  -- What the lines cost, and the most that lines under way may cost.
  add column spent bigint not null default 0,
  -- Of the price list; null: no model is asked, or it has no price.
  add column currency text,
  -- Why it ended before its last call; null: it did not.
  add column stopped_by text check (stopped_by in ('max_cost', 'credits', 'no_model'));

-- What the model had a caller say, so that any call can be played again without it.
create table rehearsal_lines (
  workspace_id uuid not null,
  rehearsal_id uuid not null,
  call int not null,
  -- Names what was said before the line.
  key text not null,
  line jsonb not null,
  primary key (workspace_id, rehearsal_id, call, key),
  foreign key (workspace_id, rehearsal_id) references rehearsals (workspace_id, id) on delete cascade
);
