import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
});
afterAll(() => api?.close());

const send = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<any> =>
  api.request(method, `/api/v0${path}`, { key: tenant.key, ...(body === undefined ? {} : { body }) });

const place = (change: object = {}): Promise<any> =>
  send('POST', '/calling/outbound/individual', {
    name: 'Priya',
    mobile_number: '+14155550123',
    agent_id: agentId,
    from_number_id: tenant.numberId,
    ...change,
  });
const detailsOf = async (id: string): Promise<any> =>
  (await send('GET', `/calling/call-details?id=${id}`)).body.data;

describe('the number of a single call', () => {
  it.each([
    ['+44 20 7946 0958', '+442079460958'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['0044 20 7946 0958', '+442079460958'],
  ])('%s is dialled as %s', async (written, e164) => {
    const { status, body } = await place({ mobile_number: written });
    expect([status, body.data?.custom_args_values.mobile_number]).toEqual([200, e164]);
    expect((await detailsOf(body.data.call_id)).to_number).toBe(e164);
  });

  it('in national form is refused with the number that it means in the country of the caller numbers', async () => {
    await api.db
      .updateTable('numbers')
      .set({ number: '+442079460000' })
      .where('workspace_id', '=', tenant.workspaceId)
      .where('id', '=', tenant.numberId)
      .execute();
    const { status, body } = await place({ mobile_number: '020 7946 0958' });
    expect([status, body.suggestion]).toEqual([422, '+442079460958']);
    expect(body.message).toBe(
      'mobile_number must be a phone number in E.164 form with country code, such as +14155550100; did you mean +442079460958?',
    );
    const unknown = await place({ mobile_number: 'Priya' });
    expect([unknown.status, unknown.body.suggestion]).toEqual([422, undefined]);
  });

  it('is found by a filter whose plus the URL turned into a space', async () => {
    for (const written of ['+442079460958', '%2B442079460958', '442079460958', '%2B44%2020%207946%200958']) {
      const { body } = await send('GET', `/calling/history?to_number=${written}`);
      expect([written, body.total]).toEqual([written, 2]);
    }
  });
});

describe('a caller number', () => {
  it('is taken in E.164 form where an id is taken', async () => {
    const { number } = { number: '+44 20 7946 0000' };
    expect((await place({ from_number_id: number })).status).toBe(200);
    expect((await place({ from_number_id: undefined, from_number: number })).status).toBe(200);
    const pool = await send('POST', '/number-pool', { name: 'North', from_number_ids: [number] });
    expect(pool.status).toBe(200);
    const { number_pool_id: id, from_numbers: numbers } = pool.body.number_pool;
    expect(JSON.stringify(numbers ?? pool.body.number_pool)).toContain(tenant.numberId);
    const left = await send('DELETE', `/number-pool/${id ?? pool.body.number_pool.id}/members`, {
      from_number_ids: ['+442079460000'],
    });
    expect(left.status).toBe(200);
  });

  it('of an empty pool is refused as such', async () => {
    const pool = await send('POST', '/number-pool', { name: 'Empty' });
    const { number_pool_id: id = pool.body.number_pool.id } = pool.body.number_pool;
    const { status, body } = await send('POST', '/calling/v2/outbound/individual', {
      name: 'Priya',
      mobile_number: '+14155552671',
      agent_id: agentId,
      number_pool_id: id,
    });
    expect([status, body.code]).toEqual([400, 'POOL_WITHOUT_NUMBER']);
    expect(body.message).toMatch(/^The number pool is empty: add numbers/);
  });
});

describe('hanging up', () => {
  it('a call that waits to be dialled cancels it', async () => {
    const placed = await place({ mobile_number: '+14155552671' });
    const id = placed.body.data.call_id as string;
    const { status, body } = await send('POST', `/calling/${id}/hangup`);
    expect([status, body.message]).toEqual([200, 'The call was cancelled before it was dialled']);
    const call = await detailsOf(id);
    expect([call.call_status, call.call_sub_status]).toEqual(['cancelled', 'USER_TERMINATED']);
    expect(call.attempts).toEqual([]);
    const again = await send('POST', `/calling/${id}/hangup`);
    expect([again.status, again.body.code]).toEqual([400, 'CALL_NOT_LIVE']);
  });
});

it('the help of the command line never prints the API key', async () => {
  const key = 'cw_live_in_the_environment';
  for (const command of ['call', 'test', 'replay']) {
    const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', command, '--help'], {
      env: { ...process.env, CALLWRIGHT_API_KEY: key },
    });
    expect([command, stdout.includes(key), stdout.includes('CALLWRIGHT_API_KEY')]).toEqual([
      command,
      false,
      true,
    ]);
  }
});
