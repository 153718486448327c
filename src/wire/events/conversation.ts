import type { Evaluation } from '../../store/json/call-record.ts';
import type { Mos } from '../../shared/mos.ts';
import type { AnsweredBy } from '@callwright/turns';
import { callEntry } from '../../shared/transcript-entry.ts';
import type { FailureReason } from '../../shared/failure-reason.ts';
import type { JsonObject } from '../../store/schema.ts';

/** The input of the `call_completed` keys (open-points, Webhooks). Times in ms. */
export interface Conversation {
  readonly calledOn: Date;
  readonly durationMs: number;
  readonly transcript: readonly {
    readonly role: 'agent' | 'caller';
    readonly text: string;
    readonly startedAt: number;
    readonly author?: string;
    /** `agent`: the agent that took the call over; absent: the first one. */
    readonly spokenBy?: { readonly agent?: { readonly id: string; readonly name: string } };
  }[];
  /** Null: no recording of this conversation. */
  readonly audioStartedAt: number | null;
  readonly latencies: readonly { readonly totalMs: number }[];
  readonly firstUtteranceMs: number | null;
  readonly answeredBy: AnsweredBy | null;
  readonly hangupBy: string | null;
  /** Null: no RTP, or not measured. */
  readonly mos: Mos | null;
  /** Null: the call did not fail. */
  readonly failure: FailureReason | null;
}

const seconds = (ms: number): number => Math.round(ms) / 1000;

/**
 * The keys of `call_completed`, repeated in `all_processing_completed`. `recording_url` is null until a recording
 * exists.
 */
export function conversationKeys(conversation: Conversation): JsonObject {
  const { transcript, latencies, firstUtteranceMs } = conversation;
  const total = latencies.reduce((sum, latency) => sum + latency.totalMs, 0);
  return {
    call_duration: seconds(conversation.durationMs),
    called_on: conversation.calledOn.toISOString(),
    agent_message_count: transcript.filter((line) => line.role === 'agent').length,
    user_message_count: transcript.filter((line) => line.role === 'caller').length,
    transcript: transcript.map((line) => ({
      [line.role === 'agent' ? 'bot' : 'user']: line.text,
      ...callEntry(line, conversation.audioStartedAt),
      ...toSpeaker(line.spokenBy?.agent),
    })),
    recording_url: null,
    overall_latency_seconds: latencies.length === 0 ? null : seconds(total / latencies.length),
    first_utterance_seconds: firstUtteranceMs === null ? null : seconds(firstUtteranceMs),
    hangup_by: conversation.hangupBy,
    ...toMos(conversation.mos),
    answered_by: toAnsweredBy(conversation.answeredBy),
    failure: toFailure(conversation.failure),
  };
}

/** The agent of a line, where the call was handed over to it. */
const toSpeaker = (agent: { readonly id: string; readonly name: string } | undefined) =>
  agent === undefined ? {} : { agent: { agent_id: agent.id, agent_name: agent.name } };

/** The mean opinion scores of a call in both directions, in events and in call details. */
export const toMos = (mos: Mos | null) => ({
  mos_received: hundredths(mos?.toUs?.average),
  mos_received_lowest: hundredths(mos?.toUs?.lowest),
  mos_sent: hundredths(mos?.toFarSide?.average),
  mos_sent_lowest: hundredths(mos?.toFarSide?.lowest),
});

const hundredths = (value: number | undefined): number | null =>
  value === undefined ? null : Math.round(value * 100) / 100;

/** `answered_by` of events and of call details. */
export const toAnsweredBy = (answered: AnsweredBy | null) =>
  answered === null
    ? null
    : {
        kind: answered.kind,
        confidence: answered.confidence,
        decided_ms: answered.decidedMs,
        revised_ms: answered.revisedMs,
        reasons: [...answered.reasons],
      };

/** `failure` of events and of call details. */
export const toFailure = (failure: FailureReason | null) =>
  failure === null ? null : { code: failure.code, message: failure.message };

/** The same keys for a call without a conversation. */
export const noConversation = (calledOn: Date, failure: FailureReason | null): JsonObject =>
  conversationKeys({
    calledOn,
    durationMs: 0,
    transcript: [],
    audioStartedAt: null,
    latencies: [],
    firstUtteranceMs: null,
    answeredBy: null,
    hangupBy: null,
    mos: null,
    failure,
  });

/** The keys of `recording_completed`. */
export const recordingKeys = (url: string | null, lengthMs: number | null): JsonObject => ({
  recording_url: url,
  recording_duration: lengthMs === null ? null : seconds(lengthMs),
});

/** The keys of `platform_analysis_completed`. */
export const platformKeys = (
  analysis: JsonObject | null,
  evaluations: readonly Evaluation[],
): JsonObject => ({
  analysis_data: analysis,
  evaluations,
});

/** The keys of `client_analysis_completed`. */
export const clientKeys = (analysis: JsonObject, analyst: string): JsonObject => ({
  analysis_data: analysis,
  analyzed_by: analyst,
});

/** The keys that only `all_processing_completed` has, besides those of the conversation. */
export function processingKeys(input: {
  readonly recordingUrl: string | null;
  readonly recordingMs: number | null;
  readonly platformAnalysis: JsonObject | null;
  readonly clientAnalysis: JsonObject | null;
  readonly evaluations: readonly Evaluation[];
}): JsonObject {
  return {
    ...recordingKeys(input.recordingUrl, input.recordingMs),
    platform_analysis: input.platformAnalysis,
    client_analysis: input.clientAnalysis,
    evaluations: [...input.evaluations],
  };
}
