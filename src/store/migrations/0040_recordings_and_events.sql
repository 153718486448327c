-- Who may be putting an MP3 or a waveform beside the recording, each until when at most: it is deleted once more
-- afterwards.
alter table recording_files add column adding jsonb not null default '{}';
