import { describe, expect, it } from 'vitest';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import { DEFAULT_CALL_CONFIG } from '../domain/agents/call-config.ts';
import { callSpec } from './call-spec.ts';

const config: VersionConfig = {
  language: 'en-US',
  secondary_language: null,
  voice_id: 'v',
  secondary_voice_id: null,
  agent_config: {
    agent_prompt: 'Be kind.',
    prompt_sections: [],
    intro_message: 'Hello.',
    custom_variables: [],
    vocab: [],
    voice_speed: 1,
    vad_settings: {},
    mute_while_bot_speaking: false,
    pre_query_response_phrases: [],
    pre_query_phrase_probability: 0,
  },
  call_config: DEFAULT_CALL_CONFIG,
  event_subscriptions: [],
};
const specOf = (change: Partial<VersionConfig['agent_config']>) =>
  callSpec(
    { voiceKey: (voiceId) => `key of ${voiceId}`, openSecret: () => 'key' },
    {
      callId: 'c',
      workspaceId: 'w',
      attempt: 1,
      direction: 'outbound',
      agentName: 'Asha',
      config: { ...config, agent_config: { ...config.agent_config, ...change } },
      variables: {},
      capMs: 1000,
    },
  );

describe('keypad settings of a call', () => {
  it('are absent by default; a version’s own settings are converted to milliseconds', () => {
    expect(specOf({}).agent).not.toHaveProperty('keys');
    const dtmf_input = { digits: 4, timeout: 2.5, end: '*', reset: null };
    expect(specOf({ dtmf_settings: { dtmf_capturing_enabled: true, dtmf_input } }).agent.keys).toEqual({
      enabled: true,
      digits: 4,
      pauseMs: 2500,
      end: '*',
      reset: null,
    });
  });
});
