import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAgent, minimalAgent, type Answer } from '../../helpers/api/api.ts';
import { createHome, type Home } from '../../helpers/api/workspace-api.ts';

// The clock is 10:00 UTC on Monday 5 January 2026.
let home: Home;
beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.api.close());

const agentWith = async (callTime: object): Promise<string> =>
  (await createTestAgent(home.api, home.tenant, { call_config: { call_time: callTime } })).agentId;

const edit = (agentId: string, callTime: object): Promise<Answer> =>
  home.api.request('PATCH', '/api/v0/agent/v1', {
    key: home.tenant.key,
    body: { operation: 'edit_call_config', agent_id: agentId, call_config: { call_time: callTime } },
  });

async function shown(agentId: string): Promise<unknown> {
  const answer = await home.api.request('GET', `/api/v0/agent/${agentId}`, { key: home.tenant.key });
  const { version_details } = answer.body['agents'] as {
    version_details: Record<string, { call_config: { call_time: unknown } }>;
  };
  return Object.values(version_details)[0]?.call_config.call_time;
}

const place = (agentId: string, callTime: object | null, to = '+14155550123'): Promise<Answer> =>
  home.api.request('POST', '/api/v0/calling/outbound/individual', {
    key: home.tenant.key,
    body: {
      name: 'Priya',
      mobile_number: to,
      agent_id: agentId,
      from_number_id: home.tenant.numberId,
      ...(callTime === null ? {} : { call_config: { call_time: callTime } }),
    },
  });

/** The due time of a placed call. */
async function due(agentId: string, callTime: object | null, to?: string): Promise<string | undefined> {
  const answer = await place(agentId, callTime, to);
  const { call_id } = answer.body['data'] as { call_id: string };
  const call = await home.api.db
    .selectFrom('calls')
    .select('next_attempt_at')
    .where('id', '=', call_id)
    .executeTakeFirst();
  return call?.next_attempt_at?.toISOString();
}

describe('days and slots', () => {
  const slots = [
    { start: '09:30', end: '12:30' },
    { start: '15:00', end: '19:00' },
  ];
  it('are stored, returned and merged key by key', async () => {
    const agentId = await agentWith({ slots, days: ['tue', 'mon'] });
    const whole = {
      call_start_time: '09:00',
      call_end_time: '21:00',
      timezone: 'Asia/Kolkata',
      days: ['tue', 'mon'],
      slots,
      use_callee_timezone: false,
    };
    expect(await shown(agentId)).toEqual(whole);
    expect((await edit(agentId, { timezone: 'Etc/UTC' })).status).toBe(200);
    expect(await shown(agentId)).toEqual({ ...whole, timezone: 'Etc/UTC' });
    expect((await edit(agentId, whole)).status).toBe(200);
    expect(await shown(agentId)).toEqual(whole);
    // A start replaces the slots; days are independent.
    expect((await edit(agentId, { call_start_time: '10:00', days: null })).status).toBe(200);
    expect(await shown(agentId)).toEqual({ ...whole, call_start_time: '10:00', slots: null, days: null });
  });
  it('set when a call is due; the call’s override the agent’s', async () => {
    const agentId = await agentWith({ slots, days: ['mon', 'tue'], timezone: 'Etc/UTC' });
    expect(await due(agentId, null)).toBe('2026-01-05T10:00:00.000Z');
    expect(await due(agentId, { days: ['wed'] })).toBe('2026-01-07T09:30:00.000Z');
    expect(await due(agentId, { slots: [{ start: '11:00', end: '11:30' }] })).toBe(
      '2026-01-05T11:00:00.000Z',
    );
    expect(await due(agentId, { call_start_time: '20:00', call_end_time: '22:00' })).toBe(
      '2026-01-05T20:00:00.000Z',
    );
    expect(await due(agentId, { days: ['tue'], slots: null, call_start_time: '07:00' })).toBe(
      '2026-01-06T07:00:00.000Z',
    );
  });
  it.each([
    [{ days: [] }, 'call_config.call_time.days'],
    [{ days: ['monday'] }, 'call_config.call_time.days[0]'],
    [{ days: ['mon', 'mon'] }, 'call_config.call_time.days'],
    [{ days: 'mon' }, 'call_config.call_time.days'],
    [{ slots: [] }, 'call_config.call_time.slots'],
    [{ slots: [{ start: '9:00', end: '10:00' }] }, 'call_config.call_time.slots[0].start must be HH:MM'],
    [{ slots: [{ start: '09:00' }] }, 'call_config.call_time.slots[0].end is required'],
    [{ slots: [{ start: '09:00', end: '10:00', on: 'mon' }] }, 'call_config.call_time.slots[0].on'],
    [{ slots: Array.from({ length: 11 }, () => slots[0]) }, 'call_config.call_time.slots'],
    [{ use_callee_timezone: 'yes' }, 'call_config.call_time.use_callee_timezone must be a boolean'],
    [{ use_callee_timezone: null }, 'call_config.call_time.use_callee_timezone'],
  ])('%j is rejected by create, edit and call', async (callTime, message) => {
    const agentId = await agentWith({});
    const answers = [
      await home.api.request('POST', '/api/v0/public/agent', {
        key: home.tenant.key,
        body: { ...minimalAgent(), call_config: { call_time: callTime } },
      }),
      await edit(agentId, callTime),
      await place(agentId, callTime),
    ];
    for (const { status, body } of answers) {
      expect({ status, message: body['message'] }).toEqual({
        status: 422,
        message: expect.stringContaining(message),
      });
    }
  });
});

describe('the callee’s time zone', () => {
  it('follows the number: New York opens before Los Angeles', async () => {
    const agentId = await agentWith({ use_callee_timezone: true });
    expect(await due(agentId, null, '+919812345678')).toBe('2026-01-05T10:00:00.000Z');
    expect(await due(agentId, null, '+12125550123')).toBe('2026-01-05T14:00:00.000Z');
    expect(await due(agentId, null, '+14155550123')).toBe('2026-01-05T17:00:00.000Z');
    expect(await due(agentId, { use_callee_timezone: false }, '+14155550123')).toBe(
      '2026-01-05T10:00:00.000Z',
    );
  });
  it('requires the window to be open in every possible zone of a mobile number', async () => {
    const agentId = await agentWith({ use_callee_timezone: true });
    expect(await due(agentId, null, '+79161234567')).toBe('2026-01-06T07:00:00.000Z');
    const short = { call_start_time: '10:00', call_end_time: '12:00' };
    const { status, body } = await place(agentId, short, '+79161234567');
    expect({ status, message: body['message'] }).toEqual({
      status: 422,
      message: 'call_config.call_time is never open in every time zone that mobile_number may be in',
    });
  });
});
