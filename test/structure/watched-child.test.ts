import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { watchedChild, type WatchedOptions } from '../../scripts/watched-child.ts';

/** A zombie has ended: its parent has not read that. */
const isRunning = (pid: string): boolean => {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'));
};

const shell = (script: string, options: Partial<WatchedOptions> = {}) =>
  watchedChild(['sh', '-c', script], {
    cwd: '/',
    env: process.env,
    silenceMs: 60_000,
    onOutput: () => undefined,
    onStart: () => undefined,
    ...options,
  });

describe('a watched program', () => {
  it('ends with its exit code and all of its output', async () => {
    const { ended } = shell('echo out; echo err >&2; exit 3');
    const { exitCode, output, isKilled } = await ended;
    expect({ exitCode, lines: output.trim().split('\n').toSorted(), isKilled }).toEqual({
      exitCode: 3,
      lines: ['err', 'out'],
      isKilled: false,
    });
  });

  it('that prints nothing is killed with what it started', async () => {
    const { ended } = shell('sleep 600 & echo $!; wait', { silenceMs: 1500 });
    const { exitCode, output, isKilled } = await ended;
    expect({ exitCode, isKilled }).toEqual({ exitCode: 1, isKilled: true });
    await expect.poll(() => isRunning(output.trim()), { timeout: 20_000 }).toBe(false);
  });

  it('that ignores the request to end is killed', async () => {
    const child = shell("trap '' TERM; echo ready; while :; do sleep 1; done", {
      onOutput: () => child.kill(),
    });
    expect(await child.ended).toEqual({ exitCode: 1, output: 'ready\n', isKilled: true });
  }, 30_000);

  it('that does not exist ends with 1', async () => {
    const options = {
      cwd: '/',
      env: process.env,
      silenceMs: 60_000,
      onOutput: () => undefined,
      onStart: () => undefined,
    };
    expect(await watchedChild(['/no/such/program'], options).ended).toEqual({
      exitCode: 1,
      output: '',
      isKilled: false,
    });
  });
});
