-- Money is whole micro-credits (1 credit = 1,000,000). Times come from the application's clock, so that windows, leases and
-- retries follow one clock; defaults with now() are only for rows that no schedule depends on.
-- workspace_id leads every key of a tenant's table, so that the tables can be distributed by workspace.

-- Workspaces and users

create table workspaces (
  id uuid primary key,
  parent_id uuid references workspaces (id),
  name text not null,
  credits bigint not null default 0,
  locked_credits bigint not null default 0 check (locked_credits >= 0),
  unlimited boolean not null default false,
  -- Null: a child that shares the concurrency that its parent has left.
  call_limit int default 10 check (call_limit >= 0),
  settings jsonb not null default '{}',
  -- Scheduling hint: no due call of this workspace is earlier. May be too early, never too late.
  next_due_at timestamptz not null default 'infinity',
  served_at timestamptz not null default 'epoch',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The turn of the workspace's individual calls among its campaigns.
  own_served_at timestamptz not null default 'epoch',
  -- Micro-credits charged on `spent_day` (UTC); the settlement updates this row for the balance anyway.
  spent_day date,
  spent_today bigint not null default 0,
  -- When the parent archived a child workspace; null: it works. Its calls, key and sessions are refused while it is
  -- archived.
  archived_at timestamptz
) with (fillfactor = 50);
create index workspaces_due on workspaces (served_at) where next_due_at < 'infinity';
create unique index workspaces_root_name on workspaces (name) where parent_id is null;
create index workspaces_children on workspaces (parent_id, created_at) where parent_id is not null;

-- Credits moved from a parent to its child; a negative amount came back.
create table credit_transfers (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  child_id uuid not null references workspaces (id),
  amount bigint not null,
  at timestamptz not null,
  primary key (workspace_id, id)
);

create table users (
  id uuid primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null,
  -- Two-step sign-in: the sealed secret, the last time step that was accepted (a code works once), and the hashes of
  -- recovery codes that are left.
  totp_secret text,
  totp_enabled boolean not null default false,
  totp_step bigint not null default 0,
  recovery_codes text[] not null default '{}'
);
create unique index users_email on users (lower(email));

-- Roles of the dashboard. A manager changes everything that a key can change; a viewer only reads.
create table memberships (
  workspace_id uuid not null references workspaces (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'manager', 'viewer')),
  created_at timestamptz not null,
  primary key (workspace_id, user_id)
);
create index memberships_of_user on memberships (user_id);

-- Only the hash of a session's token is kept.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  token_hash text not null unique,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null,
  user_agent text not null
);
create index sessions_of_user on sessions (user_id, seen_at);

create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  email text not null,
  role text not null check (role in ('owner', 'manager', 'viewer')),
  token_hash text not null unique,
  invited_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create unique index invitations_email on invitations (workspace_id, lower(email));

-- Only the hash of a key is kept; prefix and last four are what the dashboard shows.
create table api_keys (
  workspace_id uuid primary key references workspaces (id),
  key_hash text not null unique,
  shown_prefix text not null,
  shown_last4 text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

-- The speech and language model vendors of a workspace: chains, addresses, models and sealed keys. A workspace without a
-- row uses those of the installation. A table of its own: claims lock the workspace's row.
create table workspace_providers (
  workspace_id uuid primary key references workspaces (id),
  settings jsonb not null,
  updated_at timestamptz not null
);

-- Vendors' voices that a workspace has chosen: calls speak with them without a question to the vendor, and records name
-- them after the vendor's account is gone.
create table workspace_voices (
  workspace_id uuid not null references workspaces (id),
  voice_id uuid not null,
  voice_key text not null,
  name text not null,
  gender text not null,
  languages text[] not null,
  description text not null,
  primary key (workspace_id, voice_id)
);

-- What the caps of a workspace count, kept so that a workspace without caps pays nothing for them: no index on the rows of
-- attempts and of the ledger, which every call writes.

-- Calls that each claim started in the last minute; written only for workspaces with calls_per_minute.
create table cap_starts (
  workspace_id uuid not null references workspaces (id),
  at timestamptz not null,
  calls int not null,
  primary key (workspace_id, at)
);

-- The last window in which each cap of a workspace was reached: one notice per cap and window, whatever process sees it.
create table cap_notices (
  workspace_id uuid not null references workspaces (id),
  cap text not null,
  at timestamptz not null,
  primary key (workspace_id, cap)
);

-- Trunks and numbers

create table trunks (
  id uuid primary key,
  name text not null unique,
  -- {uri, username, password, register, max_calls, calls_per_second, transport, kind: sip|test}
  settings jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The token bucket of a trunk's calls_per_second (dialer/pacing.ts), kept under the trunk row's lock. null: full.
  pace_tokens float8,
  pace_at timestamptz,
  -- How many calls dialers have ever put on a trunk: who counted its live calls a moment ago sees by it how many more
  -- there may be now, without counting them again.
  claims bigint not null default 0,
  -- A trunk that answered 503 with Retry-After gets no new calls before this time.
  paused_until timestamptz
);

create table number_pools (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table numbers (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  number text not null,
  trunk_id uuid references trunks (id),
  display_name text not null default '',
  provider text not null default 'sip',
  is_test_number boolean not null default false,
  is_spam boolean not null default false,
  inbound_agent_id uuid,
  call_limit int,
  number_pool_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When a pool last chose the number: the least recently used one is next.
  last_used_at timestamptz,
  -- When a caller number's answer rate was last looked at, and until when it rests (dialer/number-rest.ts).
  rated_at timestamptz,
  rest_until timestamptz,
  primary key (workspace_id, id),
  constraint numbers_in_pool foreign key (workspace_id, number_pool_id) references number_pools (workspace_id, id)
);
-- An inbound call finds its workspace by the number and the trunk it came in on.
create unique index numbers_inbound on numbers (number, trunk_id);
create index numbers_of_trunk on numbers (trunk_id);
create index numbers_of_pool on numbers (workspace_id, number_pool_id) where number_pool_id is not null;

create table do_not_call (
  workspace_id uuid not null,
  number text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (workspace_id, number)
);

-- Agents, their knowledge and their tests

create table agents (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  display_name text not null,
  agent_type text not null check (agent_type in ('inbound', 'outbound', 'outbound_inbound', 'whatsapp')),
  active_version_id uuid not null,
  webcall_public_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  -- Set while an A/B test runs; versions with call_traffic above 0 are the ones calls are split between.
  ab_started_at timestamptz,
  -- What calls of an agent are classified as; empty: the labels of the service.
  classification_labels text[] not null default '{}',
  primary key (workspace_id, id)
);
create index agents_listed on agents (workspace_id, created_at desc, id desc) where archived_at is null;
create index agents_webcall_key on agents (webcall_public_key);

create table agent_versions (
  workspace_id uuid not null,
  agent_id uuid not null,
  id uuid not null,
  slug text not null,
  description text not null default '',
  call_traffic int not null default 100,
  -- The whole versioned configuration, see domain/agents/agent-version.ts.
  config jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id)
);
create index agent_versions_of on agent_versions (workspace_id, agent_id, created_at);
create index agent_versions_knowledge on agent_versions using gin ((config -> 'knowledge_base_ids'));
-- Which origins may begin calls with some agent: the answer to a browser's preflight request, which carries no key.
create index agent_versions_origins on agent_versions using gin ((config -> 'whitelisted_domains'))
  where config ? 'whitelisted_domains';

create table knowledge_bases (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index knowledge_bases_listed on knowledge_bases (workspace_id, created_at desc, id desc);

-- What a knowledge base is made from: an uploaded file, a web address or one question with its answer.
create table knowledge_sources (
  workspace_id uuid not null,
  kb_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('file', 'url', 'faq')),
  -- File name or address; the question of an FAQ.
  name text not null,
  answer text,
  format text,
  -- The upload until it was read, then null.
  content bytea,
  size_bytes bigint,
  status text not null check (status in ('pending', 'ready', 'failed')),
  error text,
  chunk_count int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The model that all of its chunks have vectors of.
  vector_model text,
  -- The model that is or was asked for them, how often, and what came of it.
  vector_target text,
  vector_tries int not null default 0,
  vector_error text,
  -- Not before this; while they are asked for, the lease.
  vector_due_at timestamptz,
  -- What each source holds in the database: the uploaded file until it is read, then the text of its chunks.
  stored_bytes bigint not null default 0,
  primary key (workspace_id, kb_id, id),
  foreign key (workspace_id, kb_id) references knowledge_bases (workspace_id, id) on delete cascade
);
create index knowledge_sources_to_embed on knowledge_sources (vector_model, vector_due_at)
  where status = 'ready' and chunk_count > 0;

create table knowledge_chunks (
  workspace_id uuid not null,
  kb_id uuid not null,
  source_id uuid not null,
  seq int not null,
  heading text not null default '',
  question text,
  -- The question as it is compared: lower case, words only.
  asked text,
  body text not null,
  -- Terms are made by shared/knowledge/terms.ts: the server's parser breaks Indic words at their vowel signs.
  search tsvector not null,
  primary key (workspace_id, kb_id, source_id, seq),
  foreign key (workspace_id, kb_id, source_id) references knowledge_sources (workspace_id, kb_id, id) on delete cascade
);
-- No index on `search`: a search reads one knowledge base, whose size is bounded.
create index knowledge_chunks_asked on knowledge_chunks (workspace_id, kb_id, asked) where asked is not null;

-- What the pieces of knowledge mean to a model, beside their words. Goes with its chunk.
create table knowledge_vectors (
  workspace_id uuid not null,
  kb_id uuid not null,
  source_id uuid not null,
  seq int not null,
  -- The model with the length asked of it: vectors of two are never compared.
  model text not null,
  -- Unit length, 32-bit floats, lowest byte first.
  vector bytea not null,
  primary key (workspace_id, kb_id, source_id, seq),
  foreign key (workspace_id, kb_id, source_id, seq)
    references knowledge_chunks (workspace_id, kb_id, source_id, seq) on delete cascade
);
-- Vectors do not compress.
alter table knowledge_vectors alter column vector set storage external;

create table agent_test_cases (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  name text not null,
  -- Lines, variables, expectations and answers of tools; see src/domain/test-cases/test-case.ts.
  definition jsonb not null,
  -- The call or chat that it was saved from. Erasing that deletes the case and its results.
  source_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index agent_test_cases_listed on agent_test_cases (workspace_id, agent_id, created_at, id);
create index agent_test_cases_source on agent_test_cases (workspace_id, source_id) where source_id is not null;

create table agent_test_runs (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- Tools without an answer in the case are really called.
  runs_tools boolean not null,
  created_at timestamptz not null,
  -- script: the script engine replies in a case when no language model answers. error: the case is an error.
  on_model_failure text not null default 'error',
  primary key (workspace_id, id)
);
create index agent_test_runs_listed on agent_test_runs (workspace_id, agent_id, created_at desc, id desc);

create table agent_test_results (
  workspace_id uuid not null,
  run_id uuid not null,
  case_id uuid not null,
  version_id uuid not null,
  position int not null,
  -- The case as it was when the run began.
  definition jsonb not null,
  state text not null check (state in ('queued', 'running', 'passed', 'failed', 'not_judged', 'error')),
  -- The conversation, and a verdict for each expectation.
  turns jsonb not null default '[]',
  verdicts jsonb not null default '[]',
  end_reason text,
  error text,
  -- When the version was last changed before it was tested.
  version_changed_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null,
  primary key (workspace_id, run_id, case_id),
  foreign key (workspace_id, run_id) references agent_test_runs (workspace_id, id) on delete cascade
);
create index agent_test_results_of_case on agent_test_results (workspace_id, case_id, version_id, ended_at desc);
create index agent_test_results_open on agent_test_results (workspace_id) where state in ('queued', 'running');
create index agent_test_results_changed on agent_test_results (workspace_id, updated_at desc);

-- Calls

-- The calls of a campaign are its contacts: rows with its id in campaign_id, queued by the import and gated by the
-- campaign's own state and window, so that starting, pausing or editing a campaign updates one row.
create table calls (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  campaign_id uuid,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid,
  call_type text not null check (call_type in ('outbound', 'inbound', 'webcall')),
  from_number text not null default '',
  to_number text not null,
  callee_name text not null default '',
  args jsonb not null default '{}',
  -- Call-level call_time and call_retry_config as sent; null: the agent's.
  call_config jsonb,
  callback jsonb,
  status text not null check (status in ('registered', 'ongoing', 'retry', 'completed', 'failed', 'error', 'cancelled')),
  sub_status text not null,
  attempt smallint not null default 0,
  retries_used smallint not null default 0,
  next_attempt_at timestamptz,
  node_id uuid,
  -- Micro-credits held for the live attempt, and charged so far.
  reserved bigint not null default 0 check (reserved >= 0),
  cost bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  dialed_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  duration_ms int,
  hangup_by text,
  -- The voice of this call alone; null: its version's.
  voice_id uuid,
  category text,
  parent_call_id uuid,
  -- Terminated while it was live: it is not dialled again whatever its attempt comes to.
  no_retry boolean not null default false,
  -- A campaign's call gets its caller number and its agent's version when it is claimed; until then number_id is null
  -- and from_number is empty.
  contact_row int,
  -- The call that was scheduled because the person asked for it in this one; set once.
  callback_call_id uuid,
  -- The campaign in whose call a callback was asked for: it stands, waits and falls with it, though it is an individual
  -- call. Few waiting calls have one, and only those are looked for by it.
  origin_campaign_id uuid,
  -- What came of a call in one value (src/domain/calls/result.ts): the answer to its agent's goal, else its label, else the
  -- way it ended.
  result text,
  result_source text,
  primary key (workspace_id, id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index calls_queued_to on calls (workspace_id, to_number) where status in ('registered', 'retry');
-- A workspace's live calls are few and read together, by number, campaign and destination.
create index calls_live on calls (workspace_id, number_id) where status = 'ongoing';
create index calls_of_node on calls (node_id) where status = 'ongoing';
create index calls_history on calls (workspace_id, created_at desc, id desc);
create index calls_of_campaign on calls (workspace_id, campaign_id, created_at desc) where campaign_id is not null;
create index calls_of_agent on calls (workspace_id, agent_id, created_at desc, id desc);
-- Individual calls are read number by number, so that a number at its limit holds back only its own calls; campaign calls
-- are read campaign by campaign.
create index calls_due on calls (workspace_id, number_id, next_attempt_at)
  where status in ('registered', 'retry') and campaign_id is null;
create index calls_due_of_campaign on calls (workspace_id, campaign_id, next_attempt_at)
  where status in ('registered', 'retry') and campaign_id is not null;
create index calls_retry_of_campaign on calls (workspace_id, campaign_id)
  where status = 'retry' and campaign_id is not null;
-- Whether any individual call is due, without a look at each caller number.
create index calls_due_own on calls (workspace_id, next_attempt_at)
  where status in ('registered', 'retry') and campaign_id is null;
-- A campaign's contacts in the order of its file; a row of the file is one contact.
create unique index calls_of_contact on calls (workspace_id, campaign_id, contact_row) where contact_row is not null;
create index calls_of_origin on calls (workspace_id, origin_campaign_id)
  where origin_campaign_id is not null and status in ('registered', 'retry');
-- Finds the earlier calls of an agent with the same person.
create index calls_of_person on calls
  (workspace_id, agent_id, (case call_type when 'inbound' then from_number else to_number end), created_at desc)
  where status = 'completed';
-- The call history filtered by callee number, by an outcome other than completed, or by a direction other than
-- outbound: matches that are rare among many calls would otherwise be found by reading them all. The second and third
-- index hold few rows and leave the placing and claiming of outbound calls alone.
create index calls_to_number on calls (workspace_id, to_number, created_at desc);
create index calls_of_outcome on calls (workspace_id, status, created_at desc, id desc)
  where status in ('failed', 'error', 'cancelled');
create index calls_of_type on calls (workspace_id, call_type, created_at desc, id desc)
  where call_type in ('inbound', 'webcall');
-- The ended contacts of a campaign by their status, in the order of its list: few failed ones among a million are found
-- without reading the others. Waiting and live contacts have indexes of their own.
create index calls_of_contact_status on calls (workspace_id, campaign_id, status, contact_row)
  where contact_row is not null and status in ('completed', 'failed', 'error', 'cancelled');
-- The history and the contacts of a campaign filtered by result, and the calls that were dialled or came in by the time
-- of their last dialing: few among a million that wait are found without reading the others.
create index calls_of_result on calls (workspace_id, result, created_at desc, id desc) where result is not null;
create index calls_of_contact_result on calls (workspace_id, campaign_id, result, contact_row)
  where contact_row is not null and result is not null;
create index calls_dialled on calls (workspace_id, coalesce(dialed_at, created_at) desc, id desc)
  where dialed_at is not null or call_type <> 'outbound';
create function note_call_ending() returns trigger language plpgsql as $$
begin
  insert into call_endings (workspace_id, day, agent_id, version_id, number_id, campaign_id, call_type, status,
    sub_status, duration_bucket, attempts, duration_ms, cost)
  values (new.workspace_id, (new.created_at at time zone 'UTC')::date, new.agent_id, new.version_id,
    coalesce(new.number_id, '00000000-0000-0000-0000-000000000000'),
    coalesce(new.campaign_id, '00000000-0000-0000-0000-000000000000'),
    new.call_type, new.status, new.sub_status, ending_bucket(new.duration_ms), new.attempt,
    coalesce(new.duration_ms, 0), new.cost);
  return null;
end $$;
create trigger calls_end after update of status on calls for each row
  when (new.status in ('completed', 'failed', 'error', 'cancelled') and old.status is distinct from new.status)
  execute function note_call_ending();
create trigger calls_begin_ended after insert on calls for each row
  when (new.status in ('completed', 'failed', 'error', 'cancelled'))
  execute function note_call_ending();
create function note_call_beginning() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, day, call_type, calls)
  values (new.workspace_id, (new.created_at at time zone 'UTC')::date, new.call_type, 1);
  return null;
end $$;
create trigger calls_begin after insert on calls for each row
  when (new.contact_row is null) execute function note_call_beginning();
create function note_call_result() returns trigger language plpgsql as $$
begin
  insert into result_changes (workspace_id, day, agent_id, campaign_id, result, source, calls)
  select new.workspace_id, (new.created_at at time zone 'UTC')::date, new.agent_id,
    coalesce(new.campaign_id, '00000000-0000-0000-0000-000000000000'), change.*
  from (values (old.result, old.result_source, -1), (new.result, new.result_source, 1)) change (result, source, calls)
  where change.result is not null;
  return null;
end $$;
create trigger calls_result after update of result, result_source on calls for each row
  when (new.result is distinct from old.result or new.result_source is distinct from old.result_source)
  execute function note_call_result();

-- The journal: a row is committed before the attempt's INVITE may leave.
create table call_attempts (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  node_id uuid not null,
  status text not null check (status in ('claimed', 'dialing', 'ringing', 'answered', 'ended')),
  sub_status text,
  claimed_at timestamptz not null,
  -- Set in its own commit right before the INVITE: with it the callee may have been rung.
  dialed_at timestamptz,
  ringing_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  sip_call_id text,
  sip_code int,
  reason text,
  duration_ms int,
  cost bigint not null default 0,
  campaign_id uuid,
  number_id uuid,
  to_number text,
  -- The INVITE has left. Between dialed_at and this it may be leaving, for no longer than dialer/outbound-call.ts says.
  sent_at timestamptz,
  -- When the person wants to be called again, written while they talk: a process that dies cannot tell of it.
  callback_at timestamptz,
  -- The SIP messages of each attempt, without numbers, credentials and bodies; null: none, or written by an earlier
  -- version.
  sip_messages text,
  -- Why an attempt failed, as a code of shared/failure-reason; null: it did not fail, or an earlier version stored it.
  failure_code text,
  primary key (workspace_id, call_id, attempt)
);
-- What limits and breakers count by: attempts of a campaign, of a caller number, to a callee.
create index call_attempts_of_campaign on call_attempts (workspace_id, campaign_id, ended_at desc)
  where campaign_id is not null and ended_at is not null;
create index call_attempts_of_number on call_attempts (workspace_id, number_id, ended_at desc)
  where ended_at is not null;
create index call_attempts_to on call_attempts (workspace_id, to_number, claimed_at desc);

-- Large and rarely read facts of a call; `calls` stays narrow because it is the queue.
create table call_records (
  workspace_id uuid not null,
  call_id uuid not null,
  transcript jsonb,
  latency jsonb,
  tool_log jsonb,
  media jsonb,
  interruptions int,
  first_utterance_ms int,
  recording_path text,
  recording_ms int,
  recording_bytes bigint,
  recording_state text check (recording_state in ('stored', 'partial', 'failed')),
  platform_analysis jsonb,
  client_analysis jsonb,
  updated_at timestamptz not null,
  -- Set when a call's personal data was erased: nobody writes any into its record again.
  erased_at timestamptz,
  -- The attempt whose conversation a record holds: what was said is timed from its answer, whatever came after it.
  attempt smallint,
  -- The conversation was cut off: transcript, tool log and latencies are as far as the journal had them.
  transcript_partial boolean not null default false,
  -- Stretches of a recording that were left silent: a list of {fromMs, toMs}; null: written by an earlier version.
  recording_pauses jsonb,
  -- What each call used of the recognisers, models and speakers of vendors: audio, tokens, characters. Prices are applied
  -- on reading.
  usage jsonb,
  -- What went wrong at vendors during each call, by part of the call, and what followed; null: written by an earlier
  -- version.
  vendor_faults jsonb,
  -- Who answered each call: kind, confidence, time of the decision and its reasons; null: not decided, or by an earlier
  -- version.
  answered_by jsonb,
  -- {rating, comment, at} of the caller; null: none.
  feedback jsonb,
  -- The events of the conversation for its replay, compressed. It is kept, erased and deleted with the transcript.
  event_log bytea,
  -- How the conversation met each criterion of its agent: [{name, result, reason}]; null: the agent has none, or the
  -- analysis has not run. Kept, erased and deleted with the transcript.
  evaluations jsonb,
  primary key (workspace_id, call_id)
);
-- Few calls have an analysis while it is being made; what was classified is found without the transcripts beside it.
create index call_records_classified on call_records
  (workspace_id, (platform_analysis ->> 'classification'), call_id)
  where platform_analysis is not null;
-- What retention looks for, beside recording_files: ids grow with time, so the oldest come first.
create index call_records_said on call_records (workspace_id, call_id)
  where transcript is not null or tool_log is not null or platform_analysis is not null;
create index call_records_evaluated on call_records (workspace_id, call_id) where evaluations is not null;
-- Calls with faults of vendors, the newest first: the health of a workspace's vendors.
create index call_records_faulty on call_records (workspace_id, updated_at desc) where vendor_faults <> '[]'::jsonb;
alter table call_records alter column event_log set storage external;
create function keep_erased() returns trigger language plpgsql as $$
begin
  new.transcript := null;
  new.tool_log := null;
  new.platform_analysis := null;
  new.client_analysis := null;
  new.evaluations := null;
  new.recording_path := null;
  new.recording_ms := null;
  new.recording_bytes := null;
  new.recording_state := null;
  new.event_log := null;
  new.erased_at := coalesce(old.erased_at, new.erased_at);
  return new;
end $$;
create trigger call_records_erased before update on call_records for each row
  when (old.erased_at is not null) execute function keep_erased();

-- What was said and done so far in calls that are live, piece by piece in the shape of the record's own. An attempt's
-- pieces go with its settlement: into the record where nothing else is known of the conversation.
create table talk_journal (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  seq int not null,
  -- JSON, read by the settlement alone.
  piece text not null,
  at timestamptz not null,
  primary key (workspace_id, call_id, attempt, seq)
);

-- Second legs of calls that are being transferred: each takes a channel of its trunk while its call lives. Written
-- before the INVITE of the leg; what a crash leaves behind belongs to an attempt that is over and counts no more.
-- One row per leg: an attempt may transfer again after a transfer failed. An ended leg stays until the settlement.
create table transfer_legs (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  trunk_id uuid not null,
  started_at timestamptz not null,
  leg smallint not null default 1,
  reserved bigint not null default 0,
  answered_at timestamptz,
  ended_at timestamptz
);
create index transfer_legs_of_trunk on transfer_legs (trunk_id);
alter table transfer_legs add primary key (workspace_id, call_id, attempt, leg);

-- Live calls that were asked to end in a process that does not carry them: the one that does looks here. An attempt
-- that is over takes no notice.
create table hangup_requests (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  -- The process that carries the call.
  node_id uuid not null,
  requested_at timestamptz not null,
  primary key (workspace_id, call_id, attempt)
);
create index hangup_requests_of_node on hangup_requests (node_id);

-- Members of the workspace who listened to live calls. A row without started_at is a token that has not connected; without
-- ended_at the listener left no later than the call ended.
create table call_listeners (
  workspace_id uuid not null,
  id uuid not null,
  call_id uuid not null,
  -- As the audit log names them.
  listener text not null,
  -- The token is stored as its SHA-256; the connection must come from a page of the same origin.
  token_hash text not null,
  origin text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id)
);
-- The browser sends the token alone.
create index call_listeners_by_token on call_listeners (token_hash);
create index call_listeners_of_call on call_listeners (workspace_id, call_id);
create index call_listeners_unused on call_listeners (created_at) where started_at is null;
-- Listeners whose end is not stored: the few live ones, and those of processes that died.
create index call_listeners_open on call_listeners (started_at) where started_at is not null and ended_at is null;

-- A browser call that a page may begin: one row a token, which is stored as its SHA-256. The row of `calls` follows when
-- the browser connects. `args` are emptied then; the row stays for a day, so that its caller can rate the call.
create table web_call_tokens (
  workspace_id uuid not null,
  token_hash text not null,
  call_id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- The origin of the page; the connection must come from the same. Null: any, for a session that the workspace's server
  -- opened: a page may use it, or an app that sends no Origin.
  origin text,
  media_type text not null check (media_type in ('audio', 'text')),
  args jsonb not null default '{}',
  -- Longest duration; null: the agent's.
  max_ms int,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (workspace_id, token_hash)
);
-- The browser sends the token alone.
create index web_call_tokens_by_hash on web_call_tokens (token_hash);
create index web_call_tokens_of_call on web_call_tokens (workspace_id, call_id);
create index web_call_tokens_age on web_call_tokens (created_at);

-- One row per recorded attempt, from its settlement until its file is gone. `disk` is the folder of the process that
-- wrote it; null: unknown, any process may find it in its own. place: on that disk, or in the object store.
-- state: repair (a crash left it without a header), upload, uploaded (the local copy is still there), kept, delete.
create table recording_files (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  path text not null,
  disk text,
  place text not null default 'disk' check (place in ('disk', 'store')),
  state text not null check (state in ('repair', 'upload', 'uploaded', 'kept', 'delete')),
  due_at timestamptz not null,
  -- Somebody works on it until then.
  taken_until timestamptz,
  tries int not null default 0,
  last_error text,
  created_at timestamptz not null,
  -- Who may be putting an MP3 or a waveform beside the recording, each until when at most: it is deleted once more
  -- afterwards.
  adding jsonb not null default '{}',
  -- The erasures that wait for the file to be gone.
  erasures uuid[] not null default '{}',
  primary key (workspace_id, call_id, attempt)
) with (fillfactor = 70);
create index recording_files_due on recording_files (due_at) where state <> 'kept';
create index recording_files_deleted on recording_files (workspace_id) where state = 'delete';

-- One row per movement; (call, attempt, kind) makes settling idempotent.
-- A warm transfer's second leg locks credits like a call of its own; its attempt's settlement charges it.
create table ledger (
  workspace_id uuid not null,
  call_id uuid not null,
  attempt smallint not null,
  kind text not null check (kind in ('lock', 'charge', 'transfer')),
  amount bigint not null,
  at timestamptz not null,
  primary key (workspace_id, call_id, attempt, kind)
);

-- A running export of a workspace's history, held by its beats: one that stopped beating may be taken over.
create table history_exports (
  workspace_id uuid not null references workspaces (id),
  filter_hash text not null,
  token uuid not null,
  beat_at timestamptz not null,
  primary key (workspace_id, filter_hash)
);

-- Campaigns

create table campaigns (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  name text not null,
  state text not null check (state in ('uploaded', 'verifying', 'draft', 'scheduled', 'ongoing', 'paused', 'completed',
    'terminated', 'failed', 'insufficient_balance')),
  -- Why the campaign is in this state, for people: a failed upload, a breaker that opened.
  message text,
  -- Between campaign and agent in the order of precedence: as sent, {call_time, call_retry_config}.
  call_config jsonb,
  -- Variable name to CSV column header, as sent.
  variables_map jsonb not null default '{}',
  country_code text,
  remove_invalid_rows boolean not null default false,
  start_at timestamptz,
  end_at timestamptz,
  -- Caller numbers: those of campaign_numbers, or the members of a pool.
  number_pool_id uuid,
  -- Receiver of every call's call_completed and of campaign_completed: {url}.
  callback jsonb,
  concurrency_percentage smallint check (concurrency_percentage between 1 and 100),
  -- Scheduling hint: no due call of the campaign is earlier, nor may any start earlier. May be too early, never too late.
  next_due_at timestamptz not null default 'infinity',
  served_at timestamptz not null default 'epoch',
  total_rows int not null default 0,
  processed_rows int not null default 0,
  successful_rows int not null default 0,
  failed_rows int not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- Set with the event campaign_completed, which follows the last call's.
  reported_at timestamptz,
  -- How wide a campaign dials at present and since when (dialer/ramp.ts). null: it begins anew.
  ramp_limit int,
  ramp_at timestamptz,
  -- The breaker's rules as sent at the start; what is absent comes from the workspace, then from the defaults.
  breaker jsonb,
  -- Only attempts that ended later are judged: the campaign was started or resumed then.
  breaker_since timestamptz,
  -- When the scheduler last read the campaign with a due time, whether or not it could start a call of it: in a workspace
  -- with more campaigns than one batch reads, the campaigns that were read in vain go behind the others.
  considered_at timestamptz not null default 'epoch',
  -- A campaign that sends messages: the template as it was at the upload, and the WhatsApp numbers of its start.
  template jsonb,
  whatsapp_number_ids uuid[] not null default '{}',
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index campaigns_listed on campaigns (workspace_id, created_at desc, id desc);
create index campaigns_running on campaigns (workspace_id, next_due_at) where state in ('scheduled', 'ongoing');
create index campaigns_of_agent on campaigns (workspace_id, agent_id);
-- What the keeper reads: every campaign that runs, and those that are over and not yet reported.
create index campaigns_kept on campaigns (workspace_id, id)
  where reported_at is null
    and state in ('scheduled', 'ongoing', 'paused', 'insufficient_balance', 'completed', 'terminated');
-- Campaigns that send messages.
create index campaigns_sending on campaigns (workspace_id, id)
  where template is not null and state in ('scheduled', 'ongoing');
create function note_contacts() returns trigger language plpgsql as $$
begin
  insert into call_beginnings (workspace_id, day, call_type, calls)
  select new.workspace_id, (created_at at time zone 'UTC')::date, call_type, new.successful_rows - old.successful_rows
  from calls where workspace_id = new.workspace_id and campaign_id = new.id and contact_row is not null limit 1;
  return null;
end $$;
create trigger campaigns_contacts after update of successful_rows on campaigns for each row
  when (new.state = 'draft' and new.successful_rows > old.successful_rows) execute function note_contacts();

create table campaign_numbers (
  workspace_id uuid not null,
  campaign_id uuid not null,
  number_id uuid not null,
  primary key (workspace_id, campaign_id, number_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id)
);

create table campaign_do_not_call (
  workspace_id uuid not null,
  campaign_id uuid not null,
  number text not null,
  reason text not null,
  created_at timestamptz not null,
  primary key (workspace_id, campaign_id, number)
);

-- Contact lists on their way in. The bytes of a file wait here, in compressed pieces, until they are read: whichever
-- process reads them needs no disk in common with the one that took them. id is also the campaign's.
create table campaign_uploads (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  -- save answers when the list is read, and has no campaign before; upload answers at once.
  flow text not null check (flow in ('save', 'upload')),
  -- receiving: the file comes in. received: it waits to be read. Both: nothing can be dialled.
  state text not null check (state in ('receiving', 'received', 'completed', 'failed')),
  -- How it is to be read and what campaign it becomes; null while it comes in.
  plan jsonb,
  file_bytes bigint not null default 0,
  read_bytes bigint not null default 0,
  -- What was found: {encoding, delimiter, invalid_rows}.
  report jsonb,
  has_rejects boolean not null default false,
  -- The request or process that has it in hand is alive; without for minutes, it is given up.
  beat_at timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
create index campaign_uploads_in_hand on campaign_uploads (beat_at) where state in ('receiving', 'received');
-- Lists that POST /campaign/save refused keep their invalid rows for a day, to be downloaded.
create index campaign_uploads_refused on campaign_uploads (beat_at) where flow = 'save' and state = 'failed';

-- Pieces of the file as it came, and of the CSV of refused rows. They are compressed: TOAST need not try.
create table campaign_upload_pieces (
  workspace_id uuid not null,
  upload_id uuid not null,
  kind text not null check (kind in ('file', 'rejects')),
  seq int not null,
  content bytea not null,
  primary key (workspace_id, upload_id, kind, seq),
  foreign key (workspace_id, upload_id) references campaign_uploads (workspace_id, id) on delete cascade
);
alter table campaign_upload_pieces alter column content set storage external;

create table campaign_messages (
  workspace_id uuid not null,
  campaign_id uuid not null,
  id uuid not null,
  contact_row int not null,
  to_number text not null,
  callee_name text not null default '',
  args jsonb not null default '{}',
  status text not null default 'registered'
    check (status in ('registered', 'ongoing', 'retry', 'completed', 'failed', 'error', 'cancelled')),
  sub_status text not null default 'IN_DB',
  -- Requests sent to the vendor; each carries `<id>.<attempt>`, which statuses repeat.
  attempt smallint not null default 0,
  -- Requests since the last retry of the campaign's budget: they bound the vendor's own back-off.
  tries smallint not null default 0,
  retries_used smallint not null default 0,
  next_attempt_at timestamptz not null,
  -- The WhatsApp number that sends.
  number_id uuid,
  -- The last request: sending (committed before the request leaves), unsure (its answer was lost), then what WhatsApp
  -- reports. Null: none was sent, or it was refused.
  state text check (state in ('sending', 'unsure', 'sent', 'delivered', 'read', 'failed')),
  -- When a message in the states sending, unsure and sent is settled without a status.
  due_at timestamptz,
  -- The vendor's id of the message, and of the person.
  external_id text,
  customer text,
  -- The words as they were sent.
  text text,
  error_code int,
  claimed_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  -- The person wrote back, in this chat.
  answered_at timestamptz,
  chat_id uuid,
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
) with (fillfactor = 80);
create unique index campaign_messages_rows on campaign_messages (workspace_id, campaign_id, contact_row);
create index campaign_messages_waiting on campaign_messages (workspace_id, campaign_id, next_attempt_at)
  where status in ('registered', 'retry');
create index campaign_messages_unsettled on campaign_messages (due_at) where due_at is not null;
create index campaign_messages_live on campaign_messages (workspace_id, campaign_id) where status = 'ongoing';
-- Counts read the index alone.
create index campaign_messages_counted on campaign_messages (workspace_id, campaign_id, status, state, answered_at);
create unique index campaign_messages_external on campaign_messages (workspace_id, external_id)
  where external_id is not null;
create index campaign_messages_of_number on campaign_messages (workspace_id, to_number);
create index campaign_messages_of_customer on campaign_messages (workspace_id, customer) where customer is not null;

-- Chats: conversations by text. A chat is one session of one person with one agent.

create table chats (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- test: a test run from the dashboard or the API; in no list, event or analysis.
  channel text not null check (channel in ('whatsapp', 'web', 'test')),
  -- The WhatsApp number that carries the chat.
  channel_id uuid,
  -- The person's key in the channel (of WhatsApp: `<channel_id>:<id of the user>`), and the number if the channel tells it.
  customer text not null,
  customer_number text,
  customer_name text not null default '',
  args jsonb not null default '{}',
  -- with_person: a person of the workspace answers instead of the agent.
  state text not null default 'open' check (state in ('open', 'with_person', 'closed')),
  end_reason text,
  -- History, memory and variables of the agent; see src/chat/turn.ts.
  talk jsonb not null default '{}',
  tool_log jsonb not null default '[]',
  -- Tools of the turn under way, written before each runs, so that a turn that is taken again repeats none.
  turn_tools jsonb not null default '[]',
  -- Tokens of language models.
  usage jsonb not null default '[]',
  -- Set while messages wait for an answer.
  due_at timestamptz,
  -- The worker that takes a turn holds the chat until then; `turn` fences its commit.
  leased_until timestamptz not null default '-infinity',
  turn int not null default 0,
  tries int not null default 0,
  created_at timestamptz not null,
  -- The person's last message; opens the 24 hours in which a business may answer freely.
  customer_at timestamptz,
  -- When the chat ends unless someone writes.
  ends_at timestamptz not null,
  ended_at timestamptz,
  platform_analysis jsonb,
  client_analysis jsonb,
  -- all_processing_completed was stored.
  processed_at timestamptz,
  erased_at timestamptz,
  evaluations jsonb,
  -- A member of the workspace who answers a chat instead of the agent, as the audit log names them; null: the agent
  -- answers.
  taken_by text,
  taken_at timestamptz,
  -- The campaign whose message the person answered.
  campaign_id uuid,
  primary key (workspace_id, id)
) with (fillfactor = 70);
-- One chat of a person at a time.
create unique index chats_open on chats (workspace_id, channel, customer) where state <> 'closed';
create index chats_due on chats (due_at) where state = 'open' and due_at is not null;
create index chats_ending on chats (ends_at) where state <> 'closed';
create index chats_tests on chats (ended_at) where channel = 'test' and state = 'closed';
create index chats_listed on chats (workspace_id, created_at desc, id desc);
create index chats_of_number on chats (workspace_id, customer_number) where customer_number is not null;
create index chats_processed on chats (workspace_id, processed_at desc) where processed_at is not null;
-- Chats that began with the answer to a campaign's message, listed by campaign.
create index chats_of_campaign on chats (workspace_id, campaign_id, created_at desc, id desc)
  where campaign_id is not null;

create table chat_messages (
  workspace_id uuid not null,
  chat_id uuid not null,
  id uuid not null,
  seq bigint generated always as identity,
  -- person: somebody of the workspace, after a take-over.
  role text not null check (role in ('agent', 'customer', 'person')),
  kind text not null default 'text',
  text text not null,
  -- Buttons, a template, or the choice that the person made.
  content jsonb,
  -- The channel's id of the message.
  external_id text,
  sent_at timestamptz not null,
  created_at timestamptz not null,
  -- The turn that answered a customer's message; null: not answered yet.
  turn int,
  -- Ours: queued, sending (journalled before the request), unsure (its answer was lost), sent, delivered, read, failed.
  state text check (state in ('queued', 'sending', 'unsure', 'sent', 'delivered', 'read', 'failed')),
  due_at timestamptz,
  tries smallint not null default 0,
  error_code int,
  -- Who wrote a message of the role person.
  author text,
  -- spoken_by: which engine gave a reply, and what went wrong at the models that were asked before. Null for messages of
  -- earlier versions, of persons, and fixed lines.
  spoken_by jsonb,
  primary key (workspace_id, id)
) with (fillfactor = 80);
create unique index chat_messages_external on chat_messages (workspace_id, external_id) where external_id is not null;
create index chat_messages_of on chat_messages (workspace_id, chat_id, seq);
create index chat_messages_outbox on chat_messages (due_at) where state in ('queued', 'sending', 'unsure');
-- What pages of chats watch: the newest message of a workspace, and its newest analysis.
create index chat_messages_newest on chat_messages (workspace_id, seq desc);

-- A chat that a page may hold: one row an opening. The row of `chats` follows when the page connects. Tokens are stored as
-- their SHA-256. `args` are emptied at the first connection.
create table web_chats (
  workspace_id uuid not null,
  chat_id uuid not null,
  agent_id uuid not null,
  version_id uuid not null,
  -- The origin of the page; every connection must come from it. Null: any.
  origin text,
  args jsonb not null default '{}',
  -- The token of the next connection; null: the opening token was used and its successor is not confirmed yet.
  token_hash text,
  -- Its successor, which the page gets at a connection and has not confirmed yet.
  next_hash text,
  created_at timestamptz not null,
  -- Of the opening token.
  expires_at timestamptz not null,
  connected_at timestamptz,
  primary key (workspace_id, chat_id)
);
-- The browser sends the token alone.
create index web_chats_by_token on web_chats (token_hash);
create index web_chats_by_next on web_chats (next_hash);
create index web_chats_age on web_chats (created_at);

-- Numbers of the WhatsApp Business Cloud API. Token and app secret are sealed; verify_token is what Meta sends back when
-- the callback address is saved.
create table whatsapp_numbers (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  agent_id uuid not null,
  -- Meta's id of the number, which webhooks carry and requests address.
  phone_number_id text not null,
  number text not null,
  display_name text not null default '',
  access_token text not null,
  app_secret text not null,
  verify_token text not null,
  -- Sending is paused until then, and why: a token that expired, a limit of the account.
  paused_until timestamptz not null default '-infinity',
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The account that owns a number's templates; null: not known yet.
  business_account_id text,
  primary key (workspace_id, id),
  unique (workspace_id, phone_number_id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id)
);
create index whatsapp_numbers_by_id on whatsapp_numbers (id);

-- Events and webhooks

-- Every event once; deliveries of one event go to one target each. seq orders the events of a call.
-- An event is kept as the text it is sent as: nothing is written out anew for each attempt, and its keys stay in the
-- order they were given.
create table events (
  workspace_id uuid not null,
  id uuid not null,
  call_id uuid not null,
  seq bigint generated always as identity,
  dedup text not null,
  event_type text not null,
  body json not null,
  occurred_at timestamptz not null,
  unique (workspace_id, call_id, dedup)
);
alter table events add primary key (workspace_id, id);

create function without_path(url text) returns text language sql immutable parallel safe
  return substring(url from '^[a-z]+://[^/?#]+') || '/';

-- No unique key on the target: an address may be longer than an index entry. The code that writes a delivery keeps it
-- unique. Each attempt updates its delivery and makes the row a third longer, and the rows of one page end together: with
-- the page more than half free, the new rows stay in it and no index changes.
create table deliveries (
  workspace_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  call_id uuid not null,
  event_seq bigint not null,
  target text not null,
  -- Host of url: deliveries to one host share its limit of parallel requests.
  host text not null,
  url text not null,
  method text not null,
  headers jsonb not null,
  state text not null check (state in ('due', 'delivered', 'dead')),
  attempt smallint not null default 0,
  due_at timestamptz not null,
  attempts jsonb not null default '[]',
  created_at timestamptz not null,
  finished_at timestamptz,
  -- campaign_completed waits for the deliveries of its calls.
  campaign_id uuid,
  -- What the log is filtered by, beside the event itself.
  event_type text not null,
  is_test boolean not null default false,
  -- How often it was sent again on request, each time with four attempts of its own.
  resends smallint not null default 0,
  -- The address of an erased call's own receiver may carry what the call was made with: it is needed until the last
  -- event was told, and cut down to its host then.
  forget_address boolean not null default false,
  -- What a receiver answers may repeat what it was told: once a call is erased, no attempt to tell of it keeps the answer,
  -- not even one that was under way.
  without_answers boolean not null default false,
  -- The subscription counts every status from 200 to 299 as success, not 200 alone.
  any_2xx boolean not null default false,
  -- The subscription recovers by itself: its given-up deliveries are kept and sent when the receiver is back.
  recovers boolean not null default false
) with (fillfactor = 40);
create index deliveries_of_call on deliveries (workspace_id, call_id, event_seq);
create index deliveries_listed on deliveries (workspace_id, created_at desc, id desc);
-- The key is the newest index, because the planner takes the newest of indexes that look equally good, and while the table
-- is small all that begin with the workspace do. The same holds for `events` and `delivery_queue`.
alter table deliveries add primary key (workspace_id, id);
create function forget_address() returns trigger language plpgsql as $$
begin
  new.url := without_path(new.url);
  new.target := new.method || ' ' || new.url;
  new.headers := '{}';
  return new;
end $$;
create trigger deliveries_forgotten before update of forget_address on deliveries for each row
  when (new.forget_address and new.state <> 'due') execute function forget_address();

-- What is still to be delivered. Its rows come and go, so that those of the log are written to once per attempt and no
-- index of theirs with it. A lease is in no index either: taking one moves nothing.
create table delivery_queue (
  workspace_id uuid not null,
  -- The delivery's.
  id uuid not null,
  call_id uuid not null,
  campaign_id uuid,
  event_seq bigint not null,
  target text not null,
  host text not null,
  is_resend boolean not null default false,
  attempt smallint not null default 0,
  due_at timestamptz not null,
  -- A sender has it until then; should it die, another takes it.
  leased_until timestamptz not null default '-infinity',
  -- How often a sender of the delivery ended before its attempt did: that attempt is made again, a few times.
  interruptions smallint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
-- A receiver is a host as one workspace uses it. What is due to one is read without passing over what is due to others.
create index delivery_queue_of_receiver on delivery_queue (host, workspace_id, due_at);
create index delivery_queue_of_call on delivery_queue (call_id, event_seq);
create index delivery_queue_of_campaign on delivery_queue (workspace_id, campaign_id) where campaign_id is not null;
alter table delivery_queue add primary key (workspace_id, id);
-- Deliveries that no process can sign or address with the key it has wait for ever, until one is started that can:
-- those are found without a look at all others.
create index delivery_queue_held on delivery_queue (workspace_id) where due_at = 'infinity';

-- Deliveries that were given up. `new`: the recovery has not seen it; `kept`: waits until the receiver is back; `sending`:
-- in delivery_queue again, for one attempt. A row ends with its delivery's success.
create table given_up_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  state text not null default 'new' check (state in ('new', 'kept', 'sending')),
  -- The outage that keeps it, and the order of its event.
  outage_id uuid,
  event_seq bigint,
  primary key (workspace_id, id)
);
create index given_up_deliveries_new on given_up_deliveries (at) where state = 'new';
create index given_up_deliveries_kept on given_up_deliveries (outage_id, event_seq) where state = 'kept';
create index given_up_deliveries_of_workspace on given_up_deliveries (workspace_id, event_seq) where state = 'kept';

-- A receiver that accepts nothing: from the first delivery that was given up until it accepts one again.
create table webhook_outages (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  -- Method and address; `target_key` is its MD5, because an address may be longer than an index entry.
  target text not null,
  target_key text not null,
  url text not null,
  method text not null,
  recovers boolean not null,
  since timestamptz not null,
  last_failed_at timestamptz not null,
  checked_at timestamptz not null,
  -- Probes since the receiver last accepted something, and the time of the next one; null: only a success of a new event
  -- ends it.
  probes int not null default 0,
  probe_at timestamptz,
  -- The kept delivery that is being sent; null: none is.
  head_id uuid,
  -- How often it was refused while the receiver accepted other events.
  refusals int not null default 0,
  -- The receiver has accepted something since `last_failed_at`.
  is_back boolean not null default false,
  dropped int not null default 0,
  primary key (workspace_id, id)
);
create unique index webhook_outages_target on webhook_outages (workspace_id, target_key);
create index webhook_outages_checked on webhook_outages (checked_at);

-- What signs a workspace's deliveries, sealed with the installation's key. The one without retires_at is current; a
-- retiring one signs beside it until then.
create table webhook_secrets (
  workspace_id uuid not null,
  id uuid not null,
  secret text not null,
  created_at timestamptz not null,
  retires_at timestamptz,
  primary key (workspace_id, id)
);
create unique index webhook_secrets_current on webhook_secrets (workspace_id) where retires_at is null;

-- Analytics
-- They read sums by day, never the calls themselves. An ending call leaves one row in call_endings, in the transaction that
-- ends it and whoever ends it; rows are folded into call_days by one transaction at a time per workspace. Endings are only
-- ever inserted, so no two calls that end wait for each other. What is counted is call_days and call_endings together.
-- day is the UTC day of created_at, as history filters by it. nil stands for no number and no campaign, so that they can be
-- part of the key. duration_bucket: -1 not answered, else see ending_bucket.

create function ending_bucket(duration_ms int) returns smallint language sql immutable parallel safe as $$
  select case when duration_ms is null then -1
    else width_bucket(duration_ms, array[10000, 30000, 60000, 120000, 300000, 600000]) end::smallint
$$;

create table call_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid not null,
  campaign_id uuid not null,
  call_type text not null,
  status text not null,
  sub_status text not null,
  duration_bucket smallint not null,
  calls int not null,
  attempts int not null,
  duration_ms bigint not null,
  cost bigint not null,
  primary key (workspace_id, day, agent_id, version_id, number_id, campaign_id, call_type, status, sub_status,
    duration_bucket)
) with (fillfactor = 70);
create index call_days_of_campaign on call_days (workspace_id, campaign_id, day)
  where campaign_id <> '00000000-0000-0000-0000-000000000000';
create function note_call_days() returns trigger language plpgsql as $$
begin
  insert into call_totals (workspace_id, day, call_type, status, calls)
  values (new.workspace_id, new.day, new.call_type, new.status, new.calls - coalesce(old.calls, 0))
  on conflict (workspace_id, day, call_type, status) do update set calls = call_totals.calls + excluded.calls;
  return null;
end $$;
create trigger call_days_total after insert or update of calls on call_days for each row execute function note_call_days();

create table call_endings (
  workspace_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid not null,
  campaign_id uuid not null,
  call_type text not null,
  status text not null,
  sub_status text not null,
  duration_bucket smallint not null,
  attempts int not null,
  duration_ms bigint not null,
  cost bigint not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Ended calls of a day by kind and state alone: few rows where call_days has thousands, for the length of a history.
-- The trigger on call_days keeps them, whoever folds.
create table call_totals (
  workspace_id uuid not null,
  day date not null,
  call_type text not null,
  status text not null,
  calls int not null,
  primary key (workspace_id, day, call_type, status)
) with (fillfactor = 70);

-- How many calls there are, by the day and kind they began with: a history's length must not be counted out of a queue
-- of a million. A call that is placed or comes in leaves a row in call_beginnings, folded into call_begun as call_endings
-- are into call_days; a contact list leaves one for all of its contacts, when its campaign gets them.
create table call_begun (
  workspace_id uuid not null,
  day date not null,
  call_type text not null,
  calls int not null,
  primary key (workspace_id, day, call_type)
) with (fillfactor = 70);

create table call_beginnings (
  workspace_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  call_type text not null,
  calls int not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Calls by result, by the UTC day of their creation. A result that changes leaves rows in result_changes, one for each
-- value it takes (1) or loses (-1), which are folded into result_days as call_endings are into call_days, so that two
-- calls that end never wait for each other. What is counted is both together.
create table result_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  campaign_id uuid not null,
  result text not null,
  source text not null,
  calls int not null,
  primary key (workspace_id, day, agent_id, campaign_id, result, source)
) with (fillfactor = 70);
create index result_days_of_campaign on result_days (workspace_id, campaign_id)
  where campaign_id <> '00000000-0000-0000-0000-000000000000';

create table result_changes (
  workspace_id uuid not null,
  id bigint generated always as identity,
  day date not null,
  agent_id uuid not null,
  campaign_id uuid not null,
  result text not null,
  source text not null,
  calls int not null,
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Figures of attempts by the time of their dialing, where call_days counts calls by the day of their creation: attempts and
-- answers by quarter of an hour (the step of the time zones' offsets), and reaction times as histograms. The transaction
-- that ends an attempt inserts one row into ended_attempts, so two attempts that end never wait for each other; its rows
-- are folded as those of call_endings are, those of campaigns also into attempt_quarters. What is counted is the folded
-- tables and ended_attempts together.
-- slot: the quarter of an hour in which the attempt was dialled, or in which the call came in. Nil stands for no campaign.
-- quarter: quarters of an hour since 1970 at the dialling. Offsets of time zones are whole quarters, so that the sums fit
-- the clock of every zone. busy_ms: from the dialling to the end, how long the attempts took up a line.

-- The histogram bucket of milliseconds: 0 below 20 ms, then steps of 5 %, the last from 44.6 s. Bounds:
-- src/domain/analytics/histogram.ts.
create function reaction_bucket(ms float8) returns smallint language sql immutable parallel safe as $$
  select case when ms < 20 then 0 else least(159, floor(ln(ms / 20) / ln(1.05)) + 1) end::smallint
$$;

-- The histogram of buckets: element 1 counts bucket 0; it ends with the last bucket that has one.
create function bucket_counts(buckets smallint[]) returns int[] language sql immutable parallel safe as $$
  select array_agg(coalesce(c.n, 0) order by i)
  from generate_series(0, (select max(b) from unnest(buckets) b)) i
  left join (select b, count(*)::int as n from unnest(buckets) b group by b) c on c.b = i
$$;

create function add_counts(a int[], b int[]) returns int[] language sql immutable parallel safe as $$
  select array(select coalesce(x, 0) + coalesce(y, 0) from unnest(a, b) as t (x, y))
$$;

create table attempt_quarters (
  workspace_id uuid not null,
  campaign_id uuid not null,
  quarter int not null,
  attempt smallint not null,
  calls int not null,
  answered int not null,
  busy_ms bigint not null,
  primary key (workspace_id, campaign_id, quarter, attempt)
) with (fillfactor = 70);

create table ended_attempts (
  workspace_id uuid not null,
  id bigint generated always as identity,
  slot timestamptz not null,
  agent_id uuid not null,
  version_id uuid not null,
  campaign_id uuid not null,
  -- 1: the first; later ones are retries.
  attempt smallint not null,
  is_answered boolean not null,
  duration_ms int not null,
  -- From the dialing to the end.
  busy_ms bigint not null,
  -- By turn, in ms: [reaction, endpointing, recognition, model, voice]; null: unknown.
  turns jsonb not null,
  -- Nil: not a number of the workspace, or the row is from an earlier version.
  number_id uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (workspace_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

create table attempt_slots (
  workspace_id uuid not null,
  slot timestamptz not null,
  agent_id uuid not null,
  campaign_id uuid not null,
  attempts int not null,
  answered int not null,
  duration_ms bigint not null,
  primary key (workspace_id, slot, agent_id, campaign_id)
) with (fillfactor = 70);

-- Attempts that a person answered, of attempts that were dialled or came in, by UTC day of the dialing. Mailboxes,
-- screening services, faxes and announcements answer for no person (packages/turns/src/answer/answered-by.ts). first_attempts: of calls
-- dialled for the first time, which counts the calls that were dialled.
create table attempt_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  number_id uuid not null,
  campaign_id uuid not null,
  attempts int not null,
  first_attempts int not null,
  answered int not null,
  primary key (workspace_id, day, agent_id, version_id, number_id, campaign_id)
) with (fillfactor = 70);
create index attempt_days_of_campaign on attempt_days (workspace_id, campaign_id)
  where campaign_id <> '00000000-0000-0000-0000-000000000000';

-- Reaction times and their parts by UTC day. part: 0 reaction, 1 endpointing, 2 recognition, 3 model, 4 voice.
create table reaction_days (
  workspace_id uuid not null,
  day date not null,
  agent_id uuid not null,
  version_id uuid not null,
  campaign_id uuid not null,
  part smallint not null,
  counts int[] not null,
  primary key (workspace_id, day, agent_id, version_id, campaign_id, part)
) with (fillfactor = 70);

-- The reaction alone, by quarter of an hour and without campaigns, so that a year of hours stays quick to read.
create table reaction_slots (
  workspace_id uuid not null,
  slot timestamptz not null,
  agent_id uuid not null,
  counts int[] not null,
  primary key (workspace_id, slot, agent_id)
) with (fillfactor = 70);

-- The service itself

-- Signing secrets and other settings of the installation, generated once.
create table installation (
  key text primary key,
  value text not null,
  created_at timestamptz not null
);

-- A process that may hold live calls. One row beats for all its calls. A fenced one is taken for dead: it may write
-- nothing more, and its calls are settled by others.
create table nodes (
  id uuid primary key,
  name text not null,
  roles text not null,
  beat_at timestamptz not null,
  started_at timestamptz not null,
  draining boolean not null default false,
  fenced_at timestamptz,
  -- What each process carries, written with its heartbeat, so that any process can show all of them; null: an earlier
  -- version.
  figures jsonb
);

-- Background work that is not a delivery.
create table jobs (
  id uuid not null,
  workspace_id uuid not null,
  kind text not null,
  dedup text not null,
  payload jsonb not null,
  state text not null check (state in ('due', 'done', 'dead')),
  attempt smallint not null default 0,
  due_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  unique (workspace_id, kind, dedup)
) with (fillfactor = 70);
-- The job runner finds the workspaces with due jobs of its kind by a loose index scan and reads the oldest jobs of each.
-- Jobs that used up their attempts are searched among the begun ones, apart from the backlog.
create index jobs_of_workspace on jobs (kind, workspace_id, due_at) where state = 'due';
create index jobs_begun on jobs (kind, due_at) where state = 'due' and attempt > 0;

-- The secrets that sign links to recordings and refused rows. A token names its key by `id`. Sealed like every other
-- secret.
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

create table idempotency_keys (
  workspace_id uuid not null,
  key text not null,
  route text not null,
  body_hash text not null,
  status int,
  response jsonb,
  created_at timestamptz not null,
  primary key (workspace_id, route, key)
);
-- Answers kept for repeated requests are deleted by age.
create index idempotency_keys_age on idempotency_keys (created_at);

-- The latest requests of each workspace's key. Written in batches behind the responses, so a crash loses the last second.
create table api_requests (
  workspace_id uuid not null,
  id uuid not null,
  -- When it arrived.
  at timestamptz not null,
  method text not null,
  -- With its query; secrets are placeholders here and in the bodies.
  path text not null,
  status smallint not null,
  duration_ms int not null,
  request_id text not null,
  -- The key, as it may be shown.
  key text not null,
  content_type text,
  body_bytes bigint,
  -- JSON text; null: none, or of another type.
  body text,
  -- Body or response have only their beginning.
  is_cut boolean not null,
  -- Of a refused or failed request.
  response text,
  -- What the service ignored in a request, such as an unknown query parameter: sentences. Null: an earlier version logged
  -- it.
  notices text[],
  primary key (workspace_id, id)
);

-- Requests that arrived until then are not stored any more: an erasure has removed those that name the erased person, and
-- others may still wait in the memory of a process.
create table api_request_floors (
  workspace_id uuid primary key,
  at timestamptz not null
);

-- Who did what. Rows are never changed, and deleted by retention alone, which says so in its transaction.
create table audit_log (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor_type text not null,
  actor text not null,
  action text not null,
  method text not null,
  route text not null,
  status int not null,
  objects jsonb not null default '{}',
  request_id text not null,
  address text,
  primary key (workspace_id, id)
);
create index audit_log_of_action on audit_log (workspace_id, action, id);
create function audit_is_final() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('callwright.audit_retention', true) = 'on' then return old; end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_log_final before update or delete on audit_log for each row execute function audit_is_final();
create trigger audit_log_no_truncate before truncate on audit_log for each statement execute function audit_is_final();

-- An erasure of everything with some numbers, walked call by call in the order of their ids; `waiting` are calls that
-- were live when the walk met them. The numbers leave the row when it is done.
-- It goes through the contact lists of the workspace before its calls, because a list that is being read becomes calls.
create table erasures (
  workspace_id uuid not null references workspaces (id),
  id uuid not null,
  mobile_numbers text[] not null,
  state text not null check (state in ('due', 'done')),
  due_at timestamptz not null,
  after_call uuid,
  walked boolean not null default false,
  waiting uuid[] not null default '{}',
  erased_calls int not null default 0,
  requested_at timestamptz not null,
  done_at timestamptz,
  after_list uuid,
  lists_done boolean not null default false,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index erasures_due on erasures (due_at) where state = 'due';
