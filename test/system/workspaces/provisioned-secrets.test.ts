import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { reloadProvision } from '../../../src/app/reload.ts';
import { provision, type ProvisionDeps } from '../../../src/domain/provision/provision.ts';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { catalogue, createTestApi, promptBook, TEST_SEAL, type TestApi } from '../../helpers/api/api.ts';
import { Browser } from '../../helpers/browser/browser.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';

let api: TestApi;
let file: string;
beforeAll(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'callwright-secrets-')), 'provision.yaml');
});
beforeEach(async () => {
  await api?.close();
  api = await createTestApi();
});
afterAll(async () => {
  await api.close();
  await rm(join(file, '..'), { recursive: true });
});

const [LEAKED, NEXT] = ['cw_live_0123456789abcdefghij', 'cw_live_abcdefghij0123456789'];
const EMAIL = 'a@example.com';
const declared = (key: string, password = 'the first password'): string =>
  JSON.stringify({ workspaces: [{ name: 'Acme', api_key: key, owner: { email: EMAIL, password } }] });
const deps = (): ProvisionDeps => ({
  db: api.db,
  clock: api.clock,
  voices: catalogue,
  prompts: promptBook,
  seal: TEST_SEAL,
  operator: operatorWith({}),
  guard: new AddressGuard({ allow: [] }),
});
const start = async (text: string): Promise<string[]> => {
  await writeFile(file, text);
  return provision(deps(), file);
};
const reload = async (text: string): Promise<void> => {
  await writeFile(file, text);
  expect(await reloadProvision(file, deps(), silentLog)).not.toBeNull();
};
const opens = async (key: string): Promise<boolean> =>
  (await api.request('GET', '/api/v0/workspace', { key })).status === 200;
const owner = async (password: string): Promise<Browser | null> => {
  const browser = new Browser(api);
  if ((await browser.signIn(EMAIL, { password })).status !== 200) return null;
  const { body } = await browser.readSession();
  browser.workspaceId = (body['workspaces'] as { id: string }[])[0]?.id ?? null;
  return browser;
};

it('a key that was replaced in the dashboard survives restart and SIGHUP, until the file has another one', async () => {
  await start(declared(LEAKED));
  const browser = await owner('the first password');
  const made = await browser!.request('POST', '/dashboard-api/api-key', { workspace_name: 'Acme' });
  const key = String(made.body['api_key']);
  for (const again of [start, reload]) {
    await again(declared(LEAKED));
    expect([await opens(LEAKED), await opens(key)]).toEqual([false, true]);
  }
  await start(declared(NEXT));
  expect([await opens(key), await opens(NEXT)]).toEqual([false, true]);
  await start(declared(LEAKED));
  expect([await opens(NEXT), await opens(LEAKED)]).toEqual([false, true]);
});

it('a password that was changed in the dashboard survives restart and SIGHUP, until the file has another one', async () => {
  await start(declared(LEAKED));
  const browser = await owner('the first password');
  const change = { password: 'the first password', new_password: 'the second password' };
  expect((await browser!.request('PATCH', '/dashboard-api/password', change)).status).toBe(200);
  for (const again of [start, reload]) {
    await again(declared(LEAKED));
    expect(await owner('the first password')).toBeNull();
    expect(await owner('the second password')).not.toBeNull();
  }
  await start(declared(LEAKED, 'the third password'));
  expect((await browser!.readSession()).status).toBe(401);
  expect(await owner('the second password')).toBeNull();
  expect(await owner('the third password')).not.toBeNull();
});

it('an owner who was removed in the dashboard does not come back with a restart', async () => {
  await start(declared(LEAKED));
  const { id: workspaceId } = await api.db.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  await api.db.deleteFrom('memberships').where('workspace_id', '=', workspaceId).execute();
  await start(declared(LEAKED));
  expect(await api.db.selectFrom('memberships').selectAll().execute()).toEqual([]);
});

it('the first start after the upgrade keeps what was replaced before, and says so', async () => {
  await start(declared(LEAKED));
  const browser = await owner('the first password');
  const made = await browser!.request('POST', '/dashboard-api/api-key', { workspace_name: 'Acme' });
  await api.db.updateTable('provisioned_secrets').set({ hash: null }).execute();
  const lines = await start(declared(LEAKED));
  expect(lines).toEqual([expect.stringContaining('the key of Acme: it differs')]);
  expect([await opens(LEAKED), await opens(String(made.body['api_key']))]).toEqual([false, true]);
  expect(await start(declared(LEAKED))).toEqual([]);
  await start(declared(NEXT));
  expect(await opens(NEXT)).toBe(true);
});
