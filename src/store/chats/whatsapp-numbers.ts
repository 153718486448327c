import { sql } from 'kysely';
import type { Db, Tx } from '../database.ts';

/** A number of the Cloud API. `accessToken` and `appSecret` are sealed. */
export interface WhatsappNumberRow {
  readonly workspaceId: string;
  readonly id: string;
  readonly agentId: string;
  readonly phoneNumberId: string;
  readonly number: string;
  readonly displayName: string;
  /** Meta's id of the account that owns the templates; null: not known yet. */
  readonly businessAccountId: string | null;
  readonly accessToken: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly pausedUntil: Date;
  readonly lastError: string | null;
  readonly createdAt: Date;
}
const NUMBER = sql`workspace_id as "workspaceId", id, agent_id as "agentId", phone_number_id as "phoneNumberId", number,
  display_name as "displayName", business_account_id as "businessAccountId", access_token as "accessToken", app_secret as "appSecret",
  verify_token as "verifyToken", case when paused_until = '-infinity' then 'epoch' else paused_until end
    as "pausedUntil", last_error as "lastError", created_at as "createdAt"`;

export type NewWhatsappNumber = Omit<WhatsappNumberRow, 'pausedUntil' | 'lastError' | 'createdAt'>;

/** Inserts a number; false if the workspace has this phone_number_id. */
export async function insertWhatsappNumber(tx: Db, number: NewWhatsappNumber, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into whatsapp_numbers (workspace_id, id, agent_id, phone_number_id, number, display_name, business_account_id,
      access_token, app_secret, verify_token, created_at, updated_at)
    values (${number.workspaceId}, ${number.id}, ${number.agentId}, ${number.phoneNumberId}, ${number.number},
      ${number.displayName}, ${number.businessAccountId}, ${number.accessToken}, ${number.appSecret},
      ${number.verifyToken}, ${at}, ${at})
    on conflict (workspace_id, phone_number_id) do nothing`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Replaces the data of a number; its id and verify token stay. New secrets end a pause of sending. */
export async function updateWhatsappNumber(tx: Db, number: NewWhatsappNumber, at: Date): Promise<void> {
  await sql`
    update whatsapp_numbers set agent_id = ${number.agentId}, number = ${number.number},
      display_name = ${number.displayName},
      business_account_id = coalesce(${number.businessAccountId}, business_account_id), access_token = ${number.accessToken}, app_secret = ${number.appSecret},
      paused_until = case when access_token = ${number.accessToken} then paused_until else '-infinity' end,
      updated_at = ${at}
    where workspace_id = ${number.workspaceId} and id = ${number.id}`.execute(tx);
}

/** The account that a signed webhook names, unless one is known. */
export async function learnAccount(
  db: Db,
  number: Pick<WhatsappNumberRow, 'workspaceId' | 'id'>,
  businessAccountId: string,
): Promise<void> {
  await sql`
    update whatsapp_numbers set business_account_id = ${businessAccountId}
    where workspace_id = ${number.workspaceId} and id = ${number.id} and business_account_id is null`.execute(
    db,
  );
}

export async function listWhatsappNumbers(db: Db, workspaceId: string): Promise<WhatsappNumberRow[]> {
  const { rows } = await sql<WhatsappNumberRow>`
    select ${NUMBER} from whatsapp_numbers where workspace_id = ${workspaceId} order by created_at, id`.execute(
    db,
  );
  return rows;
}

/** By the id in the webhook's path, whose secret then proves the sender. Null: none, or its workspace is archived. */
export async function findWhatsappNumber(db: Db, id: string): Promise<WhatsappNumberRow | null> {
  const { rows } = await sql<WhatsappNumberRow>`select ${NUMBER} from whatsapp_numbers n where id = ${id}
      and exists (select from workspaces w where w.id = n.workspace_id and w.archived_at is null)`.execute(
    db,
  );
  return rows[0] ?? null;
}

export async function numberOfWorkspace(
  db: Db,
  workspaceId: string,
  by: { readonly id: string } | { readonly phoneNumberId: string },
): Promise<WhatsappNumberRow | null> {
  const where = 'id' in by ? sql`id = ${by.id}` : sql`phone_number_id = ${by.phoneNumberId}`;
  const { rows } = await sql<WhatsappNumberRow>`
    select ${NUMBER} from whatsapp_numbers where workspace_id = ${workspaceId} and ${where}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteWhatsappNumber(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from whatsapp_numbers where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Sends nothing over the number until then. */
export async function pauseWhatsappNumber(
  db: Db,
  number: Pick<WhatsappNumberRow, 'workspaceId' | 'id'>,
  until: Date,
  error: string,
): Promise<void> {
  await sql`
    update whatsapp_numbers set paused_until = ${until}, last_error = ${error}
    where workspace_id = ${number.workspaceId} and id = ${number.id}`.execute(db);
}
