import { globSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A faked wall clock of child processes, movable at run time (Debian package faketime). Timers stay real. */
export interface FakedClock {
  /** Environment variables for processes that use this clock. */
  readonly env: Record<string, string>;
  /** Current faked time, epoch ms. */
  now(): number;
  /** Faked time at a moment of real time; at the moment of a move the later time. */
  shownAt(trueTime: number): number;
  /** Sets the clock; it runs on from this instant. */
  set(instant: string): Promise<void>;
  dispose(): Promise<void>;
}

export async function startFakedClock(instant: string): Promise<FakedClock> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('faketime is not installed: run scripts/setup.sh --test-peers');
  const dir = await mkdtemp(join(tmpdir(), 'callwright-clock-'));
  const file = join(dir, 'offset');
  let offset = 0;
  const moves: { readonly at: number; readonly offset: number }[] = [];
  const set = async (to: string): Promise<void> => {
    // libfaketime reads whole seconds; a half-written file would show the real time.
    offset = Math.round((Date.parse(to) - Date.now()) / 1000) * 1000;
    await writeFile(`${file}.new`, `${offset < 0 ? '' : '+'}${offset / 1000}\n`);
    moves.push({ at: Date.now(), offset });
    await rename(`${file}.new`, file);
  };
  await set(instant);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // The database has the real time.
      CLOCK: 'host',
    },
    now: () => Date.now() + offset,
    shownAt: (trueTime) => trueTime + (moves.findLast(({ at }) => at <= trueTime)?.offset ?? 0),
    set,
    dispose: () => rm(dir, { recursive: true, force: true }),
  };
}
