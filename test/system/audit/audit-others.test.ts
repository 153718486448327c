import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provision } from '../../../src/domain/provision/provision.ts';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { replaceKey } from '../../../src/store/tenants/keys.ts';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import { catalogue, createTenant, createTestApi, promptBook, type TestApi } from '../../helpers/api/api.ts';

// Changes to a workspace by actors other than its own key.
let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await createTestApi();
  folder = await mkdtemp(join(tmpdir(), 'callwright-audit-'));
});
afterAll(async () => {
  await api?.close();
  await rm(folder, { recursive: true });
});

const entriesOf = async (key: string): Promise<any[]> => {
  const { body } = await api.request('GET', '/api/v0/workspace/audit-log', { key });
  return body['entries'] as any[];
};

describe('a parent’s change to child workspaces', () => {
  it('is in both logs, without the siblings of the child', async () => {
    const parent = await createTenant(api, { credits: 100_000_000 });
    const send = (method: 'POST' | 'PATCH', path: string, body: unknown) =>
      api.request(method, `/api/v0/workspace/sub${path}`, { key: parent.key, body });
    const made = async (name: string) => {
      const { body } = await send('POST', '', { name });
      const { id } = body['sub_workspace'] as { id: string };
      const key = newApiKey();
      await replaceKey(api.db, id, storedForm(key), new Date(api.clock.now()));
      return { id, key };
    };
    const [one, two] = [await made('One'), await made('Two')];
    expect((await send('PATCH', `/${one.id}/concurrency`, { concurrency: 2 })).status).toBe(200);
    const both = { allocations: { [one.id]: 3, [two.id.toUpperCase()]: 4 } };
    expect((await send('PATCH', '/credit-balances', both)).status).toBe(200);
    // Refused requests are not entered in a child's log.
    expect((await send('PATCH', '/credit-balances', { allocations: { [one.id]: 1000 } })).status).toBe(400);

    const actor = { type: 'api_key', name: `cw_live_…${parent.key.slice(-4)}` };
    const objects = (id: string) => ({ workspace_id: id, parent_workspace_id: parent.workspaceId });
    const ofOne = await entriesOf(one.key);
    expect(ofOne).toMatchObject(
      ['allocateCredits', 'setSubWorkspaceConcurrency', 'createSubWorkspace'].map((action) => ({
        action,
        actor,
        status: 200,
      })),
    );
    for (const entry of ofOne) expect(entry.objects).toEqual(objects(one.id));
    expect((await entriesOf(two.key)).map(({ action, objects: about }) => [action, about])).toEqual([
      ['allocateCredits', objects(two.id)],
      ['createSubWorkspace', objects(two.id)],
    ]);
    const ofParent = await entriesOf(parent.key);
    expect(ofParent.map(({ action, status }) => [action, status])).toEqual([
      ['allocateCredits', 400],
      ['allocateCredits', 200],
      ['setSubWorkspaceConcurrency', 200],
      ['createSubWorkspace', 200],
      ['createSubWorkspace', 200],
    ]);
    expect(ofParent[1].objects.workspace_ids).toEqual([one.id, two.id]);
    expect(ofParent[1].request_id).toBe(ofOne[0].request_id);
  });

  it('is not in the log of a foreign workspace', async () => {
    const parent = await createTenant(api, { credits: 100_000_000 });
    const stranger = await createTenant(api);
    const { key } = parent;
    const path = `/api/v0/workspace/sub/${stranger.workspaceId}/concurrency`;
    expect((await api.request('PATCH', path, { key, body: { concurrency: 1 } })).status).toBe(404);
    expect(await entriesOf(stranger.key)).toEqual([]);
    expect(await entriesOf(key)).toMatchObject([{ action: 'setSubWorkspaceConcurrency', status: 404 }]);
  });
});

describe('a change by the provision file', () => {
  const vendors = { operator: NO_OPERATOR_PROVIDERS, guard: new AddressGuard({ allow: [] }) };
  const KEYS = { Acme: 'cw_live_0123456789abcdefghij', Bolt: 'cw_live_abcdefghij0123456789' };
  const start = async (acme: string): Promise<void> => {
    const path = join(folder, 'provision.yaml');
    await writeFile(
      path,
      `workspaces:
  - { name: Acme, api_key: ${KEYS.Acme}, ${acme} }
  - { name: Bolt, api_key: ${KEYS.Bolt}, credits: unlimited, owner: { email: b@example.com, password: "a long secret" } }
`,
    );
    const seal = createSeal('the key of this test, long enough');
    await provision(
      { db: api.db, clock: api.clock, voices: catalogue, prompts: promptBook, seal, ...vendors },
      path,
    );
  };
  const changed = async (name: keyof typeof KEYS) =>
    (await entriesOf(KEYS[name])).map(({ objects }) => objects.changed);

  it('is in the workspace’s log with the changed parts; nothing without a change', async () => {
    await start('credits: 10');
    expect(await entriesOf(KEYS.Acme)).toMatchObject([
      { action: 'provision', actor: { type: 'operator', name: '' }, route: 'PROVISION_FILE', address: null },
    ]);
    expect([await changed('Acme'), await changed('Bolt')]).toEqual([
      [['settings', 'credits', 'api_key']],
      [['settings', 'credits', 'api_key', 'owner']],
    ]);
    await start('credits: 10');
    expect([(await changed('Acme')).length, (await changed('Bolt')).length]).toEqual([1, 1]);
    await start('credits: 20, numbers: [{ number: "+14155550101", trunk: test }]');
    await start('credits: 20, call_limit: 3, numbers: [{ number: "+14155550101", trunk: test }]');
    expect(await changed('Acme')).toEqual([
      ['settings'],
      ['credits', 'numbers'],
      ['settings', 'credits', 'api_key'],
    ]);
    expect(await changed('Bolt')).toHaveLength(1);
    const text = JSON.stringify([await entriesOf(KEYS.Acme), await entriesOf(KEYS.Bolt)]);
    for (const secret of [KEYS.Acme, '+14155550101', 'b@example.com']) expect(text).not.toContain(secret);
  });

  it('is in the log after the first start', async () => {
    const fresh = await createTestApi();
    try {
      const seal = createSeal('the key of this test, long enough');
      const deps = {
        db: fresh.db,
        clock: fresh.clock,
        voices: catalogue,
        prompts: promptBook,
        seal,
        ...vendors,
      };
      const [line = ''] = await provision(deps, null);
      const key = /cw_live_\w+/.exec(line)?.[0] ?? '';
      const { body } = await fresh.request('GET', '/api/v0/workspace/audit-log', { key });
      expect(body['entries']).toMatchObject([{ action: 'provision', actor: { type: 'operator' } }]);
    } finally {
      await fresh.close();
    }
  });
});
