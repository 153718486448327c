import type { PlayedBySound } from '../../store/rehearsals/by-sound.ts';
import type { RehearsalPlan } from './rehearser.ts';

/** Where callers call by sound, in real time. */
export interface SoundStage {
  /**
   * Plays the calls with these numbers, and resolves when each was played and `onPlayed` has ended. Rejects with
   * `UnplayableError` for a plan that this machine cannot play, and when the signal aborts: calls under way are lost.
   */
  play(order: {
    readonly plan: RehearsalPlan;
    readonly calls: readonly number[];
    readonly signal: AbortSignal;
    readonly onPlayed: (played: PlayedBySound) => Promise<void>;
  }): Promise<void>;
}

/** The plan of a rehearsal cannot be played here, now or later. The message is for the person who started it. */
export class UnplayableError extends Error {
  override readonly name = 'UnplayableError';
}
