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
