import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import {
  minimalAgent,
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
let versionId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId, versionId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());

const place = (
  change: Record<string, unknown> = {},
  who = tenant,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  api.request('POST', '/api/v0/calling/outbound/individual', {
    key: who.key,
    body: {
      name: 'Priya',
      mobile_number: '+14155550002',
      agent_id: agentId,
      from_number_id: tenant.numberId,
      ...change,
    },
    headers,
  });
const rowOf = (callId: string) =>
  api.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
const callIdOf = (answer: Answer): string => (answer.body['data'] as { call_id: string }).call_id;
const countCalls = async (workspaceId: string): Promise<number> => {
  const rows = await api.db
    .selectFrom('calls')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute();
  return rows.length;
};

describe('POST /calling/outbound/individual', () => {
  it('answers shape A, queues the call and wakes the dialer', async () => {
    const before = api.notified();
    const answer = await place({ custom_args_values: { day: 'Tuesday' } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      data: {
        call_id: callIdOf(answer),
        call_direction: 'outbound',
        call_status: 'registered',
        call_sub_status: 'QUEUED',
        initiated_at: '2026-01-05T10:00:00.000Z',
        agent_id: agentId,
        custom_args_values: { day: 'Tuesday', mobile_number: '+14155550002' },
        next_attempt_at: '2026-01-05T10:00:00.000Z',
        calling_window: expect.objectContaining({ is_open: true }),
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'VARIABLE_UNKNOWN' })]),
      },
      message: 'Call initiated successfully',
    });
    expect(api.notified()).toBe(before + 1);
    expect(await rowOf(callIdOf(answer))).toMatchObject({
      workspace_id: tenant.workspaceId,
      version_id: versionId,
      number_id: tenant.numberId,
      from_number: tenant.number,
      to_number: '+14155550002',
      callee_name: 'Priya',
      args: { callee_name: 'Priya', day: 'Tuesday', mobile_number: '+14155550002' },
      call_config: null,
      status: 'registered',
      sub_status: 'QUEUED',
      next_attempt_at: new Date(api.clock.now()),
    });
    const workspace = await api.db
      .selectFrom('workspaces')
      .select('next_due_at')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    expect(workspace.next_due_at).toEqual(new Date(api.clock.now()));
  });

  it('accepts from_number, and prefers a sent callee_name to name', async () => {
    const answer = await place({
      from_number_id: undefined,
      from_number: tenant.number,
      custom_args_values: { callee_name: 'Ms Rao', mobile_number: '+1900' },
    });
    expect(answer.status).toBe(200);
    expect((await rowOf(callIdOf(answer))).args).toEqual({
      callee_name: 'Ms Rao',
      mobile_number: '+14155550002',
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ name: undefined }, 'name is required'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 5 }, 'name must be a string'],
    [{ mobile_number: undefined }, 'mobile_number is required'],
    [{ mobile_number: 14155550002 }, 'mobile_number must be a string'],
    [{ mobile_number: '4155550002' }, 'mobile_number must be a phone number in E.164 form'],
    [{ mobile_number: '+19005551234' }, 'mobile_number is a premium'],
    [{ mobile_number: '+911' }, 'mobile_number must be a phone number in E.164 form'],
    [{ mobile_number: '+15550000002' }, 'mobile_number is not a valid phone number'],
    [{ agent_id: undefined }, 'agent_id is required'],
    [{ agent_id: {} }, 'agent_id must be a string'],
    [{ from_number: '+14155550001' }, 'Provide either from_number_id or from_number, not both'],
    [{ from_number_id: undefined }, 'Provide either from_number_id or from_number'],
    [{ from_number_id: 5 }, 'from_number_id must be a string'],
    [{ custom_args_values: 'x' }, 'custom_args_values must be an object'],
    [{ custom_args_values: { day: 5 } }, 'custom_args_values.day must be a string'],
    [{ custom_args_values: { day: 'x'.repeat(1001) } }, 'custom_args_values.day must be at most 1000'],
    [{ custom_args_values: { '': 'x' } }, 'custom_args_values has a key that is empty'],
    [{ callback_url: 'https://example.com' }, 'callback_url is not a known field'],
    [{ call_confg: {} }, 'call_confg is not a known field'],
    [{ call_config: { max_call_length: 60 } }, 'call_config.max_call_length is not a known field'],
    [
      { call_config: { call_time: { call_start_time: '9:00' } } },
      'call_config.call_time.call_start_time must be HH:MM, 24-hour, zero-padded',
    ],
    [
      { call_config: { call_time: { timezone: 'PST' } } },
      'call_config.call_time.timezone must be an IANA zone',
    ],
    [
      { call_config: { call_retry_config: { retry_count: 11 } } },
      'call_config.call_retry_config.retry_count must be at most 10',
    ],
    [
      { call_config: { call_retry_config: { retry_count: -1 } } },
      'call_config.call_retry_config.retry_count must be at least 0',
    ],
    [
      { call_config: { call_retry_config: { retry_busy: 10_081 } } },
      'call_config.call_retry_config.retry_busy must be at most 10080',
    ],
    [
      { call_config: { call_retry_config: { retry_failed: 1.5 } } },
      'call_config.call_retry_config.retry_failed must be an integer',
    ],
    [
      { call_config: { call_retry_config: { retries: 1 } } },
      'call_config.call_retry_config.retries is not a known field',
    ],
  ])('422 for %j: %s', async (change, message) => {
    const before = await countCalls(tenant.workspaceId);
    const answer = await place(change);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
    expect(await countCalls(tenant.workspaceId)).toBe(before);
  });

  it('stores call_config unchanged', async () => {
    const call_config = {
      call_time: { call_end_time: '23:00' },
      call_retry_config: { retry_count: 10, retry_busy: 0, retry_not_picked: 10_080, retry_failed: 5 },
    };
    expect((await rowOf(callIdOf(await place({ call_config })))).call_config).toEqual(call_config);
  });

  it('checks the agent, then the number, then the balance', async () => {
    const poor = await createTenant(api, { credits: 999_999 });
    const own = await createTestAgent(api, poor);
    const inbound = await createTestAgent(api, poor, { agent_type: 'inbound' });
    const body = { agent_id: own.agentId, from_number_id: poor.numberId };
    expect((await place({ ...body, name: 5, agent_id: newId() }, poor)).status).toBe(422);
    const noAgent = await place({ ...body, agent_id: newId(), from_number_id: newId() }, poor);
    expect([noAgent.status, noAgent.body['message']]).toEqual([404, 'Agent not found']);
    const wrongAgent = await place({ ...body, agent_id: inbound.agentId }, poor);
    expect([wrongAgent.status, wrongAgent.body['code']]).toEqual([400, 'AGENT_NOT_OUTBOUND']);
    const testNumber = await place({ ...body, from_number_id: poor.testNumberId }, poor);
    expect([testNumber.status, testNumber.body['message']]).toEqual([
      400,
      'Default numbers are for testing only. Please provide a real phone number.',
    ]);
    const foreign = await place({ ...body, from_number_id: tenant.numberId }, poor);
    const unknown = await place({ ...body, from_number_id: newId() }, poor);
    expect(foreign.status).toBe(400);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    const short = await place(body, poor);
    expect([short.status, short.body['message']]).toEqual([
      402,
      'Your current balance is insufficient to initiate this call!',
    ]);
    expect(await countCalls(poor.workspaceId)).toBe(0);
  });

  it('accepts a call if the unlocked balance covers exactly one pulse, or billing is off', async () => {
    const exact = await createTenant(api, { credits: 1_000_000 });
    const agent = await createTestAgent(api, exact);
    const body = { agent_id: agent.agentId, from_number_id: exact.numberId };
    expect((await place(body, exact)).status).toBe(200);
    await api.db
      .updateTable('workspaces')
      .set({ locked_credits: 1 })
      .where('id', '=', exact.workspaceId)
      .execute();
    expect((await place(body, exact)).status).toBe(402);
    await api.db
      .updateTable('workspaces')
      .set({ unlimited: true })
      .where('id', '=', exact.workspaceId)
      .execute();
    expect((await place(body, exact)).status).toBe(200);
  });

  it('waits for the calling window: the agent’s, overridden key by key by the call’s', async () => {
    // 10:00 UTC is 15:30 in Kolkata.
    const late = await place({ call_config: { call_time: { call_start_time: '16:00' } } });
    expect(late.body).toMatchObject({
      data: { call_status: 'registered', call_sub_status: 'WINDOW_CLOSED' },
    });
    expect(await rowOf(callIdOf(late))).toMatchObject({
      sub_status: 'WINDOW_CLOSED',
      next_attempt_at: new Date('2026-01-05T10:30:00.000Z'),
    });
    const over = await place({
      call_config: { call_time: { call_start_time: '09:00', call_end_time: '15:30' } },
    });
    expect((await rowOf(callIdOf(over))).next_attempt_at).toEqual(new Date('2026-01-06T03:30:00.000Z'));
    const elsewhere = await place({ call_config: { call_time: { timezone: 'America/New_York' } } });
    expect((await rowOf(callIdOf(elsewhere))).next_attempt_at).toEqual(new Date('2026-01-05T14:00:00.000Z'));
    const night = await place({
      call_config: { call_time: { call_start_time: '15:00', call_end_time: '06:00' } },
    });
    expect((await rowOf(callIdOf(night))).sub_status).toBe('QUEUED');
  });

  it('dials numbers outside the numbering plan through the test carrier only, and premium numbers only where allowed', async () => {
    const playing = await createTenant(api, { trunkKind: 'test', settings: { allow_premium_numbers: true } });
    const agent = await createTestAgent(api, playing);
    const body = { agent_id: agent.agentId, from_number_id: playing.numberId };
    expect((await place({ ...body, mobile_number: '+15550000002' }, playing)).status).toBe(200);
    expect((await place({ ...body, mobile_number: '+19005551234' }, playing)).status).toBe(200);
    expect((await place({ ...body, mobile_number: '+1911' }, playing)).status).toBe(422);
  });

  it('returns 400 for a caller number without a trunk', async () => {
    const loose = await createTenant(api);
    const agent = await createTestAgent(api, loose);
    await api.db.updateTable('numbers').set({ trunk_id: null }).where('id', '=', loose.numberId).execute();
    const answer = await place({ agent_id: agent.agentId, from_number_id: loose.numberId }, loose);
    expect([answer.status, answer.body['code']]).toEqual([400, 'NUMBER_WITHOUT_TRUNK']);
  });
});

describe('Idempotency-Key', () => {
  it('replays the first answer for the same key and body', async () => {
    const before = await countCalls(tenant.workspaceId);
    const first = await place({}, tenant, { 'idempotency-key': 'k1' });
    const second = await place({}, tenant, { 'idempotency-key': 'k1' });
    expect(first.status).toBe(200);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(await countCalls(tenant.workspaceId)).toBe(before + 1);
  });

  it('compares bodies regardless of the order of keys', async () => {
    const body = {
      name: 'P',
      mobile_number: '+14155550002',
      agent_id: agentId,
      from_number_id: tenant.numberId,
    };
    const send = (raw: string): Promise<Answer> =>
      api.request('POST', '/api/v0/calling/outbound/individual', {
        key: tenant.key,
        raw,
        headers: { 'idempotency-key': 'order' },
      });
    const first = await send(JSON.stringify(body));
    const second = await send(JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 2));
    expect(second.body).toEqual(first.body);
  });

  it('places one call for concurrent requests; the others get 409 or the same answer', async () => {
    const before = await countCalls(tenant.workspaceId);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => place({}, tenant, { 'idempotency-key': 'burst' })),
    );
    expect(answers.every((a) => a.status === 200 || a.status === 409)).toBe(true);
    expect(new Set(answers.filter((a) => a.status === 200).map(callIdOf)).size).toBe(1);
    expect(await countCalls(tenant.workspaceId)).toBe(before + 1);
  });

  it('answers 422 for another body; keys are scoped by route and workspace', async () => {
    await place({}, tenant, { 'idempotency-key': 'k2' });
    const other = await place({ name: 'Other' }, tenant, { 'idempotency-key': 'k2' });
    expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const stranger = await createTenant(api);
    const theirs = await createTestAgent(api, stranger);
    const free = await place({ agent_id: theirs.agentId, from_number_id: stranger.numberId }, stranger, {
      'idempotency-key': 'k2',
    });
    expect(free.status).toBe(200);
  });

  it('replays refusals but not validation failures', async () => {
    const key = { 'idempotency-key': 'k3' };
    expect((await place({ mobile_number: '+19005551234' }, tenant, key)).status).toBe(422);
    expect((await place({ name: 5 }, tenant, key)).status).toBe(422);
    const refused = await place({ agent_id: newId() }, tenant, key);
    expect(refused.status).toBe(404);
    expect((await place({}, tenant, key)).status).toBe(422);
    const poor = await createTenant(api, { credits: 0 });
    const agent = await createTestAgent(api, poor);
    const body = { agent_id: agent.agentId, from_number_id: poor.numberId };
    const first = await place(body, poor, { 'idempotency-key': 'k4' });
    const second = await place(body, poor, { 'idempotency-key': 'k4' });
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([402, 402, 'true']);
    expect(second.body).toEqual(first.body);
  });

  it('expires after 24 hours', async () => {
    const key = { 'idempotency-key': 'k5' };
    const first = await place({}, tenant, key);
    api.clock.advance(24 * 3_600_000 + 1);
    const second = await place({}, tenant, key);
    expect(second.headers['idempotency-replayed']).toBeUndefined();
    expect(callIdOf(second)).not.toBe(callIdOf(first));
  });

  it('reclaims a key whose request died before its change', async () => {
    const probe = await place({}, tenant, { 'idempotency-key': 'dead' });
    expect(probe.status).toBe(200);
    await api.db
      .updateTable('idempotency_keys')
      .set({ status: null, response: null })
      .where('key', '=', 'dead')
      .execute();
    expect((await place({}, tenant, { 'idempotency-key': 'dead' })).status).toBe(409);
    api.clock.advance(120_000);
    expect((await place({}, tenant, { 'idempotency-key': 'dead' })).status).toBe(200);
  });

  it('has a maximum length, and works for creating agents', async () => {
    expect((await place({}, tenant, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(200);
    const long = await place({}, tenant, { 'idempotency-key': 'x'.repeat(256) });
    expect([long.status, String(long.body['message'])]).toEqual([
      422,
      'Idempotency-Key must be 1 to 255 characters long',
    ]);
    const create = (): Promise<Answer> =>
      api.request('POST', '/api/v0/public/agent', {
        key: tenant.key,
        body: minimalAgent(),
        headers: { 'idempotency-key': 'agent' },
      });
    const [first, second] = [await create(), await create()];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });
});

describe('POST /calling/{call_id}/hangup', () => {
  it('hangs up live calls, and of the own workspace only', async () => {
    const callId = callIdOf(await place());
    const hangUp = (id: string, key = tenant.key): Promise<Answer> =>
      api.request('POST', `/api/v0/calling/${id}/hangup`, { key });
    await api.db.updateTable('calls').set({ status: 'ongoing' }).where('id', '=', callId).execute();
    const answer = await hangUp(callId);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ status: 'success', data: { call_id: callId } });
    expect(api.hungUp).toEqual([callId]);
    const stranger = await createTenant(api);
    for (const [id, key] of [
      [callId, stranger.key],
      [newId(), tenant.key],
      ['x', tenant.key],
    ] as const) {
      const missing = await hangUp(id, key);
      expect([missing.status, missing.body['message']]).toEqual([404, 'Call not found']);
    }
    expect(api.hungUp).toEqual([callId]);
  });
});
