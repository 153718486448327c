import type { Story } from './story.ts';

export const DETECTORS = [
  'dead_air',
  'loop',
  'talk_over',
  'repeated_question',
  'long_monologue',
  'promise_without_tool',
  'misheard_number',
  'early_hang_up',
] as const;
export type DetectorName = (typeof DETECTORS)[number];

/** Something that a detector found in a call. */
export interface Alarm {
  readonly detector: DetectorName;
  /** Ms after the answer. */
  readonly at: number;
  readonly detail: string;
}

/** Finds one kind of fault; the first place in the call is enough. */
export type Detector = (story: Story) => Omit<Alarm, 'detector'> | null;

export const inSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
export const clipped = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 79)}…`);
