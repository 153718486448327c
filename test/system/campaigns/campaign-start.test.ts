import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startCampaign, type StartDeps } from '../../../src/domain/campaigns/start-campaign.ts';
import { newId } from '../../../src/shared/ids.ts';
import { eventually } from '../../helpers/service/service.ts';
import { createTenant, createTestAgent, type Answer } from '../../helpers/api/api.ts';
import { claimContact, insertCampaign, stateOf } from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, said, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

let office: CampaignOffice;
beforeAll(async () => {
  office = await openCampaignOffice();
});
beforeEach(() => office.renew({ credits: 10_000_000_000 }));
afterAll(() => office.api.close());

/** Three contacts in New York at five in the morning, called in the window of the interface. */
const CALLING = {
  starts_at: '2026-01-05T10:00:00.000Z',
  calling_window: {
    start: '09:00',
    end: '21:00',
    slots: null,
    days: null,
    timezone: 'Asia/Kolkata',
    use_callee_timezone: false,
    source: 'default',
  },
  contacts: { waiting: 3, callable: 3, outside_window: 0 },
  warnings: [
    expect.objectContaining({ code: 'DEFAULT_CALL_TIME' }),
    expect.objectContaining({ code: 'NIGHT_AT_CALLEE' }),
  ],
};

describe('starting', () => {
  it('answers with the interface’s body and schedules the campaign', async () => {
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    const before = office.api.notified();
    const answer = await office.start(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 'campaign registered successfully!',
        message: 'Campaign started successfully',
        list_id: id,
        has_ongoing_calls: false,
        ...CALLING,
      },
    ]);
    expect(office.api.notified()).toBe(before + 1);
    expect(await office.campaignOf(id)).toMatchObject({
      campaign_status: 'scheduled',
      from_numbers: [office.tenant.numberId],
      number_pool_id: null,
      callback_url: 'https://example.com/hook',
      total_count: 3,
      registered_count: 3,
      circuit_breaker: { failed_share: 0.5, window_calls: 50, minimum_calls: 20 },
      retry_budget: { retry_count: 2, retry_busy: 30, retry_not_picked: 30, retry_failed: 30 },
      required_credits: 3,
      spent_credits: 0,
    });
    const row = await office.api.db
      .selectFrom('workspaces')
      .select('next_due_at')
      .where('id', '=', office.tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(row.next_due_at.getTime()).toBe(office.api.clock.now());
  });

  it('reports has_ongoing_calls while the workspace has live calls', async () => {
    const first = await office.started();
    await claimContact(office.api, office.tenant, first, office.nodeId);
    const second = await insertCampaign(office.api, office.tenant, office.agent);
    expect((await office.start(second)).body['has_ongoing_calls']).toBe(true);
  });

  it('starts once for twenty concurrent requests', async () => {
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    const answers = await Promise.all(Array.from({ length: 20 }, () => office.start(id)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(400)]);
    const refusals = new Set(answers.filter((a) => a.status === 400).map((a) => a.body['message']));
    expect([...refusals]).toEqual(['The campaign has already started']);
  });

  it('starts from a number pool in v2 and schedules in the large-campaign flow', async () => {
    const pool = await office.ask('POST', '/number-pool', {
      name: 'P',
      from_number_ids: [office.tenant.numberId],
    });
    const poolId = (pool.body['number_pool'] as { id: string }).id;
    const second = await insertCampaign(office.api, office.tenant, office.agent);
    const answer = await office.ask('POST', '/campaign/v2/start', {
      agent_id: office.agent.agentId,
      list_id: second,
      number_pool_id: poolId,
    });
    expect(answer.status).toBe(200);
    expect(await office.campaignOf(second)).toMatchObject({ number_pool_id: poolId, from_numbers: [] });
    const third = await insertCampaign(office.api, office.tenant, office.agent);
    const large = await office.ask('POST', '/campaign/make-call-async', {
      agent_id: office.agent.agentId,
      bulk_list_id: third,
      number_pool_id: poolId,
      concurrency_percentage: 40,
      circuit_breaker: { failed_share: 0.25 },
    });
    expect([large.status, large.body]).toEqual([
      200,
      { message: 'Campaign scheduled successfully', bulk_list_id: third, status: 'scheduled', ...CALLING },
    ]);
    expect(await office.campaignOf(third)).toMatchObject({
      concurrency_percentage: 40,
      circuit_breaker: { failed_share: 0.25, window_calls: 50, minimum_calls: 20 },
    });
  });

  it('checks shape, references, state and money in this order', async () => {
    const id = await insertCampaign(office.api, office.tenant, office.agent, { contacts: 2 });
    const other = await createTestAgent(office.api, office.tenant);
    const inbound = await createTestAgent(office.api, office.tenant, { agent_type: 'inbound' });
    const both = { from_numbers: [office.tenant.numberId], number_pool_id: newId() };
    const v2 = (change: object): Promise<Answer> =>
      office.ask('POST', '/campaign/v2/start', { agent_id: office.agent.agentId, list_id: id, ...change });
    expect(await Promise.all([v2(both), v2({})].map(async (a) => said(await a)))).toEqual([
      [422, 'Provide either from_numbers or number_pool_id, not both'],
      [422, 'Provide exactly one of from_numbers and number_pool_id'],
    ]);
    const cases: [Record<string, unknown>, number, RegExp][] = [
      [{ from_numbers: undefined }, 422, /^from_numbers is required/],
      [{ from_numbers: [] }, 422, /^from_numbers/],
      [{ list_id: undefined }, 422, /^list_id is required/],
      [{ agent_id: undefined }, 422, /^agent_id is required/],
      [{ callback_url: 'ftp://example.com' }, 422, /^callback_url must be an http/],
      [{ concurrency_percentage: 101 }, 422, /^concurrency_percentage/],
      [{ circuit_breaker: { failed_share: 0 } }, 422, /^circuit_breaker.failed_share/],
      [{ from_number: [] }, 422, /^from_number /],
      [{ agent_id: newId(), list_id: newId() }, 404, /^Agent not found$/],
      [{ list_id: newId() }, 404, /^Campaign not found$/],
      [{ list_id: 'nonsense' }, 404, /^Campaign not found$/],
      [{ agent_id: inbound.agentId }, 400, /inbound agent/],
      [{ agent_id: other.agentId }, 400, /not the agent/],
      [{ from_numbers: [office.tenant.numberId, newId()] }, 400, /^from_numbers\[1\] is not a number/],
      [
        { from_numbers: [office.tenant.testNumberId] },
        400,
        /^Default numbers are for testing only. Please provide a real phone number.$/,
      ],
    ];
    for (const [change, status, message] of cases) {
      const answer = await office.start(id, change);
      expect([answer.status, String(answer.body['message'])]).toEqual([
        status,
        expect.stringMatching(message),
      ]);
    }
    expect(said(await v2({ number_pool_id: newId() }))).toEqual([404, 'Number pool not found']);
    expect(await stateOf(office.api.db, id)).toBe('draft');
  });

  it('answers 404 when the agent is archived while the start waits for the lock', async () => {
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    const { db, clock } = office.api;
    const starting = await db.transaction().execute(async (tx) => {
      await sql`select from workspaces where id = ${office.tenant.workspaceId} for update`.execute(tx);
      const answer = office.start(id);
      await eventually('the start to wait for the workspace', async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(db);
        return rows.length > 0 ? true : null;
      });
      await tx
        .updateTable('agents')
        .set({ archived_at: new Date(clock.now()) })
        .where('id', '=', office.agent.agentId)
        .execute();
      return { answer };
    });
    expect(said(await starting.answer)).toEqual([404, 'Agent not found']);
    expect(await stateOf(db, id)).toBe('draft');
  });

  it('reads agent and pool once, under the locks', async () => {
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    await office.start(id);
    const numbers = { name: 'P', from_number_ids: [office.tenant.numberId] };
    const pool = await office.ask('POST', '/number-pool', numbers);
    const read: string[] = [];
    const { db, clock } = office.api;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'SelectQueryNode') read.push(JSON.stringify(node.from));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const start = startCampaign(
      {
        db: counted,
        clock,
        rate: { creditsPerMinute: 1, pulseSeconds: 60 },
        guard: { allow: [] },
        wakeScheduler: () => undefined,
      } as unknown as StartDeps,
      office.tenant.workspaceId,
      null,
      {
        agentId: office.agent.agentId,
        campaignId: id,
        numberIds: null,
        numberPoolId: (pool.body['number_pool'] as { id: string }).id,
        callbackUrl: null,
        callbackSuccess: null,
        concurrencyPercentage: null,
        circuitBreaker: null,
        purpose: null,
        dltTemplateId: null,
      },
    );
    await expect(start).rejects.toThrow('already');
    expect(read.filter((from) => from.includes('"agents"'))).toHaveLength(1);
    expect(read.filter((from) => from.includes('"number_pools"'))).toHaveLength(1);
  });

  it('refuses a list not imported yet, an ended campaign and one whose end time has passed', async () => {
    const messages = [];
    for (const state of ['verifying', 'failed', 'paused', 'completed', 'terminated'] as const) {
      messages.push(
        said(await office.start(await insertCampaign(office.api, office.tenant, office.agent, { state }))),
      );
    }
    const late = await insertCampaign(office.api, office.tenant, office.agent, {
      endAt: new Date(office.api.clock.now()),
    });
    messages.push(said(await office.start(late)));
    expect(messages).toEqual([
      [400, 'The contact list of the campaign is still being verified'],
      [400, 'The contact list of the campaign was not accepted; upload it again'],
      [400, 'The campaign has already started'],
      [400, 'The campaign has already started'],
      [400, 'The campaign has already started'],
      [400, 'campaign_end_time of the campaign has passed'],
    ]);
  });

  it('needs one pulse per contact: 402 changes nothing, and check-balance reports the required credits', async () => {
    office.tenant = await createTenant(office.api, { credits: 2_999_999 });
    office.agent = await createTestAgent(office.api, office.tenant);
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    expect((await office.start(id)).status).toBe(402);
    expect(await stateOf(office.api.db, id)).toBe('draft');
    const short = await office.ask('POST', `/campaign/check-balance/${id}`);
    expect([short.status, short.body]).toEqual([
      402,
      {
        bulk_list_id: id,
        status: 'draft',
        required_credits: 3,
        available_credits: 2.999999,
        sufficient_balance: false,
        message: 'Your current balance is insufficient to run this campaign!',
      },
    ]);
    await office.api.db
      .updateTable('workspaces')
      .set({ credits: 3_000_000 })
      .where('id', '=', office.tenant.workspaceId)
      .execute();
    const enough = await office.ask('POST', `/campaign/check-balance/${id}`);
    expect([enough.status, enough.body['sufficient_balance'], enough.body['required_credits']]).toEqual([
      200,
      true,
      3,
    ]);
    expect((await office.start(id)).status).toBe(200);
  });

  it('check-balance answers 404 for an unknown list and 400 for one still being imported', async () => {
    const verifying = await insertCampaign(office.api, office.tenant, office.agent, { state: 'verifying' });
    expect(said(await office.ask('POST', `/campaign/check-balance/${verifying}`))[0]).toBe(400);
    expect(said(await office.ask('POST', `/campaign/check-balance/${newId()}`))).toEqual([
      404,
      'Campaign not found',
    ]);
  });

  it('answers 403 when the large-campaign flow is switched off', async () => {
    office.tenant = await createTenant(office.api, { settings: { large_campaigns: false } });
    office.agent = await createTestAgent(office.api, office.tenant);
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    const body = { agent_id: office.agent.agentId, bulk_list_id: id, from_numbers: [office.tenant.numberId] };
    expect((await office.ask('POST', '/campaign/make-call-async', body)).status).toBe(403);
    expect((await office.ask('POST', `/campaign/check-balance/${id}`)).status).toBe(403);
    expect((await office.start(id)).status).toBe(200);
  });

  it('replays a start under its Idempotency-Key', async () => {
    const id = await insertCampaign(office.api, office.tenant, office.agent);
    const send = (): Promise<Answer> =>
      office.api.request('POST', '/api/v0/campaign/start', {
        key: office.tenant.key,
        body: office.startBody(id),
        headers: { 'idempotency-key': 'start-1' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
    expect(second.body).toEqual(first.body);
  });
});
