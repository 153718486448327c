import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { sha256 } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import type { JsonObject } from '../../store/schema.ts';
import { findKeyOwner, touchKey, type KeyOwner } from '../../store/tenants/keys.ts';
import { isListed } from '../access/address-list.ts';
import type { Principal } from '../access/access.ts';
import type { Actor } from '../audit/audit-trail.ts';
import { mayBeKey } from './api-key.ts';
import { destinationsIn, type Destinations } from './destinations.ts';
import { hasLargeCampaigns, workspaceLimits, type Caps } from './limits.ts';

/** What a request was allowed by; what goes on after it ends with this. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'key'; readonly id: string }
  /** The token of a browser call. */
  | { readonly kind: 'call' };

export interface Caller {
  workspaceId: string;
  /** The actor in audit entries. */
  actor: Actor;
  /** Who calls, as the table of permissions sees it. */
  principal: Principal;
  credential: Credential;
  /** The destinations that the workspace may dial. */
  destinations: Destinations;
  caps: Caps;
  /** The large-campaign flow is enabled. */
  largeCampaigns: boolean;
  /** Calls and chats that lack a variable, or name an unknown one, are refused. */
  strictVariables: boolean;
}

/** A query of a key, and the one that begins when it has succeeded; null: no request waits for that. */
interface Lookup {
  readonly owner: Promise<KeyOwner | null>;
  next: Promise<KeyOwner | null> | null;
}

/** Keys of the service have 40 characters. */
const MAX_KEY_LENGTH = 256;
const TOUCH_EVERY_MS = 60_000;

/** The hash of a sent key; null if it cannot be a key. */
export const keyHashOf = (key: string | undefined): string | null =>
  key === undefined || key === '' || key.length > MAX_KEY_LENGTH || !mayBeKey(key) ? null : sha256(key);

/** Whose request it is. */
type Identity = Pick<Caller, 'actor' | 'principal' | 'credential'>;

/** The key as the audit log and the request log name it. */
const nameOf = ({ name, shownPrefix, shownLast4 }: KeyOwner): string =>
  name === null ? `${shownPrefix}…${shownLast4}` : `${name} (${shownPrefix}…${shownLast4})`;

/**
 * Authenticates keys. Every request is checked by a query that began after it arrived, so that a replaced key stops
 * working at once. Requests that arrive during a look-up of their key share the next one: a burst of one client does not
 * fill the connection pool. The last use is stored at most once a minute; a failed update is ignored.
 */
export class KeyCheck {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #countries: readonly string[];
  readonly #touchedAt = new Map<string, number>();
  /** By key hash. */
  readonly #lookups = new Map<string, Lookup>();

  constructor(deps: { db: Db; clock: Clock; countries?: readonly string[] }) {
    this.#countries = deps.countries ?? [];
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  /** The caller of a key; null: no such key, or it has expired. Throws 403 for an address that the key does not list. */
  async find(keyHash: string, address: string): Promise<Caller | null> {
    const owner = await this.#owner(keyHash);
    if (owner === null) return null;
    const { keyId, expiresAt, allowedAddresses, scopes } = owner;
    if (expiresAt !== null && expiresAt.getTime() <= this.#clock.now()) return null;
    if (allowedAddresses !== null && !isListed(address, allowedAddresses)) throw errors.keyAddress(address);
    this.#touch(owner);
    return this.callerOf(owner.workspaceId, owner.settings, {
      actor: { type: 'api_key', name: nameOf(owner) },
      principal: { kind: 'key', scopes },
      credential: { kind: 'key', id: keyId },
    });
  }

  #owner(keyHash: string): Promise<KeyOwner | null> {
    const running = this.#lookups.get(keyHash);
    if (running === undefined) return this.#lookUp(keyHash);
    // A look-up that fails fails its waiters too: with a database that hangs they would wait for two time limits.
    running.next ??= running.owner.then(() => this.#lookUp(keyHash));
    return running.next;
  }

  #lookUp(keyHash: string): Promise<KeyOwner | null> {
    const owner = findKeyOwner(this.#db, keyHash);
    const lookup: Lookup = { owner, next: null };
    this.#lookups.set(keyHash, lookup);
    const forget = (): void => void this.#lookups.delete(keyHash);
    owner.then(() => {
      if (lookup.next === null) forget();
    }, forget);
    return owner;
  }

  /** The caller that acts for the workspace with these settings. */
  callerOf(workspaceId: string, settings: JsonObject, identity: Identity): Caller {
    const limits = workspaceLimits(settings, this.#countries);
    return {
      workspaceId,
      ...identity,
      destinations: destinationsIn(limits),
      caps: limits.caps,
      largeCampaigns: hasLargeCampaigns(settings),
      strictVariables: settings['strict_variables'] === true,
    };
  }

  #touch({ workspaceId, keyId }: KeyOwner): void {
    const now = this.#clock.now();
    if (now - (this.#touchedAt.get(keyId) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
    this.#touchedAt.set(keyId, now);
    touchKey(this.#db, { workspaceId, keyId }, new Date(now)).catch(() => this.#touchedAt.delete(keyId));
  }
}
