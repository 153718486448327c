import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt, type SettleDeps } from '../../../src/domain/calls/attempt/settle.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { newId } from '../../../src/shared/ids.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import type { TurnLatency } from '@callwright/turns';
import { createCallSums, dialAll, ENDS, type CallSums } from '../../helpers/calls/call-sums.ts';
import { conversationResult } from '../../helpers/calls/settling-node.ts';
import {
  createNode,
  createWorkspace,
  MONDAY,
  queueCalls,
  type TestWorkspace,
} from '../../helpers/database/workspace.ts';

let sums: CallSums;
let deps: SettleDeps;
beforeAll(async () => {
  sums = await createCallSums();
  deps = {
    db: sums.api.db,
    clock: sums.api.clock,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    recordingUrl: () => 'http://callwright.test/x.wav',
  };
});
afterAll(() => sums.api.close());

const ALWAYS = {
  call_retry_config: { retry_count: 2, retry_busy: 5, retry_not_picked: 5, retry_failed: 5 },
  call_time: { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Etc/UTC' },
};
const fold = (world: TestWorkspace, take: number): Promise<void> =>
  sums.api.db.transaction().execute((tx) => foldEndings(tx, world.id, take));
const turn = (number: number, totalMs: number): TurnLatency => ({
  turn: number,
  endpointingMs: totalMs / 2,
  recognitionMs: number % 2 === 0 ? null : totalMs / 4,
  modelMs: totalMs / 5,
  voiceMs: totalMs / 10,
  totalMs,
  prepared: false,
});

/** Holds one conversation per due call of the workspace; each has the turns of its place in `waits`. */
async function talk(world: TestWorkspace, waits: readonly (readonly number[])[]): Promise<void> {
  await sql`update workspaces set next_due_at = 'infinity' where id <> ${world.id}`.execute(sums.api.db);
  const nodeId = await createNode(sums.api.db, `node ${newId()}`, sums.api.clock.now());
  const claim = await claimBatch({ ...deps, nodeId }, { visited: [], capacity: 50 });
  const claimed = claim?.claimed ?? [];
  expect(claimed).toHaveLength(waits.length);
  for (const [index, call] of claimed.entries()) {
    await dial(deps, call, { sipCallId: newId() });
    await markAnswered(deps, call, { at: sums.api.clock.now() });
    sums.api.clock.advance(40_000);
    await settleAttempt(deps, {
      workspaceId: call.workspaceId,
      callId: call.callId,
      attempt: call.attempt,
      nodeId,
      end: { kind: 'answered', reason: 'USER_LEFT' },
      endedAt: sums.api.clock.now(),
      answeredAt: null,
      hangupBy: 'caller',
      sipCallId: null,
      sipCode: null,
      reason: null,
      result: conversationResult({
        recording: null,
        latencies: (waits[index] ?? []).map((ms, at) => turn(at + 1, ms)),
      }),
    });
  }
}

describe('hour-analytics', () => {
  it('count every dialled attempt in the hour of the zone, folded or not', async () => {
    sums.api.clock.set(MONDAY);
    await sql`update workspaces set next_due_at = 'infinity'`.execute(sums.api.db);
    const world = await createWorkspace(sums.api.db, { credits: 100_000, callLimit: 50 });
    await queueCalls(sums.api.db, world, 20, { callConfig: ALWAYS });
    await dialAll(sums.api, deps, world, ENDS);
    const key = await sums.keyed(world);
    const recount = async (zone: string): Promise<unknown> =>
      (
        await sql`
          select extract(hour from dialed_at at time zone ${zone})::int as hour, count(*)::int as attempts,
                 (count(answered_at) filter (where sub_status <> 'VOICEMAIL_DETECTED'))::int as answered
          from call_attempts where workspace_id = ${world.id} and status = 'ended' and dialed_at is not null
          group by 1 order by 1`.execute(sums.api.db)
      ).rows;
    const kept = async (zone: string): Promise<unknown> => {
      const data = await sums.ask(key, `hour-analytics?timezone=${encodeURIComponent(zone)}`);
      expect(data).toMatchObject({ timezone: zone, start_date: null });
      expect(data.hours.map(({ hour }: any) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
      return data.hours
        .filter((each: any) => each.attempts > 0)
        .map((each: any) => ({ hour: each.hour, attempts: each.attempts, answered: each.answered_attempts }));
    };
    const truth = await recount('Asia/Kolkata');
    expect((truth as unknown[]).length).toBeGreaterThan(2);
    // Another transaction that folds: the endings are counted one by one.
    await sums.api.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`call_days ${world.id}`}, 0))`.execute(tx);
      expect(await kept('Asia/Kolkata')).toEqual(truth);
    });
    await fold(world, 7);
    expect(await kept('Asia/Kolkata')).toEqual(truth);
    expect(await kept('Asia/Kathmandu')).toEqual(await recount('Asia/Kathmandu'));
    expect(await kept('America/St_Johns')).toEqual(await recount('America/St_Johns'));
    const { rows } = await sql`select from ended_attempts where workspace_id = ${world.id}`.execute(
      sums.api.db,
    );
    expect(rows).toEqual([]);
  });

  it('leave out reaction times with a campaign, and refuse an unknown zone', async () => {
    const world = await createWorkspace(sums.api.db);
    const key = await sums.keyed(world);
    const { hours } = await sums.ask(key, `hour-analytics?bulk_list_id=${newId()}`);
    expect(hours[0]).toEqual({
      hour: 0,
      attempts: 0,
      answered_attempts: 0,
      answer_rate: 0,
      average_duration: 0,
      reaction: null,
    });
    for (const zone of ['IST', 'Mars/Olympus', "UTC'--"]) {
      const path = `/api/v0/analytics/hour-analytics?timezone=${encodeURIComponent(zone)}`;
      const answer = await sums.api.request('GET', path, { key });
      expect([zone, answer.status, answer.body['message']]).toEqual([
        zone,
        422,
        expect.stringContaining('timezone must be an IANA time zone'),
      ]);
    }
  });
});

describe('reaction-analytics', () => {
  it('have the percentiles of each part by day and by version', async () => {
    sums.api.clock.set(MONDAY);
    const world = await createWorkspace(sums.api.db);
    const key = await sums.keyed(world);
    await queueCalls(sums.api.db, world, 2, { callConfig: ALWAYS });
    await talk(world, [[400, 600], [1000]]);
    sums.api.clock.set(MONDAY + 86_400_000);
    await queueCalls(sums.api.db, world, 1, { callConfig: ALWAYS, dueAt: sums.api.clock.now() });
    await talk(world, [[2000]]);

    const read = (query = ''): Promise<any> => sums.ask(key, `reaction-analytics${query}`);
    const near = (ms: number): unknown => expect.toSatisfy((value) => Math.abs(value - ms) <= ms * 0.03);
    const data = await read();
    expect(data.reaction).toEqual({ turns: 4, p50_ms: near(600), p95_ms: near(2000), p99_ms: near(2000) });
    expect(data.model).toEqual({ turns: 4, p50_ms: near(120), p95_ms: near(400), p99_ms: near(400) });
    // The second turn of a conversation has no recognition.
    expect(data.recognition.turns).toBe(3);
    expect(data.daily).toMatchObject([
      { date: '2026-01-05', reaction: { turns: 3, p50_ms: near(600) }, endpointing: { p50_ms: near(300) } },
      { date: '2026-01-06', reaction: { turns: 1, p50_ms: near(2000) }, voice: { p50_ms: near(200) } },
    ]);
    expect(data.versions).toMatchObject([
      { agent_id: world.agentId, agent_name: 'Asha', version_slug: 'v1', reaction: { turns: 4 } },
    ]);
    expect((await read('?end_date=2026-01-05')).reaction.turns).toBe(3);
    expect((await read('?start_date=2026-01-06')).reaction.turns).toBe(1);
    expect((await read(`?agent_id=${newId()}`)).versions).toEqual([]);
    const { hours } = await sums.ask(key, 'hour-analytics?timezone=Asia%2FKolkata');
    expect(hours[15]).toMatchObject({ attempts: 3, average_duration: 40, reaction: { turns: 4 } });
  });
});

describe('comparison-analytics', () => {
  it('compares the shares of two versions of an agent with their intervals', async () => {
    sums.api.clock.set(MONDAY);
    const world = await createWorkspace(sums.api.db);
    const other = newId();
    await sql`
      insert into agent_versions (workspace_id, id, agent_id, slug, config, created_at, updated_at)
      select workspace_id, ${other}, agent_id, 'v2', config, created_at, updated_at
      from agent_versions where id = ${world.versionId}`.execute(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 100);
    await sql`update calls set version_id = ${other} where id = any(${ids.slice(50)}::uuid[])`.execute(
      sums.api.db,
    );
    // Of 50 calls: 10 answered by version a, 40 by b; of these half talked 30 s or longer.
    const answered = [...ids.slice(0, 10), ...ids.slice(50, 90)];
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT', duration_ms = 20000
      where id = any(${answered}::uuid[])`.execute(sums.api.db);
    await sql`update calls set status = 'failed', sub_status = 'NO_ANSWER' where workspace_id = ${world.id}
      and status <> 'completed'`.execute(sums.api.db);
    await sums.noteAttempts(world, 50, 10);
    await sums.noteAttempts(world, 50, 40, other);
    for (const id of answered) {
      const results = [{ name: 'booked', result: 'passed', reason: '' }];
      await sql`insert into call_records (workspace_id, call_id, evaluations, updated_at)
        values (${world.id}, ${id}, ${JSON.stringify(results)}::jsonb, now())`.execute(sums.api.db);
    }
    const key = await sums.keyed(world);
    const path = `comparison-analytics?agent_id=${world.agentId}&version_id=${world.versionId}&other_version_id=${other}`;
    const data = await sums.ask(key, path);
    expect(data).toMatchObject({
      agent_id: world.agentId,
      a: { version_slug: 'v1', total_calls: 50, answered_calls: 10, average_duration: 20 },
      b: { version_slug: 'v2', total_calls: 50, answered_calls: 40, reaction: { turns: 0, p50_ms: null } },
    });
    expect(data.shares).toEqual([
      {
        of: 'answered',
        criterion: null,
        a: { count: 10, total: 50, share: 0.2 },
        b: { count: 40, total: 50, share: 0.8 },
        difference: 0.6,
        low: expect.closeTo(0.42, 1),
        high: expect.closeTo(0.73, 1),
        verdict: 'b_higher',
      },
      expect.objectContaining({
        of: 'long_talk',
        a: { count: 0, total: 10, share: 0 },
        difference: 0,
        verdict: 'within_chance',
      }),
      expect.objectContaining({
        of: 'criterion',
        criterion: 'booked',
        b: { count: 40, total: 40, share: 1 },
        verdict: 'within_chance',
      }),
    ]);
    const unknown = await sums.ask(key, path.replace(other, newId()));
    expect(unknown.b).toMatchObject({ version_slug: null, total_calls: 0 });
    expect(unknown.shares[0]).toMatchObject({ difference: null, verdict: 'no_calls' });
    const foreign = await sums.ask(await sums.keyed(await createWorkspace(sums.api.db)), path);
    expect(foreign.a.total_calls + foreign.b.total_calls).toBe(0);
  });
});
