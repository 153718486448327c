import { globSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The wall clock of a child process, moved while it runs (Debian package faketime). Its timers stay true. */
export interface FakedClock {
  /** Environment of the process that shall see this clock. */
  readonly env: Record<string, string>;
  /** What the clock shows now, epoch ms. */
  now(): number;
  /** What it showed at a moment of the true time; in the moment that it is moved in, already the later time. */
  shownAt(trueTime: number): number;
  /** From now on the clock runs on from this instant. */
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
    // The library takes whole seconds; a half-written file would show the true time.
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
    },
    now: () => Date.now() + offset,
    shownAt: (trueTime) => trueTime + (moves.findLast(({ at }) => at <= trueTime)?.offset ?? 0),
    set,
    dispose: () => rm(dir, { recursive: true, force: true }),
  };
}
