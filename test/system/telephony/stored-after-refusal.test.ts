import type { InboundLeg } from '@callwright/sip';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeInboundCall } from '../../../src/dialer/inbound.ts';
import { LiveCalls } from '../../../src/dialer/live-calls.ts';
import { Reaper } from '../../../src/dialer/reaper.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { createDialing, placingDeps, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
afterAll(() => dialing.close());

it('a caller who was refused before the database stored the call leaves a failed call, not a crashed one', async () => {
  const { db, clock, deps } = dialing;
  const workspace = await createWorkspace(db);
  await db.updateTable('agents').set({ agent_type: 'outbound_inbound' }).execute();
  const { number, trunk_id: trunkId } = await db
    .updateTable('numbers')
    .set({ inbound_agent_id: workspace.agentId })
    .where('id', '=', workspace.numberIds[0] ?? '')
    .returning(['number', 'trunk_id'])
    .executeTakeFirstOrThrow();
  const refusals: number[] = [];
  const leg = {
    to: number,
    trunkIds: [trunkId ?? ''],
    from: '+14155557777',
    sipCallId: 'refused',
    displayName: null,
    reject: (sipCode: number) => void refusals.push(sipCode),
    listen: () => undefined,
  } as unknown as InboundLeg;
  const live = new LiveCalls();
  const back = Promise.withResolvers<void>();
  const taken = takeInboundCall(
    {
      ...placingDeps(dialing, { live }),
      take: (incoming) => {
        const storedLater = back.promise.then(async () => {
          const decision = await takeInbound({ ...deps, nodeId: () => deps.nodeId }, incoming);
          return 'refuse' in decision ? null : decision.taken;
        });
        return Promise.resolve({ refuse: 503, reason: 'the database is away', storedLater });
      },
    },
    leg,
  );
  await expect.poll(() => refusals).toEqual([503]);
  back.resolve();
  await taken;
  await expect.poll(() => live.size).toBe(0);
  const ended = () =>
    db
      .selectFrom('calls')
      .innerJoin('call_attempts', 'call_attempts.call_id', 'calls.id')
      .select(['calls.status', 'calls.sub_status', 'calls.reserved', 'sip_code', 'reason', 'calls.node_id'])
      .executeTakeFirstOrThrow();
  const failed = {
    status: 'failed',
    sub_status: 'FAILED',
    reserved: 0,
    sip_code: 503,
    reason: 'the database is away',
    node_id: null,
  };
  expect(await ended()).toEqual(failed);
  // The reaper finds nothing to end.
  clock.advance(60_000);
  const reaper = new Reaper(deps, deps.nodeId, {
    nodeId: () => deps.nodeId,
    holds: (callId) => live.has(callId),
  });
  expect([await reaper.run(), await ended()]).toEqual([0, failed]);
});
