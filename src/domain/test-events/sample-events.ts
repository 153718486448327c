import { newId } from '../../shared/ids.ts';
import type { JsonObject } from '../../store/schema.ts';
import { CAMPAIGN_COMPLETED, campaignCompletedBody } from '../campaigns/campaign-completed.ts';
import {
  chatEnvelope,
  chatKeys,
  processedKeys,
  type ChatEventType,
  type ChatFacts,
} from '../chats/chat-events.ts';
import {
  KNOWLEDGE_PROCESSED,
  knowledgeProcessedBody,
  type ProcessedBase,
} from '../knowledge/knowledge-processed.ts';
import { conversationKeys } from '../webhooks/completed.ts';
import { DELIVERY_FAILED, deliveryFailedBody } from '../webhooks/delivery-failed.ts';
import { envelope, type CallEventType, type EnvelopeCall } from '../webhooks/envelope.ts';

export type SampleType =
  | CallEventType
  | ChatEventType
  | typeof CAMPAIGN_COMPLETED
  | typeof DELIVERY_FAILED
  | typeof KNOWLEDGE_PROCESSED;

/** The agent and campaign in a sample. */
export interface SampleSubject {
  readonly workspaceId: string;
  readonly agent: {
    readonly id: string;
    readonly name: string;
    readonly versionId: string;
    /** Its events are those of chats. */
    readonly isChat: boolean;
  };
  readonly campaign: { readonly id: string; readonly name: string } | null;
}

/** A sample event with `test: true`. `callId` belongs to no call. */
export function sampleEvent(
  type: SampleType,
  subject: SampleSubject,
  ids: { readonly eventId: string; readonly callId: string },
  at: Date,
): JsonObject {
  return { ...bodyOf(type, subject, ids, at), test: true };
}

function bodyOf(
  type: SampleType,
  subject: SampleSubject,
  { eventId, callId }: { readonly eventId: string; readonly callId: string },
  at: Date,
): JsonObject {
  if (type === CAMPAIGN_COMPLETED) return sampleCampaign(subject, eventId, at);
  if (type === DELIVERY_FAILED) return deliveryFailedBody(eventId, subject.workspaceId, sampleFailure(), at);
  if (type === KNOWLEDGE_PROCESSED) return knowledgeProcessedBody(eventId, sampleKnowledge(subject), at);
  if (type === 'chat_completed' || (subject.agent.isChat && isOfChats(type)))
    return sampleChat(type, subject, callId, eventId, at);
  return envelope(type, eventId, sampleCall(subject, callId), at, [], sampleKeys(type, at));
}

const sampleKnowledge = ({ workspaceId }: SampleSubject): ProcessedBase => ({
  workspaceId,
  kbId: newId(),
  kbName: 'Prices',
  states: { pending: 0, ready: 3, failed: 1 },
});

const isOfChats = (type: CallEventType): type is CallEventType & ChatEventType =>
  type === 'platform_analysis_completed' ||
  type === 'client_analysis_completed' ||
  type === 'all_processing_completed';

function sampleChat(
  type: ChatEventType,
  { workspaceId, agent }: SampleSubject,
  id: string,
  eventId: string,
  at: Date,
): JsonObject {
  const minutesAgo = (minutes: number): Date => new Date(at.getTime() - minutes * 60_000);
  const chat: ChatFacts = {
    id,
    workspaceId,
    agentId: agent.id,
    agentName: agent.name,
    versionId: agent.versionId,
    channel: 'whatsapp',
    customerNumber: '+14155550142',
    args: { callee_name: 'Priya' },
    endReason: 'AGENT_ENDED',
    toolLog: [],
    campaignId: null,
    createdAt: minutesAgo(2),
    endedAt: at,
  };
  const messages = [
    { role: 'customer', text: 'Is Monday free?', sentAt: minutesAgo(2) },
    { role: 'agent', text: 'Yes, at ten.', sentAt: minutesAgo(1) },
  ] as const;
  const samples: Readonly<Record<ChatEventType, JsonObject>> = {
    chat_completed: chatKeys(chat, messages),
    platform_analysis_completed: { analysis_data: {}, evaluations: [] },
    client_analysis_completed: { analysis_data: {}, analyzed_by: 'offline-rules' },
    all_processing_completed: processedKeys(chat, messages, {
      platform: null,
      client: null,
      evaluations: [],
    }),
  };
  return chatEnvelope({ chat, ownNumber: '+14155550100' }, type, eventId, samples[type], at);
}

const sampleFailure = () => ({
  id: newId(),
  url: 'https://example.com/hooks/calls',
  method: 'POST',
  eventType: 'call_completed',
  lastStatus: 503,
  lastError: null,
  recovers: true,
});

function sampleCampaign({ workspaceId, agent, campaign }: SampleSubject, eventId: string, at: Date) {
  const waiting = { registered: 0, ongoing: 0, retry: 0 };
  const counts = { total: 3, ...waiting, completed: 2, failed: 1, cancelled: 0, messages: null };
  const ended = {
    workspaceId,
    id: campaign?.id ?? newId(),
    agent_id: agent.id,
    name: campaign?.name ?? 'Test campaign',
    state: 'completed' as const,
    started_at: new Date(at.getTime() - 600_000),
    ended_at: at,
  };
  return campaignCompletedBody(eventId, ended, agent.name, counts, at);
}

const sampleCall = ({ workspaceId, agent, campaign }: SampleSubject, id: string): EnvelopeCall => ({
  workspaceId,
  id,
  campaignId: campaign?.id ?? null,
  agentId: agent.id,
  agentName: agent.name,
  versionId: agent.versionId,
  callType: 'outbound',
  fromNumber: '+14155550100',
  toNumber: '+14155550142',
  args: { callee_name: 'Priya', mobile_number: '+14155550142' },
  status: 'completed',
  subStatus: 'USER_LEFT',
  retriesUsed: 0,
  cost: 1_000_000,
  sipCallId: null,
});

function sampleKeys(eventType: CallEventType, at: Date): JsonObject {
  const answeredAt = at.getTime() - 42_000;
  const conversation = conversationKeys({
    calledOn: new Date(answeredAt),
    durationMs: 42_000,
    transcript: [
      { role: 'agent', text: 'Hello, is this Priya?', startedAt: answeredAt + 310 },
      { role: 'caller', text: 'Yes, speaking.', startedAt: answeredAt + 2400 },
    ],
    audioStartedAt: answeredAt,
    latencies: [{ totalMs: 640 }],
    firstUtteranceMs: 310,
    answeredBy: {
      kind: 'human',
      confidence: 0.95,
      decidedMs: 820,
      revisedMs: null,
      reasons: ['short_greeting'],
    },
    hangupBy: 'caller',
    failure: null,
  });
  const recording = { recording_url: 'https://example.com/recordings/test.wav', recording_duration: 42 };
  const samples: Readonly<Record<CallEventType, JsonObject>> = {
    call_started: {},
    call_ringing: {},
    call_ongoing: {},
    call_completed: conversation,
    recording_completed: recording,
    platform_analysis_completed: { analysis_data: {}, evaluations: [] },
    client_analysis_completed: { analysis_data: {}, analyzed_by: 'offline-rules' },
    all_processing_completed: {
      ...conversation,
      ...recording,
      platform_analysis: null,
      client_analysis: null,
      evaluations: [],
    },
  };
  return samples[eventType];
}
