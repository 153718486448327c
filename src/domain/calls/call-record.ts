import type { CallRow } from '../../store/history.ts';
import { toCredits } from '../credits/price.ts';
import { recordingUrl } from './recording-link.ts';

/** What makes a recording's address. */
export interface RecordingLink {
  publicUrl: string;
  secret: string;
}

/** A partial recording can be heard; one that failed cannot. */
export const hasRecording = (state: string | null): boolean => state === 'stored' || state === 'partial';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A call as listed in the history and, with more beside it, in its details. Times ISO 8601, lengths in seconds. */
export function toCallRecord(call: CallRow, workspaceId: string, link: RecordingLink) {
  return {
    id: call.id,
    call_id: call.id,
    call_direction: call.call_type === 'inbound' ? 'inbound' : 'outbound',
    call_type: call.call_type,
    call_status: call.status,
    call_sub_status: call.sub_status,
    from_number: call.from_number,
    to_number: call.to_number,
    callee_name: call.callee_name,
    agent_id: call.agent_id,
    agent_name: call.agent_name,
    version_id: call.version_id,
    bulk_list_id: call.lane_id,
    call_category: call.category,
    parent_call_id: call.parent_call_id,
    scheduled_callback_call_id: call.callback_call_id,
    custom_args_values: call.args,
    call_duration: call.duration_ms === null ? null : call.duration_ms / 1000,
    call_cost: toCredits(call.cost),
    retry_count: call.retries_used,
    next_attempt_at: iso(call.next_attempt_at),
    initiation_time: call.created_at.toISOString(),
    answered_at: iso(call.answered_at),
    ended_at: iso(call.ended_at),
    hangup_by: call.hangup_by,
    recording_url: hasRecording(call.recording_state) ? recordingUrl(link, workspaceId, call.id) : null,
  };
}
