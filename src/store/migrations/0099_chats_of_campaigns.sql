-- Chats that began with the answer to a campaign's message, listed by campaign.
create index chats_of_campaign on chats (workspace_id, campaign_id, created_at desc, id desc)
  where campaign_id is not null;
