import { sql } from 'kysely';
import { newId } from '../../shared/ids.ts';
import type { CallPurpose } from '../../shared/call-purposes.ts';
import type { Tx } from '../database.ts';
import type { ProvisionedSecret } from '../json/provisioned-settings.ts';
import type { JsonObject } from '../schema.ts';
import { settingsOf, unlimitedOf } from '../terms.ts';

/** Advisory lock id: processes that start at once provision one after the other. */
const LOCK = 7_203_114_510;

export async function lockProvisioning(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
}

export async function countWorkspaces(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('workspaces')
    .select((e) => e.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return row.n;
}

/**
 * Creates the trunk or replaces its settings; returns its id. Calls start on a new trunk at `newFrom`, on one that is
 * not enabled never; a pause that the carrier asked for stays.
 */
export async function putTrunk(
  tx: Tx,
  name: string,
  settings: JsonObject,
  at: Date,
  newFrom: Date | null = null,
): Promise<string> {
  const json = JSON.stringify(settings);
  const never = sql<Date>`'infinity'::timestamptz`;
  const dials = settings['enabled'] !== false;
  const row = await tx
    .insertInto('trunks')
    .values({
      id: newId(),
      name,
      settings: json,
      created_at: at,
      updated_at: at,
      paused_until: dials ? newFrom : never,
    })
    .onConflict((c) =>
      c.column('name').doUpdateSet({
        settings: json,
        updated_at: at,
        paused_until: dials ? sql<Date | null>`nullif(trunks.paused_until, 'infinity')` : never,
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** What the row of a trunk keeps and the API does not show; null: none. */
export interface TrunkSecrets {
  /** Sealed. */
  readonly password: string | null;
  /** Sealed. */
  readonly signingKey: string | null;
  readonly inboundSecret: ProvisionedSecret | null;
}

export async function findTrunkSecrets(tx: Tx, name: string): Promise<TrunkSecrets> {
  const { rows } = await sql<TrunkSecrets>`
    select settings ->> 'password' as password, settings ->> 'signing_key' as "signingKey",
           settings -> 'inbound_secret' as "inboundSecret"
    from trunks where name = ${name}`.execute(tx);
  return rows[0] ?? { password: null, signingKey: null, inboundSecret: null };
}

export async function findTrunkId(tx: Tx, name: string): Promise<string | null> {
  const row = await tx.selectFrom('trunks').select('id').where('name', '=', name).executeTakeFirst();
  return row?.id ?? null;
}

export interface ProvisionedWorkspace {
  id: string;
  credits: number;
  unlimited: boolean;
  settings: JsonObject;
}

export function findRootWorkspace(tx: Tx, name: string): Promise<ProvisionedWorkspace | undefined> {
  return tx
    .selectFrom('workspaces')
    .select(['id', 'credits', 'unlimited', 'settings'])
    .where('name', '=', name)
    .where('parent_id', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertWorkspace(tx: Tx, id: string, name: string, at: Date): Promise<void> {
  await tx.insertInto('workspaces').values({ id, name, created_at: at, updated_at: at }).execute();
}

export async function updateWorkspace(
  tx: Tx,
  id: string,
  change: {
    creditsDelta: number;
    unlimited?: boolean;
    callLimit?: number;
    settings: JsonObject;
  },
  at: Date,
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({
      credits: sql<number>`credits + ${change.creditsDelta}`,
      ...(change.unlimited === undefined ? {} : { unlimited: change.unlimited }),
      ...(change.callLimit === undefined ? {} : { call_limit: change.callLimit }),
      settings: JSON.stringify(change.settings),
      updated_at: at,
    })
    .where('id', '=', id)
    .execute();
}

/** The number on this trunk with its workspace and, of a child, the parent. */
export function findLine(
  tx: Tx,
  number: string,
  trunkId: string,
): Promise<{ id: string; workspaceId: string; parentId: string | null } | undefined> {
  return tx
    .selectFrom('numbers')
    .innerJoin('workspaces', 'workspaces.id', 'numbers.workspace_id')
    .select(['numbers.id', 'numbers.workspace_id as workspaceId', 'workspaces.parent_id as parentId'])
    .where('numbers.number', '=', number)
    .where('numbers.trunk_id', '=', trunkId)
    .executeTakeFirst();
}

export interface NumberSettings {
  number: string;
  trunkId: string;
  provider: string;
  displayName?: string;
  isTestNumber?: boolean;
  /** Null: no limit. */
  callLimit?: number | null;
  /** Null: any. */
  purpose?: CallPurpose | null;
}

/** Creates the workspace's number or updates the given fields; returns its id. */
export async function putNumber(
  tx: Tx,
  workspaceId: string,
  number: NumberSettings,
  at: Date,
): Promise<string> {
  const values = {
    number: number.number,
    trunk_id: number.trunkId,
    provider: number.provider,
    ...(number.displayName === undefined ? {} : { display_name: number.displayName }),
    ...(number.isTestNumber === undefined ? {} : { is_test_number: number.isTestNumber }),
    ...(number.callLimit === undefined ? {} : { call_limit: number.callLimit }),
    ...(number.purpose === undefined ? {} : { purpose: number.purpose }),
  };
  const known = await tx
    .selectFrom('numbers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('number', '=', number.number)
    .executeTakeFirst();
  if (known !== undefined) {
    await tx
      .updateTable('numbers')
      .set({ ...values, updated_at: at })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', known.id)
      .execute();
    return known.id;
  }
  const id = newId();
  await tx
    .insertInto('numbers')
    .values({ workspace_id: workspaceId, id, ...values, created_at: at, updated_at: at })
    .execute();
  return id;
}

export function findUser(tx: Tx, email: string): Promise<{ id: string; passwordHash: string } | undefined> {
  return tx
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

/** Creates the user, or changes the password and ends the user's sessions; returns the id. */
export async function putUser(
  tx: Tx,
  user: { id: string | null; email: string; passwordHash: string },
  at: Date,
): Promise<string> {
  if (user.id !== null) {
    await tx
      .updateTable('users')
      .set({ password_hash: user.passwordHash })
      .where('id', '=', user.id)
      .execute();
    await tx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
    return user.id;
  }
  const id = newId();
  await tx
    .insertInto('users')
    .values({ id, email: user.email, password_hash: user.passwordHash, created_at: at })
    .execute();
  return id;
}

export async function putOwner(tx: Tx, workspaceId: string, userId: string, at: Date): Promise<void> {
  await tx
    .insertInto('memberships')
    .values({ workspace_id: workspaceId, user_id: userId, role: 'owner', created_at: at })
    .onConflict((c) => c.columns(['workspace_id', 'user_id']).doUpdateSet({ role: 'owner' }))
    .execute();
}

/** The workspace of a key; null: none. */
export async function findKeyWorkspace(tx: Tx, keyHash: string): Promise<string | null> {
  const row = await tx
    .selectFrom('api_keys')
    .select('workspace_id')
    .where('key_hash', '=', keyHash)
    .executeTakeFirst();
  return row?.workspace_id ?? null;
}

/** The numbers of a workspace and its children with the settings of their trunks. */
export async function numbersOfFamily(
  tx: Tx,
  workspaceId: string,
): Promise<{ number: string; trunk: JsonObject }[]> {
  const { rows } = await sql<{ number: string; trunk: JsonObject }>`
    select n.number, t.settings as trunk
    from workspaces w join numbers n on n.workspace_id = w.id join trunks t on t.id = n.trunk_id
    where w.id = ${workspaceId} or w.parent_id = ${workspaceId} order by n.number`.execute(tx);
  return rows;
}

/** Digests of the parts of a workspace that the provision file may declare. */
export interface WorkspacePrint {
  readonly settings: string | null;
  readonly credits: string | null;
  readonly api_key: string | null;
  readonly numbers: string | null;
  readonly owner: string | null;
  readonly providers: string | null;
  readonly whatsapp_numbers: string | null;
}

/** Computes the digests and locks the workspace until commit. */
export async function printWorkspace(tx: Tx, workspaceId: string): Promise<WorkspacePrint> {
  const { rows } = await sql<WorkspacePrint>`
    select md5(jsonb_build_array(w.name, ${unlimitedOf('w')}, w.call_limit,
        ${settingsOf('w')} - 'provisioned_credits' #- '{parent,provisioned_credits}')::text) as settings,
      md5(w.credits::text) as credits,
      (select md5(k.key_hash) from api_keys k where k.workspace_id = w.id and k.name is null) as api_key,
      (select md5(string_agg(jsonb_build_array(n.number, n.trunk_id, n.provider, n.display_name, n.is_test_number,
        n.call_limit)::text, ',' order by n.id)) from numbers n
        where n.workspace_id = w.id) as numbers,
      (select md5(string_agg(u.email || ' ' || u.password_hash, ',' order by u.id)) from memberships m
        join users u on u.id = m.user_id where m.workspace_id = w.id and m.role = 'owner') as owner,
      (select md5(p.settings::text) from workspace_providers p where p.workspace_id = w.id) as providers,
      (select md5(string_agg(jsonb_build_array(n.agent_id, n.phone_number_id, n.number, n.display_name, n.access_token,
        n.app_secret)::text, ',' order by n.id)) from whatsapp_numbers n
        where n.workspace_id = w.id) as whatsapp_numbers
    from workspaces w where w.id = ${workspaceId} for update of w`.execute(tx);
  const [print] = rows;
  if (print === undefined) throw new Error('workspace not found');
  return print;
}
