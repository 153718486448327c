import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { vendorTester } from '../../../src/app/try-vendor.ts';
import { startFakeOpenAiServer } from '../../helpers/openai-server.ts';
import {
  createTenant,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';

const KEY = 'sk-of-the-workspace-0123456789';
const guarded = vendorTester([]);
const open = vendorTester(['127.0.0.1']);
let api: TestApi;
let tenant: Tenant;
let model: Awaited<ReturnType<typeof startFakeOpenAiServer>>;
let isOpen = true;
beforeAll(async () => {
  model = await startFakeOpenAiServer([{ text: 'Yes.' }]);
  api = await createTestApi({
    operator: operatorWith({}, {}),
    guard: { refusal: () => null, innerRule: () => null },
    tryVendor: (vendor) => (isOpen ? open : guarded).tryVendor(vendor),
  });
  tenant = await createTenant(api);
  const answer = await api.request('PUT', '/api/v0/workspace/providers', {
    key: tenant.key,
    body: {
      vendors: {
        'openai-compatible': { api_key: KEY, base_url: model.baseUrl, llm_model: 'own-model' },
        vosk: { base_url: 'http://127.0.0.1:9' },
        cartesia: { api_key: KEY, base_url: 'http://127.0.0.1:9' },
      },
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
});
afterAll(async () => {
  await Promise.all([open.close(), guarded.close()]);
  await api?.close();
  await model?.close();
});

const run = (kind: string, vendor: string): Promise<Answer> =>
  api.request('POST', '/api/v0/workspace/providers/test', { key: tenant.key, body: { kind, vendor } });

describe('POST /workspace/providers/test', () => {
  it('asks the model of the workspace for a reply, as a call does', async () => {
    const answer = await run('llm', 'openai-compatible');
    expect(answer.body).toMatchObject({ kind: 'llm', vendor: 'openai-compatible', ok: true, fault: null });
    expect(answer.body['duration_ms']).toBeGreaterThanOrEqual(0);
    expect(answer.text).not.toContain(KEY);
  });

  it('names the fault of a recogniser and of a speaker that cannot be reached', async () => {
    for (const [kind, vendor] of [
      ['stt', 'vosk'],
      ['tts', 'cartesia'],
    ] as const) {
      const answer = await run(kind, vendor);
      expect(answer.body).toMatchObject({ ok: false, duration_ms: null, fault: { kind: 'lost' } });
      expect(answer.text).not.toContain(KEY);
    }
  });

  it('reaches no internal address of a workspace', async () => {
    isOpen = false;
    const before = model.requests.length;
    for (const [kind, vendor] of [
      ['llm', 'openai-compatible'],
      ['stt', 'vosk'],
      ['tts', 'cartesia'],
    ] as const) {
      const answer = await run(kind, vendor);
      expect(answer.body).toMatchObject({ ok: false });
    }
    expect(model.requests).toHaveLength(before);
    isOpen = true;
  });

  it('returns 422 for a vendor without an account for that part', async () => {
    expect((await run('stt', 'deepgram')).status).toBe(422);
    expect((await run('llm', 'vosk')).status).toBe(422);
    expect((await run('stt', 'nobody')).status).toBe(422);
  });

  it('allows 20 tests a minute in a workspace', async () => {
    const other = await createTenant(api);
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const body = { kind: 'stt', vendor: 'deepgram' };
      const path = '/api/v0/workspace/providers/test';
      statuses.push((await api.request('POST', path, { key: other.key, body })).status);
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });
});
