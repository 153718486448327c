import type { LatencyParts } from '../../parts/latency-bar.tsx';
import type { Line } from '@callwright/widget';

export interface TurnLatency extends LatencyParts {
  readonly turn: number;
  readonly total_ms: number;
}

/** What a test call shows, in order. */
export type Entry =
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'latency'; readonly latency: TurnLatency }
  | { readonly kind: 'interruption'; readonly stopMs: number };

export interface Spoken {
  readonly entries: readonly Entry[];
  /** Recognised words of the caller that are no line yet. */
  readonly settled: string;
  /** Words after them that may still change. */
  readonly partial: string;
}
export const NOTHING_SPOKEN: Spoken = { entries: [], settled: '', partial: '' };

/** A whole line takes the place of the words that were shown before it. */
export const withLine = ({ entries }: Spoken, line: Line): Spoken => ({
  entries: [...entries, { kind: 'line', line }],
  settled: '',
  partial: '',
});

export const withWords = (spoken: Spoken, text: string, isFinal: boolean): Spoken =>
  isFinal
    ? { ...spoken, settled: [spoken.settled, text].filter((part) => part !== '').join(' '), partial: '' }
    : { ...spoken, partial: text };

/** Adds what only the live stream of the call tells: latencies and interruptions; its lines are known already. */
export function withEvent(spoken: Spoken, event: unknown): Spoken {
  const { type, latency, stopMs } = event as Readonly<Record<string, unknown>>;
  const add = (entry: Entry): Spoken => ({ ...spoken, entries: [...spoken.entries, entry] });
  if (type === 'interrupted') return add({ kind: 'interruption', stopMs: Number(stopMs) });
  if (type !== 'latency') return spoken;
  const { turn, endpointingMs, recognitionMs, modelMs, voiceMs, totalMs } = latency as Readonly<
    Record<string, number | null>
  >;
  return add({
    kind: 'latency',
    latency: {
      turn: turn ?? 0,
      endpointing_ms: endpointingMs ?? null,
      recognition_ms: recognitionMs ?? null,
      model_ms: modelMs ?? null,
      voice_ms: voiceMs ?? null,
      network_ms: null,
      total_ms: totalMs ?? 0,
    },
  });
}

export const linesIn = ({ entries }: Spoken): readonly Line[] =>
  entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line] : []));
