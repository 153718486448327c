import { spawn, type ChildProcess } from 'node:child_process';
import { isFree } from './ports.ts';

/** A third-party program under test's control; stopped by its own pid. */
export interface PeerProcess {
  readonly child: ChildProcess;
  /** Everything it has written to stdout and stderr. */
  output(): string;
  /** Resolves with the exit code; null when a signal ended it. */
  exited(): Promise<number | null>;
  stop(): Promise<void>;
}

const KILL_AFTER_MS = 3_000;

export function startProcess(command: string, args: readonly string[], cwd: string): PeerProcess {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk.toString('latin1')));
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString('latin1')));
  const done = new Promise<number | null>((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.once('error', (error) => {
      parts.push(String(error));
      resolve(127);
    });
  });
  return {
    child,
    output: () => parts.join(''),
    exited: () => done,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      await done;
      clearTimeout(timer);
    },
  };
}

/** Below those that connections are given by themselves and those of RTP: none of these is taken before it is used. */
const PORTS = { first: 7000, count: 3000 };

/** A port that is free for UDP and TCP on loopback at this moment. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count);
    if (await isFree(port)) return port;
  }
}

/** Waits until the program is ready; throws with what it has written when it ends before, but with one of `wellCodes`. */
export async function whenReady(
  peer: PeerProcess,
  what: string,
  isReady: () => boolean,
  wellCodes: readonly number[] = [],
): Promise<void> {
  let end: { readonly code: number | null } | null = null;
  void peer.exited().then((code) => (end = { code }));
  const ended = (): { readonly code: number | null } | null => end;
  await until(() => ended() !== null || isReady(), what);
  const over = ended();
  if (over === null || wellCodes.includes(over.code ?? Number.NaN)) return;
  throw new Error(`ended with ${over.code} before: ${what}\n${peer.output().slice(-4000)}`);
}

/** Waits until `ready` says so; throws with `what` after ten seconds. */
export async function until(
  ready: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 10_000,
): Promise<void> {
  for (let waitedMs = 0; waitedMs <= limitMs; waitedMs += 20) {
    if (await ready()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain: ${what}`);
}
