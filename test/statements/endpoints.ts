// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import {
  broken,
  data,
  ENGLISH,
  ok,
  refused,
  section,
  UNKNOWN,
  voiceFor,
  voiceNotFor,
  type Statement,
  type World,
} from './statement.ts';

const agents = section('Endpoints: agents');
const edits = section('Endpoints: PATCH /agent/v1');

/** The operation is accepted with `fields`, changes the agent, and requires its required fields. */
const operation =
  (
    name: string,
    fields: Record<string, unknown>,
    shown: (version: any, record: any) => unknown,
    expected: unknown,
  ) =>
  async (w: World): Promise<void> => {
    const { agentId } = await w.agent({ agent_type: 'outbound_inbound' });
    ok(await w.edit(agentId, name, fields));
    expect(shown(await w.version(agentId), await w.record(agentId))).toEqual(expected);
    refused(await w.edit(agentId, name, {}), 422, 'is required');
  };
const EDIT_LANGUAGES = ['en-US', 'en-IN', 'hi-IN', 'ta-IN', 'te-IN', 'kn-IN', 'mr-IN', 'gu-IN', 'ar-AE'];

export const ENDPOINTS: readonly Statement[] = [
  agents.prove(
    'Errors: 400 with code `VOICE_LANGUAGE_MISMATCH` when the voice does not support the language',
    async (w) => {
      const answer = await w.create({ voice_id: voiceNotFor('en-US') });
      refused(answer, 400);
      expect(answer.body['code']).toBe('VOICE_LANGUAGE_MISMATCH');
    },
  ),
  agents.prove(
    '422 on a missing or invalid field (including times that are not zero-padded `HH:MM`, `idle_timeout_warning` not less than `idle_timeout_end`, `volume` outside 0.0 to 1.0).',
    async (w) => {
      refused(await w.create({ task: undefined }), 422, 'task is required');
      refused(
        await w.create({ call_config: { call_time: { call_start_time: '9:00' } } }),
        422,
        'call_start_time',
      );
      refused(
        await w.create({ call_config: { idle_timeout_warning: 7, idle_timeout_end: 7 } }),
        422,
        'idle_timeout_warning',
      );
      refused(await w.create({ call_config: { background_audio_config: { volume: 1.5 } } }), 422, 'volume');
    },
  ),
  agents.prove(
    'changes the prompt fields, language, voice, first message, type and variables; it does not change `call_config`.',
    async (w) => {
      const { agentId } = await w.agent({ call_config: { max_call_length: 77 } });
      ok(
        await w.patch(`/public/agent/${agentId}`, { intro_message: 'New.', agent_type: 'outbound_inbound' }),
      );
      const version = await w.version(agentId);
      expect(version.agent_config.intro_message).toBe('New.');
      expect(version.call_config.max_call_length).toBe(77);
      expect((await w.record(agentId)).agent_type).toBe('outbound_inbound');
      refused(await w.patch(`/public/agent/${UNKNOWN}`, { intro_message: 'x' }), 404, 'Agent not found');
    },
  ),
  agents.prove('`limit` (omit to get every agent), `offset` (default 0).', async (w) => {
    for (let i = 0; i < 3; i += 1) await w.agent();
    const all = data(ok(await w.get('/agent/all')));
    expect(all.agents).toHaveLength(all.total);
    const page = data(ok(await w.get('/agent/all?limit=2&offset=1')));
    expect(page.agents.map((a: any) => a.id)).toEqual(all.agents.slice(1, 3).map((a: any) => a.id));
  }),
  agents.prove('Each agent has `agent_type`.', async (w) => {
    const all = data(ok(await w.get('/agent/all'))).agents;
    expect(all.every((a: any) => typeof a.agent_type === 'string')).toBe(true);
  }),
  agents.prove(
    'Query `type` (optional, only value `inbound`) returns the inbound settings of an outbound_inbound agent.',
    async (w) => {
      const { agentId } = await w.agent({ agent_type: 'outbound_inbound' });
      ok(await w.get(`/agent/${agentId}?type=inbound`));
      refused(await w.get(`/agent/${agentId}?type=outbound`), 422, 'type');
    },
  ),
  agents.prove("404 when no such agent exists in the key's workspace.", async (w) => {
    for (const id of [UNKNOWN, 'x']) refused(await w.get(`/agent/${id}`), 404, 'Agent not found');
  }),
  agents.prove(
    '**GET /agent/voices**: list voices. Query `language` (optional; one code or several comma-separated).',
    async (w) => {
      const list = async (query: string): Promise<{ languages: string[] }[]> =>
        ok(await w.get(`/agent/voices${query}`)).body['voices'] as { languages: string[] }[];
      const all = await list('');
      for (const wanted of [['hi-IN'], ['hi-IN', 'en-US']]) {
        const found = await list(`?language=${wanted.join(',')}`);
        expect(found).toEqual(all.filter((v) => v.languages.some((l) => wanted.includes(l))));
      }
    },
  ),
  agents.prove("500 with `{status: 'error', message}`", async (w) => {
    const answer = await broken(w, 'GET', '/agent/voices', undefined);
    refused(answer, 500);
    expect(answer.body['status']).toBe('error');
  }),

  edits.prove(
    'change one setting of an existing agent per request. Body: `operation` (required), `agent_id` (required), `version_id` (optional)',
    async (w) => {
      refused(await w.patch('/agent/v1', { agent_id: w.agentId }), 422, 'operation');
      refused(await w.patch('/agent/v1', { operation: 'edit_voice_speed' }), 422, 'agent_id is required');
    },
  ),
  edits.prove('Without `version_id` the change applies to the active version', async (w) => {
    const { agentId, versionId } = await w.agent();
    ok(await w.edit(agentId, 'edit_voice_speed', { voice_speed: 1.4 }));
    expect((await w.record(agentId)).version_details[versionId].agent_config.voice_speed).toBe(1.4);
  }),
  edits.prove('when an A/B test is live, the most recently updated version', async (w) => {
    const { agentId, versionId } = await w.agent();
    ok(await w.edit(agentId, 'create_version', {}));
    const other = Object.keys((await w.record(agentId)).version_details).find((id) => id !== versionId);
    const versions = [versionId, other].map((version_id) => ({ version_id, call_traffic: 50 }));
    ok(await w.edit(agentId, 'set_ab_test', { versions }));
    w.api.clock.advance(1000);
    ok(await w.edit(agentId, 'edit_voice_speed', { version_id: other, voice_speed: 1.1 }));
    w.api.clock.advance(1000);
    ok(await w.edit(agentId, 'edit_voice_speed', { voice_speed: 1.7 }));
    const details = (await w.record(agentId)).version_details;
    expect(details[other ?? ''].agent_config.voice_speed).toBe(1.7);
    expect(details[versionId].agent_config.voice_speed).toBe(1);
  }),
  edits.prove('a `version_id` that does not belong to the agent returns 404', async (w) => {
    const { agentId } = await w.agent();
    const fields = { version_id: w.versionId, voice_speed: 1 };
    refused(await w.edit(agentId, 'edit_voice_speed', fields), 404, 'Agent version not found');
  }),
  edits.prove('Response 200: `{message: <string>, agent_id: <uuid>}`.', async (w) => {
    expect(ok(await w.edit(w.agentId, 'edit_voice_speed', { voice_speed: 1 })).body).toEqual({
      message: expect.any(String),
      agent_id: w.agentId,
    });
  }),
  edits.prove(
    '`edit_prompt`: `agent_prompt` (string; replaces the whole prompt, so every section must be sent; a section left out is deleted)',
    operation(
      'edit_prompt',
      { agent_prompt: '## Objective\nOnly this.' },
      (v) => v.agent_config.prompt_sections,
      [{ section_title: 'Objective', section_content: 'Only this.' }],
    ),
  ),
  edits.prove(
    '`edit_call_config`: `call_config` (object; merged: only sent keys change, nested objects such as `voicemail` merge key by key; same keys as create; `idle_timeout_warning` must stay below `idle_timeout_end`)',
    async (w) => {
      const { agentId } = await w.agent({ call_config: { voicemail: { retry: false } } });
      ok(await w.edit(agentId, 'edit_call_config', { call_config: { voicemail: { detect: false } } }));
      expect((await w.version(agentId)).call_config.voicemail).toMatchObject({ retry: false, detect: false });
      refused(
        await w.edit(agentId, 'edit_call_config', { call_config: { idle_timeout_warning: 10 } }),
        422,
        'idle_timeout_warning',
      );
    },
  ),
  edits.prove(
    '`edit_agent_display_name`: `agent_display_name` (string)',
    operation(
      'edit_agent_display_name',
      { agent_display_name: 'New' },
      (_, record) => record.agent_display_name,
      'New',
    ),
  ),
  edits.prove(
    '`edit_intro_message`: `intro_message` (string; replaces the first message)',
    operation('edit_intro_message', { intro_message: 'Hi.' }, (v) => v.agent_config.intro_message, 'Hi.'),
  ),
  edits.prove(
    '`edit_voice`: `voice_id` (UUID) and `language` (one of `en-US`, `en-IN`, `hi-IN`, `ta-IN`, `te-IN`, `kn-IN`, `mr-IN`, `gu-IN`, `ar-AE`; the voice must support it)',
    async (w) => {
      const { agentId } = await w.agent();
      for (const language of EDIT_LANGUAGES) {
        ok(await w.edit(agentId, 'edit_voice', { voice_id: voiceFor(language), language }));
        expect((await w.version(agentId)).language).toBe(language);
      }
      refused(await w.edit(agentId, 'edit_voice', { voice_id: ENGLISH, language: 'en-GB' }), 422, 'language');
      refused(
        await w.edit(agentId, 'edit_voice', { voice_id: voiceNotFor('hi-IN'), language: 'hi-IN' }),
        400,
      );
    },
  ),
  edits.prove('optional `secondary_voice_id` (UUID; an empty string removes it)', async (w) => {
    const { agentId } = await w.agent();
    const voice = { voice_id: ENGLISH, language: 'en-US' };
    ok(await w.edit(agentId, 'edit_voice', { ...voice, secondary_voice_id: voiceFor('hi-IN') }));
    expect((await w.version(agentId)).secondary_voice_id).toBe(voiceFor('hi-IN'));
    ok(await w.edit(agentId, 'edit_voice', { ...voice, secondary_voice_id: '' }));
    expect((await w.version(agentId)).secondary_voice_id).toBeNull();
  }),
  edits.prove(
    '`edit_voice_speed`: `voice_speed` (number)',
    operation('edit_voice_speed', { voice_speed: 1.5 }, (v) => v.agent_config.voice_speed, 1.5),
  ),
  edits.prove(
    '`edit_noise_settings`: `mute_during_intro` and `mute_while_bot_speaking`, both boolean and both required',
    async (w) => {
      await operation(
        'edit_noise_settings',
        { mute_during_intro: false, mute_while_bot_speaking: true },
        (v) => [v.agent_config.mute_during_intro, v.agent_config.mute_while_bot_speaking],
        [false, true],
      )(w);
      refused(
        await w.edit(w.agentId, 'edit_noise_settings', { mute_during_intro: true }),
        422,
        'mute_while_bot_speaking is required',
      );
    },
  ),
  edits.elsewhere(
    'the second stops the caller interrupting the agent at any time',
    'packages/turns/src/turn/machine.interruption.test.ts > is impossible under mute_while_bot_speaking',
  ),
  edits.prove(
    '`edit_vocab`: `vocab` (array of string; replaces the list; at most 100 words in total)',
    async (w) => {
      await operation('edit_vocab', { vocab: ['a b', 'c'] }, (v) => v.agent_config.vocab, ['a b', 'c'])(w);
      ok(await w.edit(w.agentId, 'edit_vocab', { vocab: Array(50).fill('two words') }));
      refused(await w.edit(w.agentId, 'edit_vocab', { vocab: Array(51).fill('two words') }), 422, 'vocab');
    },
  ),
  edits.prove(
    '`edit_query_phrases`: `pre_query_response_phrases` (array of string, replaces the list); optional `pre_query_phrase_probability` (number 0 to 1)',
    async (w) => {
      await operation(
        'edit_query_phrases',
        { pre_query_response_phrases: ['Wait.'], pre_query_phrase_probability: 0 },
        (v) => [v.agent_config.pre_query_response_phrases, v.agent_config.pre_query_phrase_probability],
        [['Wait.'], 0],
      )(w);
      const fields = { pre_query_response_phrases: [], pre_query_phrase_probability: 1.01 };
      refused(await w.edit(w.agentId, 'edit_query_phrases', fields), 422, 'pre_query_phrase_probability');
    },
  ),
  edits.prove(
    '`edit_vad_settings`: `vad_settings` (object, replaces the current settings; key seen: `interruption_sensitivity`, value `default` seen)',
    operation(
      'edit_vad_settings',
      { vad_settings: { interruption_sensitivity: 'default' } },
      (v) => v.agent_config.vad_settings.interruption_sensitivity,
      'default',
    ),
  ),
  edits.prove(
    '`edit_custom_vars`: `custom_variables` (array of string; replaces the list; an outbound agent must keep `callee_name` and `mobile_number`)',
    operation(
      'edit_custom_vars',
      { custom_variables: ['callee_name', 'mobile_number', 'slot'] },
      (v) => v.agent_config.custom_variables,
      ['callee_name', 'mobile_number', 'slot'],
    ),
  ),
  edits.prove('`attach_kb`, `remove_kb`: `kb_id` (UUID)', async (w) => {
    for (const name of ['attach_kb', 'remove_kb']) refused(await w.edit(w.agentId, name, {}), 422, 'kb_id');
    refused(await w.edit(w.agentId, 'attach_kb', { kb_id: UNKNOWN }), 404);
  }),
  edits.prove('`attach_inbound_number`, `remove_inbound_number`: `number_id` (UUID)', async (w) => {
    const { agentId } = await w.agent({ agent_type: 'inbound' });
    for (const name of ['attach_inbound_number', 'remove_inbound_number']) {
      refused(await w.edit(agentId, name, {}), 422, 'number_id is required');
      ok(await w.edit(agentId, name, { number_id: w.tenant.numberId }));
    }
  }),
  edits.prove(
    "`edit_agent_whitelisted_domains`: `whitelisted_domains` (array of URL string; web agents; replaces the list; it must keep the service's own web address)",
    async (w) => {
      const { agentId } = await w.agent();
      const own = 'http://callwright.test';
      for (const other of ['https://a.example', 'https://b.example']) {
        const whitelisted_domains = [own, other];
        ok(await w.edit(agentId, 'edit_agent_whitelisted_domains', { whitelisted_domains }));
        expect((await w.version(agentId)).whitelisted_domains).toEqual(whitelisted_domains);
      }
      const without = { whitelisted_domains: ['https://a.example'] };
      refused(await w.edit(agentId, 'edit_agent_whitelisted_domains', without), 422, own);
    },
  ),
  agents.prove('**GET /agent/{agent_id}**: Also 401 and 500.', async (w) => {
    refused(await w.get(`/agent/${w.agentId}`, null), 401, 'Invalid credentials');
    refused(
      await broken(w, 'GET', `/agent/${w.agentId}`, undefined),
      500,
      'An unexpected error occurred. Please try again later.',
    );
  }),
  edits.prove(
    '`edit_chat_settings`: `chat_settings.whatsapp_session` with `idle_timeout_minutes` and `max_duration_minutes` (integers; WhatsApp agents; omitted fields keep their values)',
    async (w) => {
      const { agentId } = await w.agent({ agent_type: 'whatsapp' });
      const set = (whatsapp_session: object) =>
        w.edit(agentId, 'edit_chat_settings', { chat_settings: { whatsapp_session } });
      const stored = async () => (await w.version(agentId)).chat_settings.whatsapp_session;
      ok(await set({ idle_timeout_minutes: 20, max_duration_minutes: 300 }));
      ok(await set({ idle_timeout_minutes: 25 }));
      expect(await stored()).toEqual({ idle_timeout_minutes: 25, max_duration_minutes: 300 });
      ok(await set({ max_duration_minutes: 400 }));
      expect(await stored()).toEqual({ idle_timeout_minutes: 25, max_duration_minutes: 400 });
      for (const name of ['idle_timeout_minutes', 'max_duration_minutes']) {
        refused(await set({ [name]: 10.5 }), 422, name);
      }
      const voice = await w.agent();
      const chat_settings = { whatsapp_session: { idle_timeout_minutes: 25 } };
      expect((await w.edit(voice.agentId, 'edit_chat_settings', { chat_settings })).status).toBe(400);
    },
  ),
  edits.prove(
    "`edit_event_subscriptions`: `event_subscriptions` (array of subscription objects; replaces the agent's whole list)",
    async (w) => {
      const { agentId } = await w.agent();
      const hook = { callback_url: 'https://example.com/a', method_type: 'POST' };
      for (const event_type of ['call_started', 'call_completed']) {
        const event_subscriptions = [{ ...hook, event_type: [event_type] }];
        ok(await w.edit(agentId, 'edit_event_subscriptions', { event_subscriptions }));
        expect((await w.version(agentId)).event_subscriptions).toMatchObject(event_subscriptions);
      }
    },
  ),
  edits.prove('`edit_dtmf_settings`: listed as an operation; its field is not shown', async (w) => {
    const { agentId } = await w.agent();
    const dtmf_settings = { dtmf_capturing_enabled: false };
    ok(await w.edit(agentId, 'edit_dtmf_settings', { dtmf_settings }));
    expect((await w.version(agentId)).agent_config.dtmf_settings).toMatchObject(dtmf_settings);
  }),
  edits.prove("400 `{message: 'Selected voice does not support the specified language'}`", async (w) => {
    refused(
      await w.edit(w.agentId, 'edit_voice', { voice_id: voiceNotFor('ar-AE'), language: 'ar-AE' }),
      400,
      'Selected voice does not support the specified language',
    );
  }),
  edits.prove("400 when subscribing to an event the agent's channel never sends", async (w) => {
    const event_subscriptions = [{ event_type: 'chat_completed', callback_url: 'https://example.com' }];
    refused(
      await w.edit(w.agentId, 'edit_event_subscriptions', { event_subscriptions }),
      400,
      'chat_completed',
    );
  }),
  edits.prove('401 invalid credentials', async (w) => {
    refused(await w.api.request('PATCH', '/api/v0/agent/v1', { body: {} }), 401, 'Invalid credentials');
  }),
  edits.prove(
    "403 when removing `callee_name` or `mobile_number` from an outbound agent's variables (message lists the variables that cannot be removed)",
    async (w) => {
      for (const [kept, missing] of [
        ['callee_name', 'mobile_number'],
        ['mobile_number', 'callee_name'],
      ] as const) {
        refused(await w.edit(w.agentId, 'edit_custom_vars', { custom_variables: [kept] }), 403, missing);
      }
    },
  ),
  edits.prove('404 agent (or version) not found', async (w) => {
    refused(await w.edit(UNKNOWN, 'edit_voice_speed', { voice_speed: 1 }), 404, 'Agent not found');
    const fields = { voice_speed: 1, version_id: UNKNOWN };
    refused(await w.edit(w.agentId, 'edit_voice_speed', fields), 404);
  }),
  edits.prove('422 unknown operation or missing field', async (w) => {
    refused(await w.edit(w.agentId, 'edit_everything', {}), 422, 'operation');
    refused(await w.edit(w.agentId, 'edit_voice_speed', {}), 422, 'voice_speed is required');
  }),
  edits.prove("500 `{message: 'Failed to edit agent'}`", async (w) => {
    const body = { operation: 'edit_voice', agent_id: w.agentId, voice_id: ENGLISH, language: 'en-US' };
    refused(await broken(w, 'PATCH', '/agent/v1', body), 500, 'Failed to edit agent');
  }),
];
