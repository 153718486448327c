import type { Clock } from '../../shared/clock.ts';
import { sha256 } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import { findKeyOwner, touchKey } from '../../store/keys.ts';
import type { Actor } from '../audit/audit-trail.ts';

export interface Caller {
  workspaceId: string;
  /** As the audit log names it. */
  actor: Actor;
  /** The workspace has asked to dial premium numbers. */
  allowPremium: boolean;
  /** The large-campaign flow is enabled. */
  largeCampaigns: boolean;
}

/** Longest key looked at; ours have 40 characters. */
const MAX_KEY_LENGTH = 256;
const TOUCH_EVERY_MS = 60_000;

/** The key as sent, usable for a look-up: null when it cannot be one. */
export const keyHashOf = (key: string | undefined): string | null =>
  key === undefined || key === '' || key.length > MAX_KEY_LENGTH ? null : sha256(key);

/**
 * Finds who a key acts for. Every request asks the database, so a replaced key stops working at once. Its last
 * use is noted at most once a minute; a note that fails is lost without harm.
 */
export class KeyCheck {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #touchedAt = new Map<string, number>();

  constructor(deps: { db: Db; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async find(keyHash: string): Promise<Caller | null> {
    const owner = await findKeyOwner(this.#db, keyHash);
    if (owner === null) return null;
    this.#touch(owner.workspaceId);
    return {
      workspaceId: owner.workspaceId,
      actor: { type: 'api_key', name: `${owner.shownPrefix}…${owner.shownLast4}` },
      allowPremium: owner.settings['allow_premium_numbers'] === true,
      largeCampaigns: owner.settings['large_campaigns'] !== false,
    };
  }

  #touch(workspaceId: string): void {
    const now = this.#clock.now();
    if (now - (this.#touchedAt.get(workspaceId) ?? Number.NEGATIVE_INFINITY) < TOUCH_EVERY_MS) return;
    this.#touchedAt.set(workspaceId, now);
    touchKey(this.#db, workspaceId, new Date(now)).catch(() => this.#touchedAt.delete(workspaceId));
  }
}
