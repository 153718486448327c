import type { SoundStage } from '../domain/rehearsals/sound-stage.ts';
import { callsBySound, isRehearsalOpen, storeCallBySound } from '../store/rehearsals/by-sound.ts';
import type { PlayCalls } from './run-rehearsal.ts';

/** Between two looks at whether the rehearsal was cancelled. */
const LOOK_MS = 1_000;

/** Plays the calls of a rehearsal by sound. Each is stored when it has ended, so a crash loses those under way. */
export const playBySound =
  (stage: SoundStage): PlayCalls =>
  async ({ db, log }, ref, begun) => {
    const stored = new Set(await callsBySound(db, ref));
    const calls = Array.from({ length: begun.calls }, (_, call) => call).filter((call) => !stored.has(call));
    const cancelled = new AbortController();
    const looking = setInterval(() => {
      isRehearsalOpen(db, ref).then(
        (isOpen) => {
          if (!isOpen) cancelled.abort();
        },
        (error: unknown) => log.warn({ err: error }, 'the state of a rehearsal could not be read'),
      );
    }, LOOK_MS);
    try {
      await stage.play({
        plan: begun,
        calls,
        signal: cancelled.signal,
        onPlayed: async (played) => {
          if (!(await storeCallBySound(db, ref, played))) cancelled.abort();
        },
      });
    } catch (error) {
      if (!cancelled.signal.aborted) throw error;
    } finally {
      clearInterval(looking);
    }
  };
