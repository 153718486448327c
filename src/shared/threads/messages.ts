import type { Transferable } from 'node:worker_threads';
import type { WireError } from './remote-error.ts';

/** The two ends of a message port, or a worker and its parent port. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

export const Kind = {
  send: 0,
  call: 1,
  /** A call whose caller may abort it. */
  abortable: 2,
  result: 3,
  error: 4,
  abort: 5,
  ping: 6,
  pong: 7,
} as const;

type Method = readonly [part: string | null, method: string, args: readonly unknown[]];

/** Arrays: a clone copies the keys of an object with every message. */
export type Message =
  | readonly [kind: typeof Kind.send, ...Method]
  | readonly [kind: typeof Kind.call | typeof Kind.abortable, ...Method, id: number]
  | readonly [kind: typeof Kind.result, id: number, result: unknown]
  | readonly [kind: typeof Kind.error, id: number, error: WireError]
  | readonly [kind: typeof Kind.abort, id: number]
  | readonly [kind: typeof Kind.ping | typeof Kind.pong];
