import { hash, verify } from '@node-rs/argon2';
import { errors } from '../../errors.ts';
import { once } from '../../shared/once.ts';
import { randomToken } from '../../shared/ids.ts';

/** Hashes that run or wait. Each takes about 0.1 s of a core and 19 MiB; further requests are refused. */
const MOST = 16;
/** Hashes that run: the rest of libuv's four threads serve recordings and name look-ups of the calls. */
const MOST_AT_ONCE = 2;
let running = 0;
const waiting: (() => void)[] = [];

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running + waiting.length >= MOST) throw errors.rateLimited(1, 'sign_in');
  if (running >= MOST_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The next one takes over the place.
    if (next === undefined) running -= 1;
    else next();
  }
}

/** The Argon2id hash of a password. */
export const hashPassword = (password: string): Promise<string> => limited(() => hash(password));

/** A hash that no password matches, verified for unknown users so that they take as long as known ones. */
const unmatched = once(() => hash(randomToken(40)));

/** Whether the password matches. Takes equally long without a stored hash. */
export async function isPasswordOf(stored: string | null, password: string): Promise<boolean> {
  const against = stored ?? (await unmatched());
  const isMatch = await limited(() => verify(against, password).catch(() => false));
  return stored !== null && isMatch;
}
