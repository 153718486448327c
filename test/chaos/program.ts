import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { FATE_VARIABLE, LAST_WORDS, writeFate, type Fate } from './fates.ts';

const root = join(import.meta.dirname, '../..');
const KEPT_CHARS = 200_000;

/** One life of the program: src/main.ts as it is, with a point of death when it was given one. */
export interface Life {
  readonly child: ChildProcess;
  /** Resolves with true once it serves, with false when it ends before. */
  readonly ready: Promise<boolean>;
  /** Resolves when it has ended, with what it said last of the point it died at; null: it died of something else. */
  readonly ended: Promise<string | null>;
  output(): string;
  kill(signal: NodeJS.Signals): void;
}

export function live(env: Record<string, string>, fate: Fate | null = null): Life {
  const preload = fate === null ? [] : ['--import', join(import.meta.dirname, 'preload.ts')];
  const child = spawn(process.execPath, [...preload, join(root, 'src/main.ts')], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...env,
      ...(fate === null ? {} : { [FATE_VARIABLE]: writeFate(fate) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Nothing outlives a run that was broken off.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  let output = '';
  const ended = new Promise<string | null>((resolve) => {
    child.once('close', () => {
      const said = output.lastIndexOf(LAST_WORDS);
      resolve(said < 0 ? null : output.slice(said + LAST_WORDS.length).split('\n')[0]!);
    });
  });
  const ready = new Promise<boolean>((resolve) => {
    const listen = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT_CHARS);
      if (output.includes('"msg":"ready"')) resolve(true);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('close', () => resolve(false));
  });
  return { child, ready, ended, output: () => output, kill: (signal) => void child.kill(signal) };
}
