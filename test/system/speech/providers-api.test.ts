import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import {
  createTestApi,
  createTenant,
  createTestAgent,
  TEST_SEAL,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { INSIDE, toPort, UNSAVABLE } from '../../helpers/api/hostile-addresses.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';

const KEY = 'dg_live_0123456789abcdefWXYZ';
const MASK = 'dg_live_••••••••WXYZ';
let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  const publicUrl = (host: string) => ({ baseUrl: `https://${host}` });
  api = await createTestApi({
    guard: new AddressGuard({ allow: [] }),
    operator: operatorWith(
      {
        deepgram: publicUrl('api.deepgram.com'),
        elevenlabs: publicUrl('api.elevenlabs.io'),
        cartesia: publicUrl('api.cartesia.ai'),
        assemblyai: publicUrl('streaming.assemblyai.com'),
        sarvam: { apiKey: 'sarvam-key-of-the-operator', ...publicUrl('api.sarvam.ai') },
      },
      { stt: ['sarvam'] },
    ),
  });
});
beforeEach(async () => {
  tenant = await createTenant(api);
});
afterAll(() => api.close());

const put = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  api.request('PUT', '/api/v0/workspace/providers', { key: tenant.key, body, headers });
const read = async (): Promise<any> =>
  (await api.request('GET', '/api/v0/workspace/providers', { key: tenant.key })).body['providers'];

describe('GET /workspace/providers', () => {
  const readAll = async (): Promise<any> =>
    (await api.request('GET', '/api/v0/workspace/providers', { key: tenant.key })).body;
  const offer = async (part: string, vendor: string): Promise<any> =>
    (await readAll()).offers.find((one: any) => one.part === part && one.vendor === vendor);

  it('has the languages and prices of each vendor for each part, of the model that calls use', async () => {
    expect((await offer('stt', 'deepgram')).prices.length).toBeGreaterThan(1);
    await put({ vendors: { deepgram: { api_key: KEY, model: 'flux-general-en' } } });
    expect(await offer('stt', 'deepgram')).toEqual({
      part: 'stt',
      vendor: 'deepgram',
      model: 'flux-general-en',
      languages: ['en-US', 'en-GB', 'en-AU', 'en-IN'],
      prices: [
        {
          model: 'flux-general-en',
          per_minute: 0.0065,
          per_million_input_tokens: null,
          per_million_cached_tokens: null,
          per_million_output_tokens: null,
          per_thousand_characters: null,
        },
      ],
    });
    expect(await offer('llm', 'anthropic')).toMatchObject({ languages: null, prices: [] });
    expect((await readAll()).currency).toBe('USD');
  });

  it('has the languages of the agents that talk on the phone', async () => {
    expect((await readAll()).agent_languages).toEqual([]);
    await createTestAgent(api, tenant, { primary_language: 'en-IN', secondary_language: 'en-GB' });
    await createTestAgent(api, tenant, { agent_type: 'whatsapp', primary_language: 'en-AU' });
    expect((await readAll()).agent_languages).toEqual(['en-GB', 'en-IN']);
  });
});

describe('PUT /workspace/providers', () => {
  it('stores a chain and a sealed key, and shows the key masked', async () => {
    const answer = await put({
      stt: ['deepgram', 'offline'],
      vendors: { deepgram: { api_key: KEY, model: 'nova-3' } },
    });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        message: 'Providers updated successfully',
        providers: {
          stt: ['deepgram', 'offline'],
          llm: null,
          tts: null,
          vendors: {
            deepgram: {
              api_key: MASK,
              base_url: null,
              model: 'nova-3',
              llm_model: null,
              tts_model: null,
              voice: null,
              languages: null,
            },
          },
          available: { stt: ['deepgram', 'sarvam'], llm: [], tts: ['deepgram', 'sarvam'] },
        },
      },
    });
    expect(answer.text).not.toContain(KEY);
    expect(await read()).toEqual(answer.body['providers']);
    const { settings } = await api.db
      .selectFrom('workspace_providers')
      .select('settings')
      .where('workspace_id', '=', tenant.workspaceId)
      .executeTakeFirstOrThrow();
    const text = JSON.stringify(settings);
    expect(text).not.toContain(KEY);
    const [sealed = ''] = /sealed:v1:[\w-]+/.exec(text) ?? [];
    expect(TEST_SEAL.open(sealed)).toBe(KEY);
  });

  it('keeps an absent key and a masked one, and removes a null one', async () => {
    await put({ vendors: { deepgram: { api_key: KEY } } });
    await put({ vendors: { deepgram: { model: 'nova-3' } } });
    expect((await read()).vendors.deepgram).toMatchObject({ api_key: MASK, model: 'nova-3' });
    await put({ vendors: { deepgram: { api_key: MASK, model: null } } });
    expect((await read()).vendors.deepgram).toMatchObject({ api_key: MASK, model: null });
    await put({ vendors: { deepgram: { api_key: null } } });
    expect((await read()).vendors).toEqual({});
    expect(await put({ vendors: { deepgram: { api_key: MASK } } })).toMatchObject({
      status: 422,
      body: { message: 'vendors.deepgram.api_key is masked and not the stored key; send the real key' },
    });
  });

  it('stores the chain of speakers with the model and voice of each', async () => {
    const elevenlabs = { api_key: KEY, tts_model: 'eleven_turbo_v2_5', voice: 'Monika' };
    const answer = await put({ tts: ['elevenlabs', 'sarvam', 'offline'], vendors: { elevenlabs } });
    expect(answer.body['providers']).toMatchObject({
      tts: ['elevenlabs', 'sarvam', 'offline'],
      vendors: { elevenlabs: { ...elevenlabs, api_key: MASK } },
      available: { tts: ['elevenlabs', 'sarvam'] },
    });
    expect(await read()).toEqual(answer.body['providers']);
    expect(
      (await put({ tts: null, vendors: { elevenlabs: { voice: null } } })).body['providers'],
    ).toMatchObject({ tts: null, vendors: { elevenlabs: { ...elevenlabs, api_key: MASK, voice: null } } });
  });

  it('shows nothing of a short key', async () => {
    await put({ vendors: { deepgram: { api_key: 'short-key' } } });
    expect((await read()).vendors.deepgram.api_key).toBe('••••••••');
  });

  it('never sends a stored key to another server', async () => {
    await put({ vendors: { deepgram: { api_key: KEY } } });
    const moved = { vendors: { deepgram: { base_url: 'https://collector.example.com' } } };
    expect(await put(moved)).toMatchObject({
      status: 422,
      body: {
        message:
          'vendors.deepgram.api_key must be sent again with a base_url of another server, or null to remove it',
      },
    });
    expect((await read()).vendors.deepgram.base_url).toBeNull();
    const withKey = { vendors: { deepgram: { base_url: 'https://collector.example.com', api_key: KEY } } };
    expect((await put(withKey)).status).toBe(200);
    // Another path of the same server keeps it.
    expect(
      (await put({ vendors: { deepgram: { base_url: 'https://collector.example.com/v2' } } })).status,
    ).toBe(200);
  });

  it('stores other addresses of recogniser and voices, and sends the stored key to none of them', async () => {
    const servers = {
      base_url: 'https://models.example.com',
      stt_base_url: 'https://ears.example.com/v1',
      tts_base_url: 'https://voice.example.com',
      api_key: KEY,
    };
    const answer = await put({ stt: ['openai-compatible'], vendors: { 'openai-compatible': servers } });
    expect(answer.body['providers']).toMatchObject({
      vendors: { 'openai-compatible': { ...servers, api_key: MASK } },
    });
    const moved = { 'openai-compatible': { tts_base_url: 'https://collector.example.com' } };
    expect((await put({ vendors: moved })).body['message']).toBe(
      'vendors.openai-compatible.api_key must be sent again with a base_url of another server, or null to remove it',
    );
    const inner = { 'openai-compatible': { stt_base_url: 'http://10.0.0.1' } };
    expect((await put({ vendors: inner })).body['message']).toMatch(
      /^vendors\.openai-compatible\.stt_base_url must not be an inner address/,
    );
    const other = { deepgram: { stt_base_url: 'https://ears.example.com' } };
    expect(await put({ vendors: other })).toMatchObject({
      status: 422,
      body: { message: 'vendors.deepgram.stt_base_url is only for openai-compatible; use base_url' },
    });
    expect(await read()).toEqual(answer.body['providers']);
  });

  it.each([
    [
      { stt: ['deepgram'] },
      /^stt\[0\] names deepgram, which is not configured as a speech recogniser: PUT .*vendors\.deepgram\.api_key, or let the operator set DEEPGRAM_API_KEY$/,
    ],
    [
      { tts: ['cartesia'] },
      /^tts\[0\] names cartesia, which is not configured as a speaker: .*CARTESIA_API_KEY$/,
    ],
    [{ tts: ['vosk'] }, /^tts\[0\] must be one of/],
    [{ stt: ['vosk'] }, /^stt\[0\] names vosk, .*vendors\.vosk\.base_url/],
    // The operator's key would reach the workspace's server.
    [
      { stt: ['sarvam'], vendors: { sarvam: { base_url: 'https://x.example.com' } } },
      /^stt\[0\] names sarvam, which is not configured/,
    ],
    [{ stt: ['offline', 'sarvam'] }, /^stt\[0\] is offline, which must come last/],
    [{ stt: ['nobody'] }, /^stt\[0\] must be one of/],
    [{ stt: [] }, /^stt /],
    [{ stt: ['sarvam', 'sarvam'] }, /^stt /],
    [{ vendors: { nobody: {} } }, /vendors\.nobody/],
    [{ vendors: { deepgram: { key: 'x' } } }, /vendors\.deepgram\.key/],
    [
      { vendors: { deepgram: { api_key: 'a\r\nb: c' } } },
      /^vendors\.deepgram\.api_key must be 1 to 500 visible ASCII/,
    ],
    [{ vendors: { vosk: { base_url: 'https://x.example.com/?a=b' } } }, /query/],
    [{ vendors: { vosk: { base_url: 'wss://x.example.com/' } } }, /must be an https URL/],
    [{ vendors: { vosk: { base_url: 'http://x.example.com/' } } }, /must be an https URL: it carries a key/],
  ])('refuses %j with a sentence and changes nothing', async (body, message) => {
    expect(await put(body)).toMatchObject({ status: 422, body: { message: expect.stringMatching(message) } });
    expect(await read()).toMatchObject({ stt: null, vendors: {} });
  });

  it('refuses to remove the key of a vendor that the chain names', async () => {
    await put({ stt: ['deepgram'], vendors: { deepgram: { api_key: KEY } } });
    expect((await put({ vendors: { deepgram: null } })).status).toBe(422);
    expect((await put({ stt: null, vendors: { deepgram: null } })).body).toMatchObject({
      providers: { stt: null, vendors: {} },
    });
  });

  it('refuses every inner or unencrypted address', async () => {
    // Names such as https://localhost are checked when a call connects.
    const addresses = toPort([...INSIDE, ...UNSAVABLE], 443).filter(
      (it) => !it.startsWith('https://localhost'),
    );
    for (const address of addresses) {
      const answer = await put({ vendors: { vosk: { base_url: address } } });
      expect([address, answer.status]).toEqual([address, 422]);
    }
    expect((await read()).vendors).toEqual({});
  });

  it('belongs to its workspace alone, is replayed by its idempotency key, and is audited without the key', async () => {
    const first = tenant;
    const body = { vendors: { deepgram: { api_key: KEY } } };
    const headers = { 'idempotency-key': 'once' };
    const answer = await put(body, headers);
    const again = await put(body, headers);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(answer.body);
    tenant = await createTenant(api);
    expect((await read()).vendors).toEqual({});
    const entries = await api.db
      .selectFrom('audit_log')
      .selectAll()
      .where('workspace_id', '=', first.workspaceId)
      .where('action', '=', 'setProviders')
      .execute();
    // The replayed request changed nothing and has its entry as well.
    expect(entries).toHaveLength(2);
    expect(JSON.stringify(entries)).not.toContain(KEY);
    const kept = await api.db.selectFrom('idempotency_keys').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(KEY);
  });

  it('merges two concurrent requests', async () => {
    await Promise.all([
      put({ vendors: { deepgram: { api_key: KEY } } }),
      put({ vendors: { assemblyai: { api_key: KEY } } }),
    ]);
    expect(Object.keys((await read()).vendors)).toEqual(['deepgram', 'assemblyai']);
  });
});

describe('GET /workspace/providers', () => {
  async function placeCall(): Promise<string> {
    const { agentId } = await createTestAgent(api, tenant);
    const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: tenant.key,
      body: { name: 'P', mobile_number: '+14155550002', agent_id: agentId, from_number_id: tenant.numberId },
    });
    return (answer.body['data'] as { call_id: string }).call_id;
  }

  it('says what went wrong at vendors in the last day, to its own workspace alone', async () => {
    const now = api.clock.now();
    const HOUR = 3_600_000;
    const fault = (vendor: string, kind: string, status: number | null, at: number) => ({
      part: 'stt',
      vendor,
      kind,
      status,
      message: `${vendor}: ${kind}`,
      effect: 'switched',
      at,
    });
    const record = async (at: number, faults: readonly object[]): Promise<void> => {
      const callId = await placeCall();
      await api.db
        .insertInto('call_records')
        .values({
          workspace_id: tenant.workspaceId,
          call_id: callId,
          vendor_faults: JSON.stringify(faults),
          updated_at: new Date(at),
        })
        .execute();
    };
    await record(now - 25 * HOUR, [fault('vosk', 'lost', null, now - 25 * HOUR)]);
    await record(now - 3 * HOUR, [fault('deepgram', 'lost', null, now - 3 * HOUR)]);
    await record(now - HOUR, [
      fault('sarvam', 'limit', 429, now - 2 * HOUR),
      fault('deepgram', 'key', 401, now - HOUR),
    ]);
    await record(now, []);
    const faults = async (): Promise<unknown> =>
      (await api.request('GET', '/api/v0/workspace/providers', { key: tenant.key })).body['faults'];
    const iso = (at: number): string => new Date(at).toISOString();
    expect(await faults()).toEqual([
      {
        part: 'stt',
        vendor: 'deepgram',
        reason: 'key',
        status: 401,
        message: 'deepgram: key',
        last_at: iso(now - HOUR),
        count: 2,
      },
      {
        part: 'stt',
        vendor: 'sarvam',
        reason: 'limit',
        status: 429,
        message: 'sarvam: limit',
        last_at: iso(now - 2 * HOUR),
        count: 1,
      },
    ]);
    tenant = await createTenant(api);
    expect(await faults()).toEqual([]);
  });
});
