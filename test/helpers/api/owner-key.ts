import { Client } from 'pg';
import { newNamedKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { SCOPES } from '../../../src/domain/access/scopes.ts';
import { newId, sha256 } from '../../../src/shared/ids.ts';

/** What the workspace key cannot do: a named key of its owner can. */
const RESERVED =
  /^(DELETE \S+\/(calling|chat)\/[^/]+\/data|POST \S+\/calling\/(erase|export-person)|PATCH \S+\/workspace\/(retention|settings)|(GET|POST) \S+\/webhooks\/signing-secret(\/rotate)?)(\?|$)/;

/** By the key of the workspace: a named key with every scope. */
const ownerKeys = new Map<string, string>();

/** The key to send for a request: the owner's where the workspace key does not suffice. */
export const keyFor = (method: string, path: string, key: string): string =>
  RESERVED.test(`${method} ${path.replace(/^https?:\/\/[^/]+/, '')}`) ? (ownerKeys.get(key) ?? key) : key;

/** The row of a named key with every scope, which `keyFor` sends in place of the workspace's `key`. */
export function ownerKeyRow(key: string, workspaceId: string, at: Date) {
  const full = newNamedKey();
  ownerKeys.set(key, full);
  const { keyHash, shownPrefix, shownLast4 } = storedForm(full);
  return {
    workspace_id: workspaceId,
    id: newId(),
    key_hash: keyHash,
    shown_prefix: shownPrefix,
    shown_last4: shownLast4,
    created_at: at,
    name: `Tests ${shownLast4}`,
    scopes: [...SCOPES],
  };
}

/** Makes that key in the database of a service. False: the database has no such workspace key. */
export async function makeOwnerKey(databaseUrl: string, key: string): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ workspace_id: string }>(
      'select workspace_id from api_keys where key_hash = $1',
      [sha256(key)],
    );
    if (rows[0] === undefined) return false;
    const row = ownerKeyRow(key, rows[0].workspace_id, new Date());
    const columns = Object.keys(row);
    await client.query(
      `insert into api_keys (${columns.join()}) values (${columns.map((_, i) => `$${i + 1}`).join()})`,
      Object.values(row),
    );
    return true;
  } finally {
    await client.end();
  }
}
