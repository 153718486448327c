import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Db } from '../../../src/store/database.ts';
import { COMPILE_CACHE } from '../service/compile-cache.ts';

/** A process that plays the due rehearsals of a database, started again and again. */
export interface Player {
  /** Starts it. It finds the job due at once, as it would be when the lease of the process before has ended. */
  begin(): Promise<void>;
  /** Reads until `holds`; fails if the process ends meanwhile. */
  until<T>(read: () => Promise<T>, holds: (seen: T) => boolean): Promise<T>;
  /** Kills it, and resolves once it has ended. */
  kill(): Promise<void>;
  /** Kills it if it runs. */
  close(): void;
}

/** Reading takes processor time from the process that plays. */
const READ_EVERY_MS = 50;

/** `file` is a program of this folder, which gets `args`; `kind` is that of its jobs. */
export function rehearsalPlayer(db: Db, kind: string, file: string, args: readonly string[]): Player {
  const program = fileURLToPath(new URL(file, import.meta.url));
  let playing: ChildProcess | null = null;
  let ended: Promise<unknown[]> = Promise.resolve([]);
  return {
    async begin() {
      await db
        .updateTable('jobs')
        .set({ due_at: new Date(0) })
        .where('kind', '=', kind)
        .execute();
      playing = spawn(process.execPath, [program, ...args], {
        stdio: 'ignore',
        env: { ...process.env, ...COMPILE_CACHE },
      });
      ended = once(playing, 'exit');
    },
    async until(read, holds) {
      for (;;) {
        expect(playing?.exitCode).toBeNull();
        const seen = await read();
        if (holds(seen)) return seen;
        await sleep(READ_EVERY_MS);
      }
    },
    async kill() {
      playing?.kill('SIGKILL');
      expect((await ended)[1]).toBe('SIGKILL');
    },
    close: () => void playing?.kill('SIGKILL'),
  };
}
