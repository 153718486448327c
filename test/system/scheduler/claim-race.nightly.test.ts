import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimBatch, type ClaimDeps } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt } from '../../../src/domain/calls/attempt/settle.ts';
import { setLimits, startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createNode, createWorkspace, mondayClock, queueCalls } from '../../helpers/database/workspace.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';

const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let ground: Ground;
beforeAll(async () => {
  ground = await createGround({ maxConnections: 20 });
  ground.clock = mondayClock();
});
afterAll(() => ground.close());

/** Every limit with its count of live calls. */
const LIVE = sql<{ what: string; live: number; cap: number }>`
  with live as materialized (
    select c.*, n.trunk_id from calls c left join numbers n on n.workspace_id = c.workspace_id and n.id = c.number_id
    where c.status = 'ongoing')
  select 'workspace' as what, count(*)::int as live, w.call_limit as cap
    from live join workspaces w on w.id = live.workspace_id group by w.id
  union all select 'campaign', count(*)::int, ceil(w.call_limit * l.concurrency_percentage / 100.0)::int
    from live join campaigns l on l.workspace_id = live.workspace_id and l.id = live.campaign_id
    join workspaces w on w.id = l.workspace_id group by l.id, l.workspace_id, w.call_limit
  union all select 'number', count(*)::int, n.call_limit
    from live join numbers n on n.workspace_id = live.workspace_id and n.id = live.number_id
    where n.call_limit is not null group by n.id, n.workspace_id
  union all select 'trunk', count(*)::int, (t.settings ->> 'max_calls')::int
    from live join trunks t on t.id = live.trunk_id where t.settings ->> 'max_calls' is not null group by t.id
  union all select 'destination', count(*)::int, 4 from live where to_number like '+1212555000%'
    group by workspace_id`;

describe('eight concurrent claimers of two nodes', () => {
  it(
    'never claim a call twice or exceed a limit, and end every call with all money unlocked',
    { timeout: 400_000 },
    async () => {
      const nodes = [await createNode(ground.db, 'one'), await createNode(ground.db, 'two')];
      const worlds = [];
      for (const callLimit of [4, 7, 12]) {
        const w = await createWorkspace(ground.db, {
          callLimit,
          credits: 1_000_000,
          numbers: [{ callLimit: 4 }, { callLimit: 3, trunk: 'shared' }, { trunk: 'shared' }],
          trunks: { shared: { max_calls: 6 } },
        });
        await setLimits(ground.db, w, { destination_calls: { '+1212555000': 4 } });
        await startedCampaign({ db: ground.db, clock: ground.clock }, w, {
          contacts: 40,
          percentage: 50,
          numbers: [0, 1],
        });
        await startedCampaign({ db: ground.db, clock: ground.clock }, w, {
          contacts: 40,
          percentage: 34,
          numbers: [1, 2],
        });
        await queueCalls(ground.db, w, 30, { number: 0 });
        worlds.push(w);
      }
      const seen: string[] = [];
      const over: string[] = [];
      const full = new Set<string>();
      const watch = async (): Promise<void> => {
        for (const { what, live, cap } of (await LIVE.execute(ground.db)).rows) {
          if (live > cap) over.push(`${what}: ${live} of ${cap}`);
          if (live === cap) full.add(what);
        }
      };
      const settleDeps = {
        db: ground.db,
        clock: ground.clock,
        rate,
        recordingUrl: () => 'http://localhost/recording',
      };
      const end = async (c: Claimed): Promise<void> => {
        seen.push(`${c.callId}:${c.attempt}`);
        expect((await dial(settleDeps, c)).go).toBe(true);
        await watch();
        await settleAttempt(settleDeps, {
          workspaceId: c.workspaceId,
          callId: c.callId,
          attempt: c.attempt,
          nodeId: c.nodeId,
          end: { kind: 'not_answered', failure: 'invalid_number' },
          endedAt: ground.clock.now(),
          answeredAt: null,
          hangupBy: null,
          sipCallId: null,
          sipCode: 404,
          reason: null,
          result: null,
        });
      };
      const claimer = async (_: unknown, index: number): Promise<void> => {
        const deps: ClaimDeps = { db: ground.db, clock: ground.clock, rate, nodeId: nodes[index % 2] ?? '' };
        for (let idle = 0; idle < 40;) {
          const batch = await claimBatch(deps, { visited: [], capacity: 100 });
          if (batch === null || batch.claimed.length === 0) {
            idle += 1;
            ground.clock.advance(1_000);
          } else idle = 0;
          for (const c of batch?.claimed ?? []) await end(c);
        }
      };
      await Promise.all(Array.from({ length: 8 }, claimer));
      expect(over).toEqual([]);
      expect(seen).toHaveLength(3 * 110);
      expect(new Set(seen).size).toBe(seen.length);
      // The test proves nothing unless the limits were reached.
      for (const what of ['workspace', 'campaign', 'trunk', 'number']) expect(full).toContain(what);
      expect(
        await ground.db.selectFrom('calls').select('id').where('status', '!=', 'failed').execute(),
      ).toEqual([]);
      const money = await ground.db.selectFrom('workspaces').select(['credits', 'locked_credits']).execute();
      expect(money).toEqual(worlds.map(() => ({ credits: 1_000_000_000_000, locked_credits: 0 })));
    },
  );
});
