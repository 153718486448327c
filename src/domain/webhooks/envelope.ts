import { toCredits } from '../credits/price.ts';
import type { CallFacts } from '../../store/call-facts.ts';
import type { JsonObject } from '../../store/schema.ts';

/** Every event a voice call sends, in the order of a call's life (interface, Events; open-points, Webhooks). */
export type CallEventType =
  | 'call_started'
  | 'call_ringing'
  | 'call_ongoing'
  | 'call_completed'
  | 'recording_completed'
  | 'platform_analysis_completed'
  | 'client_analysis_completed'
  | 'all_processing_completed';

/** What of a call every event carries; status, sub_status and cost are those after the event. */
export type EnvelopeCall = Pick<
  CallFacts,
  | 'workspaceId'
  | 'id'
  | 'laneId'
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
  | 'cost'
  | 'sipCallId'
>;

/** The flat envelope of open-points with the event's own keys beside it. Keys of the envelope win. */
export function envelope(
  eventType: CallEventType,
  eventId: string,
  call: EnvelopeCall,
  at: Date,
  toolLog: readonly JsonObject[],
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
    bulk_list_id: call.laneId,
    custom_args_values: call.args,
    from_number: call.fromNumber,
    to_number: call.toNumber,
    call_type: call.callType,
    status: call.status,
    sub_status: call.subStatus,
    retry_count: call.retriesUsed,
    call_cost: toCredits(call.cost),
    occurred_at: at.toISOString(),
    tool_call_logs: toolLog,
  };
}
