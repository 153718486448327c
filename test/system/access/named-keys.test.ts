import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';

let api: TestApi;
let tenant: Tenant;
let owner: Browser;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  owner = await signedIn(api, tenant.workspaceId);
});
afterAll(() => api?.close());

const make = (body: object) =>
  owner.request('POST', '/dashboard-api/keys', { scopes: ['calls:read'], ...body });
const read = async (key: string, path = '/calling/history', address = '192.0.2.1') => {
  const { status, body } = await api.request('GET', `/api/v0${path}`, { key, address });
  return [status, body['code']];
};

it('a named key is shown once, kept as a hash, and does what its scopes say and no more', async () => {
  const made = await make({ name: 'CRM' });
  expect(made.status).toBe(200);
  const key = String(made.body['api_key']);
  expect(key).toMatch(/^cw_key_\w{32}$/);
  expect(await read(key)).toEqual([200, undefined]);
  expect(await read(key, '/agent/all')).toEqual([403, 'SCOPE_MISSING']);
  expect(await read(tenant.key, '/agent/all')).toEqual([200, undefined]);
  const list = await owner.request('GET', '/dashboard-api/keys');
  expect(list.text).not.toContain(key);
  expect((list.body['keys'] as object[]).at(-1)).toMatchObject({
    name: 'CRM',
    scopes: ['calls:read'],
    prefix: 'cw_key_',
    last_four: key.slice(-4),
    expires_at: null,
    allowed_addresses: null,
  });
  const stored = await api.db.selectFrom('api_keys').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(key);
  const log = await owner.request('GET', '/api/v0/workspace/audit-log?action=makeKey');
  expect(log.text).not.toContain(key);
});

it('a key is replaced without an outage: the old one works until it is revoked', async () => {
  const [old, next] = [await make({ name: 'Old' }), await make({ name: 'Next' })];
  const [before, after] = [String(old.body['api_key']), String(next.body['api_key'])];
  expect([await read(before), await read(after)]).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
  expect((await owner.request('DELETE', `/dashboard-api/keys/${String(old.body['id'])}`)).status).toBe(200);
  expect([await read(before), await read(after)]).toEqual([
    [401, 'INVALID_CREDENTIALS'],
    [200, undefined],
  ]);
  expect((await owner.request('DELETE', `/dashboard-api/keys/${String(old.body['id'])}`)).status).toBe(404);
});

it('a key ends with its last day', async () => {
  const day = new Date(api.clock.now()).toISOString().slice(0, 10);
  const made = await make({ name: 'Until tonight', expires_at: day });
  const key = String(made.body['api_key']);
  expect(await read(key)).toEqual([200, undefined]);
  api.clock.advance(Date.parse(`${day}T23:59:59.999Z`) - api.clock.now());
  expect(await read(key)).toEqual([200, undefined]);
  api.clock.advance(1);
  expect(await read(key)).toEqual([401, 'INVALID_CREDENTIALS']);
});

it('a key works from its addresses only', async () => {
  const made = await make({ name: 'Office', allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'] });
  const key = String(made.body['api_key']);
  expect(await read(key, '/calling/history', '203.0.113.9')).toEqual([200, undefined]);
  expect(await read(key, '/calling/history', '2001:db8::7')).toEqual([200, undefined]);
  expect(await read(key, '/calling/history', '192.0.2.1')).toEqual([403, 'KEY_ADDRESS']);
});

it.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'A', scopes: [] }, 'scopes'],
  [{ name: 'A', scopes: ['everything'] }, 'scopes[0]'],
  [{ name: 'A', expires_at: '2020-01-01' }, 'expires_at'],
  [{ name: 'A', expires_at: 'soon' }, 'expires_at'],
  [{ name: 'A', allowed_addresses: ['example.com'] }, 'allowed_addresses[0]'],
])('a key is refused with the field and the rule: %j', async (body, field) => {
  const refused = await make(body);
  expect(refused.status).toBe(422);
  expect((refused.body['errors'] as { field: string }[]).map((each) => each.field)).toContain(field);
});

it('two keys of one workspace have different names, and a manager sees none', async () => {
  expect((await make({ name: 'Twice' })).status).toBe(200);
  const again = await make({ name: 'twice' });
  expect([again.status, again.body['code']]).toEqual([409, 'KEY_NAME_TAKEN']);
  const manager = await signedIn(api, tenant.workspaceId, 'manager');
  expect((await manager.request('GET', '/dashboard-api/keys')).body['code']).toBe('ROLE_TOO_LOW');
});

it('the key of the workspace neither erases nor reads secrets nor sets rules', async () => {
  for (const [method, path, scope] of [
    ['POST', '/calling/erase', 'privacy:write'],
    ['PATCH', '/workspace/retention', 'privacy:write'],
    ['GET', '/webhooks/signing-secret', 'secrets:read'],
    ['POST', '/webhooks/signing-secret/rotate', 'secrets:write'],
    ['PATCH', '/workspace/settings', 'config:write'],
  ] as const) {
    const headers = { 'x-api-key': tenant.key };
    const refused = await api.request(method, `/api/v0${path}`, {
      headers,
      ...(method === 'GET' ? {} : { body: {} }),
    });
    expect([refused.status, refused.body['code']]).toEqual([403, 'SCOPE_MISSING']);
    expect(refused.body['message']).toContain(scope);
  }
});
