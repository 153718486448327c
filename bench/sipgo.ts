import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Where bench/reference/sipgo listens. */
const PORT = 25_060;
const TICKS_PER_SECOND = 100;
const UDP_PORT_HEX = PORT.toString(16).toUpperCase();

export interface SipgoServer {
  readonly port: number;
  /** User and system time so far, in us, in steps of 10 ms. */
  cpuUs(): number;
  stop(): Promise<void>;
}

const isBound = (): boolean =>
  readFileSync('/proc/net/udp', 'utf8')
    .split('\n')
    // The slot before the address is padded with spaces only up to five digits.
    .some((line) => line.trimStart().split(/\s+/)[1]?.endsWith(`:${UDP_PORT_HEX}`));

/** Starts the program built from bench/reference/sipgo; throws if it exits before it listens. */
export async function startSipgo(program: string): Promise<SipgoServer> {
  if (isBound()) throw new Error(`UDP port ${PORT} is in use`);
  const child = spawn(program, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('exit', () => done());
  });
  let isOver = false;
  ended.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  while (!isBound()) {
    if (isOver) throw new Error(`${program} ended before it listened`);
    await pause(50);
  }
  return {
    port: PORT,
    cpuUs() {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      // Fields 14 and 15; the name before them may hold spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / TICKS_PER_SECOND;
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
