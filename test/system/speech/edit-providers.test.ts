import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createTestAgent,
  createTestApi,
  createTenant,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { operatorWith } from '../../helpers/database/providers-of.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi({
    operator: operatorWith({
      deepgram: { apiKey: 'dg-key-of-the-operator', baseUrl: 'https://api.deepgram.com' },
      sarvam: { baseUrl: 'https://api.sarvam.ai' },
      anthropic: { baseUrl: 'https://api.anthropic.com' },
      openai: { baseUrl: 'https://api.openai.com' },
      google: { apiKey: 'google-key-of-the-operator', baseUrl: 'https://generativelanguage.googleapis.com' },
    }),
  });
  tenant = await createTenant(api);
});
beforeEach(async () => {
  ({ agentId } = await createTestAgent(api, tenant));
});
afterAll(() => api.close());

const edit = (operation: string, fields: object): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', {
    key: tenant.key,
    body: { operation, agent_id: agentId, ...fields },
  });
async function shown(): Promise<any> {
  const { body } = await api.request('GET', `/api/v0/agent/${agentId}`, { key: tenant.key });
  const agent = body['agents'] as any;
  return agent.version_details[agent.active_agent_version_id].agent_config;
}
const setVendors = (vendors: object): Promise<Answer> =>
  api.request('PUT', '/api/v0/workspace/providers', { key: tenant.key, body: { vendors } });

describe('edit_stt', () => {
  it("stores the agent's recognisers in the version, shows them, and removes them with null", async () => {
    expect((await shown()).stt).toBeNull();
    const stt = { providers: ['deepgram', 'offline'], model: 'nova-3' };
    expect((await edit('edit_stt', { stt })).status).toBe(200);
    expect((await shown()).stt).toEqual(stt);
    expect((await edit('edit_stt', { stt: { providers: ['offline'] } })).status).toBe(200);
    expect((await shown()).stt).toEqual({ providers: ['offline'], model: null });
    expect((await edit('edit_stt', { stt: null })).status).toBe(200);
    expect((await shown()).stt).toBeNull();
  });

  it('stores the line that callers hear while every recogniser is in use, and leaves it out with null', async () => {
    const stt = { providers: ['offline'], busy_line: ' All our lines are busy. ' };
    expect((await edit('edit_stt', { stt })).status).toBe(200);
    expect((await shown()).stt).toEqual({
      providers: ['offline'],
      model: null,
      busy_line: 'All our lines are busy.',
    });
    expect((await edit('edit_stt', { stt: { ...stt, busy_line: null } })).status).toBe(200);
    expect((await shown()).stt).toEqual({ providers: ['offline'], model: null });
  });

  it.each([
    [{ providers: ['offline'], busy_line: 'x'.repeat(301) }, 422, /^stt\.busy_line/],
    [{ providers: ['offline'], busy_line: 'two\nlines' }, 422, /^stt\.busy_line must be one line/],
    [
      { providers: ['assemblyai'] },
      422,
      /^stt\.providers\[0\] names assemblyai, which is not configured as a speech/,
    ],
    [{ providers: ['sarvam'] }, 422, /SARVAM_API_KEY$/],
    [{ providers: ['offline'], model: 'x' }, 422, /^stt\.model is for the first of stt\.providers/],
    [{ providers: [] }, 422, /^stt/],
    [{ providers: ['nobody'] }, 422, /^stt/],
    [{}, 422, /^stt/],
  ])('refuses %j', async (stt, status, message) => {
    expect(await edit('edit_stt', { stt })).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    });
    expect((await shown()).stt).toBeNull();
  });

  it("refuses a recogniser without the agent's language, and lists those that it has", async () => {
    const { body } = await api.request('GET', '/api/v0/agent/voices?language=hi-IN', { key: tenant.key });
    const voice_id = (body['voices'] as any[])[0].id;
    const english = { providers: ['deepgram'], model: 'flux-general-en' };
    expect((await edit('edit_stt', { stt: english })).status).toBe(200);
    const mismatch = {
      status: 400,
      body: {
        code: 'STT_LANGUAGE_MISMATCH',
        message:
          'deepgram with the model flux-general-en does not recognise hi-IN; it recognises en-US, en-GB, en-AU, en-IN',
      },
    };
    // The language of the agent cannot leave the recogniser either.
    expect(await edit('edit_voice', { voice_id, language: 'hi-IN' })).toMatchObject(mismatch);
    const path = `/api/v0/public/agent/${agentId}`;
    const patched = { key: tenant.key, body: { primary_language: 'hi-IN', voice_id } };
    expect(await api.request('PATCH', path, patched)).toMatchObject(mismatch);
    expect((await edit('edit_stt', { stt: { providers: ['deepgram'], model: 'nova-3' } })).status).toBe(200);
    expect((await edit('edit_voice', { voice_id, language: 'hi-IN' })).status).toBe(200);
    expect(await edit('edit_stt', { stt: english })).toMatchObject(mismatch);
  });

  it("takes a vendor with the workspace's account", async () => {
    expect((await setVendors({ sarvam: { api_key: 'sarvam-key-of-the-workspace' } })).status).toBe(200);
    expect((await edit('edit_stt', { stt: { providers: ['sarvam'] } })).status).toBe(200);
    await setVendors({ sarvam: null });
  });
});

describe('edit_llm with vendors', () => {
  it('stores the chain and the model of its first vendor', async () => {
    await setVendors({ anthropic: { api_key: 'anthropic-key-of-the-workspace' } });
    const llm = {
      provider: 'default',
      providers: ['anthropic', 'offline'],
      model: 'claude-x',
      temperature: 0.2,
    };
    expect((await edit('edit_llm', { llm })).status).toBe(200);
    expect((await shown()).llm).toEqual({
      ...llm,
      base_url: null,
      api_key: null,
      max_tokens: null,
      on_model_failure: 'apologise',
    });
    await setVendors({ anthropic: null });
  });

  it.each([
    [
      { provider: 'default', providers: ['google'] },
      /^llm\.providers\[0\] names google, which is not configured as a language model/,
    ],
    [
      { provider: 'default', model: 'x' },
      /^llm\.model is only for the provider openai_compatible, or with providers/,
    ],
    [{ provider: 'default', providers: ['offline'], model: 'x' }, /^llm\.model/],
    [
      {
        provider: 'openai_compatible',
        providers: ['offline'],
        model: 'x',
        base_url: 'https://x.example.com',
      },
      /^llm\.providers is only for the provider default/,
    ],
  ])('refuses %j', async (llm, message) => {
    expect(await edit('edit_llm', { llm })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(message) },
    });
    expect((await shown()).llm).toBeNull();
  });
});

describe('edit_s2s', () => {
  it('stores the choice in the version, shows it, and removes it with null', async () => {
    expect((await shown()).s2s).toBeNull();
    const s2s = { provider: 'google', model: 'gemini-x', voice: 'Kore' };
    expect((await edit('edit_s2s', { s2s })).status).toBe(200);
    expect((await shown()).s2s).toEqual(s2s);
    expect((await edit('edit_s2s', { s2s: { provider: 'pipeline' } })).status).toBe(200);
    expect((await shown()).s2s).toEqual({ provider: 'pipeline', model: null, voice: null });
    expect((await edit('edit_s2s', { s2s: null })).status).toBe(200);
    expect((await shown()).s2s).toBeNull();
  });

  it.each([
    [{ provider: 'openai' }, /^s2s\.provider names openai, which has no account: .* OPENAI_API_KEY$/],
    [{ provider: 'pipeline', model: 'x' }, /^s2s has no model and no voice with pipeline$/],
    [{ provider: 'deepgram' }, /^s2s\.provider/],
    [{}, /^s2s\.provider/],
  ])('refuses %j', async (s2s, message) => {
    expect(await edit('edit_s2s', { s2s })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(message) },
    });
  });

  it("is chosen by the workspace too, with a sealed key of the workspace's own", async () => {
    const put = (body: object): Promise<Answer> =>
      api.request('PUT', '/api/v0/workspace/providers', { key: tenant.key, body });
    expect(await put({ s2s: 'openai' })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/^s2s names openai, which has no account/) },
    });
    const set = await put({
      s2s: 'openai',
      vendors: { openai: { api_key: 'openai-key-of-the-workspace', s2s_model: 'gpt-realtime-x' } },
    });
    expect(set.status).toBe(200);
    const { body } = await api.request('GET', '/api/v0/workspace/providers', { key: tenant.key });
    expect(body['providers']).toMatchObject({
      s2s: 'openai',
      vendors: { openai: { s2s_model: 'gpt-realtime-x' } },
      available: { s2s: ['openai', 'google'] },
    });
    expect(JSON.stringify(body)).not.toContain('openai-key-of-the-workspace');
    expect((await put({ s2s: null, vendors: { openai: null } })).status).toBe(200);
  });
});
