import { Worker } from 'node:worker_threads';
import { ThreadPool } from '../../shared/threads/pool.ts';
import { Thread } from '../../shared/threads/thread.ts';
import { HASH_THREADS, HashPlaces, type HashClient } from './hash-places.ts';
import type { PasswordApi } from './password.thread.ts';

/** A thread without a hash ends after this time: people sign in a few times a day. */
const IDLE_MS = 10_000;
/** Longer than a hash on a busy machine; a thread is never terminated during native code before. */
const STOP_MS = 10_000;

const threads = new ThreadPool({ size: HASH_THREADS, jobsEach: 1, idleMs: IDLE_MS, start: startThread });
const places = new HashPlaces();

function startThread(): Thread<PasswordApi> {
  const worker = new Worker(new URL('./password.thread.ts', import.meta.url));
  return new Thread<PasswordApi>(worker, {
    name: 'thread that hashes passwords',
    ending: { by: 'request', withinMs: STOP_MS },
    served: { api: {} },
  });
}

/** Throws 429 when too many hashes of the client are in line. */
const within = <T>(client: HashClient, work: (thread: Thread<PasswordApi>) => Promise<T>): Promise<T> =>
  places.within(client, () => threads.run(work));

/** The Argon2id hash of a password. */
export const hashPassword = (password: string, client: HashClient): Promise<string> =>
  within(client, (thread) => thread.remote.call.hash(password));

/** Whether the password matches. Takes equally long without a stored hash. */
export const isPasswordOf = (stored: string | null, password: string, client: HashClient): Promise<boolean> =>
  within(client, (thread) => thread.remote.call.verify(stored, password));

/** The hash of a recovery code in base64url. Codes are tried after the password matched, so they need no share. */
export const hashRecoveryCode: PasswordApi['raw'] = (code, salt, cost) =>
  threads.run((thread) => thread.remote.call.raw(code, salt, cost));
