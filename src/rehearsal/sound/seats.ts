import { setTimeout as sleep } from 'node:timers/promises';

/** Between the beginnings of two calls: each is a burst of work, which delays the audio of the others. */
const STAGGER_MS = 60;
/** How soon a call that waits for a seat notices that there are more of them. */
const LOOK_MS = 200;

export interface SeatedCalls {
  readonly calls: readonly number[];
  readonly atOnce: number;
  /** Calls that this machine can carry now, at any time; absent: any number. */
  readonly seats?: (() => number) | undefined;
  /** Aborted: no further call begins. */
  readonly signal?: AbortSignal | undefined;
}

/** Plays each call as soon as a seat is free, in order. Resolves when all have ended; rejects with the first failure. */
export async function playInSeats(
  { calls, atOnce, seats = () => atOnce, signal }: SeatedCalls,
  play: (call: number) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const isFull = (): boolean => signal?.aborted !== true && underWay.size >= Math.min(atOnce, seats());
  for (const call of calls) {
    while (isFull()) await Promise.race([sleep(LOOK_MS), ...underWay]);
    if (signal?.aborted === true) break;
    const playing = play(call);
    underWay.add(playing);
    playing.then(
      () => underWay.delete(playing),
      // The race, or the wait for all, rejects.
      () => undefined,
    );
    await sleep(STAGGER_MS);
  }
  await Promise.all(underWay);
}
