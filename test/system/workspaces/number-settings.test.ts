import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { newId } from '../../../src/shared/ids.ts';
import { makeOperator } from '../../../src/store/tenants/users.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';

const NUMBERS = '/api/v0/workspace/numbers';
const NEW = '+14155550177';

let api: TestApi;
let tenant: Tenant;
let other: Tenant;
let operator: Browser;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  other = await createTenant(api);
  const member = await signedIn(api, tenant.workspaceId, 'viewer');
  await makeOperator(api.db as never, member.person.userId);
  operator = member;
  operator.workspaceId = null;
  for (const name of ['carrier', 'spare']) {
    const uri = `sip:${name}.example.com`;
    await operator.request('PUT', `/api/v0/workspace/trunks/${name}`, { uri });
  }
});
afterAll(() => api?.close());

const pathOf = (number: string): string => `${NUMBERS}/${encodeURIComponent(number)}`;
const save = (number: string, body: object, workspaceId = tenant.workspaceId) =>
  operator.request('PUT', pathOf(number), { workspace_id: workspaceId, ...body });
const remove = (number: string, workspaceId = tenant.workspaceId) =>
  operator.request('DELETE', `${pathOf(number)}?workspace_id=${workspaceId}`);
const list = async (workspaceId = tenant.workspaceId): Promise<any[]> => {
  const answer = await operator.request('GET', `${NUMBERS}/settings?workspace_id=${workspaceId}`);
  expect(answer.status).toBe(200);
  return answer.body['numbers'] as unknown[];
};
const settingsOf = async (number: string) => (await list()).find((each) => each.number === number);

describe('numbers that an operator saves', () => {
  it('are added to a workspace, keep what a change leaves out, and move to another trunk', async () => {
    const added = await save(NEW, { trunk: 'carrier', display_name: 'Front desk', call_limit: 3 });
    expect([added.status, added.body['number']]).toEqual([
      200,
      expect.objectContaining({
        number: NEW,
        trunk: 'carrier',
        display_name: 'Front desk',
        call_limit: 3,
        is_test_number: false,
        from_file: false,
      }),
    ]);
    const { from_number_id: id } = await settingsOf(NEW);
    expect((await save(NEW, { trunk: 'spare' })).status).toBe(200);
    expect(await settingsOf(NEW)).toMatchObject({ from_number_id: id, trunk: 'spare', call_limit: 3 });
    expect((await save(NEW, { trunk: 'spare', call_limit: null, is_test_number: true })).status).toBe(200);
    expect(await settingsOf(NEW)).toMatchObject({ call_limit: null, is_test_number: true });
    const shown = await api.request('GET', NUMBERS, { key: tenant.key });
    expect(shown.body['workspace_numbers']).toContainEqual(
      expect.objectContaining({ id, number: NEW, provider: 'spare', display_name: 'Front desk' }),
    );
    expect(await settingsOf(NEW)).toMatchObject({ purpose: null });
    expect((await save(NEW, { trunk: 'spare', purpose: 'service' })).status).toBe(200);
    expect(await settingsOf(NEW)).toMatchObject({ purpose: 'service', is_test_number: true });
    expect((await list(other.workspaceId)).map(({ number }) => number)).not.toContain(NEW);
  });

  it('open the country of a carrier’s number to a closed workspace, and close it with the last one', async () => {
    const id = newId();
    await sql`insert into workspaces (id, name, settings, created_at, updated_at)
      values (${id}, 'Closed', '{"closed_destinations": true}', now(), now())`.execute(api.db);
    const home = async () => {
      const { rows } = await sql<{ home: string[] }>`
        select settings -> 'home_countries' as home from workspaces where id = ${id}`.execute(api.db);
      return rows[0]?.home;
    };
    expect((await save('+919812345678', { trunk: 'carrier' }, id)).status).toBe(200);
    expect(await home()).toEqual(['IN']);
    expect((await remove('+919812345678', id)).status).toBe(200);
    expect(await home()).toEqual([]);
  });

  it('are refused on an unknown trunk, in another form, and when another workspace has them', async () => {
    const unknown = await save('+14155550178', { trunk: 'none' });
    expect([unknown.status, unknown.body['errors']]).toEqual([
      422,
      [{ field: 'trunk', message: 'must be the name of a trunk of this installation' }],
    ]);
    const series = await save('+911401234567', { trunk: 'carrier', purpose: 'service' });
    expect([series.status, series.body['message']]).toEqual([
      422,
      'purpose cannot be service: +911401234567 is in the series 140, which is for promotional calls, not for service ones',
    ]);
    expect((await save('4155550178', { trunk: 'carrier' })).status).toBe(422);
    expect((await save('+14155550179', { trunk: 'carrier' }, other.workspaceId)).status).toBe(200);
    const taken = await save('+14155550179', { trunk: 'carrier' });
    expect([taken.status, taken.body['code']]).toEqual([409, 'NUMBER_TAKEN']);
    expect((await save('+14155550179', { trunk: 'spare' })).status).toBe(200);
    const nowhere = await save('+14155550178', { trunk: 'carrier' }, newId());
    expect([nowhere.status, nowhere.body['code']]).toEqual([404, 'WORKSPACE_NOT_FOUND']);
  });

  it('are removed once no agent takes their calls; their calls stay', async () => {
    const number = '+14155550180';
    await save(number, { trunk: 'carrier' });
    const { from_number_id: id } = await settingsOf(number);
    const { agentId } = await createTestAgent(api, tenant, { agent_type: 'inbound' });
    const edit = (operation: string) =>
      api.request('PATCH', '/api/v0/agent/v1', {
        key: tenant.key,
        body: { operation, agent_id: agentId, number_id: id },
      });
    expect((await edit('attach_inbound_number')).status).toBe(200);
    const used = await remove(number);
    expect([used.status, used.body['code']]).toEqual([409, 'NUMBER_IN_USE']);
    expect(used.body['message']).toContain('cannot be removed: the agent');
    expect((await edit('remove_inbound_number')).status).toBe(200);
    const removed = await remove(number);
    expect([removed.status, removed.body['from_number_id']]).toEqual([200, id]);
    expect(await settingsOf(number)).toBeUndefined();
    const again = await remove(number);
    expect([again.status, again.body['code']]).toEqual([404, 'NUMBER_NOT_FOUND']);
  });

  it('are noted in the audit log of their workspace, and customers neither see nor change them', async () => {
    const owner = await signedIn(api, other.workspaceId, 'owner');
    await save('+14155550181', { trunk: 'spare' }, other.workspaceId);
    await remove('+14155550181', other.workspaceId);
    const log = await owner.request('GET', '/api/v0/workspace/audit-log');
    const actions = (log.body['entries'] as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['account.number_saved', 'account.number_removed']));
    for (const [method, path] of [
      ['GET', `${NUMBERS}/settings?workspace_id=${other.workspaceId}`],
      ['PUT', pathOf(NEW)],
      ['DELETE', `${pathOf(NEW)}?workspace_id=${other.workspaceId}`],
    ] as const) {
      const body = method === 'PUT' ? { workspace_id: other.workspaceId, trunk: 'spare' } : undefined;
      const answer = await owner.request(method, path, body);
      expect([answer.status, answer.body['code']]).toEqual([403, 'OPERATORS_ONLY']);
    }
  });
});
