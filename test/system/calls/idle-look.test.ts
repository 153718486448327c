import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NodePresence } from '../../../src/dialer/presence.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { beatAndLook, Heartbeat, type IdleLook } from '../../../src/store/nodes.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { createNode, createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';
import { eventually } from '../../helpers/service/service.ts';

const FIGURES = { version: '1', liveCalls: 0, freeCalls: 1, rtpPorts: null, rtpPortsInUse: 0 };

let ground: Ground;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());
beforeEach(() => ground.renew());

const look = (nodeId: string): Promise<IdleLook | null> => {
  const now = new Date(ground.clock.now());
  return beatAndLook(ground.db, nodeId, FIGURES, { now, quiet: new Date(now.getTime() - 30_000) });
};

describe('the heartbeat of a node without calls', () => {
  it('is stored, and finds nothing where the node is alone and no call waits', async () => {
    const me = await createNode(ground.db, 'me');
    ground.clock.advance(3_000);
    expect(await look(me)).toEqual({ dueAt: Number.POSITIVE_INFINITY, hasReaping: false });
    const { beat_at: beatAt } = await ground.db
      .selectFrom('nodes')
      .select('beat_at')
      .where('id', '=', me)
      .executeTakeFirstOrThrow();
    expect(beatAt.getTime()).toBe(ground.clock.now());
  });

  it('finds when the next call is due', async () => {
    const me = await createNode(ground.db, 'me');
    const dueAt = ground.clock.now() + 4_000;
    await queueCalls(ground.db, await createWorkspace(ground.db, { callLimit: 100 }), 2, { dueAt });
    expect(await look(me)).toEqual({ dueAt, hasReaping: false });
  });

  it('finds another node until that is fenced, and then the calls that it left', async () => {
    const me = await createNode(ground.db, 'me');
    const other = await createNode(ground.db, 'other');
    expect(await look(me)).toMatchObject({ hasReaping: true });
    await sql`update nodes set fenced_at = now() where id = ${other}`.execute(ground.db);
    expect(await look(me)).toMatchObject({ hasReaping: false });
    await queueCalls(ground.db, await createWorkspace(ground.db, { callLimit: 100 }), 1);
    await sql`update calls set status = 'ongoing', node_id = ${other}`.execute(ground.db);
    expect(await look(me)).toMatchObject({ hasReaping: true });
  });

  it('finds a call of its own process that nothing has changed for half a minute', async () => {
    const me = await createNode(ground.db, 'me');
    await queueCalls(ground.db, await createWorkspace(ground.db, { callLimit: 100 }), 1);
    const now = new Date(ground.clock.now());
    await sql`update calls set status = 'ongoing', node_id = ${me}, updated_at = ${now}`.execute(ground.db);
    expect(await look(me)).toMatchObject({ hasReaping: false });
    ground.clock.advance(31_000);
    expect(await look(me)).toMatchObject({ hasReaping: true });
  });

  it('finds that others fenced the node', async () => {
    const me = await createNode(ground.db, 'me');
    await sql`update nodes set fenced_at = now() where id = ${me}`.execute(ground.db);
    expect(await look(me)).toBeNull();
    expect(await look(newId())).toBeNull();
  });

  it('looks until a call begins, and again when it has ended', async () => {
    const looks: IdleLook[] = [];
    let ends = 0;
    let isIdle = true;
    const presence = new NodePresence({
      db: ground.db,
      heartbeat: new Heartbeat(ground.url),
      clock: systemClock,
      log: silentLog,
      name: 'n',
      roles: 'all',
      figures: () => FIGURES,
      isIdle: () => isIdle,
      onFenced: () => undefined,
      onLook: (found) => looks.push(found),
      onLookEnd: () => (ends += 1),
    });
    await presence.start();
    expect(presence.isLooking).toBe(false);
    const looked = (): Promise<boolean> =>
      eventually('a look', () => Promise.resolve(presence.isLooking ? true : null));
    await looked();
    expect(looks[0]).toEqual({ dueAt: Number.POSITIVE_INFINITY, hasReaping: false });
    isIdle = false;
    presence.hasten();
    presence.hasten();
    expect([presence.isLooking, ends]).toEqual([false, 1]);
    isIdle = true;
    await looked();
    await presence.stop();
    expect(ends).toBe(1);
  });

  it('ends its looks when a heartbeat fails', async () => {
    let ends = 0;
    let isAway = false;
    const looking = new Heartbeat(ground.url);
    const presence = new NodePresence({
      db: ground.db,
      heartbeat: {
        beat: (...args) => looking.beat(...args),
        beatAndLook: (...args) => (isAway ? Promise.reject(new Error('away')) : looking.beatAndLook(...args)),
        close: () => looking.close(),
      },
      clock: systemClock,
      log: silentLog,
      name: 'n',
      roles: 'all',
      figures: () => FIGURES,
      isIdle: () => true,
      onFenced: () => undefined,
      onLookEnd: () => (ends += 1),
    });
    await presence.start();
    await eventually('a look', () => Promise.resolve(presence.isLooking ? true : null));
    isAway = true;
    await eventually('the end of the looks', () => Promise.resolve(ends === 1 ? true : null));
    expect(presence.isLooking).toBe(false);
    isAway = false;
    await eventually('a look again', () => Promise.resolve(presence.isLooking ? true : null));
    expect(ends).toBe(1);
    await presence.stop();
  });
});
