import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { createHoldings, type Holdings } from '../../helpers/api/owned-objects.ts';
import { makeKey } from '../../helpers/api/principals.ts';

const MINUTE = 60_000;

let api: TestApi;
let tenant: Tenant;
let held: Holdings;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  held = await createHoldings(api, tenant);
});
afterAll(() => api?.close());

it('the verify token of a WhatsApp number is hidden from viewers and keys that only read', async () => {
  const path = '/api/v0/whatsapp/numbers';
  const tokenIn = ({ body }: { body: Record<string, unknown> }): unknown =>
    (body['whatsapp_numbers'] as { id: string; verify_token: string | null }[]).find(
      ({ id }) => id === held.whatsappNumber,
    )?.verify_token;
  const [viewer, manager] = [
    await signedIn(api, tenant.workspaceId, 'viewer'),
    await signedIn(api, tenant.workspaceId, 'manager'),
  ];
  const reading = await makeKey(api, tenant, ['numbers:read']);
  expect(tokenIn(await viewer.request('GET', path))).toBeNull();
  expect(tokenIn(await api.request('GET', path, { key: reading.key }))).toBeNull();
  expect(tokenIn(await manager.request('GET', path))).toBe(held.whatsappNumber);
  expect(tokenIn(await api.request('GET', path, { key: tenant.key }))).toBe(held.whatsappNumber);
});

it('a member who leaves keeps no recording: the links that they read end within half an hour', async () => {
  const manager = await signedIn(api, tenant.workspaceId, 'manager');
  const path = `/api/v0/calling/call-details?id=${held.call}`;
  const linkIn = (text: string): string => /\/recordings\/[\w.-]+/.exec(text)?.[0] ?? 'none';
  const theirs = linkIn((await manager.request('GET', path)).text);
  const ofKey = linkIn((await api.request('GET', path, { key: tenant.key })).text);
  const open = async (link: string): Promise<number> =>
    (await api.request('GET', link, { key: null })).status;
  expect([await open(theirs), await open(ofKey)]).toEqual([200, 200]);
  api.clock.advance(30 * MINUTE);
  expect([await open(theirs), await open(ofKey)]).toEqual([410, 200]);
});
