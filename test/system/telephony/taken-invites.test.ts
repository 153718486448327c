import { afterAll, beforeAll, expect, it } from 'vitest';
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

const node = (name: string): Promise<string> => createNode(desk.api.db, name, desk.api.clock.now());

/** What a process decides about an INVITE: `taken`, or the status of its refusal. */
async function offered(nodeId: string, sipCallId: string, fromTag = 'tag'): Promise<unknown> {
  const { db, clock } = desk.api;
  const deps = { db, clock, rate: { creditsPerMinute: 1, pulseSeconds: 60 }, nodeId: () => nodeId };
  const { trunkId, number: to } = desk.tenant;
  const call = { from: '+14155557777', to, displayName: null, callId: newId(), sipCallId, fromTag };
  const decision = await takeInbound(deps, { ...call, trunkIds: [trunkId] });
  if ('refuse' in decision) return decision.refuse;
  // Its line is free for the next call.
  await db.updateTable('calls').set({ status: 'completed' }).where('id', '=', call.callId).execute();
  return 'taken';
}

it('one of many processes takes an INVITE that reaches them all at once', async () => {
  const nodes = await Promise.all(['a', 'b', 'c', 'd'].map(node));
  const decisions = await Promise.all(nodes.map((id) => offered(id, 'at once')));
  expect(decisions.filter((decision) => decision === 'taken')).toHaveLength(1);
  expect(decisions.filter((decision) => decision === 482)).toHaveLength(3);
});

it('another From tag is another call', async () => {
  const [first, second] = [await node('tag 1'), await node('tag 2')];
  expect(await offered(first, 'forked', 'one')).toBe('taken');
  expect(await offered(second, 'forked', 'two')).toBe('taken');
  expect(await offered(second, 'forked', 'one')).toBe(482);
});

it('a process that is fenced has no call, and after a minute the INVITE counts as new', async () => {
  const [dead, next, last] = [await node('dead'), await node('next'), await node('last')];
  expect(await offered(dead, 'orphaned')).toBe('taken');
  const { db, clock } = desk.api;
  await db
    .updateTable('nodes')
    .set({ fenced_at: new Date(clock.now()) })
    .where('id', '=', dead)
    .execute();
  expect(await offered(next, 'orphaned')).toBe('taken');
  expect(await offered(last, 'orphaned')).toBe(482);
  clock.advance(60_000);
  expect(await offered(last, 'orphaned')).toBe('taken');
});

it('INVITEs that count no more are deleted with the next ones', async () => {
  const id = await node('sweeper');
  for (let n = 0; n < 8; n += 1) await offered(id, `old ${n}`);
  desk.api.clock.advance(60_000);
  for (let n = 0; n < 8; n += 1) await offered(id, `new ${n}`);
  const rows = await desk.api.db.selectFrom('taken_invites').select('node_id').execute();
  expect(rows.length).toBe(8);
});

it('a refused INVITE is taken by the next process', async () => {
  const id = await node('able');
  expect(await offered(newId(), 'refused')).toBe(503);
  expect(await offered(id, 'refused')).toBe('taken');
});
