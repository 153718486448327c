import { parentPort } from 'node:worker_threads';
import type { RehearsalPlan } from '../domain/rehearsals/rehearser.ts';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { link } from '../shared/threads/remote.ts';
import type { PlayedBySound } from '../store/rehearsals/by-sound.ts';
import { playSoundRehearsal, recogniserOf, seatsOfMachine } from './sound-rehearsal.ts';

// Calls of people get a busy processor first; behind the work of `bulk` too, the sound of a rehearsal would not be that of a call.
setThreadPriority('control');

/** A thread that plays a rehearsal by sound. */
export interface SoundThreadApi {
  /** Calls by sound that fit on this machine when nothing else runs. */
  measure(plan: RehearsalPlan, modelsDir: string): Promise<number>;
  play(plan: RehearsalPlan, calls: readonly number[], modelsDir: string): Promise<void>;
  /** So many calls may be under way from now on. */
  seat(count: number): void;
}
export interface SoundThreadEvents {
  /** A call has ended; its seat is free once this is answered. */
  played(played: PlayedBySound): Promise<void>;
}

if (parentPort !== null) {
  const ends = link<SoundThreadEvents, never, SoundThreadApi>(parentPort);
  let seats = 0;
  ends.serve({
    api: {
      measure: (plan, modelsDir) => seatsOfMachine(recogniserOf(plan), modelsDir),
      play: (plan, calls, modelsDir) =>
        playSoundRehearsal({
          plan,
          calls,
          modelsDir,
          seats: () => seats,
          onPlayed: (played) => ends.remote.call.played(played),
        }),
      seat: (count) => {
        seats = count;
      },
    },
  });
}
