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
const arabic = voices().find((v) => v.languages.includes('ar-AE'))!;

describe('PATCH /agent/v1', () => {
  it('edit_prompt replaces the whole prompt, as text or as sections', async () => {
    const text = await desk.accepted({
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
    const sections = await desk.accepted({ operation: 'edit_prompt', agent_prompt: { prompt_sections } });
    expect(sections.agent_config['prompt_sections']).toEqual(prompt_sections);
    expect(String(sections.agent_config['agent_prompt'])).toContain('Sell nothing.');
  });

  it('edit_call_config merges key by key and checks the merged result', async () => {
    await desk.accepted({ operation: 'edit_call_config', call_config: { voicemail: { retry: false } } });
    const version = await desk.accepted({
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
    await desk.accepted({ operation: 'edit_call_config', call_config: { idle_timeout_end: 30 } });
    await desk.accepted({ operation: 'edit_call_config', call_config: { idle_timeout_warning: 29 } });
    expect(
      (await desk.edit({ operation: 'edit_call_config', call_config: { idle_timeout_end: 29 } })).status,
    ).toBe(422);
    expect((await desk.shown()).version.call_config['idle_timeout_end']).toBe(30);
  });

  it('accepts the call_config that it returns', async () => {
    const { version } = await desk.shown();
    const again = await desk.accepted({ operation: 'edit_call_config', call_config: version.call_config });
    expect(again.call_config).toEqual(version.call_config);
  });

  it('edit_evaluations replaces the criteria and refuses a name twice', async () => {
    const evaluations = [
      { name: 'polite', criterion: 'The agent is polite.' },
      { name: 'books', criterion: 'The tool "book_slot" is used.' },
    ];
    expect((await desk.shown()).version.evaluations).toEqual([]);
    expect((await desk.accepted({ operation: 'edit_evaluations', evaluations })).evaluations).toEqual(
      evaluations,
    );
    const refused = await desk.edit({
      operation: 'edit_evaluations',
      evaluations: [...evaluations, { name: 'polite', criterion: 'Again.' }],
    });
    expect([refused.status, refused.body['message']]).toEqual([
      422,
      'evaluations[2].name must differ from the other names',
    ]);
    for (const bad of [[{ name: ' ', criterion: 'x' }], [{ name: 'x' }], Array(21).fill(evaluations[0])]) {
      expect((await desk.edit({ operation: 'edit_evaluations', evaluations: bad })).status).toBe(422);
    }
    expect((await desk.accepted({ operation: 'edit_evaluations', evaluations: [] })).evaluations).toEqual([]);
  });

  it('edit_agent_display_name, edit_intro_message, edit_voice_speed', async () => {
    await desk.accepted({ operation: 'edit_agent_display_name', agent_display_name: 'नमस्ते' });
    expect((await desk.shown()).record['agent_display_name']).toBe('नमस्ते');
    const intro = await desk.accepted({ operation: 'edit_intro_message', intro_message: 'Good day.' });
    expect(intro.agent_config['intro_message']).toBe('Good day.');
    for (const voice_speed of [0.5, 1.25, 2]) {
      const version = await desk.accepted({ operation: 'edit_voice_speed', voice_speed });
      expect(version.agent_config['voice_speed']).toBe(voice_speed);
    }
  });

  it('edit_voice changes voice and language, and a sent secondary voice', async () => {
    const first = await desk.accepted({
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
    const second = await desk.accepted({ operation: 'edit_voice', voice_id: english.id, language: 'en-US' });
    expect(second).toMatchObject({ language: 'en-US', secondary_voice_id: english.id });
    const third = await desk.accepted({
      operation: 'edit_voice',
      voice_id: english.id,
      language: 'en-US',
      secondary_voice_id: '',
    });
    expect(third.secondary_voice_id).toBeNull();
    const refused = await desk.edit({ operation: 'edit_voice', voice_id: english.id, language: 'ar-AE' });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toBe('Selected voice does not support the specified language');
    const unknown = await desk.edit({
      operation: 'edit_voice',
      voice_id: '00000000-0000-4000-8000-000000000000',
      language: 'en-US',
    });
    expect(unknown.status).toBe(422);
  });

  it('edit_noise_settings changes agent_config and call_config', async () => {
    const version = await desk.accepted({
      operation: 'edit_noise_settings',
      mute_during_intro: false,
      mute_while_bot_speaking: true,
    });
    expect(version.agent_config).toMatchObject({ mute_during_intro: false, mute_while_bot_speaking: true });
    expect(version.call_config['mute_during_intro']).toBe(false);
  });

  it('edit_vocab, edit_query_phrases and edit_vad_settings replace their values', async () => {
    await desk.accepted({ operation: 'edit_vocab', vocab: ['Callwright', 'root canal'] });
    const vocab = await desk.accepted({ operation: 'edit_vocab', vocab: Array(50).fill('two words') });
    expect(vocab.agent_config['vocab']).toHaveLength(50);
    expect((await desk.accepted({ operation: 'edit_vocab', vocab: [] })).agent_config['vocab']).toEqual([]);
    await desk.accepted({
      operation: 'edit_query_phrases',
      pre_query_response_phrases: ['One moment.'],
      pre_query_phrase_probability: 0.4,
    });
    const phrases = await desk.accepted({ operation: 'edit_query_phrases', pre_query_response_phrases: [] });
    expect(phrases.agent_config).toMatchObject({
      pre_query_response_phrases: [],
      pre_query_phrase_probability: 0.4,
    });
    await desk.accepted({
      operation: 'edit_vad_settings',
      vad_settings: { interruption_sensitivity: 'high' },
    });
    const vad = await desk.accepted({ operation: 'edit_vad_settings', vad_settings: {} });
    expect(vad.agent_config['vad_settings']).toEqual({ interruption_sensitivity: 'default' });
  });

  it('edit_custom_vars refuses to remove required variables of an outbound agent', async () => {
    const version = await desk.accepted({
      operation: 'edit_custom_vars',
      custom_variables: ['mobile_number', 'callee_name', 'slot', 'slot'],
    });
    expect(version.agent_config['custom_variables']).toEqual(['mobile_number', 'callee_name', 'slot']);
    const refused = await desk.edit({
      operation: 'edit_custom_vars',
      custom_variables: ['callee_name', 'slot'],
    });
    expect(refused.status).toBe(403);
    expect(refused.body['message']).toContain('mobile_number');
    expect(refused.body['message']).not.toContain('callee_name');
    const inbound = await createTestAgent(desk.api, desk.tenant, { agent_type: 'inbound' });
    const free = await desk.edit({
      agent_id: inbound.agentId,
      operation: 'edit_custom_vars',
      custom_variables: [],
    });
    expect(free.status).toBe(200);
  });
});
