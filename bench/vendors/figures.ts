import { percentile } from '../conversation/run.ts';
import { DELAYS, type Row } from './runs.ts';

export const ms = (value: number): string => (Number.isNaN(value) ? '–' : `${Math.round(value)} ms`);
export const pairOf = (values: readonly number[]): string =>
  `${ms(percentile(values, 0.5))} / ${ms(percentile(values, 0.95))}`;
export const tenths = (value: number): string => `${value.toFixed(1)} ms`;

/** Processor time of the service, percent of a core per call. */
export const cpuOf = (rows: readonly Row[]): number =>
  rows.reduce((sum, { figures }) => sum + figures.cpuPercent / figures.calls, 0) / rows.length;

/** The reply's time beyond the silence until the turn ended, or beyond its request with the delays of model and speaker. */
export const ownOf = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ figures }) =>
    figures.turns.flatMap(({ total_ms, endpointing_ms, model_ms, voice_ms }) => {
      if (model_ms === null || voice_ms === null) return [];
      const requestedMs = total_ms - model_ms - voice_ms;
      return total_ms - Math.max(endpointing_ms, requestedMs + DELAYS.llmMs + DELAYS.ttsMs);
    }),
  );

export const reactionsOf = (rows: readonly Row[]): number[] =>
  rows.flatMap(({ figures }) => figures.reactions);

/** The 99th percentiles of the agents' packets. */
export interface PacketFigures {
  /** Between two packets of a call where the service sends them, and where they arrive. */
  readonly sentMs: number;
  readonly arrivedMs: number;
  /** How late they are sent. */
  readonly lateMs: number;
}

export function packetsOf(rows: readonly Row[]): PacketFigures {
  const p99 = (values: readonly number[]): number => percentile(values, 0.99);
  return {
    sentMs: p99(rows.flatMap(({ figures }) => figures.sends.intervals)),
    arrivedMs: p99(rows.flatMap(({ figures }) => figures.intervals)),
    lateMs: p99(rows.flatMap(({ figures }) => figures.sends.late)),
  };
}
