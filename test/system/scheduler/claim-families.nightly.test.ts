import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { newId } from '../../../src/shared/ids.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { setConcurrency } from '../../../src/domain/workspaces/sub-workspaces.ts';
import { ApiError } from '../../../src/errors.ts';
import type { AttemptRef } from '../../../src/store/calls/attempts.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { createWorkspace, queueCalls, type TestWorkspace } from '../../helpers/database/workspace.ts';

const TOTAL = 10;
let dialing: Dialing;
let parent: TestWorkspace;
let children: [TestWorkspace, TestWorkspace];
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => begin());
afterAll(() => dialing.close());

/** Creates a parent with ten concurrent calls and two children, each with `calls` queued calls. */
async function begin(calls = 40): Promise<void> {
  await dialing.renew();
  parent = await createWorkspace(dialing.db, { callLimit: TOTAL });
  children = [
    await createWorkspace(dialing.db, { callLimit: 0 }),
    await createWorkspace(dialing.db, { callLimit: 0 }),
  ];
  const ids = children.map(({ id }) => id);
  await dialing.db.updateTable('workspaces').set({ parent_id: parent.id }).where('id', 'in', ids).execute();
  await sql`update agents set agent_type = 'outbound_inbound'`.execute(dialing.db);
  await sql`update numbers n set inbound_agent_id = a.id from agents a
    where a.workspace_id = n.workspace_id`.execute(dialing.db);
  for (const member of [parent, ...children]) await queueCalls(dialing.db, member, calls);
}

const family = (): TestWorkspace[] => [parent, ...children];
const share = (child: TestWorkspace, calls: number) =>
  setConcurrency(dialing, parent.id, null, child.id, calls);

/** Claims a batch of this family member. */
async function claim(member: TestWorkspace): Promise<readonly AttemptRef[]> {
  const visited = family().flatMap(({ id }) => (id === member.id ? [] : [id]));
  return (await claimBatch(dialing.deps, { visited, capacity: 1000 }))?.claimed ?? [];
}

/** Takes an inbound call for this family member; null if every line is in use. */
async function ring(member: TestWorkspace): Promise<AttemptRef | null> {
  const { trunk_id: trunkId, number } = await dialing.db
    .selectFrom('numbers')
    .select(['trunk_id', 'number'])
    .where('workspace_id', '=', member.id)
    .executeTakeFirstOrThrow();
  const decision = await takeInbound(
    { ...dialing.deps, nodeId: () => dialing.deps.nodeId },
    {
      trunkIds: [trunkId ?? ''],
      from: '+14155557777',
      to: number,
      displayName: null,
      callId: newId(),
      sipCallId: 'rung',
    },
  );
  if ('taken' in decision) return decision.taken;
  if (decision.reason !== 'every line of the workspace is in use') throw new Error(decision.reason);
  return null;
}

const settled = async (calls: readonly AttemptRef[]): Promise<void> => {
  for (const call of calls) await dialing.settle(call, { kind: 'not_answered', failure: 'invalid_number' });
};

/** Counts the family's live calls. */
const live = async (): Promise<number> =>
  (await dialing.db.selectFrom('calls').select('id').where('status', '=', 'ongoing').execute()).length;

describe('the concurrent calls of a family', () => {
  it('stay within its total while a share moves to a child and the parent has live calls', async () => {
    const calls = await claim(parent);
    expect(calls).toHaveLength(TOTAL);
    await share(children[0], 5);
    expect(await claim(children[0])).toEqual([]);
    expect(await ring(children[0])).toBeNull();
    await settled(calls.slice(0, 3));
    expect(await claim(parent)).toEqual([]);
    expect(await claim(children[0])).toHaveLength(3);
    await settled(calls.slice(3, 5));
    expect(await ring(children[0])).not.toBeNull();
    expect(await claim(children[0])).toHaveLength(1);
    expect(await live()).toBe(TOTAL);
    expect(await claim(children[0])).toEqual([]);
  });

  it('stay within its total while a share returns or moves to another child', async () => {
    await share(children[0], 6);
    const calls = await claim(children[0]);
    expect(calls).toHaveLength(6);
    await share(children[0], 0);
    await share(children[1], 3);
    expect(await claim(parent)).toHaveLength(1);
    expect(await claim(children[1])).toEqual([]);
    await settled(calls.slice(0, 5));
    expect(await claim(children[1])).toHaveLength(2);
    await settled(calls.slice(5));
    expect(await claim(parent)).toHaveLength(6);
    expect(await claim(children[1])).toHaveLength(1);
    expect(await live()).toBe(TOTAL);
  });

  it(
    'stay within its total under any sequence of claims, inbound calls, ends and share moves',
    { timeout: 400_000 },
    async () => {
      const member = fc.nat({ max: 2 });
      const step = fc.oneof(
        { arbitrary: fc.record({ what: fc.constant('claim' as const), member }), weight: 4 },
        { arbitrary: fc.record({ what: fc.constant('ring' as const), member }), weight: 1 },
        { arbitrary: fc.record({ what: fc.constant('end' as const), count: fc.nat({ max: 6 }) }), weight: 3 },
        {
          arbitrary: fc.record({
            what: fc.constant('share' as const),
            child: fc.nat({ max: 1 }),
            calls: fc.nat({ max: TOTAL }),
          }),
          weight: 3,
        },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          await begin(60);
          const running: AttemptRef[] = [];
          const start = async (at: number): Promise<void> => {
            running.push(...(await claim(family()[at] ?? parent)));
          };
          for (const one of steps) {
            if (one.what === 'claim') await start(one.member);
            else if (one.what === 'end') await settled(running.splice(0, one.count));
            else if (one.what === 'ring') {
              const taken = await ring(family()[one.member] ?? parent);
              if (taken !== null) running.push(taken);
            } else {
              await share(children[one.child] ?? parent, one.calls).catch((error: unknown) => {
                if (!(error instanceof ApiError) || error.code !== 'CONCURRENCY_EXCEEDS_PARENT') throw error;
              });
            }
            expect(await live()).toBe(running.length);
            expect(running.length).toBeLessThanOrEqual(TOTAL);
          }
          // After every call has ended, the whole total is available again.
          await settled(running.splice(0));
          for (const at of [0, 1, 2]) await start(at);
          expect(running).toHaveLength(TOTAL);
        }),
        { numRuns: 10 },
      );
    },
  );

  it('stay within its total under concurrent claims and share moves', { timeout: 400_000 }, async () => {
    await begin(400);
    const over: number[] = [];
    let most = 0;
    const moving = { isOver: false };
    const moves = async (): Promise<void> => {
      for (let n = 0; n < 30; n += 1) {
        const child = children[n % 2] ?? parent;
        await share(child, (n * 7) % (TOTAL / 2 + 1));
      }
      moving.isOver = true;
    };
    const claimer = async (_: unknown, index: number): Promise<void> => {
      for (let n = index; !moving.isOver; n += 1) {
        const calls = await claim(family()[n % 3] ?? parent);
        const count = await live();
        most = Math.max(most, count);
        if (count > TOTAL) over.push(count);
        await settled(calls);
      }
    };
    await Promise.all([moves(), ...Array.from({ length: 6 }, claimer)]);
    expect(over).toEqual([]);
    expect(most).toBeGreaterThan(TOTAL / 2);
  });
});
