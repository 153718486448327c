import type { ToolLogEntry } from '../../voice/conversation.ts';
import type { CallFacts } from '../../store/calls/facts.ts';
import type { JsonObject } from '../../store/schema.ts';

/** Every event of a voice call, in chronological order (interface, Events; open-points, Webhooks). */
export type CallEventType =
  | 'call_started'
  | 'call_ringing'
  | 'call_ongoing'
  | 'call_completed'
  | 'recording_completed'
  | 'platform_analysis_completed'
  | 'client_analysis_completed'
  | 'all_processing_completed';

/** The call facts in every event; status, sub_status and credits are those after the event. */
export type EnvelopeCall = Pick<
  CallFacts,
  | 'workspaceId'
  | 'id'
  | 'campaignId'
  | 'agentId'
  | 'agentName'
  | 'versionId'
  | 'callType'
  | 'fromNumber'
  | 'toNumber'
  | 'args'
  | 'status'
  | 'subStatus'
  | 'retriesUsed'
  | 'sipCallId'
> & {
  /** What it cost so far. */
  readonly credits: number;
};

/** The flat envelope of open-points plus the event's own keys; envelope keys take precedence. */
export function envelope(
  eventType: CallEventType,
  eventId: string,
  call: EnvelopeCall,
  at: Date,
  toolLog: readonly ToolLogEntry[],
  more: JsonObject,
): JsonObject {
  return {
    ...more,
    event_type: eventType,
    event_id: eventId,
    call_id: call.id,
    call_sid: call.sipCallId ?? call.id,
    agent_id: call.agentId,
    agent_name: call.agentName,
    version_id: call.versionId,
    workspace_id: call.workspaceId,
    bulk_list_id: call.campaignId,
    custom_args_values: call.args,
    from_number: call.fromNumber,
    to_number: call.toNumber,
    call_type: call.callType,
    status: call.status,
    sub_status: call.subStatus,
    retry_count: call.retriesUsed,
    call_cost: call.credits,
    occurred_at: at.toISOString(),
    tool_call_logs: toolLog,
  };
}
