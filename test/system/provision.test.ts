import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSeal } from '../../src/shared/seal.ts';
import { parseProvision } from '../../src/domain/provision/provision-file.ts';
import { workspaceLimits } from '../../src/domain/workspaces/limits.ts';
import { provision, ProvisionFailure } from '../../src/domain/provision/provision.ts';
import { catalogue, createTestApi, promptBook, type TestApi } from '../helpers/api.ts';

let api: TestApi;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-provision-'));
});
beforeEach(async () => {
  await api?.close();
  api = await createTestApi();
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const seal = createSeal('the key of this test, long enough');
const apply = async (text: string | null): Promise<string[]> => {
  const path = join(folder, 'provision.yaml');
  if (text !== null) await writeFile(path, text);
  const deps = { db: api.db, clock: api.clock, voices: catalogue, prompts: promptBook, seal };
  return provision(deps, text === null ? null : path);
};
const keyIn = (lines: readonly string[]): string => /cw_live_\w+/.exec(lines.join('\n'))?.[0] ?? '';
const workspace = async (name: string) =>
  api.db.selectFrom('workspaces').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

const FILE = `
trunks:
  - { name: carrier, uri: "sip:sip.example.com;transport=tcp", username: u, password: p, register: true, max_calls: 30, calls_per_second: 5 }
workspaces:
  - name: Acme
    api_key: cw_live_0123456789abcdefghij
    credits: 1000
    call_limit: 50
    owner: { email: a@example.com, password: "a long secret" }
    numbers:
      - { number: "+14155550100", trunk: carrier, display_name: Main, is_test_number: false }
      - { number: "+14155550101", trunk: test }
  - name: Free
    credits: unlimited
`;

describe('the first start', () => {
  it('makes a workspace that can call at once, and prints its key once', async () => {
    const lines = await apply(null);
    const key = keyIn(lines);
    expect(key).toHaveLength(40);
    const info = await api.request('GET', '/api/v0/workspace', { key });
    expect(info.body['workspace_info']).toMatchObject({ unlimited: true, locked_credits: 0 });
    const agents = await api.request('GET', '/api/v0/agent/all', { key });
    const [agent] = (agents.body['data'] as { agents: { id: string; agent_type: string }[] }).agents;
    expect(agent?.agent_type).toBe('outbound_inbound');
    const numbers = await api.request('GET', '/api/v0/workspace/numbers', { key });
    const [number] = numbers.body['workspace_numbers'] as { id: string; is_test_number: boolean }[];
    expect(number?.is_test_number).toBe(false);
    const call = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key,
      body: { name: 'Priya', mobile_number: '+14155550199', agent_id: agent?.id, from_number_id: number?.id },
    });
    expect(call.body).toMatchObject({ status: 'success', data: { call_sub_status: 'QUEUED' } });
    expect(await apply(null)).toEqual([]);
  });

  it('happens once though two processes start together', async () => {
    const both = await Promise.all([apply(null), apply(null)]);
    expect(both.filter((lines) => lines.length > 0)).toHaveLength(1);
    expect(await api.db.selectFrom('workspaces').select('id').execute()).toHaveLength(1);
  });
});

describe('a provision file', () => {
  it('makes what it declares, and applying it again changes nothing', async () => {
    const lines = await apply(FILE);
    expect(lines.join('\n')).toContain('of Free');
    expect(lines.join('\n')).not.toContain('cw_live_0123456789abcdefghij');
    const free = keyIn(lines);
    expect((await api.request('GET', '/api/v0/workspace', { key: free })).status).toBe(200);
    const acme = await workspace('Acme');
    expect(acme).toMatchObject({ credits: 1_000_000_000, unlimited: false, call_limit: 50 });
    const trunk = await api.db
      .selectFrom('trunks')
      .selectAll()
      .where('name', '=', 'carrier')
      .executeTakeFirstOrThrow();
    expect(trunk.settings).toMatchObject({
      kind: 'sip',
      uri: 'sip:sip.example.com;transport=tcp',
      register: true,
      max_calls: 30,
      calls_per_second: 5,
      transport: 'tcp',
    });
    const user = await api.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(user.password_hash).toMatch(/^\$argon2id\$/);
    expect(await verify(user.password_hash, 'a long secret')).toBe(true);
    const snapshot = async (): Promise<unknown[]> =>
      Promise.all(
        (['trunks', 'numbers', 'users', 'memberships', 'api_keys', 'workspaces'] as const).map((table) =>
          api.db.selectFrom(table).selectAll().execute(),
        ),
      );
    const before = await snapshot();
    expect(await apply(FILE)).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });

  it('does not refill what was spent, and moves a balance by what the file changes', async () => {
    await apply(FILE);
    await api.db.updateTable('workspaces').set({ credits: 400_000_000 }).where('name', '=', 'Acme').execute();
    await apply(FILE);
    expect((await workspace('Acme')).credits).toBe(400_000_000);
    await apply(FILE.replace('credits: 1000', 'credits: 1500'));
    expect((await workspace('Acme')).credits).toBe(900_000_000);
  });

  it('updates what has the same name and leaves the rest alone', async () => {
    await apply(FILE);
    const before = await workspace('Acme');
    const lines = await apply(`
workspaces:
  - name: Acme
    api_key: 6f1c9f6a-53c4-4a0e-9d8a-5f2c44b0c1aa
    call_limit: 7
    owner: { email: A@Example.com, password: "another secret" }
    numbers: [{ number: "+14155550100", trunk: test }]
`);
    expect(lines).toEqual([]);
    expect(await workspace('Acme')).toMatchObject({ id: before.id, credits: before.credits, call_limit: 7 });
    expect(
      (await api.request('GET', '/api/v0/workspace', { key: 'cw_live_0123456789abcdefghij' })).status,
    ).toBe(401);
    const key = '6f1c9f6a-53c4-4a0e-9d8a-5f2c44b0c1aa';
    const numbers = await api.request('GET', '/api/v0/workspace/numbers', { key });
    expect(numbers.body['workspace_numbers']).toMatchObject([
      { number: '+14155550100', display_name: 'Main', provider: 'test' },
      { number: '+14155550101' },
    ]);
    const users = await api.db.selectFrom('users').selectAll().execute();
    expect(users).toHaveLength(1);
    expect(await verify(users[0]!.password_hash, 'another secret')).toBe(true);
  });

  it('keeps what a workspace may dial, and refuses limits that mean nothing', async () => {
    const limits = {
      allowed_destinations: ['+1', 'IN'],
      denied_destinations: ['+1900'],
      destination_calls: { '+91': 20, US: 5 },
      callee_frequency: { attempts: 3, hours: 24 },
      number_rest: { attempts: 60, share: 0.4, minutes: 45 },
    };
    const file = (of: object): string => JSON.stringify({ workspaces: [{ name: 'Acme', limits: of }] });
    await apply(file(limits));
    const { settings } = await workspace('Acme');
    expect(settings).toMatchObject({ limits });
    expect(workspaceLimits(settings)).toEqual({
      allowed: ['+1', 'IN'],
      denied: ['+1900'],
      destinations: [
        { to: 'US', concurrent: 5 },
        { to: '+91', concurrent: 20 },
      ],
      calleeFrequency: { attempts: 3, hours: 24 },
      numberRest: { attempts: 60, share: 0.4, minutes: 45 },
    });
    for (const wrong of [
      { allowed_destinations: ['91'] },
      { denied_destinations: ['India'] },
      { destination_calls: { '0044': 1 } },
      { destination_calls: { IN: -1 } },
      { callee_frequency: { attempts: 0, hours: 24 } },
      { callee_frequency: { attempts: 1 } },
      { number_rest: { share: 2 } },
      { per_callee: 1 },
    ]) {
      const parsed = parseProvision(file(wrong));
      expect([wrong, parsed.ok ? '' : parsed.problems[0]]).toEqual([
        wrong,
        expect.stringMatching(/^workspaces\[0\]\.limits/),
      ]);
    }
  });

  it('lists what the database refuses, and then changes nothing at all', async () => {
    await apply(FILE);
    const failed = apply(`
workspaces:
  - name: Second
    api_key: cw_live_0123456789abcdefghij
    numbers:
      - { number: "+14155550100", trunk: carrier }
      - { number: "+14155550103", trunk: nowhere }
`);
    await expect(failed).rejects.toThrow(ProvisionFailure);
    await expect(failed).rejects.toMatchObject({
      problems: [
        'workspaces[0].api_key belongs to another workspace',
        'workspaces[0].numbers[0] is a number of another workspace on the same trunk',
        'workspaces[0].numbers[1].trunk nowhere is not declared',
      ],
    });
    expect(
      await api.db.selectFrom('workspaces').select('name').where('name', '=', 'Second').execute(),
    ).toEqual([]);
  });

  it('says when it cannot be read', async () => {
    const deps = { db: api.db, clock: api.clock, voices: catalogue, prompts: promptBook, seal };
    await expect(provision(deps, join(folder, 'absent.yaml'))).rejects.toThrow(/it cannot be read/);
  });
});

describe('parseProvision', () => {
  it('takes YAML, JSON and nothing', () => {
    expect(parseProvision('')).toEqual({ ok: true, plan: { trunks: [], workspaces: [] } });
    expect(parseProvision('{"workspaces":[{"name":"A"}]}')).toMatchObject({ ok: true });
    expect(parseProvision(FILE)).toMatchObject({ ok: true });
  });

  it('lists every problem with its path', () => {
    const parsed = parseProvision(`
trunks:
  - { name: test, uri: "sip:x" }
  - { name: a, uri: "sips:x.example" }
  - { name: a, uri: "http://x", register: true, max_calls: 0 }
  - { uri: "sip:x;transport=tls" }
workspaces:
  - { name: A, api_key: short, credits: plenty, limit: 3 }
`);
    expect(parsed).toEqual({
      ok: false,
      problems: [
        'trunks[2].max_calls must be at least 1',
        'trunks[3].name is required',
        'workspaces[0].limit is not a known field',
        'workspaces[0].api_key must be 16 to 256 visible ASCII characters',
        'workspaces[0].credits must be a number from 0 to 1000000000, or unlimited',
      ],
    });
    const crossed = parseProvision(`
trunks:
  - { name: test, uri: "sip:x.example" }
  - { name: a, uri: "sips:x.example" }
  - { name: a, uri: "http://x", register: true }
workspaces:
  - { name: A, api_key: 0123456789abcdef, numbers: [{ number: "4155550100", trunk: a }] }
  - { name: A, api_key: 0123456789abcdef, numbers: [{ number: "+14155550100", trunk: a }, { number: "+14155550100", trunk: a }] }
`);
    expect(crossed.ok ? [] : crossed.problems).toEqual([
      'trunks[0].name test is the built-in test carrier',
      'trunks[1].uri asks for TLS, which is not part of this version',
      'trunks[2].name repeats the name of trunks[1].name',
      'trunks[2].uri must be a SIP URI such as sip:sip.example.com;transport=udp',
      'trunks[2].username is required when register is true',
      'workspaces[0].numbers[0].number must be in E.164 form, such as +14155550100',
      'workspaces[1].name repeats the name of workspaces[0].name',
      'workspaces[1].api_key repeats the key of workspaces[0].api_key',
      'workspaces[1].numbers[1] repeats the number of workspaces[1].numbers[0]',
      'workspaces[1].numbers[1] repeats the number and trunk of workspaces[1].numbers[0]',
    ]);
  });

  it('names the line of a text that is no YAML, and takes bombs and noise without failing', () => {
    expect(parseProvision('a: 1\nb: [')).toEqual({
      ok: false,
      problems: [expect.stringMatching(/^file is not valid YAML or JSON \(line \d\)$/)],
    });
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
      .split('')
      .map((c, i) => `${c}: &${c} [${`*${'abcdefghij'[i]},`.repeat(9)}]`)
      .join('\n')}`;
    expect(parseProvision(bomb).ok).toBe(false);
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => {
        expect(typeof parseProvision(text).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });
});
