import type { Clock } from '../../shared/clock.ts';
import { randomToken } from '../../shared/ids.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import {
  addFirstLinkKey,
  listLinkKeys,
  replaceLinkKey,
  sealLinkKey,
  type StoredLinkKey,
} from '../../store/links.ts';
import type { LinkKey } from './signed-name.ts';

export interface LinkKeyDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
  /** RECORDING_LINK_DAYS. */
  readonly days: number;
}

const DAY_MS = 86_400_000;
const isPlain = ({ secret }: StoredLinkKey): boolean => !secret.startsWith('sealed:');
const newSecret = (seal: Seal): string => seal.seal(randomToken(40));

/**
 * The keys of signed links; creates the first one and seals the one that an earlier version stored in plain text.
 * Keys that another SECRET_KEY sealed are omitted.
 */
export async function linkKeys({ db, clock, seal, days }: LinkKeyDeps): Promise<LinkKey[]> {
  let stored = await listLinkKeys(db);
  if (!stored.some(({ retiresAt }) => retiresAt === null) || stored.some(isPlain)) {
    await addFirstLinkKey(db, newSecret(seal), new Date(clock.now()));
    for (const key of stored.filter(isPlain)) await sealLinkKey(db, key, seal.seal(key.secret));
    stored = await listLinkKeys(db);
  }
  return stored.flatMap(({ id, secret, createdAt, retiresAt, signedOldForm }) => {
    const opened = seal.open(secret);
    if (opened === null) return [];
    const oldFormUntil = days === 0 ? Number.POSITIVE_INFINITY : createdAt.getTime() + days * DAY_MS;
    const until = retiresAt?.getTime() ?? null;
    return {
      id,
      secret: opened,
      retiresAt: until,
      oldFormUntil: signedOldForm ? Math.min(oldFormUntil, until ?? oldFormUntil) : null,
    };
  });
}

/** Later than any link expires. */
const NEVER = new Date('9999-12-31T00:00:00Z');

/**
 * Makes a new key sign from now on. Links of earlier keys stay valid until they expire; with `revoke`, every link that
 * was ever handed out is refused, within seconds in every process.
 */
export async function rotateLinkKey(deps: LinkKeyDeps, revoke: boolean): Promise<void> {
  // Seals a key that an earlier version stored.
  await linkKeys(deps);
  const now = new Date(deps.clock.now());
  const { days } = deps;
  // A link is valid until the end of its last day.
  const oldUntil = revoke ? now : days === 0 ? NEVER : new Date(now.getTime() + (days + 2) * DAY_MS);
  await replaceLinkKey(deps.db, newSecret(deps.seal), oldUntil, now);
}
