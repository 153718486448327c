import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/shared/ids.ts';
import { takeDeliveries } from '../../src/store/deliveries.ts';
import { createGround, type Ground } from '../helpers/ground.ts';
import { queueEvents } from '../helpers/queued-events.ts';
import { createWorkspace, MONDAY, queueCalls, type TestWorkspace } from '../helpers/world.ts';

let ground: Ground;
let world: TestWorkspace;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());

const at = new Date(MONDAY);

/** Three events to each host, nothing taken yet. */
beforeEach(async () => {
  await ground.db.deleteFrom('delivery_queue').execute();
  world = await createWorkspace(ground.db);
  for (const host of ['a.example', 'b.example']) {
    const calls = await queueCalls(ground.db, world, 3);
    await queueEvents(ground.db, world.id, calls, { at, url: `https://${host}/hook`, body: { host } });
  }
});

interface Look {
  readonly limit?: number;
  readonly named: Readonly<Record<string, number>>;
  readonly others?: { readonly newRoom: number; readonly stalled: readonly string[] };
}

/** How many of each host's a look takes. */
async function taken({ limit = 100, named, others }: Look): Promise<Record<string, number>> {
  const rooms = Object.entries(named).map(([host, room]) => ({
    workspaceId: world.id,
    host,
    room,
    since: Number.NEGATIVE_INFINITY,
    hanging: [],
  }));
  const leaseUntil = new Date(MONDAY + 45_000);
  const input = { now: at, leaseUntil, limit, rooms };
  const found = await takeDeliveries(ground.db, others === undefined ? input : { ...input, others });
  for (const { host, body } of found) expect(JSON.parse(body)).toEqual({ host });
  const ofHost = Map.groupBy(found, ({ host }) => host);
  return Object.fromEntries([...ofHost].map(([host, its]) => [host, its.length]));
}

describe('a look for due deliveries', () => {
  it('takes for each receiver that is named as many as there is room for', async () => {
    expect(await taken({ named: { 'a.example': 2, 'b.example': 0 } })).toEqual({ 'a.example': 2 });
    expect(await taken({ named: { 'a.example': 2, 'b.example': 1 } })).toEqual({
      'a.example': 1,
      'b.example': 1,
    });
  });

  it('leaves alone who is not named unless it looks for others', async () => {
    expect(await taken({ named: {} })).toEqual({});
    expect(await taken({ named: { 'a.example': 1 } })).toEqual({ 'a.example': 1 });
    expect(await taken({ named: { 'a.example': 1 }, others: { newRoom: 2, stalled: [] } })).toEqual({
      'a.example': 1,
      'b.example': 2,
    });
  });

  it('gives nothing to others of a workspace that is stalled, and what they are named for to the named', async () => {
    const others = { newRoom: 3, stalled: [world.id] };
    expect(await taken({ named: { 'a.example': 1 }, others })).toEqual({ 'a.example': 1 });
    expect(await taken({ named: {}, others: { newRoom: 3, stalled: [newId()] } })).toEqual({
      'a.example': 2,
      'b.example': 3,
    });
  });

  it('takes no more in all than its limit', async () => {
    const named = { 'a.example': 3 };
    const counts = await taken({ limit: 4, named, others: { newRoom: 3, stalled: [] } });
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(4);
  });
});
