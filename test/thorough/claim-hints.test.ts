import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimBatch, type ClaimDeps } from '../../src/scheduler/claim.ts';
import type { Claimed } from '../../src/scheduler/claimed.ts';
import { release } from '../../src/domain/calls/attempt/release.ts';
import { settleAttempt } from '../../src/domain/calls/attempt/settle.ts';
import { startedCampaign } from '../helpers/campaigns/due-campaigns.ts';
import {
  createNode,
  createWorkspace,
  mondayClock,
  queueCalls,
  type TestWorkspace,
} from '../helpers/database/workspace.ts';
import { createGround, type Ground } from '../helpers/database/database-and-clock.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let ground: Ground;
beforeAll(async () => {
  ground = await createGround();
});
afterAll(() => ground.close());

/**
 * Queued calls of running campaigns that a scheduling hint hides: the workspace's or the campaign's hint is later than
 * both the call's due time and now. A hint in the past hides nothing. The workspace's hint may follow the hint of
 * a campaign that is held until its window opens.
 */
async function hidden(now: number): Promise<unknown[]> {
  const at = new Date(now);
  const { rows } = await sql`
    select c.id, c.next_attempt_at, w.next_due_at as workspace_hint, l.next_due_at as campaign_hint
    from calls c join workspaces w on w.id = c.workspace_id
    left join campaigns l on l.workspace_id = c.workspace_id and l.id = c.campaign_id
    where c.status in ('registered', 'retry')
      and (c.campaign_id is null or l.state in ('scheduled', 'ongoing') and coalesce(l.start_at, '-infinity') <= ${at})
      and (w.next_due_at > greatest(c.next_attempt_at, coalesce(l.next_due_at, '-infinity'), l.start_at, ${at})
           or l.next_due_at > greatest(c.next_attempt_at, l.start_at, ${at}))`.execute(ground.db);
  return rows;
}

type Op =
  | { op: 'queue' | 'campaign'; count: number; inMs: number }
  | { op: 'claim'; capacity: number }
  | { op: 'settle' | 'release'; which: number; inMs: number }
  | { op: 'pause' | 'resume'; which: number }
  | { op: 'wait'; inMs: number };

/** Retries after one minute, so that retries of different times are queued together. */
const RETRIES = { call_retry_config: { retry_count: 5, retry_busy: 1 } };
const inMs = fc.integer({ min: 0, max: 120_000 });
const claims = fc.record({ op: fc.constant('claim' as const), capacity: fc.integer({ min: 3, max: 12 }) });
const which = fc.nat({ max: 20 });
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({
    op: fc.constantFrom('queue' as const, 'campaign' as const),
    count: fc.integer({ min: 1, max: 6 }),
    inMs,
  }),
  claims,
  claims,
  fc.record({ op: fc.constantFrom('settle' as const, 'release' as const), which, inMs }),
  fc.record({ op: fc.constant('settle' as const), which, inMs }),
  fc.record({ op: fc.constantFrom('pause' as const, 'resume' as const), which }),
  fc.record({ op: fc.constant('wait' as const), inMs: fc.integer({ min: 1_000, max: 40_000 }) }),
  fc.record({ op: fc.constant('wait' as const), inMs }),
);

describe('scheduling hints', () => {
  it('never hide a due call under any sequence of operations', { timeout: 400_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(op, { minLength: 10, maxLength: 40 }), async (ops) => {
        await sql`truncate workspaces, numbers, agents, agent_versions, calls, call_attempts, ledger, events, nodes,
          campaigns, campaign_numbers cascade`.execute(ground.db);
        ground.clock = mondayClock();
        const w = await createWorkspace(ground.db, {
          callLimit: 5,
          unlimited: true,
          numbers: [{ callLimit: 3 }, {}],
        });
        const deps: ClaimDeps = {
          db: ground.db,
          clock: ground.clock,
          rate,
          nodeId: await createNode(ground.db),
        };
        const state: State = { campaigns: [], live: [] };
        for (const step of ops) {
          await run(deps, w, state, step);
          expect(await hidden(ground.clock.now())).toEqual([]);
        }
        await drain(deps, state);
        const left = await sql`select c.id from calls c left join campaigns l
          on l.workspace_id = c.workspace_id and l.id = c.campaign_id
          where c.status in ('registered', 'retry') and (l.id is null or l.state <> 'paused')`.execute(
          ground.db,
        );
        expect(left.rows).toEqual([]);
      }),
      // Interrupts before the test's timeout, so that a counterexample is reported even if shrinking is incomplete.
      { numRuns: 24, interruptAfterTimeLimit: 90_000, markInterruptAsFailure: true },
    );
  });
});

interface State {
  readonly campaigns: string[];
  readonly live: Claimed[];
}

async function run(deps: ClaimDeps, w: TestWorkspace, state: State, step: Op): Promise<void> {
  const now = ground.clock.now();
  const later = new Date(now + ('inMs' in step ? step.inMs : 0));
  if (step.op === 'wait') ground.clock.advance(step.inMs);
  else if (step.op === 'queue') {
    await queueCalls(ground.db, w, step.count, { number: step.count % 2, dueAt: later.getTime() });
  } else if (step.op === 'campaign') {
    state.campaigns.push(
      await startedCampaign({ db: ground.db, clock: ground.clock }, w, {
        contacts: step.count,
        startAt: later,
        callConfig: RETRIES,
      }),
    );
  } else if (step.op === 'claim') {
    const batch = await claimBatch(deps, { visited: [], capacity: step.capacity });
    state.live.push(...(batch?.claimed ?? []));
  } else if (step.op === 'pause' || step.op === 'resume') {
    const campaign = state.campaigns[step.which % Math.max(1, state.campaigns.length)];
    if (campaign === undefined) return;
    const [from, to] = step.op === 'pause' ? ['ongoing', 'paused'] : ['paused', 'ongoing'];
    await ground.db.transaction().execute(async (tx) => {
      // Lowers both hints, as pausing and resuming do.
      await sql`update workspaces set next_due_at = least(next_due_at, ${new Date(now)})`.execute(tx);
      await sql`update campaigns set state = ${to}, next_due_at = least(next_due_at, ${new Date(now)})
        where id = ${campaign} and state = ${from}`.execute(tx);
    });
  } else {
    const [call] = state.live.splice(('which' in step ? step.which : 0) % Math.max(1, state.live.length), 1);
    if (call === undefined) return;
    if (step.op === 'release') {
      await release(deps, call, { subStatus: 'QUEUED', dueAt: later.getTime() });
    } else await settle(call);
  }
}

const settle = (call: Claimed) =>
  settleAttempt(
    { db: ground.db, clock: ground.clock, rate, recordingUrl: () => 'http://localhost/recording' },
    {
      workspaceId: call.workspaceId,
      callId: call.callId,
      attempt: call.attempt,
      nodeId: call.nodeId,
      end: { kind: 'not_answered', failure: 'busy' },
      endedAt: ground.clock.now(),
      answeredAt: null,
      hangupBy: null,
      sipCallId: null,
      sipCode: 486,
      reason: null,
      result: null,
    },
  );

/** Advances time and claims until three idle rounds; a call hidden by a hint would stay queued. */
async function drain(deps: ClaimDeps, state: State): Promise<void> {
  for (let idle = 0; idle < 3;) {
    for (const call of state.live.splice(0)) await settle(call);
    const batch = await claimBatch(deps, { visited: [], capacity: 100 });
    state.live.push(...(batch?.claimed ?? []));
    if (batch !== null && batch.claimed.length > 0) {
      idle = 0;
      continue;
    }
    idle += 1;
    ground.clock.advance(31 * 60_000);
  }
}
