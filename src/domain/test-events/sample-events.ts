import { calleeVariables } from '../../shared/callee-variables.ts';
import { newId } from '../../shared/ids.ts';
import type { JsonObject } from '../../store/schema.ts';
import { envelope, type CallEventType, type EnvelopeCall } from '../../wire/events/call.ts';
import { CAMPAIGN_PAUSED, campaignPausedBody } from '../../wire/events/campaign-paused.ts';
import { CAMPAIGN_COMPLETED, campaignCompletedBody } from '../../wire/events/campaign-completed.ts';
import {
  chatEnvelope,
  chatKeys,
  processedKeys,
  type ChatEventType,
  type ChatFacts,
} from '../../wire/events/chat.ts';
import {
  clientKeys,
  conversationKeys,
  platformKeys,
  processingKeys,
  recordingKeys,
} from '../../wire/events/conversation.ts';
import { DELIVERY_FAILED, deliveryFailedBody } from '../../wire/events/delivery-failed.ts';
import { KNOWLEDGE_PROCESSED, knowledgeProcessedBody } from '../../wire/events/knowledge-processed.ts';
import { RECEIVER_DISABLED_EVENT, receiverDisabledBody } from '../../wire/events/receiver-disabled.ts';
import { OUTBOUND_PAUSED, outboundPausedBody } from '../../wire/events/outbound-paused.ts';
import { QUALITY_ALERT, qualityAlertBody } from '../../wire/events/quality-alert.ts';
import { failedReceiver } from '../webhooks/delivery-failed.ts';
import { DISABLED_AFTER_MS } from '../webhooks/recovery-schedule.ts';

export type SampleType =
  | CallEventType
  | ChatEventType
  | typeof CAMPAIGN_COMPLETED
  | typeof DELIVERY_FAILED
  | typeof RECEIVER_DISABLED_EVENT
  | typeof KNOWLEDGE_PROCESSED
  | typeof OUTBOUND_PAUSED
  | typeof CAMPAIGN_PAUSED
  | typeof QUALITY_ALERT;

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
  if (type === DELIVERY_FAILED) return sampleFailure(subject, eventId, at);
  if (type === RECEIVER_DISABLED_EVENT) return receiverDisabledBody(eventId, sampleDisabled(subject, at), at);
  if (type === OUTBOUND_PAUSED) return outboundPausedBody(eventId, samplePause(subject), at);
  if (type === CAMPAIGN_PAUSED) return samplePausedCampaign(subject, eventId, at);
  if (type === QUALITY_ALERT) return qualityAlertBody(eventId, sampleAlert(subject), at);
  if (type === KNOWLEDGE_PROCESSED) return knowledgeProcessedBody(eventId, sampleKnowledge(subject), at);
  if (type === 'chat_completed' || (subject.agent.isChat && isOfChats(type)))
    return sampleChat(type, subject, callId, eventId, at);
  return envelope(type, eventId, sampleCall(subject, callId), at, [], sampleKeys(type, at));
}

const samplePausedCampaign = (
  { workspaceId, agent, campaign }: SampleSubject,
  eventId: string,
  at: Date,
): JsonObject =>
  campaignPausedBody(
    eventId,
    { workspaceId, agentId: agent.id, id: campaign?.id ?? newId(), name: campaign?.name ?? 'Test campaign' },
    'circuit_breaker',
    'Paused by the circuit breaker: 25 of the last 50 calls failed at the carrier or in the service',
    at,
  );

const sampleAlert = ({ workspaceId, agent }: SampleSubject) =>
  ({
    workspaceId,
    name: 'Dead air',
    agentId: agent.id,
    agentName: agent.name,
    state: 'raised',
    measure: 'findings_above',
    detector: 'dead_air',
    threshold: 10,
    value: 12.5,
    calls: 40,
    windowHours: 24,
  }) as const;

const samplePause = ({ workspaceId }: SampleSubject) =>
  ({ workspaceId, reason: 'attempts', attempts: 5_000, spent: 1_200 }) as const;

const sampleDisabled = ({ workspaceId }: SampleSubject, at: Date) => ({
  workspaceId,
  receiverId: newId(),
  origin: 'https://example.com',
  method: 'POST',
  failingSince: new Date(at.getTime() - DISABLED_AFTER_MS),
  lastFailedAt: at,
});

const sampleKnowledge = ({ workspaceId }: SampleSubject) => ({
  workspaceId,
  kbId: newId(),
  kbName: 'Prices',
  status: 'partial',
  ready: 3,
  failed: 1,
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
    args: calleeVariables({ name: 'Priya' }),
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
  return chatEnvelope(
    { chat, ownNumber: '+14155550100' },
    type,
    eventId,
    chatSampleKeys(type, chat, messages),
    at,
  );
}

function chatSampleKeys(
  type: ChatEventType,
  chat: ChatFacts,
  messages: Parameters<typeof chatKeys>[1],
): JsonObject {
  if (type === 'chat_completed') return chatKeys(chat, messages);
  if (type === 'platform_analysis_completed') return platformKeys({}, []);
  if (type === 'client_analysis_completed') return clientKeys({}, 'offline-rules');
  return processedKeys(chat, messages, 'agent', { platform: null, client: null, evaluations: [] });
}

function sampleFailure({ workspaceId }: SampleSubject, eventId: string, at: Date): JsonObject {
  const failed = {
    id: newId(),
    url: 'https://example.com/hooks/calls',
    method: 'POST',
    eventType: 'call_completed',
    lastStatus: 503,
    lastError: null,
    recovers: true,
  };
  return deliveryFailedBody(eventId, workspaceId, failed, failedReceiver(failed, at), at);
}

function sampleCampaign({ workspaceId, agent, campaign }: SampleSubject, eventId: string, at: Date) {
  const waiting = { registered: 0, ongoing: 0, retry: 0 };
  const counts = { total: 3, ...waiting, completed: 2, failed: 1, cancelled: 0, messages: null };
  const ended = {
    workspaceId,
    id: campaign?.id ?? newId(),
    agentId: agent.id,
    name: campaign?.name ?? 'Test campaign',
    state: 'completed' as const,
    startedAt: new Date(at.getTime() - 600_000),
    endedAt: at,
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
  args: calleeVariables({ name: 'Priya', number: '+14155550142' }),
  status: 'completed',
  subStatus: 'USER_LEFT',
  retriesUsed: 0,
  credits: 1,
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
    mos: { toUs: { average: 4.38, lowest: 4.21 }, toFarSide: { average: 4.4, lowest: 4.31 } },
    failure: null,
  });
  if (eventType === 'call_completed') return conversation;
  if (eventType === 'recording_completed') return recordingKeys(RECORDING_URL, 42_000);
  if (eventType === 'platform_analysis_completed') return platformKeys({}, []);
  if (eventType === 'client_analysis_completed') return clientKeys({}, 'offline-rules');
  if (eventType !== 'all_processing_completed') return {};
  return {
    ...conversation,
    ...processingKeys({
      recordingUrl: RECORDING_URL,
      recordingMs: 42_000,
      platformAnalysis: null,
      clientAnalysis: null,
      evaluations: [],
    }),
  };
}

const RECORDING_URL = 'https://example.com/recordings/test.wav';
