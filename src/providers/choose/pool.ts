import { createHash } from 'node:crypto';

/** Idle objects stay this long, for the next call of the same account. */
const IDLE_MS = 60_000;
/** Most idle objects; those of calls are bounded by the calls. */
const MOST_IDLE = 64;

interface Pooled<T> {
  readonly value: T;
  users: number;
  idleSince: number;
}

/** Objects that calls of the same account share. Closes one that no call has used for a minute. */
export class AccountPool<T extends { close(): Promise<void> }> {
  readonly #now: () => number;
  readonly #pooled = new Map<string, Pooled<T>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#pooled.size;
  }

  /** The account's object; call `release` with the same id once the call is over. */
  acquire(id: string, open: () => T): T {
    this.sweep();
    const known = this.#pooled.get(id) ?? { value: open(), users: 0, idleSince: 0 };
    this.#pooled.set(id, known);
    known.users += 1;
    return known.value;
  }

  release(id: string): void {
    const known = this.#pooled.get(id);
    if (known === undefined) return;
    known.users -= 1;
    known.idleSince = this.#now();
    this.sweep();
  }

  /** Closes objects that were idle for too long, and the longest idle ones beyond the bound. */
  sweep(): void {
    const idle = [...this.#pooled]
      .filter(([, { users }]) => users === 0)
      .toSorted(([, a], [, b]) => b.idleSince - a.idleSince);
    const tooOld = this.#now() - IDLE_MS;
    for (const [index, [id, { value, idleSince }]] of idle.entries()) {
      if (index < MOST_IDLE && idleSince > tooOld) continue;
      this.#pooled.delete(id);
      void value.close();
    }
  }

  async close(): Promise<void> {
    const all = [...this.#pooled.values()];
    this.#pooled.clear();
    await Promise.all(all.map(({ value }) => value.close()));
  }
}

/** Names an account without revealing its key. */
export const accountId = (fields: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(fields)).digest('base64url');
