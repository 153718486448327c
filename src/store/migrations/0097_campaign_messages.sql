-- Campaigns of WhatsApp agents: each contact gets one template message.

-- The account that owns a number's templates; null: not known yet.
alter table whatsapp_numbers add column business_account_id text;

-- A campaign that sends messages: the template as it was at the upload, and the WhatsApp numbers of its start.
alter table campaigns add column template jsonb,
  add column whatsapp_number_ids uuid[] not null default '{}';

create table campaign_messages (
  workspace_id uuid not null,
  campaign_id uuid not null,
  id uuid not null,
  contact_row int not null,
  to_number text not null,
  callee_name text not null default '',
  args jsonb not null default '{}',
  status text not null default 'registered' check (status in ('registered', 'ongoing', 'retry', 'completed', 'failed',
    'error', 'cancelled')),
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
-- Campaigns that send messages.
create index campaigns_sending on campaigns (workspace_id, id)
  where template is not null and state in ('scheduled', 'ongoing');

-- The campaign whose message the person answered.
alter table chats add column campaign_id uuid;
