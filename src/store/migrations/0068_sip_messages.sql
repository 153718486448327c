-- The SIP messages of each attempt, without numbers, credentials and bodies; null: none, or written by an earlier version.
alter table call_attempts add column sip_messages text;
