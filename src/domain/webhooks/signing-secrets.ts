import type { Clock } from '../../shared/clock.ts';
import type { Seal } from '../../shared/seal.ts';
import type { Db } from '../../store/database.ts';
import {
  addSecret,
  liveSecrets,
  replaceSecret,
  resealSecret,
  type StoredSecret,
} from '../../store/webhooks/secrets.ts';
import { newSigningSecret, SECRET_PREFIX } from './signature.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';

export interface SigningDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly seal: Seal;
}

export interface SigningSecret {
  readonly secret: string;
  readonly createdAt: Date;
  /** Null: the current one. */
  readonly retiresAt: Date | null;
}

/**
 * The active signing secrets by workspace, newest first; creates the first secret of a workspace. Secrets that
 * another key sealed are omitted.
 */
export async function signingSecrets(
  deps: SigningDeps,
  workspaceIds: readonly string[],
): Promise<Map<string, SigningSecret[]>> {
  const now = new Date(deps.clock.now());
  const wanted = [...new Set(workspaceIds)];
  if (wanted.length === 0) return new Map();
  let stored = await liveSecrets(deps.db, wanted, now);
  const having = new Set(stored.filter((each) => each.retiresAt === null).map((each) => each.workspaceId));
  const lacking = wanted.filter((workspaceId) => !having.has(workspaceId));
  if (lacking.length > 0) {
    for (const workspaceId of lacking) {
      await addSecret(deps.db, workspaceId, deps.seal.seal(newSigningSecret()), now);
    }
    stored = await liveSecrets(deps.db, wanted, now);
  }
  const found = new Map<string, SigningSecret[]>(wanted.map((workspaceId) => [workspaceId, []]));
  for (const each of stored) {
    const secret = await opened(deps, each);
    if (secret === null) continue;
    found.get(each.workspaceId)?.push({ secret, createdAt: each.createdAt, retiresAt: each.retiresAt });
  }
  return found;
}

/**
 * Rotates a workspace's secret; the previous one also signs for `overlapMs`, so that receivers can switch one by one.
 * Returns the active secrets.
 */
export async function rotateSigningSecret(
  deps: SigningDeps,
  workspaceId: string,
  change: ChangeEntry | null,
  overlapMs: number,
): Promise<SigningSecret[]> {
  // Creates the first secret if necessary: a client may have read it, so it must be retired too.
  await signingSecrets(deps, [workspaceId]);
  const at = new Date(deps.clock.now());
  const sealed = deps.seal.seal(newSigningSecret());
  await commitChange(deps.db, change, (tx) =>
    replaceSecret(tx, workspaceId, sealed, new Date(at.getTime() + overlapMs), at),
  );
  return (await signingSecrets(deps, [workspaceId])).get(workspaceId) ?? [];
}

async function opened(deps: SigningDeps, stored: StoredSecret): Promise<string | null> {
  if (!stored.secret.startsWith(SECRET_PREFIX)) return deps.seal.open(stored.secret);
  await resealSecret(deps.db, stored, deps.seal.seal(stored.secret));
  return stored.secret;
}
