-- Campaigns of a workspace with more of them than one turn looks at: those looked at in vain go behind the others.
alter table campaigns add column looked_at timestamptz not null default 'epoch';
