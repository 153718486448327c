import table from './timing.json' with { type: 'json' };

/** A delay in ms, by its median and 99th percentile. */
export interface Delay {
  readonly median: number;
  readonly p99: number;
}

/**
 * How long the parts of an agent take: from the caller's last sound to its words, from the request to the first text, from a text
 * to its sound, and from word to word of the model. The recognisers of `fast`, `usual` and `slow` are Nemotron 3.0, Deepgram
 * nova-3 and Azure in Pipecat's stt-benchmark (2026); models and voices are assumed.
 */
export interface Timing {
  readonly recogniser: Delay;
  readonly model: Delay;
  readonly voice: Delay;
  readonly word_ms: number;
}

export type TimingName = keyof typeof table;
export const TIMING_NAMES = Object.keys(table) as readonly TimingName[];
export const timingOf = (name: TimingName): Timing => table[name];
