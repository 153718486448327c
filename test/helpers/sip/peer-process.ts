import { spawn, type ChildProcess } from 'node:child_process';
import { freePorts } from '../service/ports.ts';

/** A third-party program under the control of a test; stopped by its pid. */
export interface PeerProcess {
  readonly child: ChildProcess;
  /** Its stdout and stderr so far. */
  output(): string;
  /** Resolves with the exit code; null after a signal. */
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

/** The first of `count` neighbouring ports that are free for UDP and TCP on loopback. */
export const freePort = (count = 1): Promise<number> => freePorts('peer', count);

/** Waits until the program is ready; throws with its output when it exits first, except with one of `wellCodes`. */
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

/** Polls `ready`; throws with `what` after `limitMs`. */
export async function until(
  ready: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 90_000,
): Promise<void> {
  for (let waitedMs = 0; waitedMs <= limitMs; waitedMs += 20) {
    if (await ready()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`timed out waiting for: ${what}`);
}
