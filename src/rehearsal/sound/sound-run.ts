import { judge, placeOf, type RehearsedResult, type RunToPlay } from '../run.ts';
import { playInSeats, type SeatedCalls } from './seats.ts';
import { playSoundCall } from './sound-call.ts';
import type { Studio } from './studio.ts';
import { warmEars } from './warm-ears.ts';
import { warmVoices } from './warm-voices.ts';

/** What decides the calls of a run by sound. */
export type SoundParts = Pick<RunToPlay, 'parts' | 'seed'>;

/** `calls`: the numbers of those to play. Aborted: those under way are played to their end. */
export interface SoundRun extends SoundParts, SeatedCalls {
  /** The voices are ready, and the calls begin. */
  readonly onReady?: () => void;
  readonly onPlayed?: (result: RehearsedResult) => void;
}

/** The same callers call the agent before and after a change. */
export interface PairedRun extends SeatedCalls {
  readonly now: SoundParts;
  /** Null: one agent alone. */
  readonly before: SoundParts | null;
  /** The call's seat is free when it has ended. */
  readonly onPlayed: (now: RehearsedResult, before: RehearsedResult | null) => Promise<void>;
}

/** Plays calls of a run by sound in real time, `atOnce` at a time; in the order of their numbers. */
export async function rehearseBySound(run: SoundRun, studio: Studio): Promise<RehearsedResult[]> {
  await warmVoices(run, studio);
  await warmEars(run, studio);
  run.onReady?.();
  const results: RehearsedResult[] = [];
  await playInSeats(run, async (call) => {
    const result = await rehearseOne(run, call, studio);
    results.push(result);
    run.onPlayed?.(result);
  });
  return results.toSorted((one, other) => one.judged.call - other.judged.call);
}

/** Plays each call with both agents, one after the other in the same seat. */
export async function rehearsePairsBySound(run: PairedRun, studio: Studio): Promise<void> {
  const { now, before, calls } = run;
  await warmVoices({ ...now, calls }, studio);
  if (before !== null) await warmVoices({ ...before, calls }, studio);
  await warmEars({ parts: [...now.parts, ...(before?.parts ?? [])] }, studio);
  await playInSeats(run, async (call) => {
    const result = await rehearseOne(now, call, studio);
    await run.onPlayed(result, before === null ? null : await rehearseOne(before, call, studio));
  });
}

async function rehearseOne(run: SoundParts, call: number, studio: Studio): Promise<RehearsedResult> {
  const { part, seed } = placeOf(run, call);
  return judge(run, call, await playSoundCall({ ...part, seed }, studio));
}
