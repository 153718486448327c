import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepCampaigns } from '../../src/domain/campaigns/keeper.ts';
import { newId } from '../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';
import {
  claimContact,
  dialContact,
  insertCampaign,
  recount,
  settleContact,
  stateOf,
} from '../helpers/campaigns.ts';
import { uploadList } from '../helpers/contact-list.ts';
import { createNode } from '../helpers/world.ts';

let api: TestApi;
let tenant: Tenant;
let agent: { agentId: string; versionId: string };
let nodeId: string;
beforeAll(async () => {
  api = await createTestApi();
  nodeId = await createNode(api.db, 'n', api.clock.now());
});
beforeEach(async () => {
  tenant = await createTenant(api, { credits: 10_000_000_000 });
  agent = await createTestAgent(api, tenant);
});
afterAll(() => api.close());

const HOUR_MS = 3_600_000;
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
const keep = () => keepCampaigns({ db: api.db, clock: api.clock, rate, notify: () => undefined });
const ask = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  key = tenant.key,
): Promise<Answer> => api.request(method, `/api/v0${path}`, { key, ...(body === undefined ? {} : { body }) });
const campaignOf = async (id: string): Promise<any> => (await ask('GET', `/campaign/${id}`)).body['campaign'];
const startBody = (id: string, change: Record<string, unknown> = {}) => ({
  agent_id: agent.agentId,
  list_id: id,
  from_numbers: [tenant.numberId],
  callback_url: 'https://example.com/hook',
  ...change,
});
const start = (id: string, change: Record<string, unknown> = {}): Promise<Answer> =>
  ask('POST', '/campaign/start', startBody(id, change));
const started = async (options: Parameters<typeof insertCampaign>[3] = {}): Promise<string> => {
  const id = await insertCampaign(api, tenant, agent, options);
  const answer = await start(id);
  if (answer.status !== 200) throw new Error(answer.text);
  return id;
};
const said = (answer: Answer): [number, unknown] => [answer.status, answer.body['message']];

describe('starting', () => {
  it('answers as the interface says and schedules the campaign', async () => {
    const id = await insertCampaign(api, tenant, agent);
    const before = api.notified();
    const answer = await start(id);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        status: 'campaign registered successfully!',
        message: 'Campaign started successfully',
        list_id: id,
        has_ongoing_calls: false,
      },
    ]);
    expect(api.notified()).toBe(before + 1);
    expect(await campaignOf(id)).toMatchObject({
      campaign_status: 'scheduled',
      from_numbers: [tenant.numberId],
      number_pool_id: null,
      callback_url: 'https://example.com/hook',
      total_count: 3,
      registered_count: 3,
      circuit_breaker: { failed_share: 0.5, window_calls: 50, minimum_calls: 20 },
      retry_budget: { retry_count: 2, retry_busy: 30, retry_not_picked: 30, retry_failed: 30 },
      required_credits: 3,
      spent_credits: 0,
    });
    const row = await api.db
      .selectFrom('workspaces')
      .select('next_due_at')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(row.next_due_at.getTime()).toBe(api.clock.now());
  });

  it('says that calls of the workspace are in progress', async () => {
    const first = await started();
    await claimContact(api, tenant, first, nodeId);
    const second = await insertCampaign(api, tenant, agent);
    expect((await start(second)).body['has_ongoing_calls']).toBe(true);
  });

  it('starts once of twenty times at once', async () => {
    const id = await insertCampaign(api, tenant, agent);
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(id)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(400)]);
    const refusals = new Set(answers.filter((a) => a.status === 400).map((a) => a.body['message']));
    expect([...refusals]).toEqual(['The campaign has already started']);
  });

  it('starts from a pool in the newer variant, and schedules in the large flow', async () => {
    const pool = await ask('POST', '/number-pool', { name: 'P', from_number_ids: [tenant.numberId] });
    const poolId = (pool.body['number_pool'] as { id: string }).id;
    const second = await insertCampaign(api, tenant, agent);
    const answer = await ask('POST', '/campaign/v2/start', {
      agent_id: agent.agentId,
      list_id: second,
      number_pool_id: poolId,
    });
    expect(answer.status).toBe(200);
    expect(await campaignOf(second)).toMatchObject({ number_pool_id: poolId, from_numbers: [] });
    const third = await insertCampaign(api, tenant, agent);
    const large = await ask('POST', '/campaign/make-call-async', {
      agent_id: agent.agentId,
      bulk_list_id: third,
      number_pool_id: poolId,
      concurrency_percentage: 40,
      circuit_breaker: { failed_share: 0.25 },
    });
    expect([large.status, large.body]).toEqual([
      200,
      { message: 'Campaign scheduled successfully', bulk_list_id: third, status: 'scheduled' },
    ]);
    expect(await campaignOf(third)).toMatchObject({
      concurrency_percentage: 40,
      circuit_breaker: { failed_share: 0.25, window_calls: 50, minimum_calls: 20 },
    });
  });

  it('refuses shapes first, then what the request refers to, then the state, then the money', async () => {
    const id = await insertCampaign(api, tenant, agent, { contacts: 2 });
    const other = await createTestAgent(api, tenant);
    const inbound = await createTestAgent(api, tenant, { agent_type: 'inbound' });
    const both = { from_numbers: [tenant.numberId], number_pool_id: newId() };
    const v2 = (change: object): Promise<Answer> =>
      ask('POST', '/campaign/v2/start', { agent_id: agent.agentId, list_id: id, ...change });
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
      [{ from_numbers: [tenant.numberId, newId()] }, 400, /^from_numbers\[1\] is not a number/],
      [
        { from_numbers: [tenant.testNumberId] },
        400,
        /^Default numbers are for testing only. Please provide a real phone number.$/,
      ],
    ];
    for (const [change, status, message] of cases) {
      const answer = await start(id, change);
      expect([answer.status, String(answer.body['message'])]).toEqual([
        status,
        expect.stringMatching(message),
      ]);
    }
    expect(said(await v2({ number_pool_id: newId() }))).toEqual([404, 'Number pool not found']);
    expect(await stateOf(api.db, id)).toBe('draft');
  });

  it('refuses a list that is not taken in, one that is over, and one whose end has passed', async () => {
    const messages = [];
    for (const state of ['verifying', 'failed', 'paused', 'completed', 'terminated'] as const) {
      messages.push(said(await start(await insertCampaign(api, tenant, agent, { state }))));
    }
    const late = await insertCampaign(api, tenant, agent, { endAt: new Date(api.clock.now()) });
    messages.push(said(await start(late)));
    expect(messages).toEqual([
      [400, 'The contact list of the campaign is still being verified'],
      [400, 'The contact list of the campaign was not accepted; upload it again'],
      [400, 'The campaign has already started'],
      [400, 'The campaign has already started'],
      [400, 'The campaign has already started'],
      [400, 'campaign_end_time of the campaign has passed'],
    ]);
  });

  it('needs one pulse for every contact: 402 changes nothing, and check-balance tells how much is missing', async () => {
    tenant = await createTenant(api, { credits: 2_999_999 });
    agent = await createTestAgent(api, tenant);
    const id = await insertCampaign(api, tenant, agent);
    expect((await start(id)).status).toBe(402);
    expect(await stateOf(api.db, id)).toBe('draft');
    const short = await ask('POST', `/campaign/check-balance/${id}`);
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
    await api.db
      .updateTable('workspaces')
      .set({ credits: 3_000_000 })
      .where('id', '=', tenant.workspaceId)
      .execute();
    const enough = await ask('POST', `/campaign/check-balance/${id}`);
    expect([enough.status, enough.body['sufficient_balance'], enough.body['required_credits']]).toEqual([
      200,
      true,
      3,
    ]);
    expect((await start(id)).status).toBe(200);
  });

  it('check-balance knows no other list, and none that is still read', async () => {
    const verifying = await insertCampaign(api, tenant, agent, { state: 'verifying' });
    expect(said(await ask('POST', `/campaign/check-balance/${verifying}`))[0]).toBe(400);
    expect(said(await ask('POST', `/campaign/check-balance/${newId()}`))).toEqual([
      404,
      'Campaign not found',
    ]);
  });

  it('has no large flow where it is switched off', async () => {
    tenant = await createTenant(api, { settings: { large_campaigns: false } });
    agent = await createTestAgent(api, tenant);
    const id = await insertCampaign(api, tenant, agent);
    const body = { agent_id: agent.agentId, bulk_list_id: id, from_numbers: [tenant.numberId] };
    expect((await ask('POST', '/campaign/make-call-async', body)).status).toBe(403);
    expect((await ask('POST', `/campaign/check-balance/${id}`)).status).toBe(403);
    expect((await start(id)).status).toBe(200);
  });

  it('replays a start under its Idempotency-Key', async () => {
    const id = await insertCampaign(api, tenant, agent);
    const send = (): Promise<Answer> =>
      api.request('POST', '/api/v0/campaign/start', {
        key: tenant.key,
        body: startBody(id),
        headers: { 'idempotency-key': 'start-1' },
      });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([200, 200, 'true']);
    expect(second.body).toEqual(first.body);
  });
});

describe('listing', () => {
  it('pages newest first, with counts unless they are declined', async () => {
    const ids = [];
    for (const name of ['A', 'B', 'C']) {
      api.clock.advance(1000);
      ids.unshift(await insertCampaign(api, tenant, agent, { name }));
    }
    const all = await ask('GET', '/campaign/all');
    const campaigns = all.body['campaigns'] as any[];
    expect(campaigns.map((campaign) => campaign.id)).toEqual(ids);
    expect(all.body['pagination']).toEqual({ total: 3, limit: 10, offset: 0 });
    expect(campaigns[0]).toMatchObject({
      name: 'C',
      campaign_status: 'draft',
      agent_id: agent.agentId,
      campaign_start_time: null,
      campaign_end_time: null,
      total_count: 3,
      registered_count: 3,
      ongoing_count: 0,
      retry_count: 0,
      completed_count: 0,
      failed_count: 0,
      cancelled_count: 0,
    });
    const page = await ask('GET', '/campaign/all?call_count=false&limit=1&offset=1');
    const listed = page.body['campaigns'] as any[];
    expect(listed.map((campaign) => campaign.name)).toEqual(['B']);
    expect(Object.keys(listed[0]).filter((key) => key.endsWith('_count'))).toEqual([]);
    expect((await ask('GET', '/campaign/all?limit=201')).status).toBe(400);
    expect((await ask('GET', '/campaign/all?limit=0')).status).toBe(422);
    expect((await ask('GET', '/campaign/all?call_count=maybe')).status).toBe(422);
  });

  it('shows nothing to another workspace and lets it do nothing', async () => {
    const id = await started();
    const stranger = await createTenant(api);
    const theirs = await createTestAgent(api, stranger);
    const key = stranger.key;
    const absent = newId();
    const probes: ['GET' | 'POST' | 'PATCH', (campaign: string) => string, (campaign: string) => unknown][] =
      [
        ['GET', (c) => `/campaign/${c}`, () => undefined],
        ['GET', (c) => `/campaign/${c}/report`, () => undefined],
        ['POST', (c) => `/campaign/check-balance/${c}`, () => undefined],
        [
          'POST',
          () => '/campaign/start',
          (c) => ({ agent_id: theirs.agentId, list_id: c, from_numbers: [stranger.numberId] }),
        ],
        ['PATCH', () => '/campaign/pause', (c) => ({ campaign_id: c })],
        ['PATCH', () => '/campaign/resume', (c) => ({ campaign_id: c })],
        ['PATCH', () => '/campaign/terminate', (c) => ({ campaign_id: c })],
        ['GET', (c) => `/dnc?campaign_id=${c}`, () => undefined],
        ['POST', () => '/dnc', (c) => ({ campaign_id: c, mobile_numbers: ['+12125550001'] })],
      ];
    for (const [method, path, body] of probes) {
      const [foreign, none] = [
        await ask(method, path(id), body(id), key),
        await ask(method, path(absent), body(absent), key),
      ];
      expect([method, path('x'), ...said(foreign)]).toEqual([method, path('x'), 404, 'Campaign not found']);
      expect(said(none)).toEqual(said(foreign));
    }
    expect((await ask('GET', '/campaign/all', undefined, key)).body['campaigns']).toEqual([]);
    expect(await stateOf(api.db, id)).toBe('scheduled');
  });
});

describe('pausing and resuming', () => {
  it('takes claims back, keeps live calls, and goes on where it was', async () => {
    const id = await started();
    const live = await claimContact(api, tenant, id, nodeId);
    await dialContact(api, live!);
    const claimed = await claimContact(api, tenant, id, nodeId, 1_000_000);
    const paused = await ask('PATCH', '/campaign/pause', { campaign_id: id });
    expect([paused.status, paused.body]).toEqual([
      200,
      { message: 'Campaign paused successfully', campaign_id: id, campaign_status: 'paused' },
    ]);
    expect(await recount(api.db, id)).toEqual({ ongoing: 1, registered: 2 });
    const call = await api.db
      .selectFrom('calls')
      .select(['attempt', 'reserved', 'status'])
      .where('id', '=', claimed!.callId)
      .executeTakeFirstOrThrow();
    expect(call).toEqual({ attempt: 0, reserved: 0, status: 'registered' });
    const workspace = await api.db
      .selectFrom('workspaces')
      .select('locked_credits')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(workspace.locked_credits).toBe(0);
    expect(await claimContact(api, tenant, id, nodeId)).toBeNull();
    expect((await campaignOf(id)).message).toBe('Paused by request');

    const resumed = await ask('PATCH', '/campaign/resume', { campaign_id: id });
    expect([resumed.status, resumed.body['campaign_status']]).toEqual([200, 'ongoing']);
    expect((await campaignOf(id)).message).toBeNull();
    expect(await claimContact(api, tenant, id, nodeId)).not.toBeNull();
  });

  it('pauses only what runs, resumes only what is held', async () => {
    const draft = await insertCampaign(api, tenant, agent);
    expect(said(await ask('PATCH', '/campaign/pause', { campaign_id: draft }))).toEqual([
      400,
      'The campaign has not started or is over',
    ]);
    const running = await started();
    expect(said(await ask('PATCH', '/campaign/resume', { campaign_id: running }))).toEqual([
      400,
      'The campaign is neither paused nor out of credits',
    ]);
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await ask('PATCH', '/campaign/pause', { campaign_id: running })).status).toBe(200);
    }
    expect((await ask('PATCH', '/campaign/resume', { campaign_id: running })).body['campaign_status']).toBe(
      'scheduled',
    );
    expect((await ask('PATCH', '/campaign/pause', {})).status).toBe(422);
  });

  it('an agent with a running campaign is not deleted; its unstarted lists go with it', async () => {
    const draft = await insertCampaign(api, tenant, agent);
    const id = await started();
    for (const state of ['scheduled', 'paused', 'insufficient_balance'] as const) {
      await api.db.updateTable('campaigns').set({ state }).where('id', '=', id).execute();
      expect((await ask('DELETE', `/agent/${agent.agentId}`)).status).toBe(409);
    }
    await ask('PATCH', '/campaign/terminate', { campaign_id: id });
    expect((await ask('DELETE', `/agent/${agent.agentId}`)).status).toBe(200);
    expect(await stateOf(api.db, draft)).toBe('terminated');
    expect(await recount(api.db, draft)).toEqual({ cancelled: 3 });
  });
});

describe('terminating', () => {
  const terminate = (body: unknown): Promise<Answer> => ask('PATCH', '/campaign/terminate', body);

  it('stops what waits and what is claimed, counts it, and lets live calls end without a retry', async () => {
    const id = await started({ contacts: 6 });
    const live = await claimContact(api, tenant, id, nodeId);
    await dialContact(api, live!);
    const again = await claimContact(api, tenant, id, nodeId);
    await dialContact(api, again!);
    await settleContact(api, again!, { kind: 'not_answered', failure: 'busy' });
    await claimContact(api, tenant, id, nodeId);
    expect(await recount(api.db, id)).toEqual({ ongoing: 2, retry: 1, registered: 3 });
    const answer = await terminate({ campaign_id: id });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Calls terminated successfully', terminated_count: 5 },
    ]);
    expect(await recount(api.db, id)).toEqual({ ongoing: 1, cancelled: 5 });
    expect(await campaignOf(id)).toMatchObject({
      campaign_status: 'terminated',
      cancelled_count: 5,
      ongoing_count: 1,
    });
    const settled = await settleContact(api, live!, { kind: 'not_answered', failure: 'busy' });
    expect(settled).toMatchObject({ status: 'failed', retryAt: null });
    expect(said(await terminate({ campaign_id: id }))).toEqual([200, 'Calls terminated successfully']);
  });

  it('ends a campaign in which nothing is left to stop, and leaves one that is over as it is', async () => {
    const id = await started({ contacts: 1 });
    const live = await claimContact(api, tenant, id, nodeId);
    await dialContact(api, live!);
    expect((await terminate({ campaign_id: id })).body['terminated_count']).toBe(0);
    expect(await stateOf(api.db, id)).toBe('terminated');
    const done = await insertCampaign(api, tenant, agent, { state: 'completed', contacts: 0 });
    expect((await terminate({ campaign_id: done })).status).toBe(200);
    expect(await stateOf(api.db, done)).toBe('completed');
    expect(said(await terminate({ campaign_id: newId() }))).toEqual([404, 'Campaign not found']);
  });

  it('ends an upload: its contacts never come in', async () => {
    const form = {
      file: 'Mobile Number,callee_name\r\n+14155550123,P\r\n',
      fields: { agent_id: agent.agentId },
    };
    const uploaded = await uploadList(api, 'upload-csv', tenant.key, form);
    const id = String(uploaded.body['bulk_list_id']);
    expect((await terminate({ campaign_id: id })).body['terminated_count']).toBe(0);
    const task = { workspaceId: tenant.workspaceId, uploadId: id, at: api.clock.now(), request: null };
    expect((await api.importer.run(task)).kind).toBe('not_ours');
    expect(await recount(api.db, id)).toEqual({});
    expect((await ask('GET', `/campaign/upload-status/${id}`)).body).toMatchObject({
      status: 'failed',
      message: 'Terminated by request',
    });
    expect(await stateOf(api.db, id)).toBe('terminated');
  });

  it('stops some numbers of a campaign, numbers everywhere, and all that an agent runs', async () => {
    const [one, two] = [await started(), await started()];
    const some = await terminate({ campaign_id: one, mobile_numbers: ['+12125550001', '+12125559999'] });
    expect(some.body['terminated_count']).toBe(1);
    expect(said(await terminate({ campaign_id: one, mobile_numbers: ['+12125550001'] }))).toEqual([
      400,
      'No queued or retry call is left to stop',
    ]);
    expect((await terminate({ mobile_numbers: ['+12125550001', '+12125550002'] })).body).toMatchObject({
      terminated_count: 3,
    });
    const draft = await insertCampaign(api, tenant, agent);
    expect((await terminate({ agent_id: agent.agentId })).body['terminated_count']).toBe(2);
    expect(await Promise.all([one, two, draft].map((id) => stateOf(api.db, id)))).toEqual([
      'terminated',
      'terminated',
      'draft',
    ]);
    expect((await terminate({ agent_id: agent.agentId })).status).toBe(400);
  });

  it('ends a large campaign by its state at once and its calls behind the answer', async () => {
    const id = await started({ contacts: 3000 });
    expect((await terminate({ campaign_id: id })).body['terminated_count']).toBe(3000);
    expect(await recount(api.db, id)).toEqual({ registered: 3000 });
    expect(await claimContact(api, tenant, id, nodeId)).toBeNull();
    while (await keep());
    expect(await recount(api.db, id)).toEqual({ cancelled: 3000 });
    expect(await campaignOf(id)).toMatchObject({ cancelled_count: 3000, registered_count: 0 });
  });
});

describe('a campaign’s own do-not-call list', () => {
  it('holds for its calls alone', async () => {
    const [one, two] = [await started(), await started()];
    const numbers = ['+12125550001', '+12125557777'];
    const added = await ask('POST', '/dnc', { campaign_id: one, mobile_numbers: numbers });
    expect(added.body).toMatchObject({ added_count: 2, cancelled_count: 1 });
    expect(await recount(api.db, one)).toEqual({ cancelled: 1, registered: 2 });
    expect(await recount(api.db, two)).toEqual({ registered: 3 });
    const listed = await ask('GET', `/dnc?campaign_id=${one}`);
    const found = (listed.body['numbers'] as { mobile_number: string }[]).map((n) => n.mobile_number);
    expect(found.sort()).toEqual(numbers);
    expect((await ask('GET', '/dnc')).body['total']).toBe(0);
    expect((await ask('GET', `/dnc?campaign_id=${two}`)).body['total']).toBe(0);
    const removed = await ask('DELETE', '/dnc', { campaign_id: one, mobile_numbers: numbers });
    expect(removed.body['removed_count']).toBe(2);
    expect((await ask('GET', `/dnc?campaign_id=${newId()}`)).status).toBe(404);
  });
});

describe('the report', () => {
  const report = (id: string): Promise<Answer> => ask('GET', `/campaign/${id}/report`);

  it('tells the outcome of every contact in the order of the list, formulas disarmed', async () => {
    const id = await started({
      contacts: [
        { args: { city: '=SUM(A1)', row: 'mine' } },
        { args: { city: 'Pune, "old"', row: 'mine' } },
        { args: { city: '', row: 'mine' } },
      ],
    });
    const first = await claimContact(api, tenant, id, nodeId);
    await dialContact(api, first!);
    await settleContact(api, first!, { kind: 'answered', reason: 'USER_LEFT' });
    const answer = await report(id);
    expect(answer.headers['content-type']).toContain('text/csv');
    const lines = answer.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe(
      'row,mobile_number,callee_name,call_id,call_status,call_sub_status,attempts,retry_count,from_number,last_dialed_at,answered_at,ended_at,next_attempt_at,call_duration,call_cost,hangup_by,recording_url,city,variable_row',
    );
    expect(lines[1]).toContain(`1,+12125550001,Callee 1,${first!.callId},completed,USER_LEFT,1,0,`);
    expect(lines[1]?.endsWith(",'=SUM(A1),mine")).toBe(true);
    expect(lines[2]).toMatch(/^2,\+12125550002,Callee 2,[\w-]+,registered,IN_DB,0,0,,/);
    expect(lines[2]?.endsWith(',"Pune, ""old""",mine')).toBe(true);
  });

  it('streams any number of contacts once at a time', async () => {
    const id = await started({ contacts: 1201 });
    const lines = (await report(id)).text.trimEnd().split('\r\n');
    expect(lines.slice(1).map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: 1201 }, (_, index) => index + 1),
    );
    await api.db
      .insertInto('history_exports')
      .values({
        workspace_id: tenant.workspaceId,
        filter_hash: await hashOf(id),
        token: newId(),
        beat_at: new Date(api.clock.now()),
      })
      .execute();
    expect(said(await report(id))).toEqual([409, 'The same campaign report is already running']);
    api.clock.advance(HOUR_MS);
    expect((await report(id)).status).toBe(200);
  });
});

async function hashOf(campaignId: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', Buffer.from(`campaign report ${campaignId}`));
  return Buffer.from(bytes).toString('hex');
}
