import { authorOf, callEntry } from '../../shared/transcript-entry.ts';
import type { TranscriptLine, TurnLatency } from '../../domain/calls/details.ts';

/** The parts of a live event that have a second form. */
interface SentEvent {
  readonly type?: string;
  readonly at?: number;
  readonly subStatus?: string;
  readonly stopMs?: number;
  readonly line?: TranscriptLine;
  readonly latency?: TurnLatency;
}

const toTurnLatency = (latency: TurnLatency) => ({
  turn: latency.turn,
  endpointing_ms: latency.endpointingMs,
  recognition_ms: latency.recognitionMs,
  model_ms: latency.modelMs,
  voice_ms: latency.voiceMs,
  total_ms: latency.totalMs,
  prepared: latency.prepared,
});

/** A live event with snake_case keys and ISO times beside the camelCase keys of earlier versions. */
export function toLiveEvent(event: object): object {
  const { at, subStatus, stopMs, line, latency } = event as SentEvent;
  return {
    ...event,
    ...(at === undefined ? {} : { occurred_at: new Date(at).toISOString() }),
    ...(subStatus === undefined ? {} : { sub_status: subStatus }),
    ...(stopMs === undefined ? {} : { stop_ms: stopMs }),
    // The stream does not know where the recording begins.
    ...(line === undefined ? {} : { entry: { ...callEntry(line, null), ...authorOf(line) } }),
    ...(latency === undefined ? {} : { turn_latency: toTurnLatency(latency) }),
  };
}
