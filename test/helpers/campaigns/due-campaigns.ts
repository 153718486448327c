import { sql } from 'kysely';
import type { Db } from '../../../src/store/database.ts';
import { hintDue } from '../../../src/store/scheduler/hints.ts';
import type { CampaignState, JsonObject } from '../../../src/store/schema.ts';
import type { Clock } from '../../../src/shared/clock.ts';
import { insertCampaign } from './campaigns.ts';
import type { TestWorkspace } from '../database/workspace.ts';

export interface CampaignOptions {
  contacts?: number | readonly { number: string }[];
  state?: CampaignState;
  startAt?: Date;
  endAt?: Date;
  callConfig?: object;
  percentage?: number;
  /** Indexes of the workspace's caller numbers; absent: all. */
  numbers?: readonly number[];
  poolId?: string;
  /** False: the ramp starts at its first step. */
  isWarm?: boolean;
}

/** Creates a started campaign with due contacts. */
export async function startedCampaign(
  api: { db: Db; clock: Clock },
  world: TestWorkspace,
  options: CampaignOptions = {},
): Promise<string> {
  const at = new Date(api.clock.now());
  const owner = { workspaceId: world.id, numberId: world.numberIds[0] ?? '', number: '+14155550100' };
  const id = await insertCampaign(api, owner, world, {
    contacts: options.contacts ?? 10,
    state: options.state ?? 'scheduled',
    startAt: options.startAt ?? null,
    endAt: options.endAt ?? null,
    ...(options.callConfig === undefined ? {} : { callConfig: options.callConfig }),
  });
  await api.db
    .updateTable('campaigns')
    .set({
      concurrency_percentage: options.percentage ?? null,
      number_pool_id: options.poolId ?? null,
      ...(options.isWarm === false ? {} : { ramp_limit: 100_000, ramp_at: at, served_at: at }),
    })
    .where('id', '=', id)
    .execute();
  if (options.poolId === undefined) {
    const chosen = options.numbers ?? world.numberIds.map((_, index) => index);
    await api.db
      .insertInto('campaign_numbers')
      .values(
        chosen.map((index) => ({
          workspace_id: world.id,
          campaign_id: id,
          number_id: world.numberIds[index] ?? '',
        })),
      )
      .execute();
  }
  await hintDue(api.db, world.id, options.startAt ?? at, id);
  return id;
}

export async function setLimits(db: Db, world: Pick<TestWorkspace, 'id'>, limits: JsonObject): Promise<void> {
  await sql`update workspaces set settings = jsonb_set(settings, '{limits}', ${JSON.stringify(limits)}::jsonb)
    where id = ${world.id}`.execute(db);
}

export const campaignRow = (db: Db, id: string) =>
  db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
