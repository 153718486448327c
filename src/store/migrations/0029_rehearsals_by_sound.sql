-- By sound: calls over SIP and RTP on loopback in real time. `recogniser` and `at_once` are null by text.
alter table rehearsals
  add column mode text not null default 'text' check (mode in ('text', 'sound')),
  add column recogniser text,
  add column at_once int;

-- Calls by sound, which cannot be played again.
create table rehearsed_conversations (
  workspace_id uuid not null,
  rehearsal_id uuid not null,
  call int not null,
  conversation jsonb not null,
  -- With the version to compare with; null: there is none.
  conversation_before jsonb,
  primary key (workspace_id, rehearsal_id, call),
  foreign key (workspace_id, rehearsal_id) references rehearsals (workspace_id, id) on delete cascade
);
