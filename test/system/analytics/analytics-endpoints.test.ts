import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, type Tenant } from '../../helpers/api/api.ts';
import { createWorkspace, MONDAY, queueCalls } from '../../helpers/database/workspace.ts';
import { createCallSums, type CallSums } from '../../helpers/calls/call-sums.ts';

let sums: CallSums;
beforeAll(async () => {
  sums = await createCallSums();
});
afterAll(() => sums.api.close());

describe('the analytics endpoints', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant(sums.api);
  });
  const PATHS = [
    'platform-analytics',
    'drill-down-analytics',
    'number-analytics',
    'duration-distribution',
    'classification-analytics',
    'evaluation-analytics',
    'vendor-analytics',
    'reaction-analytics',
  ];

  it.each(PATHS)('%s is zero for a new workspace, an unknown id and a foreign one', async (path) => {
    const other = await createWorkspace(sums.api.db);
    await queueCalls(sums.api.db, other, 2);
    await sql`update calls set status = 'failed', sub_status = 'BUSY' where workspace_id = ${other.id}`.execute(
      sums.api.db,
    );
    const empty = await sums.ask(tenant.key, path);
    for (const query of [
      `agent_id=${other.agentId}`,
      `agent_id=${newId()}`,
      'agent_id=x',
      'bulk_list_id=x',
      'bulk_list_id=00000000-0000-0000-0000-000000000000',
    ]) {
      expect([query, await sums.ask(tenant.key, `${path}?${query}`)]).toEqual([query, empty]);
    }
    expect(JSON.stringify(empty)).not.toMatch(/calls":[1-9]/);
  });

  it.each([...PATHS, 'hour-analytics'])('%s returns 422 naming an invalid date', async (path) => {
    for (const [query, message] of [
      ['start_date=yesterday', 'start_date must be a date'],
      ['end_date=2026-02-30', 'end_date must be a date'],
      ['start_date=2026-02-02&end_date=2026-02-01', 'end_date must not be before start_date'],
      ['agent_id=', 'agent_id must not be empty'],
    ]) {
      const answer = await sums.api.request('GET', `/api/v0/analytics/${path}?${query}`, { key: tenant.key });
      expect([query, answer.status]).toEqual([query, 422]);
      expect(answer.body['message']).toContain(message);
    }
    expect((await sums.api.request('GET', `/api/v0/analytics/${path}`)).status).toBe(401);
  });

  it('sum what conversations used of each model, with its price', async () => {
    const world = await createWorkspace(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 4);
    const use = { audioMs: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, characters: 0 };
    const usage = (ms: number) =>
      JSON.stringify([
        { ...use, part: 'stt', vendor: 'deepgram', model: 'nova-3', audioMs: ms },
        { ...use, part: 'tts', vendor: 'offline', model: null, characters: 100 },
      ]);
    // The third has a record of an earlier version, and the fourth has not ended.
    for (const [index, id] of ids.entries()) {
      await sql`insert into call_records (workspace_id, call_id, usage, updated_at)
        values (${world.id}, ${id}, ${index === 2 ? null : usage(60_000)}::jsonb, now())`.execute(
        sums.api.db,
      );
      if (index === 3) continue;
      await sql`update calls set status = 'completed', duration_ms = 90000 where id = ${id}`.execute(
        sums.api.db,
      );
    }
    const data = await sums.ask(await sums.keyed(world), 'vendor-analytics');
    expect(data).toMatchObject({
      total_calls: 2,
      total_talk: 180,
      currency: 'USD',
      cost: 0.0096,
      cost_per_minute: 0.0032,
      vendors: [
        { calls: 2, part: 'stt', vendor: 'deepgram', model: 'nova-3', audio_seconds: 120, cost: 0.0096 },
        { calls: 2, part: 'tts', vendor: 'offline', model: null, characters: 200, cost: 0 },
      ],
    });
    expect(data.agents).toMatchObject([{ agent_id: world.agentId, cost: 0.0096, vendors: data.vendors }]);
  });

  it('give what an agent used after a handover to that agent, so that all sum to the whole', async () => {
    const world = await createWorkspace(sums.api.db);
    const [id] = await queueCalls(sums.api.db, world, 1);
    const use = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, characters: 0 };
    const heard = { ...use, part: 'stt', vendor: 'deepgram', model: 'nova-3' };
    const billing = { id: newId(), name: 'Billing' };
    const usage = [
      { ...heard, audioMs: 60_010 },
      { ...heard, audioMs: 119_990, agent: billing },
    ];
    await sql`insert into call_records (workspace_id, call_id, usage, updated_at)
      values (${world.id}, ${id}, ${JSON.stringify(usage)}::jsonb, now())`.execute(sums.api.db);
    await sql`update calls set status = 'completed', duration_ms = 180000 where id = ${id}`.execute(
      sums.api.db,
    );
    const data = await sums.ask(await sums.keyed(world), 'vendor-analytics');
    expect(data).toMatchObject({
      total_calls: 1,
      cost: 0.0144,
      vendors: [{ calls: 1, part: 'stt', audio_seconds: 180 }],
      agents: [
        { agent_id: billing.id, agent_name: null, vendors: [{ calls: 1, audio_seconds: 119.99 }] },
        { agent_id: world.agentId, vendors: [{ calls: 1, audio_seconds: 60.01 }] },
      ],
    });
    const micro = data.agents.map(({ cost }: { cost: number }) => Math.round(cost * 1e6));
    expect(micro[0] + micro[1]).toBe(14_400);
  });

  it('return the quality of the audio by direction and trunk', async () => {
    const world = await createWorkspace(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 22);
    const { provider: trunk } = await sums.api.db
      .selectFrom('numbers')
      .select('provider')
      .where('workspace_id', '=', world.id)
      .executeTakeFirstOrThrow();
    // Twenty measured calls from 4.40 down to 2.50; then one of a deleted number, and one whose audio was not measured.
    for (const [index, id] of ids.entries()) {
      const toUs = { average: 4.4 - index * 0.1, lowest: 1, samples: 3 };
      const mos = index === 21 ? null : { toUs, toFarSide: index === 0 ? { ...toUs, average: 3.456 } : null };
      await sql`insert into call_records (workspace_id, call_id, media, updated_at)
        values (${world.id}, ${id}, ${JSON.stringify({ codec: 'PCMU', mos })}::jsonb, now())`.execute(
        sums.api.db,
      );
      await sql`update calls set status = 'completed', number_id = ${index === 20 ? null : world.numberIds[0]}
        where id = ${id}`.execute(sums.api.db);
    }
    const sent = { calls: 1, p50_mos: 3.46, p5_mos: 3.46 };
    const none = { calls: 0, p50_mos: null, p5_mos: null };
    expect(await sums.ask(await sums.keyed(world), 'quality-analytics')).toEqual({
      start_date: null,
      end_date: null,
      received: { calls: 21, p50_mos: 3.4, p5_mos: 2.5 },
      sent,
      trunks: [
        { trunk, received: { calls: 20, p50_mos: 3.4, p5_mos: 2.5 }, sent },
        { trunk: null, received: { calls: 1, p50_mos: 2.4, p5_mos: 2.4 }, sent: none },
      ],
    });
  });

  it('return the days of the period', async () => {
    const data = await sums.ask(
      tenant.key,
      'number-analytics?start_date=2026-01-05T23:30:00-05:00&end_date=2026-01-09',
    );
    expect(data).toEqual({ start_date: '2026-01-06', end_date: '2026-01-09', numbers: [] });
  });

  it('group answered calls by duration with inclusive lower bounds', async () => {
    const world = await createWorkspace(sums.api.db);
    const lengths = [0, 9999, 10_000, 29_999, 60_000, 120_000, 599_999, 600_000, 3_600_000];
    const ids = await queueCalls(sums.api.db, world, lengths.length + 1);
    for (const [index, length] of [...lengths, null].entries()) {
      await sql`update calls set status = 'completed', duration_ms = ${length} where id = ${ids[index] ?? ''}`.execute(
        sums.api.db,
      );
    }
    const data = await sums.ask(await sums.keyed(world), 'duration-distribution');
    expect(data.answered_calls).toBe(9);
    expect(data.buckets).toEqual([
      { from_seconds: 0, to_seconds: 10, calls: 2, share: 0.2222 },
      { from_seconds: 10, to_seconds: 30, calls: 2, share: 0.2222 },
      { from_seconds: 30, to_seconds: 60, calls: 0, share: 0 },
      { from_seconds: 60, to_seconds: 120, calls: 1, share: 0.1111 },
      { from_seconds: 120, to_seconds: 300, calls: 1, share: 0.1111 },
      { from_seconds: 300, to_seconds: 600, calls: 1, share: 0.1111 },
      { from_seconds: 600, to_seconds: null, calls: 2, share: 0.2222 },
    ]);
  });

  it('return shares of classifications and sentiments of analysed calls', async () => {
    const world = await createWorkspace(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 5);
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT'
      where workspace_id = ${world.id} and id <> ${ids[4] ?? ''}`.execute(sums.api.db);
    const analyses = [
      { classification: 'interested', sentiment: 'positive' },
      { classification: 'interested', sentiment: 'neutral' },
      { classification: 'busy' },
      null,
      { classification: 'still live' },
    ];
    await sums.api.db
      .insertInto('call_records')
      .values(
        analyses.map((analysis, index) => ({
          workspace_id: world.id,
          call_id: ids[index] ?? '',
          platform_analysis: analysis === null ? null : JSON.stringify(analysis),
          updated_at: new Date(MONDAY),
        })),
      )
      .execute();
    const key = await sums.keyed(world);
    const data = await sums.ask(key, 'classification-analytics');
    expect(data).toEqual({
      start_date: null,
      end_date: null,
      total_calls: 4,
      analysed_calls: 3,
      classifications: [
        { label: 'interested', calls: 2, share: 0.6667 },
        { label: 'busy', calls: 1, share: 0.3333 },
      ],
      sentiments: [
        { label: 'neutral', calls: 1, share: 0.3333 },
        { label: 'positive', calls: 1, share: 0.3333 },
      ],
      results: [],
    });
    expect((await sums.ask(key, 'classification-analytics?end_date=2026-01-04')).analysed_calls).toBe(0);
    expect((await sums.ask(key, 'classification-analytics?start_date=2026-01-05')).analysed_calls).toBe(3);
  });

  it('return results of evaluations by version and criterion', async () => {
    const world = await createWorkspace(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 5);
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT'
      where workspace_id = ${world.id} and id <> ${ids[4] ?? ''}`.execute(sums.api.db);
    const results = [
      ['passed', 'not_judged'],
      ['passed', 'not_judged'],
      ['failed', 'not_judged'],
      null,
      ['passed', 'passed'],
    ];
    await sums.api.db
      .insertInto('call_records')
      .values(
        results.map((pair, index) => ({
          workspace_id: world.id,
          call_id: ids[index] ?? '',
          evaluations:
            pair === null
              ? null
              : JSON.stringify(pair.map((result, n) => ({ name: `c${n}`, result, reason: '' }))),
          updated_at: new Date(MONDAY),
        })),
      )
      .execute();
    const key = await sums.keyed(world);
    const version = { agent_id: world.agentId, version_id: expect.any(String), version_slug: 'v1' };
    expect((await sums.ask(key, 'evaluation-analytics')).evaluations).toEqual([
      {
        ...version,
        agent_name: expect.any(String),
        name: 'c0',
        passed: 2,
        failed: 1,
        not_judged: 0,
        passed_share: 0.6667,
      },
      {
        ...version,
        agent_name: expect.any(String),
        name: 'c1',
        passed: 0,
        failed: 0,
        not_judged: 3,
        passed_share: null,
      },
    ]);
    expect((await sums.ask(key, 'evaluation-analytics?end_date=2026-01-04')).evaluations).toEqual([]);
  });

  it('return names of agents, versions, numbers and campaigns', async () => {
    const world = await createWorkspace(sums.api.db);
    const ids = await queueCalls(sums.api.db, world, 3);
    const campaignId = newId();
    await sql`update calls set campaign_id = ${campaignId} where id = ${ids[0] ?? ''}`.execute(sums.api.db);
    await sql`update calls set status = 'completed', sub_status = 'USER_LEFT', duration_ms = 30000, attempt = 1,
      cost = 1500000 where workspace_id = ${world.id} and id <> ${ids[2] ?? ''}`.execute(sums.api.db);
    await sql`update calls set status = 'failed', sub_status = 'BUSY', attempt = 3 where id = ${ids[2] ?? ''}`.execute(
      sums.api.db,
    );
    await sums.noteAttempts(world, 5, 2);
    const key = await sums.keyed(world);
    const drill = await sums.ask(key, 'drill-down-analytics');
    expect(drill.outcomes.map((o: any) => [o.status, o.total_calls, o.sub_statuses.length])).toEqual([
      ['completed', 2, 1],
      ['failed', 1, 1],
    ]);
    expect(drill.agents).toMatchObject([
      {
        agent_id: world.agentId,
        agent_name: 'Asha',
        total_calls: 3,
        total_attempts: 5,
        answer_rate: 0.4,
        average_duration: 30,
        total_cost: 3,
        versions: [{ version_id: world.versionId, version_slug: 'v1', total_calls: 3 }],
      },
    ]);
    expect(drill.campaigns).toMatchObject([{ bulk_list_id: campaignId, total_calls: 1 }]);
    const numbers = await sums.ask(key, 'number-analytics');
    expect(numbers.numbers).toMatchObject([
      { number_id: world.numberIds[0], number: expect.stringMatching(/^\+1628555/), total_calls: 3 },
    ]);
  });
});
