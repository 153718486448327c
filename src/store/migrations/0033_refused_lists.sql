-- Lists that POST /campaign/save refused keep their invalid rows for a day, to be downloaded.
create index campaign_uploads_refused on campaign_uploads (beat_at) where flow = 'save' and state = 'failed';
