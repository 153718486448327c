import { hash, verify } from '@node-rs/argon2';
import { sha256 } from '../../shared/ids.ts';
import type { Tx } from '../../store/database.ts';
import { findKey, replaceKey } from '../../store/tenants/keys.ts';
import { findKeyWorkspace, findUser, putOwner, putUser } from '../../store/tenants/provision.ts';
import { findProvisionedSecret, putProvisionedSecret } from '../../store/tenants/provisioned-secrets.ts';
import { newApiKey, storedForm } from '../workspaces/api-key.ts';
import type { Run } from './apply-workspace.ts';
import type { ChildEntry } from '../../wire/provision/schema.ts';

const KEY = 'api_key';
const isPassword = (stored: string, password: string): Promise<boolean> =>
  verify(stored, password).catch(() => false);

/**
 * Applies the declared key once, and again when the file's value changes: a key that leaked and was replaced in the
 * dashboard stays invalid at the next start. Makes a key for a workspace that has and declares none.
 */
export async function applyKey(
  { tx, at, problems, newKeys, notes }: Run,
  path: string,
  workspaceId: string,
  entry: ChildEntry,
): Promise<void> {
  const stored = await findKey(tx, workspaceId);
  if (entry.apiKey === undefined) {
    if (stored !== null) return;
    const apiKey = newApiKey();
    await replaceKey(tx, workspaceId, storedForm(apiKey), at);
    newKeys.push({ workspace: entry.name, apiKey });
    return;
  }
  const declared = sha256(entry.apiKey);
  const known = await findProvisionedSecret(tx, workspaceId, KEY);
  if (known?.hash === declared) return;
  const holder = await findKeyWorkspace(tx, declared);
  if (holder !== null && holder !== workspaceId) {
    problems.push(`${path}.api_key belongs to another workspace`);
    return;
  }
  if (known?.hash === null && holder === null) notes.push(keptLine('key', entry.name));
  else if (holder === null) await replaceKey(tx, workspaceId, storedForm(entry.apiKey), at);
  await putProvisionedSecret(tx, workspaceId, { kind: KEY, hash: declared }, at);
}

/** As `applyKey`, for the owner's password. An owner who was removed in the dashboard stays removed, too. */
export async function applyOwner(
  { tx, at, notes }: Pick<Run, 'tx' | 'at' | 'notes'>,
  workspaceId: string,
  owner: NonNullable<ChildEntry['owner']>,
): Promise<void> {
  const { email, password } = owner;
  const kind = `owner ${email.toLowerCase()}`;
  const known = await findProvisionedSecret(tx, workspaceId, kind);
  if (known != null && known.hash !== null && (await isPassword(known.hash, password))) return;
  const user = await findUser(tx, email);
  const isSame = user !== undefined && (await isPassword(user.passwordHash, password));
  const passwordHash = isSame ? user.passwordHash : await hash(password);
  if (known?.hash === null) {
    if (!isSame) notes.push(keptLine('password', email));
  } else {
    await putOwner(tx, workspaceId, await userOf(tx, { user, isSame, email, passwordHash }, at), at);
  }
  await putProvisionedSecret(tx, workspaceId, { kind, hash: passwordHash }, at);
}

const userOf = (
  tx: Tx,
  {
    user,
    isSame,
    ...given
  }: { user: { id: string } | undefined; isSame: boolean; email: string; passwordHash: string },
  at: Date,
): Promise<string> =>
  user !== undefined && isSame
    ? Promise.resolve(user.id)
    : putUser(tx, { id: user?.id ?? null, ...given }, at);

const keptLine = (what: string, of: string): string =>
  `  Kept        the ${what} of ${of}: it differs from the file's, which is applied when its value changes`;
