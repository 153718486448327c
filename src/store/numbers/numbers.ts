import type { CallPurpose } from '../../shared/call-purposes.ts';
import type { Db } from '../database.ts';
import type { AgentType, JsonObject } from '../schema.ts';

export interface NumberRow {
  id: string;
  number: string;
  trunkId: string | null;
  displayName: string;
  provider: string;
  isTestNumber: boolean;
  isSpam: boolean;
  numberPoolId: string | null;
  inboundAgentId: string | null;
  purpose: CallPurpose | null;
}
const COLUMNS = [
  'numbers.id',
  'numbers.number',
  'numbers.trunk_id as trunkId',
  'numbers.display_name as displayName',
  'numbers.provider',
  'numbers.is_test_number as isTestNumber',
  'numbers.is_spam as isSpam',
  'numbers.number_pool_id as numberPoolId',
  'numbers.inbound_agent_id as inboundAgentId',
  'numbers.purpose',
] as const;

export interface ListedNumber extends NumberRow {
  agentName: string | null;
  agentType: AgentType | null;
}

export function listNumbers(db: Db, workspaceId: string): Promise<ListedNumber[]> {
  return db
    .selectFrom('numbers')
    .leftJoin('agents', (join) =>
      join
        .onRef('agents.workspace_id', '=', 'numbers.workspace_id')
        .onRef('agents.id', '=', 'numbers.inbound_agent_id'),
    )
    .select([...COLUMNS, 'agents.display_name as agentName', 'agents.agent_type as agentType'])
    .where('numbers.workspace_id', '=', workspaceId)
    .orderBy('numbers.created_at')
    .orderBy('numbers.id')
    .execute();
}

export interface CallerNumber extends NumberRow {
  trunkSettings: JsonObject | null;
}

/** The workspace's numbers among these ids, by id. */
export async function callerNumbers(
  db: Db,
  workspaceId: string,
  numberIds: readonly string[],
): Promise<Map<string, NumberRow>> {
  if (numberIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('numbers')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...numberIds])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Ids of the workspace's numbers in this E.164 form, by number. */
export async function numbersInForm(
  db: Db,
  workspaceId: string,
  e164: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('numbers')
    .select(['id', 'number'])
    .where('workspace_id', '=', workspaceId)
    .where('number', 'in', [...e164])
    .execute();
  return new Map(rows.map((row) => [row.number, row.id]));
}

/** The numbers of a pool and what they may be used for, by number. */
export function purposesOfPool(
  db: Db,
  workspaceId: string,
  poolId: string,
): Promise<Pick<NumberRow, 'number' | 'purpose'>[]> {
  return db
    .selectFrom('numbers')
    .select(['number', 'purpose'])
    .where('workspace_id', '=', workspaceId)
    .where('number_pool_id', '=', poolId)
    .orderBy('number')
    .execute();
}

/** Whether the pool has any number. */
export async function hasMembers(db: Db, workspaceId: string, poolId: string): Promise<boolean> {
  const row = await db
    .selectFrom('numbers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('number_pool_id', '=', poolId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the pool has a number that may place calls: with a trunk, neither a test number nor marked as spam. */
export async function mayPoolCall(db: Db, workspaceId: string, poolId: string): Promise<boolean> {
  const row = await db
    .selectFrom('numbers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('number_pool_id', '=', poolId)
    .where('is_spam', '=', false)
    .where('is_test_number', '=', false)
    .where('trunk_id', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks one number until commit. */
export function lockNumber(db: Db, workspaceId: string, numberId: string): Promise<NumberRow | undefined> {
  return db
    .selectFrom('numbers')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', numberId)
    .forUpdate()
    .executeTakeFirst();
}

export async function setInboundAgent(
  db: Db,
  workspaceId: string,
  numberId: string,
  agentId: string | null,
  at: Date,
): Promise<void> {
  await db
    .updateTable('numbers')
    .set({ inbound_agent_id: agentId, updated_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', numberId)
    .execute();
}
