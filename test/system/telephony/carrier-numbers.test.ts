import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  FAKE_CARRIER_KINDS,
  FakeCarrierApi,
  fakeCarrierAccount,
  fakeTrunkSettings,
  type FakeCarrierKind,
} from '@callwright/stand-ins';
import { carrierAccounts } from '../../../src/app/carrier-accounts.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { makeOperator } from '../../../src/store/tenants/users.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { LOOPBACK_OPEN } from '../../helpers/service/open-addresses.ts';

const TRUNKS = '/api/v0/workspace/trunks';
/** Kinds whose API lists numbers, and those of them whose API also leads calls. */
const LISTING: readonly FakeCarrierKind[] = [
  'twilio',
  'signalwire',
  'telnyx',
  'plivo',
  'exotel',
  'smartflo',
  'acefone',
  'jambonz',
];
const LEADING: readonly FakeCarrierKind[] = ['twilio', 'signalwire', 'telnyx', 'plivo', 'jambonz'];

let database: TestDatabase;
let accounts: ReturnType<typeof carrierAccounts>;
let api: TestApi;
let tenant: Tenant;
let other: Tenant;
let operator: Browser;
const carriers = new Map<FakeCarrierKind, FakeCarrierApi>();
beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  const allow = LOOPBACK_OPEN.split(',');
  accounts = carrierAccounts({ db, seal: TEST_SEAL, log: silentLog, allow, now: () => Date.now() });
  api = await createTestApi({ carrierAccounts: accounts }, database);
  [tenant, other] = [await createTenant(api), await createTenant(api)];
  const signed = await signedIn(api, tenant.workspaceId, 'viewer');
  await makeOperator(db as never, signed.person.userId);
  operator = signed;
  operator.workspaceId = null;
  for (const kind of FAKE_CARRIER_KINDS) {
    const account = fakeCarrierAccount(kind);
    const carrier = new FakeCarrierApi(account);
    carriers.set(kind, carrier);
    const application = kind === 'jambonz' ? { application: 'voice' } : {};
    const settings = { kind, uri: await carrier.listen(), ...fakeTrunkSettings(account), ...application };
    const { status, text } = await operator.request('PUT', `${TRUNKS}/${kind}`, settings);
    if (status !== 200) throw new Error(`the trunk of ${kind} is refused: ${text}`);
  }
});
afterAll(async () => {
  await api?.close();
  await accounts?.close();
  await Promise.all([...carriers.values()].map((carrier) => carrier.close()));
});

const numbersOf = (kind: FakeCarrierKind): [string, string, string] => {
  const at = FAKE_CARRIER_KINDS.indexOf(kind);
  const number = (n: number): string => `+1415757${String(at * 10 + n).padStart(4, '0')}`;
  return [number(0), number(1), number(2)];
};
const carrierOf = (kind: FakeCarrierKind): FakeCarrierApi => {
  const carrier = carriers.get(kind);
  if (carrier === undefined) throw new Error(`no stand-in of ${kind}`);
  return carrier;
};

describe('the numbers of an account', () => {
  it.each(LISTING)('of %s are listed, and given to a workspace', async (kind) => {
    const [first, second, third] = numbersOf(kind);
    carrierOf(kind).book.add(first, second, third);
    const at = `${TRUNKS}/${kind}/numbers`;
    const listed = async () => (await operator.request('GET', at)).body['numbers'] as object[];
    expect(await listed()).toEqual([first, second, third].map((number) => ({ number, workspace_id: null })));
    const give = (numbers: readonly string[], workspace = tenant.workspaceId) =>
      operator.request('POST', at, { workspace_id: workspace, numbers });
    const { status, body } = await give([first, second]);
    expect([status, body]).toEqual([
      200,
      { message: 'Numbers imported: 2', imported: [first, second], known: [] },
    ]);
    expect((await give([first])).body).toMatchObject({ imported: [], known: [first] });
    expect((await listed()).at(0)).toEqual({ number: first, workspace_id: tenant.workspaceId });
    // All or none: the second of these belongs to another workspace.
    const taken = await give([third, first], other.workspaceId);
    expect([taken.status, taken.text]).toEqual([
      422,
      expect.stringContaining('numbers[1] is a number of another workspace on the same trunk'),
    ]);
    const unknown = await give(['+14155550000']);
    expect([unknown.status, unknown.text]).toEqual([
      422,
      expect.stringContaining('numbers[0] is no number of the account at the carrier'),
    ]);
    const { body: mine } = await api.request('GET', '/api/v0/workspace/numbers', { key: tenant.key });
    expect(mine['workspace_numbers']).toEqual(
      expect.arrayContaining([expect.objectContaining({ number: first, provider: kind })]),
    );
    expect(JSON.stringify(mine)).not.toContain(third);
  });

  it.each(LEADING)('of %s have their calls led to us', async (kind) => {
    const [first, second, third] = numbersOf(kind);
    const { status, body } = await operator.request('POST', `${TRUNKS}/${kind}/webhook`);
    const url = body['webhook_url'] as string;
    expect([status, body['numbers'], url]).toEqual([
      200,
      [first, second],
      expect.stringMatching(/^http.*\/carriers\/[0-9a-f-]{36}\/voice$/),
    ]);
    const { book } = carrierOf(kind);
    expect([first, second, third].map((number) => book.webhookOf(number))).toEqual([url, url, null]);
    // Again, as after a change of PUBLIC_URL: an application that is known is changed.
    expect((await operator.request('POST', `${TRUNKS}/${kind}/webhook`)).status).toBe(200);
  });

  it.each(LISTING.filter((kind) => !LEADING.includes(kind)))(
    'of %s are led by hand: its API has no request for it',
    async (kind) => {
      const { status, text } = await operator.request('POST', `${TRUNKS}/${kind}/webhook`);
      expect([status, text]).toEqual([
        409,
        expect.stringContaining('copy webhook_url to the carrier by hand'),
      ]);
    },
  );

  const without = FAKE_CARRIER_KINDS.filter((kind) => !LISTING.includes(kind));
  it.each(without)('of %s are set up by hand: its API has no request for them', async (kind) => {
    const at = `${TRUNKS}/${kind}`;
    const named = kind === 'audiosocket' ? 'asterisk' : kind;
    const said = expect.stringContaining(`The API of ${named} has no such request`);
    for (const [method, path] of [
      ['GET', 'numbers'],
      ['POST', 'webhook'],
    ] as const) {
      const { status, text } = await operator.request(method, `${at}/${path}`);
      expect([status, text]).toEqual([409, said]);
    }
  });

  it('are not shown for a trunk whose account the carrier refuses, and the answer names the setting', async () => {
    const settings = { kind: 'twilio', uri: await uriOf('twilio'), username: 'another', password: 'wrong' };
    expect((await operator.request('PUT', `${TRUNKS}/refused`, settings)).status).toBe(200);
    const { status, text } = await operator.request('GET', `${TRUNKS}/refused/numbers`);
    expect([status, text]).toEqual([422, expect.stringContaining('password the carrier answers 401')]);
    expect((await operator.request('GET', `${TRUNKS}/nowhere/numbers`)).status).toBe(404);
  });

  it('are those of operators: members and keys are refused', async () => {
    const member = await signedIn(api, other.workspaceId, 'owner');
    member.workspaceId = null;
    expect((await member.request('GET', `${TRUNKS}/twilio/numbers`)).status).toBe(403);
    const { status } = await api.request('POST', `${TRUNKS}/twilio/webhook`, { key: other.key });
    expect([401, 403]).toContain(status);
  });
});

/** The address of a trunk's API. */
async function uriOf(name: string): Promise<string> {
  const { body } = await operator.request('GET', `${TRUNKS}/settings`);
  const trunks = body['trunks'] as { readonly name: string; readonly settings: { readonly uri: string } }[];
  return trunks.find((trunk) => trunk.name === name)?.settings.uri ?? '';
}
