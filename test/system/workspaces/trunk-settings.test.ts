import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unsealSecret } from '../../../src/app/secrets.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { listTrunks } from '../../../src/store/numbers/trunks.ts';
import { makeOperator } from '../../../src/store/tenants/users.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';

const TRUNKS = '/api/v0/workspace/trunks';
const GATEWAYS = [
  { uri: 'sip:192.0.2.1', priority: 0, weight: 3 },
  { uri: 'sip:192.0.2.2', priority: 0, weight: 1, transport: 'tcp' },
];
const FULL = {
  uri: 'sip:sip.example.com',
  gateways: GATEWAYS,
  username: 'account',
  auth_username: 'auth',
  register: true,
  max_calls: 5,
  allowed_sources: ['198.51.100.0/24'],
  media_ranges: [],
  codecs: ['pcma'],
  header_variables: ['X-Account'],
  accept_refer: true,
  join_by_refer: true,
  outgoing: {
    caller_id: 'p_asserted_identity',
    callee_format: 'national',
    calling_code: '91',
    add_headers: [{ name: 'X-Account', value: '42' }],
  },
};

let api: TestApi;
let tenant: Tenant;
let operator: Browser;
const checked: string[] = [];
beforeAll(async () => {
  const gateways = GATEWAYS.map(({ priority, weight }, n) => {
    const health = n === 0 ? ('healthy' as const) : ('down' as const);
    return { priority, weight, health };
  });
  api = await createTestApi({
    probeTrunks: () =>
      Promise.resolve([{ name: 'carrier', reachable: true, registered: false, refusal: 403, gateways }]),
    checkTrunk: (name) => Promise.resolve(checked.push(name) > 0),
  });
  tenant = await createTenant(api);
  const member = await signedIn(api, tenant.workspaceId, 'viewer');
  await makeOperator(api.db as never, member.person.userId);
  operator = member;
  operator.workspaceId = null;
});
afterAll(() => api?.close());

const save = (name: string, body: object) => operator.request('PUT', `${TRUNKS}/${name}`, body);
const list = async (): Promise<any[]> => {
  const { status, body } = await operator.request('GET', `${TRUNKS}/settings`);
  expect(status).toBe(200);
  return body['trunks'] as Record<string, unknown>[];
};
const stored = async (name: string) => {
  const trunk = (await listTrunks(api.db)).find((one) => one.name === name);
  if (trunk === undefined) throw new Error(`no trunk ${name}`);
  return { ...trunk, password: unsealSecret(TEST_SEAL, trunk, trunk.password, silentLog) };
};

describe('trunks that an operator saves', () => {
  it('are stored, shown with the health of their gateways and without their password, and sent back', async () => {
    const { status, body, text } = await save('carrier', { ...FULL, password: 'hush-hush' });
    expect(status).toBe(200);
    expect(body['trunk']).toMatchObject({
      name: 'carrier',
      numbers: 0,
      has_password: true,
      has_signing_key: false,
      webhook_url: null,
      registered: false,
      reachable: true,
      gateways: [{ health: 'healthy' }, { health: 'down' }],
      faults: [{ field: 'password' }, { field: 'gateways[1].uri' }],
      settings: FULL,
    });
    expect(text).not.toContain('hush-hush');
    expect(await stored('carrier')).toMatchObject({
      username: 'account',
      authUsername: 'auth',
      password: 'hush-hush',
      gateways: GATEWAYS,
      outgoing: { callerId: 'p_asserted_identity', calleeFormat: 'national' },
    });
    const [shown] = await list();
    expect((await save('carrier', { ...shown.settings, max_calls: 9 })).status).toBe(200);
    expect(await stored('carrier')).toMatchObject({ password: 'hush-hush', gateways: GATEWAYS });
    expect((await list())[0].settings).toMatchObject({ ...FULL, max_calls: 9 });
    const secure = { uri: 'sips:x.example', outgoing: { from_domain: 'c.example' } };
    expect((await save('secure', secure)).status).toBe(200);
    const { settings } = (await list()).find(({ name }) => name === 'secure');
    expect((await save('secure', settings)).status).toBe(200);
  });

  it('of kind twilio are sent back as they are shown, and have no settings of SIP', async () => {
    const twilio = { kind: 'twilio', uri: 'https://api.twilio.com', username: 'AC1' };
    expect((await save('streams', { ...twilio, password: 'hush-hush' })).status).toBe(200);
    const { settings } = (await list()).find(({ name }) => name === 'streams');
    expect(settings).toMatchObject(twilio);
    expect((await save('streams', { ...settings, srtp: 'off' })).status).toBe(200);
    expect(await stored('streams')).toMatchObject({ kind: 'twilio', password: 'hush-hush' });
    const { body } = await save('streams', {
      ...twilio,
      username: undefined,
      register: true,
      srtp: 'required',
    });
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect(fields).toEqual(['username', 'register', 'srtp']);
  });

  it('keep the hash of an inbound secret, and lose it by an empty value', async () => {
    const shared = { uri: 'sip:x.example', max_calls: 1 };
    const secret = { header: 'X-Telnyx-Token', value: 'token-of-ours' };
    const { status, text } = await save('shared', { ...shared, inbound_secret: secret });
    expect([status, text.includes('token-of-ours')]).toEqual([200, false]);
    const hash = createHash('sha256').update('token-of-ours').digest('hex');
    expect(await stored('shared')).toMatchObject({ inboundSecret: { header: 'X-Telnyx-Token', hash } });
    const shown = async () => (await list()).find(({ name }) => name === 'shared');
    const { settings, secret_header: header } = await shown();
    expect([header, settings.inbound_secret, JSON.stringify(settings).includes(hash)]).toEqual([
      'X-Telnyx-Token',
      undefined,
      false,
    ]);
    expect((await save('shared', { ...settings, max_calls: 2 })).status).toBe(200);
    expect(await stored('shared')).toMatchObject({ inboundSecret: { hash } });
    await save('shared', { ...shared, inbound_secret: { ...secret, value: '' } });
    expect(await stored('shared')).toMatchObject({ inboundSecret: null });
    expect((await shown()).secret_header).toBeNull();
    const { body } = await save('shared', { ...shared, inbound_secret: { header: 'Via', value: 'short' } });
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field);
    expect(fields).toEqual(['inbound_secret.header', 'inbound_secret.value']);
  });

  it('lose their password by an empty one', async () => {
    await save('plain', { uri: 'sip:x.example', username: 'a', password: 'secret' });
    await save('plain', { uri: 'sip:x.example', username: 'a', password: '' });
    expect(await stored('plain')).toMatchObject({ password: null });
    const plain = (await list()).find(({ name }) => name === 'plain');
    expect([plain.has_password, plain.reachable, plain.gateways]).toEqual([false, null, []]);
  });

  it.each([
    ['no URI', {}, 'uri'],
    ['another scheme', { uri: 'http://x.example' }, 'uri'],
    ['an account without a user', { uri: 'sip:x.example', register: true }, 'username'],
    [
      'a gateway in clear',
      { uri: 'sips:x.example', gateways: [{ uri: 'sip:x;transport=tcp' }] },
      'gateways[0].transport',
    ],
    ['a range of nothing', { uri: 'sip:x.example', media_ranges: ['office'] }, 'media_ranges[0]'],
    [
      'a header of two lines',
      { uri: 'sip:x.example', outgoing: { add_headers: [{ name: 'X-A', value: 'a\r\nVia: b' }] } },
      'outgoing.add_headers[0].value',
    ],
    [
      'a header of ours',
      { uri: 'sip:x.example', outgoing: { add_headers: [{ name: 'via', value: 'b' }] } },
      'outgoing.add_headers[0].name',
    ],
  ])('with %s are refused with the field to mend', async (_, body, field) => {
    const answer = await save('faulty', body);
    expect([answer.status, answer.body['code']]).toEqual([422, 'VALIDATION_FAILED']);
    expect((answer.body['errors'] as { field: string }[]).map((problem) => problem.field)).toEqual([field]);
  });

  it('cannot replace the built-in test carrier', async () => {
    expect((await save('test', { uri: 'sip:x.example' })).status).toBe(422);
    expect((await list()).map(({ name }) => name)).not.toContain('test');
  });

  it('are probed at once by a check, and an unknown one is not found', async () => {
    await save('carrier', FULL);
    const answer = await operator.request('POST', `${TRUNKS}/carrier/check`);
    expect([answer.status, answer.body['is_probed'], checked]).toEqual([200, true, ['carrier']]);
    const none = await operator.request('POST', `${TRUNKS}/none/check`);
    expect([none.status, none.body['code']]).toEqual([404, 'TRUNK_NOT_FOUND']);
  });

  it('are deleted once no number is on them', async () => {
    await save('leaving', { uri: 'sip:leaving.example' });
    const { id } = await stored('leaving');
    const number = await api.db.selectFrom('numbers').select(['id', 'trunk_id']).executeTakeFirstOrThrow();
    const putOn = (trunkId: string | null) =>
      sql`update numbers set trunk_id = ${trunkId} where id = ${number.id}`.execute(api.db);
    await putOn(id);
    const refused = await operator.request('DELETE', `${TRUNKS}/leaving`);
    expect([refused.status, refused.body['code'], refused.body['message']]).toEqual([
      409,
      'TRUNK_IN_USE',
      'The trunk has 1 number: put it on another trunk first',
    ]);
    await putOn(number.trunk_id);
    expect((await operator.request('DELETE', `${TRUNKS}/leaving`)).status).toBe(200);
    expect((await list()).map(({ name }) => name)).not.toContain('leaving');
    for (const name of ['leaving', 'test']) {
      const none = await operator.request('DELETE', `${TRUNKS}/${name}`);
      expect([none.status, none.body['code']]).toEqual([404, 'TRUNK_NOT_FOUND']);
    }
  });

  it('are noted in the audit log, and customers neither see nor change them', async () => {
    const owner = await signedIn(api, tenant.workspaceId, 'owner');
    const log = await owner.request('GET', '/api/v0/workspace/audit-log');
    const actions = (log.body['entries'] as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['account.trunk_saved', 'account.trunk_deleted', 'account.trunk_checked']),
    );
    for (const [method, path] of [
      ['GET', '/settings'],
      ['PUT', '/carrier'],
      ['DELETE', '/carrier'],
      ['POST', '/carrier/check'],
    ] as const) {
      const answer = await owner.request(method, `${TRUNKS}${path}`, method === 'PUT' ? FULL : undefined);
      expect([answer.status, answer.body['code']]).toEqual([403, 'OPERATORS_ONLY']);
    }
  });
});
