import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { providerReader } from '../../../src/app/provider-reader.ts';
import { AccountVoices } from '../../../src/app/vendor-voices.ts';
import { examineWorkspace } from '../../../src/cli/doctor-workspace.ts';
import { loadConfig } from '../../../src/config.ts';
import {
  FAKE_SETTINGS,
  type FakeVendor,
  fakeCartesia,
  fakeElevenlabs,
  startFakeVendor,
  wordsIn,
} from '@callwright/stand-ins';
import { silentLog } from '../../../src/shared/log.ts';
import { versionDocument } from '../../../src/store/json/agent-version.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import { parseWav } from '@callwright/audio';
import {
  catalogue,
  createTenant,
  createTestAgent,
  createTestApi,
  TEST_SEAL,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';
import { LOOPBACK_OPEN } from '../../helpers/service/open-addresses.ts';

const KEY = 'ca-key-of-a-workspace-0123456789';
let cartesia: FakeVendor;
let elevenlabs: FakeVendor;
let database: TestDatabase;
let api: TestApi;
let voices: AccountVoices;
let tenant: Tenant;
let agentId: string;
const operator = () =>
  operatorWith({
    elevenlabs: { apiKey: 'el-key', baseUrl: elevenlabs.baseUrl },
    cartesia: { baseUrl: null },
  });
beforeAll(async () => {
  [cartesia, elevenlabs, database] = await Promise.all([
    startFakeVendor(fakeCartesia, { settings: { key: KEY } }),
    startFakeVendor(fakeElevenlabs, { settings: { key: 'el-key' } }),
    createTestDatabase(),
  ]);
  const allow = ['127.0.0.1'];
  const guard = { refusal: () => null, innerRule: () => null };
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  voices = new AccountVoices({
    db: database.db,
    clock,
    log: silentLog,
    seal: TEST_SEAL,
    operator: operator(),
    allow,
    previewPrice: 0,
  });
  api = await createTestApi({ operator: operator(), vendorVoices: voices, guard }, database);
});
beforeEach(async () => {
  Object.assign(cartesia.settings, FAKE_SETTINGS, { key: KEY });
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant));
});
afterAll(async () => {
  await api?.close();
  await Promise.all([voices?.close(), cartesia?.close(), elevenlabs?.close()]);
});

interface Listed {
  id: string;
  name: string;
  languages: string[];
  gender: string;
  voice_previews: Record<string, string>;
  image_url: string;
}
const request = (method: 'GET' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, { key: tenant.key, ...(body === undefined ? {} : { body }) });
/** What a browser gets without a key. */
const media = (url: string) => api.server.inject({ method: 'GET', url });
const listed = async (): Promise<Listed[]> =>
  (await request('GET', '/api/v0/agent/voices')).body['voices'] as Listed[];
const named = async (name: string): Promise<Listed> => {
  const voice = (await listed()).find((one) => one.name === name);
  if (voice === undefined) throw new Error(`${name} is not listed`);
  return voice;
};
const setCartesia = (vendor: object | null = { api_key: KEY, base_url: cartesia.baseUrl }): Promise<Answer> =>
  request('PUT', '/api/v0/workspace/providers', { vendors: { cartesia: vendor } });
const choose = (voice: Listed, language: string): Promise<Answer> =>
  request('PATCH', '/api/v0/agent/v1', {
    operation: 'edit_voice',
    agent_id: agentId,
    voice_id: voice.id,
    language,
  });
/** What a call that starts now speaks with. */
async function ofCall() {
  const { config } = await api.db
    .selectFrom('agent_versions')
    .select('config')
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  const read = providerReader(api.db, silentLog, TEST_SEAL, operator());
  return read(tenant.workspaceId, versionDocument.read(config));
}

describe('GET /agent/voices', () => {
  it("lists the voices of this machine, of the environment's vendors and of the workspace's own", async () => {
    const before = await listed();
    expect(before.slice(0, catalogue.all().length).map(({ name }) => name)).toEqual(
      catalogue.all().map(({ name }) => name),
    );
    const monika = before.find(({ name }) => name === 'Monika');
    expect(monika).toMatchObject({ languages: ['en-IN', 'hi-IN'], gender: 'female' });
    expect(before.some(({ name }) => name === 'Arushi')).toBe(false);
    await setCartesia();
    const after = await named('Arushi');
    expect(after).toMatchObject({ languages: ['hi-IN'], gender: 'female' });
    const other = await createTenant(api);
    const { body } = await api.request('GET', '/api/v0/agent/voices', { key: other.key });
    expect((body['voices'] as Listed[]).some(({ name }) => name === 'Arushi')).toBe(false);
  });

  it('lists the other voices when a vendor refuses', async () => {
    await setCartesia({ api_key: 'ca-bad-key-of-a-workspace-0123', base_url: cartesia.baseUrl });
    const names = (await listed()).map(({ name }) => name);
    expect(names).toContain('Monika');
    expect(names).not.toContain('Arushi');
  });

  it('has a preview of the vendor behind a signed link, and none without it', async () => {
    await setCartesia();
    const arushi = await named('Arushi');
    const { pathname, search } = new URL(arushi.voice_previews['hi-IN'] ?? '');
    const before = cartesia.connections.length;
    const wav = await media(pathname + search);
    expect([wav.statusCode, wav.headers['content-type']]).toEqual([200, 'audio/wav']);
    const parsed = parseWav(wav.rawPayload);
    if (!parsed.ok) throw new Error(parsed.reason);
    expect(parsed.sampleRate).toBe(8000);
    expect(wordsIn(parsed.pcm, 8000).length).toBeGreaterThan(5);
    expect((await media(pathname + search)).statusCode).toBe(200);
    expect(cartesia.connections.length).toBe(before + 1);
    expect((await media(pathname)).statusCode).toBe(404);
    const monika = new URL((await named('Monika')).voice_previews['hi-IN'] ?? '');
    expect((await media(pathname + monika.search)).statusCode).toBe(404);
    const image = new URL(arushi.image_url);
    expect((await media(image.pathname + image.search)).statusCode).toBe(200);
    expect((await media(image.pathname)).statusCode).toBe(404);
  });
});

describe("an agent with a vendor's voice", () => {
  it("speaks with the vendor's voice and account, and its record names the voice", async () => {
    await setCartesia();
    const arushi = await named('Arushi');
    expect((await choose(arushi, 'hi-IN')).status).toBe(200);
    const { body } = await request('GET', `/api/v0/agent/${agentId}`);
    const agent = body['agents'] as any;
    expect(agent.version_details[agent.active_agent_version_id].voice).toEqual({
      id: arushi.id,
      name: 'Arushi',
    });
    expect(await ofCall()).toMatchObject({
      tts: [{ name: 'cartesia', settings: { apiKey: KEY }, isGuarded: true }],
      voices: { voiceKey: 'cartesia:95d51f79-c397-46f9-b49a-23763d3eaa2d' },
    });
  });

  it('has a step of its flow speak with one, which its language, its workspace and the check must know', async () => {
    await setCartesia();
    const arushi = await named('Arushi');
    const flow = {
      start: 'lead',
      nodes: [{ id: 'lead', type: 'talk', prompt: 'Help.', voice: arushi.id.toUpperCase() }],
    };
    const edit = () =>
      request('PATCH', '/api/v0/agent/v1', { operation: 'edit_flow', agent_id: agentId, flow });
    const check = async (): Promise<unknown> => {
      const path = `/api/v0/agent/${agentId}/flow/check`;
      return (await api.request('POST', path, { key: tenant.key, body: { flow } })).body['errors'];
    };
    const english = await edit();
    expect(english.status).toBe(422);
    expect(english.body['message']).toContain('the voice Arushi does not speak en-US');
    expect(await check()).toMatchObject([{ code: 'wrong_language', node: 'lead' }]);
    expect((await choose(arushi, 'hi-IN')).status).toBe(200);
    expect(await check()).toEqual([]);
    expect((await edit()).status).toBe(200);
    expect((await ofCall()).voices?.stepVoices).toEqual({
      [arushi.id]: 'cartesia:95d51f79-c397-46f9-b49a-23763d3eaa2d',
    });
    tenant = await createTenant(api);
    ({ agentId } = await createTestAgent(api, tenant));
    expect((await edit()).body['message']).toContain('is no voice of this service');
  });

  it('is refused a language that the voice lacks, with the languages that it has', async () => {
    await setCartesia();
    expect(await choose(await named('Arushi'), 'ta-IN')).toMatchObject({
      status: 400,
      body: {
        message: 'Selected voice does not support the specified language',
        supported_languages: ['hi-IN'],
      },
    });
  });

  it('is refused a voice of another workspace', async () => {
    await setCartesia();
    const arushi = await named('Arushi');
    tenant = await createTenant(api);
    ({ agentId } = await createTestAgent(api, tenant));
    expect(await choose(arushi, 'hi-IN')).toMatchObject({ status: 422 });
  });

  it('keeps its voice while the vendor does not answer', async () => {
    await setCartesia();
    const arushi = await named('Arushi');
    await choose(arushi, 'hi-IN');
    const moved = { api_key: 'ca-bad-key-of-a-workspace-0123', base_url: cartesia.baseUrl };
    await setCartesia(moved);
    expect((await choose(arushi, 'hi-IN')).status).toBe(200);
  });

  it('speaks with another voice once the account is gone, and the call says so', async () => {
    await setCartesia();
    await choose(await named('Arushi'), 'hi-IN');
    await setCartesia(null);
    expect((await ofCall()).voices).toEqual({
      voiceKey: 'library:hf_alpha',
      replaced: { vendor: 'cartesia', message: 'Arushi of cartesia is not available; Anika speaks instead' },
    });
  });
});

describe('callwright doctor --workspace', () => {
  it('tries every account of the workspace and names the setting, never a key', async () => {
    await setCartesia();
    const { name } = await api.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    await api.db
      .updateTable('workspaces')
      .set({ name: `${name} ${tenant.workspaceId}` })
      .where('id', '=', tenant.workspaceId)
      .execute();
    const loaded = loadConfig({
      DATABASE_URL: database.url,
      SECRET_KEY: 'a key for tests, of no use elsewhere',
      SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
    });
    if (!loaded.ok) throw new Error(loaded.problems.join());
    const config = { ...loaded.config, providers: NO_OPERATOR_PROVIDERS };
    const check = () => examineWorkspace(config, `${name} ${tenant.workspaceId}`);
    expect(await check()).toMatchObject([{ name: 'voice cartesia', ok: true }]);
    await setCartesia({ api_key: 'ca-bad-key-of-a-workspace-0123', base_url: cartesia.baseUrl });
    const [finding] = await check();
    expect(finding).toMatchObject({ ok: false, advice: 'check vendors.cartesia.api_key' });
    expect(JSON.stringify(finding)).not.toContain('ca-bad-key-of');
    await setCartesia(null);
    expect(await check()).toMatchObject([
      { ok: true, detail: expect.stringContaining('of the installation') },
    ]);
    expect(await examineWorkspace(config, 'nobody')).toMatchObject([{ ok: false, detail: 'not found' }]);
  });
});
