import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reloadProvision } from '../../../src/app/reload.ts';
import { provision } from '../../../src/domain/provision/provision.ts';
import { workspaceLimits } from '../../../src/domain/workspaces/limits.ts';
import { findWorkspace } from '../../../src/store/tenants/workspaces.ts';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  catalogue,
  createTestAgent,
  createTestApi,
  promptBook,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';

const KEY = 'cw_live_0123456789abcdefghij';
let api: TestApi;
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-provision-'));
  file = join(folder, 'provision.yaml');
});
beforeEach(async () => {
  await api?.close();
  api = await createTestApi();
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const deps = () => ({
  db: api.db,
  clock: api.clock,
  voices: catalogue,
  prompts: promptBook,
  seal: TEST_SEAL,
  operator: operatorWith({}),
  guard: new AddressGuard({ allow: [] }),
});
const fileWith = (more: string): string => `workspaces:\n  - name: Acme\n    api_key: ${KEY}\n    ${more}\n`;
const apply = async (more: string): Promise<string[]> => {
  await writeFile(file, fileWith(more));
  return provision(deps(), file);
};
const workspace = (name: string) =>
  api.db.selectFrom('workspaces').selectAll().where('name', '=', name).executeTakeFirstOrThrow();
/** What holds for a workspace, also through its parent. */
async function terms(name: string) {
  const { id } = await workspace(name);
  const row = await findWorkspace(api.db, id);
  return {
    unlimited: row?.unlimited,
    callLimit: row?.callLimit,
    limits: workspaceLimits(row?.settings ?? {}),
  };
}
const sub = (method: 'GET' | 'POST', path = '', body?: object) =>
  api.request(method, `/api/v0/workspace/sub${path}`, { key: KEY, ...(body === undefined ? {} : { body }) });
const numbersOf = async (workspaceId: string): Promise<string[]> =>
  (await api.db.selectFrom('numbers').select('number').where('workspace_id', '=', workspaceId).execute()).map(
    ({ number }) => number,
  );

describe('children that the API made', () => {
  it('without own terms get the credits, limits and concurrency that the parent is given later', async () => {
    await apply('credits: 100');
    await sub('POST', '', { name: 'Client A' });
    expect(await terms('Client A')).toMatchObject({ unlimited: false });
    await apply('credits: unlimited\n    call_limit: 40\n    limits: { denied_destinations: ["+44"] }');
    expect(await terms('Client A')).toMatchObject({
      unlimited: true,
      callLimit: null,
      limits: { denied: ['+44'] },
    });
    const { body } = await sub('GET');
    expect(body['sub_workspaces']).toMatchObject([{ unlimited: true, concurrency: 40 }]);
    const { id } = await workspace('Client A');
    const audited = api.db.selectFrom('audit_log').select('objects').where('action', '=', 'provision');
    expect(await audited.where('workspace_id', '=', id).execute()).toMatchObject([
      { objects: { workspace_id: id, changed: ['settings'] } },
    ]);
    await apply('credits: 100\n    limits: {}');
    expect(await terms('Client A')).toMatchObject({ unlimited: false, limits: { denied: [] } });
  });

  it('keep the numbers that were moved to them, although the file declares them for the parent', async () => {
    const numbers = 'numbers: [{ number: "+14155550100", trunk: test }]';
    await apply(numbers);
    const made = await sub('POST', '', { name: 'Client A' });
    const { id } = made.body['sub_workspace'] as { id: string };
    const { id: numberId } = await api.db.selectFrom('numbers').select('id').executeTakeFirstOrThrow();
    expect((await sub('POST', `/${id}/numbers`, { from_number_ids: [numberId] })).status).toBe(200);
    await apply(numbers);
    expect(await numbersOf(id)).toEqual(['+14155550100']);
    await expect(apply(`${numbers}\n  - { name: Client A, credits: 1 }`)).rejects.toThrow(
      'workspaces[1].name is the name of a child workspace of Acme: declare it under children of Acme, or choose another name',
    );
    expect(await api.db.selectFrom('workspaces').select('name').execute()).toHaveLength(2);
  });
});

describe('children of the provision file', () => {
  const CHILDREN = `credits: 100
    call_limit: 10
    limits: { denied_destinations: ["+44"] }
    numbers: [{ number: "+14155550100", trunk: test }, { number: "+14155550101", trunk: test }]
    children:
      - name: Client A
        credits: 30
        call_limit: 4
        limits: {}
        owner: { email: a@example.com, password: "a long secret" }
        numbers: [{ number: "+14155550102", trunk: test }]
      - { name: Client B, api_key: cw_live_childchildchildchild }`;

  it('are made with their terms, key, numbers and owner, and the same file changes nothing more', async () => {
    const lines = await apply(CHILDREN);
    expect(lines).toEqual([expect.stringContaining('(of Client A; shown only this once)')]);
    const [parent, a, b] = [
      await workspace('Acme'),
      await workspace('Client A'),
      await workspace('Client B'),
    ];
    expect([parent.credits, a.credits, b.credits]).toEqual([70_000_000, 30_000_000, 0]);
    expect(a).toMatchObject({ parent_id: parent.id, call_limit: 4, settings: { limits: {} } });
    expect(await terms('Client A')).toMatchObject({ limits: { denied: ['+44'] } });
    expect(b).toMatchObject({ parent_id: parent.id, call_limit: null });
    expect(await terms('Client B')).toMatchObject({ limits: { denied: ['+44'] } });
    expect(await numbersOf(a.id)).toEqual(['+14155550102']);
    const entries = () =>
      api.db.selectFrom('audit_log').select('id').where('action', '=', 'provision').execute();
    const before = (await entries()).length;
    expect(before).toBe(3);
    expect(await apply(CHILDREN)).toEqual([]);
    expect(await entries()).toHaveLength(before);
    const own = await api.request('GET', '/api/v0/workspace', { key: 'cw_live_childchildchildchild' });
    expect(own.body['workspace_info']).toMatchObject({ id: b.id, name: 'Client B' });
  });

  it('follow a reload: own terms that the entry no longer has narrow no more', async () => {
    await apply(CHILDREN);
    const { id } = await workspace('Client A');
    const changed = CHILDREN.replace('        limits: {}\n', '')
      .replace('credits: 30', 'credits: 20')
      .replace(
        'numbers: [{ number: "+14155550102", trunk: test }]',
        'numbers: [{ number: "+14155550100", trunk: test }]',
      )
      .replace('numbers: [{ number: "+14155550100", trunk: test }, {', 'numbers: [{');
    await writeFile(file, fileWith(changed));
    expect(await reloadProvision(file, deps(), silentLog)).toEqual({ newKeys: [], lines: [], first: null });
    expect(await workspace('Client A')).toMatchObject({
      id,
      credits: 20_000_000,
    });
    expect(await terms('Client A')).toMatchObject({ limits: { denied: ['+44'] } });
    expect((await workspace('Acme')).credits).toBe(80_000_000);
    expect((await numbersOf(id)).toSorted()).toEqual(['+14155550100', '+14155550102']);
  });

  it('get no more credits and calls than the parent has, and no number that an agent of the parent uses', async () => {
    await apply('credits: 100\n    numbers: [{ number: "+14155550100", trunk: test }]');
    const tenant = { key: KEY } as Tenant;
    const { agentId } = await createTestAgent(api, tenant, { agent_type: 'inbound', agent_name: 'Desk' });
    await api.db.updateTable('numbers').set({ inbound_agent_id: agentId }).execute();
    const refused = apply(`credits: 100
    children:
      - name: Client A
        credits: 101
        call_limit: 11
        numbers: [{ number: "+14155550100", trunk: test }]`);
    await expect(refused).rejects.toMatchObject({
      problems: [
        'workspaces[0].children[0].call_limit must be at most 10, the concurrency that its parent has left',
        'workspaces[0].children[0].credits needs 101 more of its parent, which has 100 left',
        'workspaces[0].children[0].numbers[0] cannot be moved from the parent: the agent Desk takes its calls; detach it first',
      ],
    });
    expect(await api.db.selectFrom('workspaces').select('name').execute()).toHaveLength(1);
  });

  it('that the parent archived are left alone, and the start says so', async () => {
    await apply(CHILDREN);
    const { id } = await workspace('Client A');
    expect((await sub('POST', `/${id}/archive`)).status).toBe(200);
    expect(await apply(CHILDREN)).toEqual([
      expect.stringContaining('Client A of Acme: its entry changes nothing until it is restored'),
    ]);
    expect((await workspace('Acme')).credits).toBe(100_000_000);
    expect((await sub('POST', `/${id}/restore`)).status).toBe(200);
    expect(await apply(CHILDREN)).toEqual([expect.stringContaining('(of Client A; shown only this once)')]);
    expect(await workspace('Client A')).toMatchObject({ credits: 30_000_000, call_limit: 4 });
    expect(await numbersOf(id)).toEqual(['+14155550102']);
  });
});
