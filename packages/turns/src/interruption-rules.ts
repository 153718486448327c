import type { TurnSettings } from './turn/types.ts';

/** How much speech lowers the agent's voice, and how much stops it. */
export const SENSITIVITY = {
  low: { lowerMs: 160, minSpeechMs: 450, minWords: 2 },
  default: { lowerMs: 60, minSpeechMs: 300, minWords: 1 },
  high: { lowerMs: 60, minSpeechMs: 180, minWords: 1 },
} as const;

/** How easily callers interrupt the agent; `none`: they cannot. */
export type Interruption = keyof typeof SENSITIVITY | 'none';

/** The settings of an interruption rule. */
export const interruptionOf = (
  rule: Interruption,
  { interruption }: Pick<TurnSettings, 'interruption'>,
): Pick<TurnSettings, 'interruption' | 'muteWhileAgentSpeaks'> =>
  rule === 'none'
    ? { interruption, muteWhileAgentSpeaks: true }
    : { interruption: SENSITIVITY[rule], muteWhileAgentSpeaks: false };
