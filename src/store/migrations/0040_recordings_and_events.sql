-- Who may be putting an MP3 or a waveform beside the recording, each until when at most: it is deleted once more
-- afterwards.
alter table recording_files add column adding jsonb not null default '{}';

-- The erasures that wait for the file to be gone.
alter table recording_files add column erasures uuid[] not null default '{}';
create index recording_files_deleted on recording_files (workspace_id) where state = 'delete';
