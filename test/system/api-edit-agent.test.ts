import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventSubscription } from '../../src/domain/agents/agent-version.ts';
import { openHeaders } from '../../src/domain/webhooks/sealed-headers.ts';
import { voices } from '../../src/providers/voices.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  TEST_SEAL,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api);
  ({ agentId } = await createTestAgent(api, tenant, {
    agent_type: 'outbound_inbound',
    custom_variables: ['day'],
  }));
});
afterAll(() => api.close());

const edit = (body: Record<string, unknown>, key = tenant.key): Promise<Answer> =>
  api.request('PATCH', '/api/v0/agent/v1', { key, body: { agent_id: agentId, ...body } });

interface Version {
  language: string;
  voice: { id: string; name: string };
  secondary_voice_id: string | null;
  agent_config: Record<string, unknown>;
  call_config: Record<string, unknown>;
  event_subscriptions: {
    event_type: string[];
    callback_url: string;
    method_type: string;
    headers: Record<string, string>;
  }[];
}
async function read(id = agentId): Promise<{ record: Record<string, unknown>; version: Version }> {
  const answer = await api.request('GET', `/api/v0/agent/${id}`, { key: tenant.key });
  const record = answer.body['agents'] as Record<string, unknown>;
  const versions = record['version_details'] as Record<string, Version>;
  return { record, version: versions[record['active_agent_version_id'] as string]! };
}
async function accepted(body: Record<string, unknown>): Promise<Version> {
  const answer = await edit(body);
  expect(answer.body).toEqual({ message: 'Agent updated successfully', agent_id: agentId });
  return (await read()).version;
}
const english = voices().find((v) => v.languages.includes('en-US') && !v.languages.includes('ar-AE'))!;
const arabic = voices().find((v) => v.languages.includes('ar-AE'))!;

describe('PATCH /agent/v1', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['operation', { operation: undefined }, 'operation is required'],
    ['operation', { operation: 'edit_everything' }, 'operation must be one of'],
    ['operation', { operation: '__proto__x' }, 'operation must be one of'],
    ['operation', { operation: 'constructor' }, 'operation must be one of'],
    ['operation', { operation: 5 }, 'operation must be one of'],
    ['agent_id', { operation: 'edit_voice_speed', agent_id: undefined }, 'agent_id is required'],
    ['agent_id', { operation: 'edit_voice_speed', agent_id: 7 }, 'agent_id must be a string'],
    [
      'version_id',
      { operation: 'edit_voice_speed', version_id: 7, voice_speed: 1 },
      'version_id must be a string',
    ],
    ['kb_id', { operation: 'attach_kb' }, 'kb_id is required'],
    ['tools', { operation: 'edit_on_call_tools' }, 'on_call_tools is required'],
    ['agent_prompt', { operation: 'edit_prompt' }, 'agent_prompt is required'],
    ['agent_prompt', { operation: 'edit_prompt', agent_prompt: '' }, 'agent_prompt must be'],
    ['agent_prompt', { operation: 'edit_prompt', agent_prompt: 5 }, 'agent_prompt must be'],
    ['call_config', { operation: 'edit_call_config' }, 'call_config is required'],
    [
      'call_config',
      { operation: 'edit_call_config', call_config: { x: 1 } },
      'call_config.x is not a known field',
    ],
    [
      'call_config',
      { operation: 'edit_call_config', call_config: { idle_timeout_warning: 300 } },
      'call_config.idle_timeout_warning must be less than call_config.idle_timeout_end',
    ],
    [
      'call_config',
      { operation: 'edit_call_config', call_config: { call_time: { timezone: 'IST' } } },
      'call_config.call_time.timezone must be an IANA zone',
    ],
    ['agent_display_name', { operation: 'edit_agent_display_name' }, 'agent_display_name is required'],
    [
      'agent_display_name',
      { operation: 'edit_agent_display_name', agent_display_name: 'x'.repeat(101) },
      'agent_display_name must be at most 100 characters long',
    ],
    [
      'intro_message',
      { operation: 'edit_intro_message', intro_message: '' },
      'intro_message must not be empty',
    ],
    [
      'intro_message',
      { operation: 'edit_intro_message', intro_message: 'x'.repeat(501) },
      'intro_message must be at most 500 characters long',
    ],
    ['voice_id', { operation: 'edit_voice', language: 'en-US' }, 'voice_id is required'],
    ['voice_id', { operation: 'edit_voice', voice_id: 'x', language: 'en-US' }, 'voice_id must be a UUID'],
    ['language', { operation: 'edit_voice', voice_id: english.id }, 'language is required'],
    [
      'language',
      { operation: 'edit_voice', voice_id: english.id, language: 'en-GB' },
      'language must be one of',
    ],
    [
      'secondary_voice_id',
      { operation: 'edit_voice', voice_id: english.id, language: 'en-US', secondary_voice_id: 'x' },
      'secondary_voice_id must be a UUID, or empty',
    ],
    ['voice_speed', { operation: 'edit_voice_speed', voice_speed: 0.49 }, 'voice_speed must be at least 0.5'],
    ['voice_speed', { operation: 'edit_voice_speed', voice_speed: 2.01 }, 'voice_speed must be at most 2'],
    ['voice_speed', { operation: 'edit_voice_speed', voice_speed: '1' }, 'voice_speed must be a number'],
    [
      'mute',
      { operation: 'edit_noise_settings', mute_during_intro: true },
      'mute_while_bot_speaking is required',
    ],
    [
      'mute',
      { operation: 'edit_noise_settings', mute_during_intro: 1, mute_while_bot_speaking: true },
      'mute_during_intro must be a boolean',
    ],
    ['vocab', { operation: 'edit_vocab' }, 'vocab is required'],
    ['vocab', { operation: 'edit_vocab', vocab: [''] }, 'vocab[0] must be a word or phrase'],
    ['vocab', { operation: 'edit_vocab', vocab: Array(101).fill('a') }, 'vocab must hold at most 100'],
    [
      'vocab',
      { operation: 'edit_vocab', vocab: Array(51).fill('two words') },
      'vocab must hold at most 100 words',
    ],
    ['phrases', { operation: 'edit_query_phrases' }, 'pre_query_response_phrases is required'],
    [
      'phrases',
      {
        operation: 'edit_query_phrases',
        pre_query_response_phrases: ['a'],
        pre_query_phrase_probability: 1.1,
      },
      'pre_query_phrase_probability must be at most 1',
    ],
    ['vad', { operation: 'edit_vad_settings' }, 'vad_settings is required'],
    [
      'vad',
      { operation: 'edit_vad_settings', vad_settings: { interruption_sensitivity: 'extreme' } },
      'vad_settings.interruption_sensitivity must be one of',
    ],
    ['vars', { operation: 'edit_custom_vars' }, 'custom_variables is required'],
    ['vars', { operation: 'edit_custom_vars', custom_variables: ['a{b'] }, 'custom_variables[0] must be'],
    ['events', { operation: 'edit_event_subscriptions' }, 'event_subscriptions is required'],
    ['number', { operation: 'attach_inbound_number' }, 'number_id is required'],
    ['number', { operation: 'remove_inbound_number' }, 'number_id is required'],
  ])('422 names %s: %j', async (_field, body, message) => {
    const answer = await edit(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('checks the shape before it looks for the agent, and then answers 404', async () => {
    const unknown = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
    expect((await edit({ agent_id: unknown, operation: 'edit_voice_speed' })).status).toBe(422);
    for (const id of [unknown, 'no-uuid', "'; drop table agents; --"]) {
      const answer = await edit({ agent_id: id, operation: 'edit_voice_speed', voice_speed: 1 });
      expect(answer.status).toBe(404);
      expect(answer.body['message']).toBe('Agent not found');
    }
  });

  it('answers 404 for a version that is not the agent’s', async () => {
    const other = await createTestAgent(api, tenant);
    for (const version_id of [other.versionId, '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10', 'x']) {
      const answer = await edit({ version_id, operation: 'edit_voice_speed', voice_speed: 1 });
      expect(answer.status).toBe(404);
      expect(answer.body['message']).toBe('Agent version not found');
    }
  });

  it('takes the version by its id', async () => {
    const { record } = await read();
    const version_id = record['active_agent_version_id'];
    const version = await accepted({ version_id, operation: 'edit_voice_speed', voice_speed: 0.5 });
    expect(version.agent_config['voice_speed']).toBe(0.5);
  });

  it('edit_prompt replaces the whole prompt, as text or as sections', async () => {
    const text = await accepted({
      operation: 'edit_prompt',
      agent_prompt: '## Objective\nHelp {{callee_name}}.',
    });
    expect(text.agent_config['agent_prompt']).toBe('## Objective\nHelp {{callee_name}}.');
    expect(text.agent_config['prompt_sections']).toEqual([
      { section_title: 'Objective', section_content: 'Help {{callee_name}}.' },
    ]);
    const prompt_sections = [
      { section_title: 'Objective', section_content: 'Sell nothing.' },
      { section_title: 'Odd', section_content: '' },
    ];
    const sections = await accepted({ operation: 'edit_prompt', agent_prompt: { prompt_sections } });
    expect(sections.agent_config['prompt_sections']).toEqual(prompt_sections);
    expect(String(sections.agent_config['agent_prompt'])).toContain('Sell nothing.');
  });

  it('edit_call_config merges key by key and checks the merged whole', async () => {
    await accepted({ operation: 'edit_call_config', call_config: { voicemail: { retry: false } } });
    const version = await accepted({
      operation: 'edit_call_config',
      call_config: {
        voicemail: { action: 'static_message', static_message: 'Bye.' },
        call_time: { call_end_time: '18:30' },
      },
    });
    expect(version.call_config['voicemail']).toEqual({
      detect: true,
      action: 'static_message',
      static_message: 'Bye.',
      retry: false,
    });
    expect(version.call_config['call_time']).toEqual({
      call_start_time: '09:00',
      call_end_time: '18:30',
      timezone: 'Asia/Kolkata',
      days: null,
      slots: null,
      use_callee_timezone: false,
    });
    await accepted({ operation: 'edit_call_config', call_config: { idle_timeout_end: 30 } });
    await accepted({ operation: 'edit_call_config', call_config: { idle_timeout_warning: 29 } });
    expect(
      (await edit({ operation: 'edit_call_config', call_config: { idle_timeout_end: 29 } })).status,
    ).toBe(422);
    expect((await read()).version.call_config['idle_timeout_end']).toBe(30);
  });

  it('takes back the call_config it shows', async () => {
    const { version } = await read();
    const again = await accepted({ operation: 'edit_call_config', call_config: version.call_config });
    expect(again.call_config).toEqual(version.call_config);
  });

  it('edit_agent_display_name, edit_intro_message, edit_voice_speed', async () => {
    await accepted({ operation: 'edit_agent_display_name', agent_display_name: 'नमस्ते' });
    expect((await read()).record['agent_display_name']).toBe('नमस्ते');
    const intro = await accepted({ operation: 'edit_intro_message', intro_message: 'Good day.' });
    expect(intro.agent_config['intro_message']).toBe('Good day.');
    for (const voice_speed of [0.5, 1.25, 2]) {
      const version = await accepted({ operation: 'edit_voice_speed', voice_speed });
      expect(version.agent_config['voice_speed']).toBe(voice_speed);
    }
  });

  it('edit_voice changes voice and language, and the secondary voice when it is sent', async () => {
    const first = await accepted({
      operation: 'edit_voice',
      voice_id: arabic.id,
      language: 'ar-AE',
      secondary_voice_id: english.id,
    });
    expect(first).toMatchObject({
      language: 'ar-AE',
      voice: { id: arabic.id, name: arabic.name },
      secondary_voice_id: english.id,
    });
    const second = await accepted({ operation: 'edit_voice', voice_id: english.id, language: 'en-US' });
    expect(second).toMatchObject({ language: 'en-US', secondary_voice_id: english.id });
    const third = await accepted({
      operation: 'edit_voice',
      voice_id: english.id,
      language: 'en-US',
      secondary_voice_id: '',
    });
    expect(third.secondary_voice_id).toBeNull();
    const refused = await edit({ operation: 'edit_voice', voice_id: english.id, language: 'ar-AE' });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toBe('Selected voice does not support the specified language');
    const unknown = await edit({
      operation: 'edit_voice',
      voice_id: '00000000-0000-4000-8000-000000000000',
      language: 'en-US',
    });
    expect(unknown.status).toBe(422);
  });

  it('edit_noise_settings shows in both places', async () => {
    const version = await accepted({
      operation: 'edit_noise_settings',
      mute_during_intro: false,
      mute_while_bot_speaking: true,
    });
    expect(version.agent_config).toMatchObject({ mute_during_intro: false, mute_while_bot_speaking: true });
    expect(version.call_config['mute_during_intro']).toBe(false);
  });

  it('edit_vocab, edit_query_phrases and edit_vad_settings replace', async () => {
    await accepted({ operation: 'edit_vocab', vocab: ['Callwright', 'root canal'] });
    const vocab = await accepted({ operation: 'edit_vocab', vocab: Array(50).fill('two words') });
    expect(vocab.agent_config['vocab']).toHaveLength(50);
    expect((await accepted({ operation: 'edit_vocab', vocab: [] })).agent_config['vocab']).toEqual([]);
    await accepted({
      operation: 'edit_query_phrases',
      pre_query_response_phrases: ['One moment.'],
      pre_query_phrase_probability: 0.4,
    });
    const phrases = await accepted({ operation: 'edit_query_phrases', pre_query_response_phrases: [] });
    expect(phrases.agent_config).toMatchObject({
      pre_query_response_phrases: [],
      pre_query_phrase_probability: 0.4,
    });
    await accepted({ operation: 'edit_vad_settings', vad_settings: { interruption_sensitivity: 'high' } });
    const vad = await accepted({ operation: 'edit_vad_settings', vad_settings: {} });
    expect(vad.agent_config['vad_settings']).toEqual({ interruption_sensitivity: 'default' });
  });

  it('edit_custom_vars keeps what an outbound agent must have', async () => {
    const version = await accepted({
      operation: 'edit_custom_vars',
      custom_variables: ['mobile_number', 'callee_name', 'slot', 'slot'],
    });
    expect(version.agent_config['custom_variables']).toEqual(['mobile_number', 'callee_name', 'slot']);
    const refused = await edit({ operation: 'edit_custom_vars', custom_variables: ['callee_name', 'slot'] });
    expect(refused.status).toBe(403);
    expect(refused.body['message']).toContain('mobile_number');
    expect(refused.body['message']).not.toContain('callee_name');
    const inbound = await createTestAgent(api, tenant, { agent_type: 'inbound' });
    const free = await edit({
      agent_id: inbound.agentId,
      operation: 'edit_custom_vars',
      custom_variables: [],
    });
    expect(free.status).toBe(200);
  });
});

describe('edit_event_subscriptions', () => {
  const subscribe = (...event_subscriptions: unknown[]): Promise<Answer> =>
    edit({ operation: 'edit_event_subscriptions', event_subscriptions });
  const hook = { event_type: ['call_completed'], callback_url: 'https://example.com/a', method_type: 'POST' };

  it('replaces the list; of two for one event the later one stays', async () => {
    expect((await subscribe({ ...hook, event_type: 'call_started' })).status).toBe(200);
    const answer = await subscribe(
      { ...hook, event_type: ['call_started', 'call_completed', 'call_completed'] },
      { ...hook, event_type: 'call_completed', callback_url: 'http://example.com/b', method_type: 'PUT' },
    );
    expect(answer.status).toBe(200);
    expect((await read()).version.event_subscriptions).toEqual([
      {
        event_type: ['call_started'],
        callback_url: 'https://example.com/a',
        method_type: 'POST',
        headers: {},
      },
      {
        event_type: ['call_completed'],
        callback_url: 'http://example.com/b',
        method_type: 'PUT',
        headers: {},
      },
    ]);
    await subscribe();
    expect((await read()).version.event_subscriptions).toEqual([]);
  });

  it('answers 400 for an event the channel never sends', async () => {
    const answer = await subscribe({ ...hook, event_type: ['call_completed', 'chat_completed'] });
    expect(answer.status).toBe(400);
    expect(answer.body['message']).toContain('chat_completed');
  });

  it.each<[Record<string, unknown>, string]>([
    [{ event_type: 'call_finished' }, 'event_subscriptions[0].event_type must be one of'],
    [{ event_type: [] }, 'event_subscriptions[0].event_type must be one of'],
    [{ event_type: undefined }, 'event_subscriptions[0].event_type is required'],
    [{ callback_url: undefined }, 'event_subscriptions[0].callback_url is required'],
    [{ callback_url: 'example.com' }, 'event_subscriptions[0].callback_url must be an http or https URL'],
    [
      { callback_url: 'ftp://example.com' },
      'event_subscriptions[0].callback_url must be an http or https URL',
    ],
    [
      { callback_url: 'javascript:alert(1)' },
      'event_subscriptions[0].callback_url must be an http or https URL',
    ],
    [{ callback_url: 'https://u:p@example.com' }, 'event_subscriptions[0].callback_url must not carry'],
    [{ method_type: 'GET' }, 'event_subscriptions[0].method_type must be one of POST, PUT, PATCH'],
    [{ headers: { Authorization: 5 } }, 'event_subscriptions[0].headers.Authorization must be a string'],
    [{ headers: { 'X-A': 'a\r\nB: c' } }, 'event_subscriptions[0].headers.X-A must be a header value'],
    [{ headers: { 'X-A\r\nB': 'c' } }, 'event_subscriptions[0].headers must have valid HTTP header names'],
    [{ headers: { '': 'c' } }, 'event_subscriptions[0].headers must have valid HTTP header names'],
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'upgrade',
      'TE',
      'webhook-signature',
    ].map((name): [Record<string, unknown>, string] => [
      { headers: { [name]: 'x' } },
      `event_subscriptions[0].headers.${name} is set by the service`,
    ]),
  ])('refuses %j', async (change, message) => {
    const answer = await subscribe({ ...hook, ...change });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('masks secrets on read and keeps them when the mask comes back', async () => {
    const headers = { Authorization: 'Bearer canary-secret', 'X-Plain': 'blue', 'X-Odd': 'a'.repeat(30) };
    await subscribe({ ...hook, headers });
    const shown = (await read()).version.event_subscriptions;
    expect(shown[0]!.headers).toEqual({ Authorization: 'Bear***', 'X-Plain': 'blue', 'X-Odd': 'aaaa***' });
    expect((await subscribe({ ...shown[0], callback_url: 'https://example.com/moved' })).status).toBe(200);
    const row = await api.db
      .selectFrom('agent_versions')
      .select('config')
      .where('agent_id', '=', agentId)
      .executeTakeFirstOrThrow();
    const [stored] = row.config['event_subscriptions'] as EventSubscription[];
    expect(stored).toMatchObject({ callback_url: 'https://example.com/moved' });
    expect(JSON.stringify(stored)).not.toContain('canary-secret');
    expect(openHeaders(TEST_SEAL, stored!.headers)).toEqual(headers);
  });

  it('never sends a kept secret to another receiver', async () => {
    await subscribe({ ...hook, headers: { Authorization: 'Bearer canary-secret' } });
    const answer = await subscribe({
      ...hook,
      callback_url: 'https://evil.example/a',
      headers: { Authorization: 'Bear***' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toContain('event_subscriptions[0].headers.Authorization is masked');
  });
});

describe('inbound numbers', () => {
  it('attaches a number, shows it on both sides, and removes it', async () => {
    const answer = await edit({ operation: 'attach_inbound_number', number_id: tenant.numberId });
    expect(answer.status).toBe(200);
    expect((await read()).record['inbound_number_id']).toBe(tenant.numberId);
    const numbers = await api.request('GET', '/api/v0/workspace/numbers', { key: tenant.key });
    expect(numbers.body['workspace_numbers']).toContainEqual(
      expect.objectContaining({ id: tenant.numberId, agent: expect.objectContaining({ id: agentId }) }),
    );
    const again = await edit({ operation: 'attach_inbound_number', number_id: tenant.numberId });
    expect(again.status).toBe(200);
    const other = await createTestAgent(api, tenant, { agent_type: 'inbound' });
    const taken = await edit({
      agent_id: other.agentId,
      operation: 'attach_inbound_number',
      number_id: tenant.numberId,
    });
    expect(taken.status).toBe(400);
    const notTheirs = await edit({
      agent_id: other.agentId,
      operation: 'remove_inbound_number',
      number_id: tenant.numberId,
    });
    expect(notTheirs.status).toBe(400);
    expect((await edit({ operation: 'remove_inbound_number', number_id: tenant.numberId })).status).toBe(200);
    expect((await read()).record['inbound_number_id']).toBeNull();
  });

  it('refuses shared test numbers, foreign numbers and outbound agents', async () => {
    const test = await edit({ operation: 'attach_inbound_number', number_id: tenant.testNumberId });
    expect(test.status).toBe(400);
    expect(test.body['code']).toBe('TEST_NUMBER');
    const stranger = await createTenant(api);
    for (const number_id of [stranger.numberId, 'x', '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10']) {
      const answer = await edit({ operation: 'attach_inbound_number', number_id });
      expect(answer.status).toBe(400);
      expect(answer.body['message']).toBe('number_id is not a number of this workspace');
    }
    const outbound = await createTestAgent(api, tenant);
    const refused = await edit({
      agent_id: outbound.agentId,
      operation: 'attach_inbound_number',
      number_id: tenant.numberId,
    });
    expect(refused.status).toBe(400);
  });
});
