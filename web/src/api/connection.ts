import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { around } from './spread.ts';

/** What keeps the page from reading: the service does not answer, or the session has ended. */
interface Connection {
  /** Epoch ms at which the service was found missing; null: it answers. */
  readonly lostAt: number | null;
  readonly isSignedOut: boolean;
}

/** Milliseconds between two tries; the last one repeats. */
const TRIES_MS = [500, 1_000, 2_000, 3_000, 5_000] as const;

let connection: Connection = { lostAt: null, isSignedOut: false };
let timer: ReturnType<typeof setTimeout> | undefined;
let tries = 0;
const listeners = new Set<() => void>();

// Only answers of the service count: a browser without internet still reaches a service on its own machine.
onlineManager.setEventListener(() => () => undefined);

/** Reads wait while the page cannot read, keep what they have, and go on by themselves afterwards. */
function become(next: Connection): void {
  connection = next;
  onlineManager.setOnline(next.lostAt === null && !next.isSignedOut);
  for (const listener of listeners) listener();
}

/** A gateway in front of a missing service answers these without a code; UNAVAILABLE is a service without its database. */
export const isLost = (status: number, code: string): boolean =>
  status === 0 || ([502, 503, 504].includes(status) && (code === '' || code === 'UNAVAILABLE'));

/** Records that the service did not answer; tries it until it does. */
export function noteLost(): void {
  if (connection.lostAt !== null) return;
  tries = 0;
  become({ ...connection, lostAt: Date.now() });
  tryLater();
  otherWindows?.postMessage('lost');
}

/** Only one window of a browser holds the stream that breaks with the service; it warns the others. */
const otherWindows = 'BroadcastChannel' in globalThis ? new BroadcastChannel('connection') : null;
otherWindows?.addEventListener('message', () => {
  void answers().then((isThere) => (isThere ? undefined : noteLost()));
});

/** Records that the service answered. */
export function noteAnswer(): void {
  if (connection.lostAt === null) return;
  clearTimeout(timer);
  become({ ...connection, lostAt: null });
}

export function noteSignedOut(): void {
  if (!connection.isSignedOut) become({ ...connection, isSignedOut: true });
}

export function noteSignedIn(): void {
  if (connection.isSignedOut) become({ ...connection, isSignedOut: false });
}

function tryLater(): void {
  clearTimeout(timer);
  const wait = around(TRIES_MS[Math.min(tries, TRIES_MS.length - 1)] ?? 0);
  tries += 1;
  timer = setTimeout(() => void tryNow(), wait);
}

/** Asks for the session, which needs the database too; whether the service itself gives any answer. */
export async function answers(): Promise<boolean> {
  const response = await fetch('/dashboard-api/session', { credentials: 'same-origin' }).catch(() => null);
  if (response === null) return false;
  const body: unknown = response.ok ? null : await response.json().catch(() => null);
  return response.ok || !isLost(response.status, (body as { code?: string } | null)?.code ?? '');
}

/** Tries a service that is missing, now instead of later. */
export async function tryNow(): Promise<void> {
  if (connection.lostAt === null) return;
  if (await answers()) noteAnswer();
  else tryLater();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const currentConnection = (): Connection => connection;
export const useConnection = (): Connection => useSyncExternalStore(subscribe, currentConnection);

/** Resolves once the page can read; rejects when `signal` aborts. */
export function untilConnected(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (onlineManager.isOnline()) return resolve();
    const stop = onlineManager.subscribe((isOnline) => {
      if (!isOnline) return;
      stop();
      resolve();
    });
    signal.addEventListener(
      'abort',
      () => {
        stop();
        reject(signal.reason as Error);
      },
      { once: true },
    );
    return undefined;
  });
}
