import { appendEvents, type CallEvent } from '../webhooks/events.ts';
import type { Evaluation } from '../../store/json/call-record.ts';
import { queueAnalyses } from './queue-analyses.ts';
import { audioStartOf } from '../../shared/transcript-entry.ts';
import { callsToProcess, lockEnds, type CallEnd } from '../../store/analysis/analyses.ts';
import type { CallFacts } from '../../store/calls/facts.ts';
import type { Tx } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { conversationKeys, processingKeys } from '../../wire/events/conversation.ts';
import { callFailure } from './call-failure.ts';
import { hasRecording } from './call-record.ts';

const NOTHING = { recordingUrl: null, platformAnalysis: null, clientAnalysis: null, evaluations: [] };

/** How long `all_processing_completed` waits for a recording to be repaired or uploaded. */
const RECORDING_WAIT_MS = 120_000;

/**
 * Starts what follows the final end of calls. A call with a conversation in any attempt gets an analysis job, which
 * sends `all_processing_completed`; every other call gets that event at once. The job waits for a recording that cannot
 * be fetched yet. The calls are of one workspace, locked, and in their final state.
 */
export async function endProcessing(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  at: Date,
  now = at.getTime(),
): Promise<void> {
  if (calls.length === 0) return;
  const attempted = calls.filter((call) => call.attempt > 0).map((call) => call.id);
  const found = attempted.length === 0 ? [] : await callsToProcess(tx, workspaceId, attempted);
  const [due, ready] = [true, false].map((is) =>
    found.filter((call) => call.isRecordingDue === is).map((call) => call.id),
  );
  await queueAnalyses(tx, workspaceId, ready ?? [], at);
  await queueAnalyses(tx, workspaceId, due ?? [], at, new Date(now + RECORDING_WAIT_MS));
  const waiting = new Set(found.map((call) => call.id));
  await appendProcessingEnds(
    tx,
    workspaceId,
    calls.filter((call) => !waiting.has(call.id)),
    at,
  );
}

/** Appends `all_processing_completed` for calls without recording and analysis. */
export async function appendProcessingEnds(
  tx: Tx,
  workspaceId: string,
  calls: readonly CallFacts[],
  at: Date,
): Promise<void> {
  const ends = await lockEnds(
    tx,
    workspaceId,
    calls.map((call) => call.id),
  );
  await appendEvents(
    tx,
    calls.flatMap((call) => {
      const end = ends.get(call.id);
      return end === undefined ? [] : [{ call, event: processingEnd(end, NOTHING, at) }];
    }),
  );
}

/** `all_processing_completed`: everything the call's record holds, whichever attempt wrote it. */
export function processingEnd(
  end: CallEnd,
  more: {
    readonly recordingUrl: string | null;
    readonly platformAnalysis: JsonObject | null;
    readonly clientAnalysis: JsonObject | null;
    readonly evaluations: readonly Evaluation[];
  },
  at: Date,
): CallEvent {
  const conversation = conversationKeys({
    calledOn: end.calledOn,
    durationMs: end.durationMs ?? 0,
    transcript: end.transcript ?? [],
    audioStartedAt: audioStartOf(end, end.answeredAt),
    latencies: end.latency ?? [],
    firstUtteranceMs: end.firstUtteranceMs,
    answeredBy: end.answeredBy,
    hangupBy: end.hangupBy,
    mos: end.mos,
    failure: callFailure({ ...end, last: end.hasAttempt ? end : null }),
  });
  const isRecorded = hasRecording(end.recordingState);
  const processed = processingKeys({
    ...more,
    recordingUrl: isRecorded ? more.recordingUrl : null,
    recordingMs: isRecorded ? end.recordingMs : null,
  });
  return {
    type: 'all_processing_completed',
    attempt: null,
    at,
    toolLog: end.toolLog ?? [],
    more: { ...conversation, ...processed },
  };
}
