import { chatEntry } from '../../shared/transcript-entry.ts';
import type { ChatRow } from '../../store/chats/chats.ts';
import type { ChatMessageRow } from '../../store/chats/messages.ts';
import type { JsonObject } from '../../store/schema.ts';

/** The events of a chat, in chronological order (interface, Events; open-points, Webhooks). */
export type ChatEventType =
  | 'chat_completed'
  | 'platform_analysis_completed'
  | 'client_analysis_completed'
  | 'all_processing_completed';

/** The facts of a chat that its events repeat. */
export type ChatFacts = Pick<
  ChatRow,
  | 'id'
  | 'workspaceId'
  | 'agentId'
  | 'agentName'
  | 'versionId'
  | 'channel'
  | 'customerNumber'
  | 'args'
  | 'endReason'
  | 'toolLog'
  | 'campaignId'
  | 'createdAt'
  | 'endedAt'
>;
type SaidLine = Pick<ChatMessageRow, 'role' | 'text' | 'sentAt'>;

/** The keys of a call's events, with the chat in the place of the call, so that receivers deduplicate alike. */
export function chatEnvelope(
  { chat, ownNumber }: { readonly chat: ChatFacts; readonly ownNumber: string },
  type: ChatEventType,
  eventId: string,
  more: JsonObject,
  at: Date,
): JsonObject {
  return {
    ...more,
    event_type: type,
    event_id: eventId,
    call_id: chat.id,
    call_sid: chat.id,
    agent_id: chat.agentId,
    agent_name: chat.agentName,
    version_id: chat.versionId,
    workspace_id: chat.workspaceId,
    bulk_list_id: chat.campaignId,
    custom_args_values: chat.args,
    from_number: chat.customerNumber ?? '',
    to_number: ownNumber,
    call_type: 'chat',
    channel: chat.channel,
    status: 'completed',
    sub_status: chat.endReason ?? '',
    retry_count: 0,
    call_cost: 0,
    occurred_at: at.toISOString(),
    tool_call_logs: chat.toolLog,
  };
}

/** The keys of `chat_completed`, repeated in `all_processing_completed`. */
export const chatKeys = (chat: ChatFacts, messages: readonly SaidLine[]): JsonObject => ({
  chat_duration: Math.max(0, (chat.endedAt ?? chat.createdAt).getTime() - chat.createdAt.getTime()) / 1000,
  agent_message_count: messages.filter(({ role }) => role !== 'customer').length,
  user_message_count: messages.filter(({ role }) => role === 'customer').length,
  transcript: messages.map(({ role, text, sentAt }) => ({
    ...chatEntry(WIRE_ROLES[role], text, sentAt),
    timestamp: sentAt.toISOString(),
  })),
});

/** The keys of `all_processing_completed`: every key that the event has for a call, too. */
export function processedKeys(
  chat: ChatFacts,
  messages: readonly SaidLine[],
  hangupBy: 'agent' | 'caller' | null,
  analyses: {
    readonly platform: JsonObject | null;
    readonly client: JsonObject | null;
    readonly evaluations: readonly object[];
  },
): JsonObject {
  const keys = chatKeys(chat, messages);
  return {
    ...keys,
    call_duration: keys['chat_duration'],
    called_on: chat.createdAt.toISOString(),
    answered_by: null,
    overall_latency_seconds: null,
    first_utterance_seconds: null,
    hangup_by: hangupBy,
    recording_url: null,
    recording_duration: null,
    platform_analysis: analyses.platform,
    client_analysis: analyses.client,
    evaluations: analyses.evaluations,
  };
}

/** `person`: somebody of the workspace, after a take-over. */
export const WIRE_ROLES = { agent: 'agent', customer: 'user', person: 'person' } as const;
