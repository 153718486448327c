import { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { Db } from '../../../src/store/database.ts';
import { hintDue } from '../../../src/store/scheduler/hints.ts';
import type { JsonObject } from '../../../src/store/schema.ts';

/** 10:00 UTC on a Monday: 15:30 in Kolkata, inside the default window. */
export const MONDAY = Date.UTC(2026, 0, 5, 10);
export const mondayClock = (): ManualClock => new ManualClock(MONDAY);

export interface WorldOptions {
  credits?: number;
  unlimited?: boolean;
  callLimit?: number;
  numbers?: readonly { callLimit?: number | null; trunk?: string }[];
  trunks?: Record<string, JsonObject>;
  callConfig?: JsonObject;
  subscriptions?: readonly JsonObject[];
}

export interface TestWorkspace {
  id: string;
  agentId: string;
  versionId: string;
  numberIds: string[];
}

const counter = { next: 0 };

/** Creates a workspace with an agent and caller numbers. `credits` are whole credits. */
export async function createWorkspace(db: Db, options: WorldOptions = {}): Promise<TestWorkspace> {
  const at = new Date(MONDAY);
  const serial = (counter.next += 1);
  const world: TestWorkspace = { id: newId(), agentId: newId(), versionId: newId(), numberIds: [] };
  await db
    .insertInto('workspaces')
    .values({
      id: world.id,
      name: `workspace ${serial}`,
      credits: (options.credits ?? 1000) * 1_000_000,
      unlimited: options.unlimited ?? false,
      call_limit: options.callLimit ?? 10,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('agents')
    .values({
      workspace_id: world.id,
      id: world.agentId,
      display_name: 'Asha',
      agent_type: 'outbound',
      active_version_id: world.versionId,
      webcall_public_key: newId(),
      created_at: at,
      updated_at: at,
    })
    .execute();
  await db
    .insertInto('agent_versions')
    .values({
      workspace_id: world.id,
      agent_id: world.agentId,
      id: world.versionId,
      slug: 'v1',
      config: JSON.stringify({
        call_config: { max_call_length: 240, ...options.callConfig },
        event_subscriptions: options.subscriptions ?? [],
      }),
      created_at: at,
      updated_at: at,
    })
    .execute();
  for (const [index, number] of (options.numbers ?? [{}]).entries()) {
    const id = newId();
    const trunkId = await trunk(
      db,
      number.trunk ?? 'carrier',
      options.trunks?.[number.trunk ?? 'carrier'] ?? {},
    );
    await db
      .insertInto('numbers')
      .values({
        workspace_id: world.id,
        id,
        number: `+1628555${String(serial * 20 + index).padStart(4, '0')}`,
        trunk_id: trunkId,
        call_limit: number.callLimit ?? null,
        created_at: at,
        updated_at: at,
      })
      .execute();
    world.numberIds.push(id);
  }
  return world;
}

async function trunk(db: Db, name: string, settings: JsonObject): Promise<string> {
  const found = await db.selectFrom('trunks').select('id').where('name', '=', name).executeTakeFirst();
  if (found !== undefined) return found.id;
  const id = newId();
  const at = new Date(MONDAY);
  await db
    .insertInto('trunks')
    .values({ id, name, settings: JSON.stringify(settings), created_at: at, updated_at: at })
    .execute();
  return id;
}

/** Queues calls, due at once or at `dueAt`. Returns their IDs in order. */
export async function queueCalls(
  db: Db,
  world: TestWorkspace,
  count: number,
  options: { number?: number; to?: string; dueAt?: number; callConfig?: JsonObject | null } = {},
): Promise<string[]> {
  const due = new Date(options.dueAt ?? MONDAY);
  const ids = Array.from({ length: count }, () => newId());
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('calls')
      .values(
        ids.map((id, index) => ({
          workspace_id: world.id,
          id,
          agent_id: world.agentId,
          version_id: world.versionId,
          number_id: world.numberIds[options.number ?? 0] ?? '',
          call_type: 'outbound' as const,
          from_number: '+14155550100',
          to_number: options.to ?? `+1212555${String(index).padStart(4, '0')}`,
          callee_name: 'Ravi',
          args: JSON.stringify({ callee_name: 'Ravi' }),
          call_config: options.callConfig == null ? null : JSON.stringify(options.callConfig),
          status: 'registered' as const,
          sub_status: 'QUEUED',
          next_attempt_at: due,
          created_at: due,
          updated_at: due,
        })),
      )
      .execute();
    await hintDue(tx, world.id, due);
  });
  return ids;
}

/** Creates a node with a current heartbeat. */
export async function createNode(db: Db, name = 'test node', at = MONDAY): Promise<string> {
  const id = newId();
  const when = new Date(at);
  await db.insertInto('nodes').values({ id, name, roles: 'all', beat_at: when, started_at: when }).execute();
  return id;
}

/** A trunk of a carrier with these settings; returns its ID. */
export const createTrunk = (db: Db, settings: JsonObject): Promise<string> =>
  trunk(db, `carrier ${newId()}`, settings);
