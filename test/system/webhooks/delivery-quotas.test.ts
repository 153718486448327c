import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { takeDeliveries } from '../../../src/store/webhooks/deliveries.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { queueEvents } from '../../helpers/database/queued-events.ts';
import { createWorkspace, MONDAY, queueCalls, type TestWorkspace } from '../../helpers/database/workspace.ts';

let ground: Ground;
let world: TestWorkspace;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());

const at = new Date(MONDAY);

/** Three events per host, none taken yet. */
beforeEach(async () => {
  await ground.db.deleteFrom('delivery_queue').execute();
  world = await createWorkspace(ground.db);
  for (const host of ['a.example', 'b.example']) {
    const calls = await queueCalls(ground.db, world, 3);
    await queueEvents(ground.db, world.id, calls, { at, url: `https://${host}/hook`, body: { host } });
  }
});

interface Take {
  readonly limit?: number;
  readonly named: Readonly<Record<string, number>>;
  readonly newReceivers?: { readonly quotaEach: number; readonly stalled: readonly string[] };
}

/** How many deliveries one take returns per host. */
async function taken({ limit = 100, named, newReceivers }: Take): Promise<Record<string, number>> {
  const quotas = Object.entries(named).map(([host, quota]) => ({
    workspaceId: world.id,
    host,
    quota,
    since: Number.NEGATIVE_INFINITY,
    hanging: [],
  }));
  const leaseUntil = new Date(MONDAY + 45_000);
  const input = { now: at, leaseUntil, limit, quotas };
  const found = await takeDeliveries(
    ground.db,
    newReceivers === undefined ? input : { ...input, newReceivers },
  );
  for (const { host, body } of found) expect(JSON.parse(body)).toEqual({ host });
  const ofHost = Map.groupBy(found, ({ host }) => host);
  return Object.fromEntries([...ofHost].map(([host, its]) => [host, its.length]));
}

describe('taking due deliveries', () => {
  it('respects the quota of each listed receiver', async () => {
    expect(await taken({ named: { 'a.example': 2, 'b.example': 0 } })).toEqual({ 'a.example': 2 });
    expect(await taken({ named: { 'a.example': 2, 'b.example': 1 } })).toEqual({
      'a.example': 1,
      'b.example': 1,
    });
  });

  it('takes from unlisted receivers only if newReceivers is set', async () => {
    expect(await taken({ named: {} })).toEqual({});
    expect(await taken({ named: { 'a.example': 1 } })).toEqual({ 'a.example': 1 });
    expect(await taken({ named: { 'a.example': 1 }, newReceivers: { quotaEach: 2, stalled: [] } })).toEqual({
      'a.example': 1,
      'b.example': 2,
    });
  });

  it('takes nothing from unlisted receivers of a stalled workspace, but serves listed ones', async () => {
    const newReceivers = { quotaEach: 3, stalled: [world.id] };
    expect(await taken({ named: { 'a.example': 1 }, newReceivers })).toEqual({ 'a.example': 1 });
    expect(await taken({ named: {}, newReceivers: { quotaEach: 3, stalled: [newId()] } })).toEqual({
      'a.example': 2,
      'b.example': 3,
    });
  });

  it('takes at most the limit in total', async () => {
    const named = { 'a.example': 3 };
    const counts = await taken({ limit: 4, named, newReceivers: { quotaEach: 3, stalled: [] } });
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});
