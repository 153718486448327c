import type { Call } from './types.ts';

export type Finding = NonNullable<Call['findings']>[number];

/** What each detector finds, in words. */
export const DETECTOR_NAMES: Readonly<Record<Finding['detector'], string>> = {
  dead_air: 'Dead air',
  loop: 'The assistant repeats itself',
  talk_over: 'Both talk at once',
  repeated_question: 'An answered question is asked again',
  long_monologue: 'A long monologue',
  promise_without_tool: 'A promise without a tool',
  misheard_number: 'A misheard number',
  early_hang_up: 'The assistant hangs up early',
};
