import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Runs the program with exactly these settings until it ends by itself. Resolves with its exit code (null: a signal
 * ended it, or it was still running at the limit) and everything it printed.
 */
export async function runToEnd(
  env: Record<string, string>,
  limitMs: number,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, 'src/main.ts')], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const parts: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const code = await new Promise<number | null>((resolve) =>
    child.once('close', (status) => resolve(status)),
  );
  clearTimeout(timer);
  return { code, output: parts.join('') };
}
