import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { provision } from '../../../src/domain/provision/provision.ts';
import { mayDial } from '../../../src/domain/workspaces/destinations.ts';
import { closedList, isCarrier } from '../../../src/domain/workspaces/home-destinations.ts';
import { workspaceLimits } from '../../../src/domain/workspaces/limits.ts';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import { findWorkspace } from '../../../src/store/tenants/workspaces.ts';
import {
  catalogue,
  createTestAgent,
  createTestApi,
  promptBook,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { makeKey } from '../../helpers/api/principals.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';

const KEY = 'cw_live_0123456789abcdefghij';
const INDIA = '+919820012345';
let api: TestApi;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callwright-closed-'));
  api = await createTestApi();
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

/** Returns the lines that the start prints. */
async function apply(workspace: object, uri = 'sip:sip.carrier.example'): Promise<string[]> {
  const file = join(folder, 'provision.json');
  await writeFile(file, JSON.stringify({ trunks: [{ name: 'carrier', uri }], workspaces: [workspace] }));
  const deps = {
    db: api.db,
    clock: api.clock,
    voices: catalogue,
    prompts: promptBook,
    seal: TEST_SEAL,
    operator: operatorWith({}),
    guard: new AddressGuard({ allow: [] }),
  };
  return await provision(deps, file);
}
const idOf = async (name: string): Promise<string> =>
  (await api.db.selectFrom('workspaces').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
const dials = async (name: string, number: string): Promise<boolean> => {
  const row = await findWorkspace(api.db, await idOf(name));
  return mayDial(workspaceLimits(row?.settings ?? {}), number);
};
const NUMBERS = [{ number: '+14155550100', trunk: 'carrier' }];

describe('the destinations of a new workspace on a carrier', () => {
  it('are the countries of its numbers, until an owner who is signed in opens others', async () => {
    await apply({ name: 'Acme', api_key: KEY, credits: 'unlimited', numbers: NUMBERS });
    const { agentId } = await createTestAgent(api, { key: KEY } as Tenant, {
      call_config: { call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' } },
    });
    const place = async (mobile_number: string) => {
      const body = { name: 'Sam', mobile_number, agent_id: agentId, from_number: '+14155550100' };
      const answer = await api.request('POST', '/api/v0/calling/outbound/individual', { key: KEY, body });
      return [answer.status, answer.body['message']];
    };
    expect((await place('+14155550123'))[0]).toBe(200);
    const refusal = [422, 'mobile_number is a destination that the workspace does not dial'];
    expect(await place(INDIA)).toEqual(refusal);
    const open = { open_destinations: ['IN'] };
    const named = await makeKey(api, { workspaceId: await idOf('Acme') }, ['config:write']);
    for (const [key, code] of [
      [KEY, 'SCOPE_MISSING'],
      [named.key, 'SIGNED_IN_OWNERS_ONLY'],
    ] as const) {
      const byKey = await api.request('PATCH', '/api/v0/workspace/settings', { key, body: open });
      expect([byKey.status, byKey.body['code']]).toEqual([403, code]);
    }
    expect(await place(INDIA)).toEqual(refusal);
    const owner = await signedIn(api, await idOf('Acme'), 'owner');
    const opened = await owner.request('PATCH', '/api/v0/workspace/settings', open);
    expect(opened.body).toMatchObject({ only_destinations: ['US', 'IN'], open_destinations: ['IN'] });
    expect((await place(INDIA))[0]).toBe(200);
    await owner.request('PATCH', '/api/v0/workspace/settings', { open_destinations: 'all' });
    expect(await dials('Acme', '+4915112345678')).toBe(true);
    await owner.request('PATCH', '/api/v0/workspace/settings', { open_destinations: [] });
    expect(await dials('Acme', INDIA)).toBe(false);
  });

  it('are closed to campaigns, too: the rows of a contact list are refused', async () => {
    const own = 'cw_live_campaigncampaign0001';
    await apply({
      name: 'Lister',
      api_key: own,
      credits: 'unlimited',
      numbers: [{ number: '+14155550109', trunk: 'carrier' }],
    });
    const { agentId } = await createTestAgent(api, { key: own } as Tenant, {});
    const save = (numbers: readonly string[]) =>
      uploadList(api, 'save', own, {
        file: ['mobile_number,callee_name', ...numbers.map((number) => `${number},Sam`), ''].join('\n'),
        fields: { agent_id: agentId, country_code: '+1' },
      });
    const refused = await save([INDIA, '+4915112345678']);
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body['invalid_rows'])).toContain(
      'is a destination that the workspace does not dial',
    );
    expect((await save(['+14155550123'])).status).toBe(200);
    const { rows } = await sql`select to_number from calls c join workspaces w on w.id = c.workspace_id
      where w.name = 'Lister'`.execute(api.db);
    expect(rows).toEqual([{ to_number: '+14155550123' }]);
  });

  it('grow with its numbers, and are those of its children', async () => {
    const more = [...NUMBERS, { number: '+442071838750', trunk: 'carrier' }];
    await apply({ name: 'Acme', numbers: more, children: [{ name: 'Client' }] });
    expect(await dials('Acme', '+442071838751')).toBe(true);
    expect(await dials('Client', '+442071838751')).toBe(true);
    expect(await dials('Client', INDIA)).toBe(false);
  });

  it('are open where the operator has listed allowed_destinations, which hold alone', async () => {
    const limits = { allowed_destinations: ['IN'] };
    await apply({ name: 'Listed', limits, numbers: [{ number: '+14155550101', trunk: 'carrier' }] });
    expect([await dials('Listed', INDIA), await dials('Listed', '+14155550123')]).toEqual([true, false]);
  });

  it('stay open in a workspace from before the rule, whose campaigns go on', async () => {
    await apply({ name: 'Old', numbers: [{ number: '+14155550102', trunk: 'carrier' }] });
    await sql`update workspaces set settings = '{}' where name = 'Old'`.execute(api.db);
    await apply({ name: 'Old', numbers: [{ number: '+14155550102', trunk: 'carrier' }] });
    expect(await dials('Old', INDIA)).toBe(true);
  });

  it('are open without a number of a carrier: on the test carrier, and on a PBX at a loopback address', () => {
    expect(closedList({ closed_destinations: true, home_countries: [] })).toBeNull();
    expect(isCarrier({ kind: 'test' })).toBe(false);
    for (const uri of ['sip:127.0.0.1:5080', 'sip:u@localhost;transport=tcp', 'sip:[::1]:5060']) {
      expect([uri, isCarrier({ kind: 'sip', uri })]).toEqual([uri, false]);
    }
    expect(isCarrier({ kind: 'sip', uri: 'sip:10.0.0.5' })).toBe(true);
  });
});

describe('a daily spend cap', () => {
  const advice = (lines: readonly string[]) => lines.filter((line) => line.includes('credits_per_day'));

  it('is suggested with the first number on a carrier, and not again', async () => {
    const workspace = { name: 'Uncapped', numbers: [{ number: '+14155550103', trunk: 'carrier' }] };
    expect(advice(await apply({ name: 'Uncapped' }))).toEqual([]);
    expect(advice(await apply(workspace))).toEqual([
      '  Carrier     Uncapped has no limits.credits_per_day: set it, so that a leaked key cannot spend the whole balance',
    ]);
    expect(advice(await apply(workspace))).toEqual([]);
  });

  it('that the workspace has is not suggested', async () => {
    const limits = { credits_per_day: 100 };
    const numbers = [{ number: '+14155550104', trunk: 'carrier' }];
    expect(advice(await apply({ name: 'Capped', limits, numbers }))).toEqual([]);
  });
});
