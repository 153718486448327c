import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reloadProvision } from '../../../src/app/reload.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { parseProvision } from '../../../src/domain/provision/provision-file.ts';
import { workspaceLimits } from '../../../src/domain/workspaces/limits.ts';
import { provision, ProvisionFailure } from '../../../src/domain/provision/provision.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { listTrunks } from '../../../src/store/numbers/trunks.ts';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';
import {
  catalogue,
  createTestAgent,
  createTestApi,
  promptBook,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { listWhatsappNumbers } from '../../../src/store/chats/whatsapp-numbers.ts';

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

const vendors = {
  operator: operatorWith({ deepgram: { baseUrl: 'https://api.deepgram.com' } }),
  guard: new AddressGuard({ allow: [] }),
};
const seal = createSeal('the key of this test, long enough');
const apply = async (text: string | null): Promise<string[]> => {
  const path = join(folder, 'provision.yaml');
  if (text !== null) await writeFile(path, text);
  const deps = { db: api.db, clock: api.clock, voices: catalogue, prompts: promptBook, seal, ...vendors };
  return provision(deps, text === null ? null : path);
};
const keyIn = (lines: readonly string[]): string => /cw_live_\w+/.exec(lines.join('\n'))?.[0] ?? '';
const workspace = async (name: string) =>
  api.db.selectFrom('workspaces').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

const WHATSAPP = `
workspaces:
  - name: Acme
    api_key: cw_live_0123456789abcdefghij
    whatsapp_numbers:
      - { agent: Reception, phone_number_id: "106540352242922", number: "+15550783881", access_token: TOKEN, app_secret: s }
`;

describe('a WhatsApp number of the provision file', () => {
  it('waits for its agent, keeps its address over later starts, and follows a new token', async () => {
    expect(await apply(WHATSAPP.replace('TOKEN', 'one'))).toEqual([
      expect.stringContaining('+15550783881 of Acme waits for a WhatsApp agent of the name Reception'),
    ]);
    const tenant = { key: 'cw_live_0123456789abcdefghij' } as Tenant;
    const { agentId } = await createTestAgent(api, tenant, {
      agent_name: 'Reception',
      agent_type: 'whatsapp',
    });
    expect(await apply(WHATSAPP.replace('TOKEN', 'one'))).toEqual([]);
    const { id: workspaceId } = await workspace('Acme');
    const [first] = await listWhatsappNumbers(api.db, workspaceId);
    expect(first).toMatchObject({ agentId, number: '+15550783881' });
    expect(seal.open(first!.accessToken)).toBe('one');
    await apply(WHATSAPP.replace('TOKEN', 'one'));
    expect(await listWhatsappNumbers(api.db, workspaceId)).toEqual([first]);
    await apply(WHATSAPP.replace('TOKEN', 'two'));
    const [second] = await listWhatsappNumbers(api.db, workspaceId);
    expect(second).toMatchObject({ id: first!.id, verifyToken: first!.verifyToken });
    expect(seal.open(second!.accessToken)).toBe('two');
    await createTestAgent(api, tenant, { agent_name: 'Reception', agent_type: 'whatsapp' });
    await expect(apply(WHATSAPP.replace('TOKEN', 'two'))).rejects.toThrow(
      'workspaces[0].whatsapp_numbers[0].agent names several WhatsApp agents',
    );
  });
});

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

describe('vendors of a workspace', () => {
  const KEY = 'dg_live_0123456789abcdefWXYZ';
  const withVendors = (providers: object): string =>
    JSON.stringify({ workspaces: [{ name: 'Acme', providers }] });
  const stored = async (): Promise<string[]> =>
    (await api.db.selectFrom('workspace_providers').select('settings').execute()).map(({ settings }) =>
      JSON.stringify(settings),
    );

  it('are stored with sealed keys; the same file changes nothing', async () => {
    const text = withVendors({ stt: ['deepgram'], vendors: { deepgram: { api_key: KEY } } });
    await apply(text);
    const [first = ''] = await stored();
    expect(first).toContain('sealed:v1:');
    expect(first).not.toContain(KEY);
    await apply(text);
    expect(await stored()).toEqual([first]);
  });

  it('are marked by their names in the answer of the API, and no more once the file leaves them out', async () => {
    const declared = async () => {
      const { body } = await api.request('GET', '/api/v0/workspace/providers', {
        key: 'cw_live_0123456789abcdefghij',
      });
      return body['from_file'];
    };
    const file = (providers: object): string =>
      JSON.stringify({
        workspaces: [{ name: 'Acme', api_key: 'cw_live_0123456789abcdefghij', providers }],
      });
    await apply(file({ stt: ['deepgram'], vendors: { deepgram: { api_key: KEY } } }));
    expect(await declared()).toEqual(['stt', 'vendors.deepgram']);
    await apply(file({ vendors: { deepgram: { api_key: KEY } } }));
    expect(await declared()).toEqual(['vendors.deepgram']);
    await apply(null);
    expect(await declared()).toEqual([]);
  });

  it.each([
    [{ stt: ['deepgram'] }, /workspaces\[0\]\.providers\.stt\[0\] names deepgram, which is not configured/],
    [
      { vendors: { deepgram: { api_key: KEY, base_url: 'https://10.0.0.1' } } },
      /base_url must not be an inner address/,
    ],
    [{ vendors: { nobody: {} } }, /nobody/],
  ])('are refused as by the API: %j', async (providers, message) => {
    await expect(apply(withVendors(providers))).rejects.toThrow(message);
    await expect(apply(withVendors(providers))).rejects.not.toThrow(KEY);
    expect(await stored()).toEqual([]);
  });
});

describe('trunks of running processes', () => {
  const pauseOf = async (name: string): Promise<number | null> => {
    const row = await api.db
      .selectFrom('trunks')
      .select((e) => sql<number | null>`extract(epoch from ${e.ref('paused_until')})::float8`.as('until'))
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
    return row.until;
  };
  const reload = async (text: string): Promise<readonly string[] | null> => {
    const path = join(folder, 'reloaded.yaml');
    await writeFile(path, text);
    const deps = { db: api.db, clock: api.clock, voices: catalogue, prompts: promptBook, seal, ...vendors };
    return (await reloadProvision(path, deps, silentLog))?.lines ?? null;
  };
  const trunk = (more = ''): string =>
    `trunks: [{ name: carrier, uri: "sip:sip.example.com", max_calls: 3${more} }]`;

  it('start calls on a new trunk when all processes know it, and none on one out of service', async () => {
    await apply(trunk());
    expect(await pauseOf('carrier')).toBeNull();
    await reload(trunk('}, { name: later, uri: "sip:x.example.com"'));
    expect(await pauseOf('later')).toBe(api.clock.now() / 1000 + 10);
    await reload(trunk(', enabled: false'));
    expect(await pauseOf('carrier')).toBe(Number.POSITIVE_INFINITY);
    expect((await listTrunks(api.db)).map(({ name, isEnabled }) => [name, isEnabled])).toEqual([
      ['carrier', false],
      ['later', true],
      ['test', true],
    ]);
    await reload(trunk());
    expect(await pauseOf('carrier')).toBeNull();
    // A pause that the carrier asked for stays.
    await sql`update trunks set paused_until = to_timestamp(2000000000) where name = 'carrier'`.execute(
      api.db,
    );
    await reload(trunk());
    expect(await pauseOf('carrier')).toBe(2_000_000_000);
  });

  it('read back how their carriers want our calls', async () => {
    const outgoing = `from_domain: c.example, calling_code: "91", callee_format: national, udp_limit: 4000, add_headers: [{ name: X-Id, value: "7" }]`;
    await apply(
      trunk(
        `, auth_username: auth, codecs: [pcma], header_variables: [X-Account], accept_refer: true, join_by_refer: true, inbound_secret: { header: X-Token, value: token-of-ours }, outgoing: { ${outgoing} }`,
      ),
    );
    const named = (await listTrunks(api.db)).find(({ name }) => name === 'carrier');
    expect(named).toMatchObject({
      authUsername: 'auth',
      codecs: ['pcma'],
      headerVariables: ['X-Account'],
      acceptRefer: true,
      joinByRefer: true,
      inboundSecret: { header: 'X-Token', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      outgoing: {
        fromDomain: 'c.example',
        callingCode: '91',
        calleeFormat: 'national',
        udpLimit: 4_000,
        addHeaders: [{ name: 'X-Id', value: '7' }],
      },
    });
    await apply(trunk());
    const plain = (await listTrunks(api.db)).find(({ name }) => name === 'carrier');
    expect(plain).toMatchObject({ authUsername: null, codecs: null, inboundSecret: null, outgoing: null });
  });

  it('stay as they are with a faulty file, or one that names an unknown trunk', async () => {
    await apply(FILE);
    const before = await listTrunks(api.db);
    expect(await reload('trunks: [{ name: carrier, uri: "http://x" }]')).toBeNull();
    expect(await reload('trunks: [{ name: carrier')).toBeNull();
    const other = `${trunk()}\nworkspaces: [{ name: A, numbers: [{ number: "+14155550177", trunk: none }] }]`;
    expect(await reload(other)).toBeNull();
    expect(await listTrunks(api.db)).toEqual(before);
    expect(await reload(FILE)).toEqual([]);
  });
});

describe('the first start', () => {
  it('creates a workspace that can place calls, and prints its key once', async () => {
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

  it('runs once if two processes start concurrently', async () => {
    const both = await Promise.all([apply(null), apply(null)]);
    expect(both.filter((lines) => lines.length > 0)).toHaveLength(1);
    expect(await api.db.selectFrom('workspaces').select('id').execute()).toHaveLength(1);
  });
});

describe('a provision file', () => {
  it('gives numbers a purpose that their series allows', async () => {
    const file = (purpose: string) => `
workspaces:
  - name: Acme
    api_key: cw_live_0123456789abcdefghij
    numbers:
      - { number: "+911600123456", trunk: test, purpose: ${purpose} }
`;
    await apply(file('service'));
    const rows = await api.db.selectFrom('numbers').select(['number', 'purpose']).execute();
    expect(rows).toContainEqual({ number: '+911600123456', purpose: 'service' });
    await expect(apply(file('promotional'))).rejects.toThrow(
      'workspaces[0].numbers[0].purpose: +911600123456 is in the series 160, which is for transactional and service calls, not for promotional ones',
    );
  });

  it('creates the declared objects, idempotently', async () => {
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

  it('marks the trunks and numbers that the applied file declares, and those alone', async () => {
    const marked = async () => {
      const { rows } = await sql<{ name: string }>`
        select name from trunks where from_file union all select number from numbers where from_file
        order by name`.execute(api.db);
      return rows.map(({ name }) => name);
    };
    await apply(FILE);
    expect(await marked()).toEqual(['+14155550100', '+14155550101', 'carrier']);
    await apply(FILE.replace(/ *- \{ number: "\+14155550101".*\n/, ''));
    expect(await marked()).toEqual(['+14155550100', 'carrier']);
    await apply(null);
    expect(await marked()).toEqual([]);
  });

  it('does not refill spent credits, and changes a balance by the difference', async () => {
    await apply(FILE);
    await api.db.updateTable('workspaces').set({ credits: 400_000_000 }).where('name', '=', 'Acme').execute();
    await apply(FILE);
    expect((await workspace('Acme')).credits).toBe(400_000_000);
    await apply(FILE.replace('credits: 1000', 'credits: 1500'));
    expect((await workspace('Acme')).credits).toBe(900_000_000);
  });

  it('updates objects of the same name and no others', async () => {
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

  it('stores dial limits, and rejects invalid limits', async () => {
    const limits = {
      allowed_destinations: ['+1', 'IN'],
      denied_destinations: ['+1900'],
      transfer_hosts: ['PBX.example.com'],
      calls_per_minute: 30,
      credits_per_day: 12.5,
      stranger_calls_per_minute: 20,
      stranger_credits_per_day: 5,
      model_turns_per_day: 1000,
      destination_calls: { '+91': 20, US: 5 },
      callee_frequency: { attempts: 3, hours: 24 },
      number_rest: { attempts: 60, share: 0.4, minutes: 45 },
    };
    const file = (of: object): string => JSON.stringify({ workspaces: [{ name: 'Acme', limits: of }] });
    await apply(file(limits));
    const { settings } = await workspace('Acme');
    expect(settings).toMatchObject({ limits });
    expect(workspaceLimits(settings)).toEqual({
      allowed: [['+1', 'IN']],
      denied: ['+1900'],
      installation: [],
      allowPremium: false,
      transferHosts: ['pbx.example.com'],
      caps: {
        callsPerMinute: 30,
        creditsPerDay: 12.5,
        strangerCallsPerMinute: 20,
        strangerCreditsPerDay: 5,
        modelTurnsPerDay: 1000,
      },
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
      { calls_per_minute: 0 },
      { credits_per_day: -1 },
      { transfer_hosts: ['sip:pbx.example.com'] },
      { per_callee: 1 },
    ]) {
      const parsed = parseProvision(file(wrong));
      expect([wrong, parsed.ok ? '' : parsed.problems[0]]).toEqual([
        wrong,
        expect.stringMatching(/^workspaces\[0\]\.limits/),
      ]);
    }
  });

  it('lists conflicts with the database, and changes nothing', async () => {
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

  it('fails if it cannot be read', async () => {
    const deps = { db: api.db, clock: api.clock, voices: catalogue, prompts: promptBook, seal, ...vendors };
    await expect(provision(deps, join(folder, 'absent.yaml'))).rejects.toThrow(/it cannot be read/);
  });
});
