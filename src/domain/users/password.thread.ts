import { parentPort } from 'node:worker_threads';
import { hashRawSync, hashSync, verifySync } from '@node-rs/argon2';
import { randomToken } from '../../shared/ids.ts';
import { link } from '../../shared/threads/remote.ts';

/** A thread that hashes passwords: libuv's threads, which serve recordings and name look-ups of the calls, take none of it. */
export interface PasswordApi {
  hash(password: string): Promise<string>;
  /** `stored` null: the user is unknown, which takes as long. */
  verify(stored: string | null, password: string): Promise<boolean>;
  raw(
    text: string,
    salt: Uint8Array,
    cost: { readonly memoryCost: number; readonly timeCost: number },
  ): Promise<string>;
  /** Ends the thread between two hashes. */
  stop(): void;
}

/** No password matches it. Made before the first request, so that none takes longer for it. */
const UNMATCHED = hashSync(randomToken(40));

function isMatch(stored: string | null, password: string): boolean {
  try {
    return verifySync(stored ?? UNMATCHED, password) && stored !== null;
  } catch {
    return false;
  }
}

if (parentPort !== null) {
  const port = parentPort;
  link<object, never, PasswordApi>(port).serve({
    api: {
      hash: (password) => hashSync(password),
      verify: isMatch,
      raw: (text, salt, cost) => hashRawSync(text, { ...cost, salt }).toString('base64url'),
      stop: () => port.close(),
    },
  });
}
