/** Runs a program as a group of processes and watches it. */
import { spawn, type ChildProcess } from 'node:child_process';

export interface WatchedOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** A group that prints nothing for so long hangs and is killed, in ms. */
  readonly silenceMs: number;
  readonly onOutput: (chunk: Buffer) => void;
  readonly onStart: (pid: number) => void;
}

export interface WatchedEnd {
  readonly exitCode: number;
  readonly output: string;
  /** It was killed, because it printed nothing for `silenceMs` or because `kill` was called. */
  readonly isKilled: boolean;
}

export interface WatchedChild {
  readonly ended: Promise<WatchedEnd>;
  /** Kills the group. */
  readonly kill: () => void;
}

/** Between the request to end and the kill, and between the kill and the moment when nothing is waited for any more. */
const GRACE_MS = 5000;

export function watchedChild(command: readonly string[], options: WatchedOptions): WatchedChild {
  const [program = '', ...args] = command;
  const { cwd, env, silenceMs } = options;
  // A process group, so that a kill also ends what the program started.
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const { pid } = child;
  if (pid !== undefined) options.onStart(pid);
  const parts: Buffer[] = [];
  let isKilled = false;
  const givenUp = Promise.withResolvers<void>();
  const kill = (): void => {
    if (isKilled) return;
    isKilled = true;
    signalGroup(pid, 'SIGTERM');
    setTimeout(() => {
      signalGroup(pid, 'SIGKILL');
      setTimeout(givenUp.resolve, GRACE_MS).unref();
    }, GRACE_MS).unref();
  };
  let silence = setTimeout(kill, silenceMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      parts.push(chunk);
      options.onOutput(chunk);
      if (isKilled) return;
      clearTimeout(silence);
      silence = setTimeout(kill, silenceMs);
    });
  }
  const ended = new Promise<WatchedEnd>((resolve) => {
    const end = (exitCode: number): void => {
      clearTimeout(silence);
      resolve({ exitCode, output: Buffer.concat(parts).toString(), isKilled });
    };
    child.once('error', () => end(1));
    void givenUp.promise.then(() => end(1));
    // Not `close`: a process that the program leaves behind may keep its pipes open.
    child.once('exit', (code) => void drained(child).then(() => end(code ?? 1)));
  });
  return { ended, kill };
}

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** Resolves when all output has been read, after five seconds at the latest. */
function drained(child: ChildProcess): Promise<unknown> {
  return Promise.race([
    new Promise((resolve) => child.once('close', resolve)),
    new Promise((resolve) => setTimeout(resolve, 5000).unref()),
  ]);
}
