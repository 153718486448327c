import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
  await desk.renew();
  await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
});
afterAll(() => desk.api.close());

describe('the caller number of an inbound call', () => {
  it.each([
    ['+14155557777', '+14155557777'],
    ['14155557777', '+14155557777'],
    ['4155557777', '+14155557777'],
    ['0014155557777', '+14155557777'],
    ['0114915112345678', '+4915112345678'],
    ['anonymous', 'anonymous'],
    ['100', '100'],
  ])('%s is stored and returned as %s', async (from, kept) => {
    const nodeId = await createNode(desk.api.db, 'n', desk.api.clock.now());
    const decision = await takeInbound(
      {
        db: desk.api.db,
        clock: desk.api.clock,
        rate: { creditsPerMinute: 1, pulseSeconds: 60 },
        nodeId: () => nodeId,
      },
      {
        trunkIds: [desk.tenant.trunkId],
        from,
        to: desk.tenant.number,
        displayName: null,
        sipCallId: `from ${from}`,
      },
    );
    if (!('taken' in decision)) throw new Error(decision.reason);
    expect(decision.taken.args['mobile_number']).toBe(kept);
    const path = `/api/v0/calling/call-details?id=${decision.taken.callId}`;
    const { body } = await desk.api.request('GET', path, { key: desk.tenant.key });
    expect(body['data']).toMatchObject({ from_number: kept, to_number: desk.tenant.number });
  });

  it('reaches the number on any trunk of the source, with the trunk of the number', async () => {
    const nodeId = await createNode(desk.api.db, 'shared', desk.api.clock.now());
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const deps = { db: desk.api.db, clock: desk.api.clock, rate, nodeId: () => nodeId };
    const call = { from: '+14155557777', to: desk.tenant.number, displayName: null, sipCallId: 'shared' };
    const other = newId();
    const taken = await takeInbound(deps, { ...call, trunkIds: [other, desk.tenant.trunkId] });
    expect('taken' in taken && taken.taken.trunkId).toBe(desk.tenant.trunkId);
    expect(await takeInbound(deps, { ...call, trunkIds: [other] })).toMatchObject({ refuse: 404 });
  });
});

describe('no refused inbound call', () => {
  it('gets the code of another cause', async () => {
    const { db, clock } = desk.api;
    const nodeId = await createNode(db, 'codes', clock.now());
    const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId: () => nodeId };
    const { trunkId, number, numberId, workspaceId } = desk.tenant;
    const take = async (to: string) => {
      const call = { from: '+14155558888', displayName: null, sipCallId: newId() };
      const decision = await takeInbound(deps, { ...call, to, trunkIds: [trunkId] });
      return 'refuse' in decision ? decision.refuse : 'taken';
    };
    expect(await take('+14155559999')).toBe(404);
    await db.updateTable('workspaces').set({ call_limit: 0 }).where('id', '=', workspaceId).execute();
    expect(await take(number)).toBe(486);
    await desk.edit({ operation: 'remove_inbound_number', number_id: numberId });
    expect(await take(number)).toBe(480);
    expect(
      await takeInbound(
        { ...deps, nodeId: () => newId() },
        {
          from: '+14155558888',
          to: number,
          displayName: null,
          sipCallId: newId(),
          trunkIds: [trunkId],
        },
      ),
    ).toMatchObject({ refuse: 503 });
  });
});
