import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from './compile-cache.ts';

const root = join(import.meta.dirname, '../../..');

/** scripts/test.ts bundles the service once per run (scripts/bundle-program.ts), because many tests start it. */
export const SERVICE = process.env['TEST_SERVICE'] ?? 'src/main.ts';
/** The command-line program beside it. */
export const CLI = process.env['TEST_SERVICE']?.replace(/main\.js$/, 'cli.js') ?? 'src/cli/main.ts';

/**
 * Runs the service, or another program with its arguments, with exactly these settings until it exits. Resolves with its exit code (null: killed by a signal, or
 * still running after `limitMs`) and its output. `killAt`: it is killed as soon as it writes this.
 */
export async function runToEnd(
  env: Record<string, string>,
  limitMs: number,
  [program, ...args]: readonly [string, ...string[]] = [SERVICE],
  killAt: string | null = null,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      // Without models, as in `startService`.
      MODELS_DIR: join(env['DATA_DIR'] ?? tmpdir(), 'no-models'),
      MODELS_FETCH: 'off',
      ...COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    parts.push(chunk.toString());
    if (killAt !== null && parts.join('').includes(killAt)) child.kill('SIGKILL');
  });
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  const timer = setTimeout(() => {
    parts.push(`[killed after ${limitMs} ms]`);
    child.kill('SIGKILL');
  }, limitMs);
  const code = await new Promise<number | null>((resolve) =>
    child.once('close', (status, signal) => {
      if (signal !== null) parts.push(`[ended by ${signal}]`);
      resolve(status);
    }),
  );
  clearTimeout(timer);
  return { code, output: parts.join('') };
}
