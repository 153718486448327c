import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILE_CACHE } from '../helpers/service/compile-cache.ts';
import { SERVICE } from '../helpers/service/program.ts';
import { FAULT_VARIABLE, DEATH_NOTICE, encodeFault, type Fault } from './fault-points.ts';

const root = join(import.meta.dirname, '../..');
const KEPT_CHARS = 200_000;

/** One run of the unmodified service, with an injected fault if one is given. */
export interface ProgramRun {
  readonly child: ChildProcess;
  /** Resolves with true once it is ready, with false if it ends before. */
  readonly ready: Promise<boolean>;
  /** Resolves when it has ended, with the name of its fault point; null: it ended for another reason. */
  readonly ended: Promise<string | null>;
  output(): string;
  kill(signal: NodeJS.Signals): void;
}

export function startProgram(env: Record<string, string>, fault: Fault | null = null): ProgramRun {
  const preload = fault === null ? [] : ['--import', join(import.meta.dirname, 'preload.ts')];
  const child = spawn(process.execPath, [...preload, join(root, SERVICE)], {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      // Without models, as in `startService`.
      MODELS_DIR: join(env['DATA_DIR'] ?? tmpdir(), 'no-models'),
      MODELS_FETCH: 'off',
      ...COMPILE_CACHE,
      ...env,
      ...(fault === null ? {} : { [FAULT_VARIABLE]: encodeFault(fault) }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // An aborted test run leaves no process behind.
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  let output = '';
  const ended = new Promise<string | null>((resolve) => {
    child.once('close', () => {
      const at = output.lastIndexOf(DEATH_NOTICE);
      resolve(at < 0 ? null : output.slice(at + DEATH_NOTICE.length).split('\n')[0]!);
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
