import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { voices } from '../../../src/providers/voices.ts';
import { createTestAgent } from '../../helpers/api/api.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ agent: { agent_type: 'outbound_inbound', custom_variables: ['day'] } });
});
afterAll(() => desk.api.close());
const english = voices().find((v) => v.languages.includes('en-US') && !v.languages.includes('ar-AE'))!;

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
    const answer = await desk.edit(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('checks the body before the agent, then answers 404', async () => {
    const unknown = '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10';
    expect((await desk.edit({ agent_id: unknown, operation: 'edit_voice_speed' })).status).toBe(422);
    for (const id of [unknown, 'no-uuid', "'; drop table agents; --"]) {
      const answer = await desk.edit({ agent_id: id, operation: 'edit_voice_speed', voice_speed: 1 });
      expect(answer.status).toBe(404);
      expect(answer.body['message']).toBe('Agent not found');
    }
  });

  it('answers 404 for a version that is not the agent’s', async () => {
    const other = await createTestAgent(desk.api, desk.tenant);
    for (const version_id of [other.versionId, '01980f6e-6f3a-7cc0-9d3e-0a6c2f1b7a10', 'x']) {
      const answer = await desk.edit({ version_id, operation: 'edit_voice_speed', voice_speed: 1 });
      expect(answer.status).toBe(404);
      expect(answer.body['message']).toBe('Agent version not found');
    }
  });

  it.each([null, { call_time: { timezone: 'Nowhere' } }])(
    'ignores the field of another operation: call_config %j',
    async (callConfig) => {
      const edit = { operation: 'edit_voice_speed', voice_speed: 1, call_config: callConfig };
      expect((await desk.edit(edit)).status).toBe(200);
    },
  );

  it('edits the version named by version_id', async () => {
    const { record } = await desk.shown();
    const version_id = record['active_agent_version_id'];
    const version = await desk.accepted({ version_id, operation: 'edit_voice_speed', voice_speed: 0.5 });
    expect(version.agent_config['voice_speed']).toBe(0.5);
  });
});
