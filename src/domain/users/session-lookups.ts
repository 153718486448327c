import { forAllTenants } from '../../shared/shares/tenant.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Db } from '../../store/database.ts';
import { findSessionsIn, type SessionInWorkspace, type SessionKey } from '../../store/tenants/sessions.ts';
import { validAt } from './sessions.ts';

/** Sessions of one query, and queries at a time. */
const BATCH = 500;
const MOST_QUERIES = 4;

interface Waiting extends SessionKey {
  readonly resolve: (session: SessionInWorkspace | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks sessions up. Each is found by a query that began after it was asked for, so that one that ended stops working at once.
 * Those that are asked for while queries run share the next one: thousands of pages that read at once cost a few queries.
 */
export class SessionLookups {
  readonly #deps: { readonly db: Db; readonly clock: Clock };
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(deps: { readonly db: Db; readonly clock: Clock }) {
    this.#deps = deps;
  }

  find(tokenHash: string, workspaceId: string): Promise<SessionInWorkspace | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ tokenHash, workspaceId, resolve, reject });
      if (this.#running < MOST_QUERIES) void forAllTenants(() => this.#run());
    });
  }

  async #run(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const found = await findSessionsIn(this.#deps.db, batch, validAt(this.#deps.clock));
        for (const [index, { resolve }] of batch.entries()) resolve(found[index] ?? null);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#running -= 1;
  }
}
