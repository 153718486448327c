-- What came of a call in one value (src/domain/calls/result.ts): the answer to its agent's goal, else its label, else the
-- way it ended. Calls that end later get theirs from the program; those of before get it here.
alter table calls add column result text, add column result_source text;

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

-- As src/domain/calls/result.ts decides: an answer or label of a conversation with a machine counts for nothing.
update calls c set
  result = coalesce(d.answer, d.label, d.ending),
  result_source = case when d.answer is not null then 'goal' when d.label is not null then 'label' else 'ending' end
from (
  select f.workspace_id, f.id,
    case when f.is_person then
      case jsonb_typeof(f.answer)
        when 'boolean' then upper(left(f.goal, 1)) || lower(replace(substr(f.goal, 2), '_', ' '))
          || case when f.answer = 'true' then ': yes' else ': no' end
        when 'number' then f.answer #>> '{}'
        when 'string' then nullif(left(regexp_replace(btrim(f.answer #>> '{}'), '\s+', ' ', 'g'), 100), '')
      end
    end as answer,
    case when f.is_person then
      case when f.label in ('voicemail', 'call_screened', 'do_not_call', 'wrong_number', 'callback_requested',
          'transferred', 'human_requested', 'not_interested', 'no_response', 'interested', 'completed', 'incomplete')
        then upper(left(f.label, 1)) || replace(substr(f.label, 2), '_', ' ')
        else nullif(left(f.label, 100), '') end
    end as label,
    coalesce(
      case
        when f.sip_code in (603, 607, 608) and f.outcome = 'BUSY' then 'Refused'
        when f.answered_at is not null then case f.outcome
          when 'USER_LEFT' then case when coalesce(f.duration_ms, 0) < 5000 then 'Hung up at once' else 'Hung up' end
          when 'NOT_ABLE_TO_CALL' then 'Fax or announcement'
          when 'FAILED' then 'Stopped by the service'
          when 'USER_TERMINATED' then 'Ended by the workspace'
        end
        when f.outcome in ('USER_LEFT', 'USER_TERMINATED') and f.call_type <> 'outbound' then 'Hung up before the answer'
      end,
      case f.outcome
        when 'VOICEMAIL_DETECTED' then 'Voicemail'
        when 'NOT_ABLE_TO_CALL' then 'Wrong number'
        when 'FAILED' then 'Not connected'
        when 'PRE_CALL_API_FAILED' then 'Stopped by a tool'
        when 'DND_SKIPPED' then 'Do not call'
        when 'OPTED_OUT' then 'Asked for no more calls'
        when 'USER_TERMINATED' then 'Cancelled'
        when 'CAMPAIGN_TIME_EXCEEDED' then 'Campaign over'
        when 'INSUFFICIENT_BALANCE' then 'Not enough credits'
        when 'AGENT_ENDED' then 'Conversation finished'
        when 'USER_BECAME_IDLE' then 'Went silent'
        when 'MAX_CALL_DURATION' then 'Reached the longest duration'
        when 'MEDIA_TIMEOUT' then 'Connection lost'
        when 'CALL_TRANSFERRED' then 'Transferred'
        when 'UNKNOWN_AFTER_CRASH' then 'Stopped by the service'
        when 'SERVICE_STOPPED' then 'Stopped by the service'
        else upper(left(f.outcome, 1)) || lower(replace(substr(f.outcome, 2), '_', ' '))
      end) as ending
  from (
    select c.workspace_id, c.id, c.call_type, c.answered_at, c.duration_ms, t.sip_code,
      coalesce(t.sub_status, c.sub_status) as outcome,
      coalesce(r.platform_analysis ->> 'call_disconnect_reason', '')
        not in ('VOICEMAIL_DETECTED', 'CALL_SCREENED', 'NOT_ABLE_TO_CALL') as is_person,
      v.config #>> '{client_analysis,goal_key}' as goal,
      r.client_analysis -> (v.config #>> '{client_analysis,goal_key}') as answer,
      r.platform_analysis ->> 'classification' as label
    from calls c
    join agent_versions v on v.workspace_id = c.workspace_id and v.id = c.version_id
    left join call_attempts t on t.workspace_id = c.workspace_id and t.call_id = c.id and t.attempt = c.attempt
      and t.status = 'ended' and c.status <> 'cancelled'
    left join call_records r on r.workspace_id = c.workspace_id and r.call_id = c.id
    where c.status in ('completed', 'failed', 'error', 'cancelled')) f) d
where c.workspace_id = d.workspace_id and c.id = d.id;

insert into result_days
select workspace_id, (created_at at time zone 'UTC')::date, agent_id,
  coalesce(campaign_id, '00000000-0000-0000-0000-000000000000'), result, result_source, count(*)
from calls where result is not null group by 1, 2, 3, 4, 5, 6;

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
