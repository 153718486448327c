import type { Clock } from '../../shared/clock.ts';
import { forAllTenants } from '../../shared/shares/tenant.ts';
import type { Db } from '../../store/database.ts';
import { findLiveKeys, findLiveSessions, type LiveSession } from '../../store/tenants/live-access.ts';
import { isAtLeast, type Role } from '../users/roles.ts';
import { validAt } from '../users/sessions.ts';

/** What allows something that goes on: an event stream, listening, a chat that was taken over. */
export type Grant =
  | ({ readonly kind: 'session'; readonly need: Role } & LiveSession)
  | { readonly kind: 'key'; readonly keyId: string };

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/** How often what goes on is checked; it ends within two seconds of the revocation, whichever process revoked it. */
const CHECK_MS = 1_000;
/** With a database that cannot be asked for longer, everything ends. */
const BLIND_MS = 60_000;

interface Held {
  readonly grant: Grant;
  readonly onRevoked: () => void;
}

/** Those of the grants that are still given. Two queries, however many there are. */
export async function stillGiven<T extends { readonly grant: Grant }>(
  deps: Deps,
  held: readonly T[],
): Promise<Set<T>> {
  const sessions = new Map<string, LiveSession>();
  const keys = new Set<string>();
  for (const { grant } of held) {
    if (grant.kind === 'key') keys.add(grant.keyId);
    else sessions.set(placeOf(grant), grant);
  }
  const [roles, liveKeys] = await Promise.all([
    findLiveSessions(deps.db, [...sessions.values()], validAt(deps.clock)),
    findLiveKeys(deps.db, [...keys], new Date(deps.clock.now())),
  ]);
  const roleAt = new Map(roles.map((each) => [placeOf(each), each.role]));
  const isGiven = (grant: Grant): boolean => {
    if (grant.kind === 'key') return liveKeys.has(grant.keyId);
    const role = roleAt.get(placeOf(grant));
    return role !== undefined && isAtLeast(role, grant.need);
  };
  return new Set(held.filter(({ grant }) => isGiven(grant)));
}

const placeOf = ({ sessionId, workspaceId }: LiveSession): string => `${sessionId} ${workspaceId}`;

/**
 * What goes on in this process because a session or key allowed it. While there is any, it asks the database every second
 * whether each still does: a removed member, a lower role, a replaced key or an ended session ends it, whichever process
 * the change came through.
 */
export class LiveAccess {
  readonly #deps: Deps;
  readonly #held = new Set<Held>();
  #timer: NodeJS.Timeout | null = null;
  #seenAt = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Calls `onRevoked` once the grant is no longer given. Returns what ends the watch. */
  hold(grant: Grant, onRevoked: () => void): () => void {
    const held: Held = { grant, onRevoked };
    this.#held.add(held);
    if (this.#timer === null) {
      this.#seenAt = this.#deps.clock.monotonic();
      this.#wait();
    }
    return () => void this.#held.delete(held);
  }

  /** Ends what is no longer allowed. */
  async check(): Promise<void> {
    const held = [...this.#held];
    let given: Set<Held>;
    try {
      given = await forAllTenants(() => stillGiven(this.#deps, held));
      this.#seenAt = this.#deps.clock.monotonic();
    } catch {
      if (this.#deps.clock.monotonic() - this.#seenAt < BLIND_MS) return;
      given = new Set();
    }
    for (const each of held) {
      if (!given.has(each) && this.#held.delete(each)) each.onRevoked();
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#held.clear();
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      void this.check().finally(() => {
        if (this.#timer === null) return;
        this.#timer = null;
        if (this.#held.size > 0) this.#wait();
      });
    }, CHECK_MS).unref();
  }
}
