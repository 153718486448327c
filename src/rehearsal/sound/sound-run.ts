import { setTimeout as sleep } from 'node:timers/promises';
import { judge, placeOf, type RehearsedResult, type RunToPlay } from '../run.ts';
import { playSoundCall } from './sound-call.ts';
import type { Studio } from './studio.ts';
import { warmVoices } from './warm-voices.ts';

/** Between the beginnings of two calls: each is a burst of work, which delays the audio of the others. */
const STAGGER_MS = 60;

export interface SoundRun {
  readonly parts: RunToPlay['parts'];
  readonly seed: number;
  /** Numbers of the calls to play. */
  readonly calls: readonly number[];
  readonly atOnce: number;
  /** Aborted: no further call begins, and those under way are played to their end. */
  readonly signal?: AbortSignal;
  /** The voices are ready, and the calls begin. */
  readonly onReady?: () => void;
  readonly onPlayed?: (result: RehearsedResult) => void;
}

/** Plays calls of a run by sound in real time, `atOnce` at a time; in the order of their numbers. */
export async function rehearseBySound(run: SoundRun, studio: Studio): Promise<RehearsedResult[]> {
  await warmVoices(run, studio);
  run.onReady?.();
  const results: RehearsedResult[] = [];
  const waiting = [...run.calls];
  const line = async (place: number): Promise<void> => {
    await sleep(place * STAGGER_MS);
    for (let call = waiting.shift(); call !== undefined; call = waiting.shift()) {
      if (run.signal?.aborted === true) return;
      const { part, seed } = placeOf(run, call);
      const played = await playSoundCall(
        { ...part, seed, number: `1${String(call).padStart(6, '0')}` },
        studio,
      );
      const result = judge(run, call, played);
      results.push(result);
      run.onPlayed?.(result);
    }
  };
  await Promise.all(Array.from({ length: Math.min(run.atOnce, run.calls.length) }, (_, at) => line(at)));
  return results.toSorted((one, other) => one.judged.call - other.judged.call);
}
