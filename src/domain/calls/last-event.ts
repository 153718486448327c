import type { CallEnd } from '../../store/analyses.ts';
import type { JsonObject } from '../../store/schema.ts';
import type { TurnLatency } from '../../voice/turn/types.ts';
import { conversationKeys, processingKeys } from '../webhooks/completed.ts';
import type { CallEvent } from '../webhooks/events.ts';
import { hasRecording } from './call-record.ts';

/** The event of the end of all processing: everything the call's record holds, whichever attempt left it. */
export function lastEvent(
  end: CallEnd,
  more: {
    readonly recordingUrl: string | null;
    readonly platformAnalysis: JsonObject | null;
    readonly clientAnalysis: JsonObject | null;
  },
  at: Date,
): CallEvent {
  const conversation = conversationKeys({
    calledOn: end.calledOn,
    durationMs: end.durationMs ?? 0,
    transcript: (end.transcript ?? []) as unknown as readonly { role: 'agent' | 'caller'; text: string }[],
    latencies: (end.latency ?? []) as unknown as readonly TurnLatency[],
    firstUtteranceMs: end.firstUtteranceMs,
    hangupBy: end.hangupBy,
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
