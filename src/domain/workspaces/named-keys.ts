import { errors } from '../../errors.ts';
import type { Clock } from '../../shared/clock.ts';
import { isUuid, newId } from '../../shared/ids.ts';
import type { Db } from '../../store/database.ts';
import {
  deleteNamedKey,
  insertNamedKey,
  listNamedKeys,
  type NamedKeyRow,
} from '../../store/tenants/named-keys.ts';
import { lockMembers } from '../../store/tenants/members.ts';
import { isRange } from '../access/address-list.ts';
import type { Scope } from '../access/scopes.ts';
import { commitChange, type ChangeEntry } from '../audit/change-entry.ts';
import { newNamedKey, storedForm } from './api-key.ts';

export type { NamedKeyRow };

interface Deps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Named keys of a workspace, so that a program that makes keys cannot fill the table. */
const MOST_KEYS = 100;

export const readNamedKeys = (deps: Pick<Deps, 'db'>, workspaceId: string): Promise<NamedKeyRow[]> =>
  listNamedKeys(deps.db, workspaceId);

export interface NamedKeyInput {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  readonly allowedAddresses: readonly string[] | null;
  readonly madeBy: string;
}

/** Makes a key, which is shown once. Throws 409 for a name that another key has and beyond the limit, and 422. */
export async function makeNamedKey(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  given: NamedKeyInput,
): Promise<{ id: string; apiKey: string }> {
  const name = given.name.trim();
  if (name === '') throw errors.invalid('name', 'must not be blank');
  const now = deps.clock.now();
  if (given.expiresAt !== null && given.expiresAt.getTime() <= now) {
    throw errors.invalid('expires_at', 'must be later than now');
  }
  given.allowedAddresses?.forEach((text, i) => {
    if (isRange(text)) return;
    throw errors.invalid(
      `allowed_addresses[${i}]`,
      'must be an IP address or a CIDR range such as 203.0.113.0/24',
    );
  });
  const apiKey = newNamedKey();
  const key = {
    ...storedForm(apiKey),
    id: newId(),
    name,
    scopes: [...new Set(given.scopes)].sort(),
    expiresAt: given.expiresAt,
    allowedAddresses: given.allowedAddresses === null ? null : [...given.allowedAddresses],
    madeBy: given.madeBy,
  };
  await commitChange(deps.db, change, async (tx) => {
    await lockMembers(tx, workspaceId);
    if ((await listNamedKeys(tx, workspaceId)).length >= MOST_KEYS) throw errors.tooManyKeys(MOST_KEYS);
    if (!(await insertNamedKey(tx, workspaceId, key, new Date(now)))) throw errors.keyNameTaken();
    return { keyId: key.id };
  });
  return { id: key.id, apiKey };
}

/** The key is invalid from the commit on. Throws 404. */
export function revokeNamedKey(
  deps: Deps,
  workspaceId: string,
  change: ChangeEntry | null,
  keyId: string,
): Promise<void> {
  return commitChange(deps.db, change, async (tx) => {
    if (!isUuid(keyId) || !(await deleteNamedKey(tx, workspaceId, keyId))) throw errors.keyNotFound();
  });
}
