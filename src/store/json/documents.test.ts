import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { versionDocument } from './agent-version.ts';
import { agentCallConfigDocument, callLevelDocument } from './call-config.ts';
import { platformDocument } from './analysis.ts';
import { providersDocument } from './provider-settings.ts';
import { caseDocument } from './test-case.ts';
import { postCallPayload } from './tools.ts';

/** A document of any type. */
interface AnyDocument {
  read(stored: object): object;
  text(value: object): string;
}

const callTime = {
  call_start_time: '09:00',
  call_end_time: '21:00',
  timezone: 'Asia/Kolkata',
  days: ['mon'],
  slots: [{ start: '09:30', end: '12:30' }],
  use_callee_timezone: true,
};
const callConfig = {
  call_time: callTime,
  max_call_length: 240,
  idle_timeout_warning: 5,
  idle_timeout_end: 10,
  noise_filter_config: { filter_noise: true, noise_suppression_level: 80 },
  voicemail: { detect: true, action: 'static_message', static_message: 'Please call back.', retry: true },
  background_audio_config: { audio_id: 'office_ambience', volume: 0.5 },
  mute_during_intro: true,
  first_speaker: { mode: 'auto', delay: 0, limit: 10 },
  recording: { enabled: true },
};
const request = {
  type: 'API_TOOL',
  name: 'find_slots',
  method: 'POST',
  url: 'https://api.example.com/{clinic_id}',
  path_params: { clinic_id: { source: 'variable', name: 'clinic_id' } },
  query: { for_day: { source: 'argument', type: 'string' } },
  headers: { x_api_key: { sealed: 's', shown: 'abcd***' } },
  body: { 'customer.first_name': 'Asha', callerId: 1 },
  body_format: 'json',
  timeout_seconds: 5,
  result_variables: { first_slot: 'data.first_slot' },
};
const version = {
  language: 'en-US',
  secondary_language: 'hi',
  voice_id: 'v1',
  secondary_voice_id: null,
  agent_config: {
    agent_prompt: 'Be kind.',
    prompt_sections: [{ section_title: 'Objective', section_content: 'Be kind.' }],
    intro_message: 'Hello {{first_name}}.',
    custom_variables: ['first_name'],
    vocab: ['word_word'],
    voice_speed: 1,
    vad_settings: { interruption_sensitivity: 'default' },
    mute_while_bot_speaking: false,
    pre_query_response_phrases: ['One moment.'],
    pre_query_phrase_probability: 0.5,
    dtmf_settings: {
      dtmf_capturing_enabled: true,
      dtmf_input: { digits: 4, timeout: null, end: '#', reset: null },
    },
    stt: { providers: ['deepgram'], model: null },
    s2s: { provider: 'openai', model: null, voice: null },
    llm: {
      provider: 'openai_compatible',
      providers: ['openai'],
      model: 'm',
      base_url: 'https://llm.example.com',
      api_key: { sealed: 's', shown: 'abcd***' },
      temperature: null,
      max_tokens: 200,
      on_model_failure: 'apologise',
    },
  },
  call_config: callConfig,
  call_time_chosen: true,
  event_subscriptions: [
    {
      event_type: ['call_completed'],
      callback_url: 'https://example.com',
      method_type: 'POST',
      headers: { x_my_key: 'a' },
      success: '2xx',
      recovery: 'automatic',
    },
  ],
  knowledge_base_ids: ['k1'],
  client_analysis: {
    context: 'A clinic.',
    goal_key: 'is_confirmed',
    keys: { is_confirmed: { type: 'boolean', description: 'Yes?', default: false } },
  },
  handoffs: [{ agent_id: 'a1', when: 'asks for billing', context: { last: 4 } }],
  evaluations: [{ name: 'says_the_day', criterion: 'It says the day.' }],
  whitelisted_domains: ['https://example.com'],
  web_sessions: { require_session: true, page_variables: ['first_name'] },
  chat_settings: { whatsapp_session: { idle_timeout_minutes: 30, max_duration_minutes: 60 } },
  pre_call_tools: [{ ...request, on_failure: 'fail_call' }],
  on_call_tools: [
    request,
    { type: 'MCP_SERVER', name: 'crm', url: 'https://m.example.com', allowed_tools: ['find_one'] },
    { type: 'CALL_TRANSFER_TOOL', transfer_to: '+14155550100', mode: 'warm', ring_timeout_seconds: 20 },
    { type: 'WAIT_FOR_DTMF_TOOL', timeout_seconds: 5, end: '#' },
  ],
  post_call_tools: [request],
};
const providers = {
  stt: ['deepgram', 'offline'],
  s2s: 'pipeline',
  vendors: {
    'openai-compatible': {
      api_key: { sealed: 's', shown: 'sk_' },
      base_url: 'https://example.com',
      model: 'a',
      llm_model: 'b',
      tts_model: 'c',
      s2s_model: 'd',
      voice: 'e',
      languages: ['en'],
    },
  },
};

const testCase = {
  name: 'Books a visit',
  custom_args_values: { first_name: 'Asha' },
  lines: ['Yes.'],
  expectations: [
    { type: 'says', any_of: ['Monday'], turn: 1 },
    { type: 'calls_tool', tool: 'book_slot', arguments: { for_day: 'Monday' } },
  ],
  tool_results: [{ tool: 'book_slot', result: { is_free: true }, variables: { first_slot: '10' } }],
};
const platform = {
  summary: 'A visit was booked.',
  classification: 'interested',
  key_points: ['Monday'],
  action_items: [],
  sentiment: 'positive',
  callback_requested: false,
  callback_requested_time: null,
  callback_requested_words: null,
  call_disconnect_reason: 'AGENT_ENDED',
  timezone: 'Etc/UTC',
  status: 'analyzed',
  analyzed_by: 'offline-rules',
};

const DOCUMENTS = [
  ['a version', versionDocument, version],
  ["an agent's call_config", agentCallConfigDocument, callConfig],
  [
    'the call_config of a call',
    callLevelDocument,
    {
      call_time: callTime,
      call_retry_config: { retry_count: 1, retry_busy: 2, retry_not_picked: 3, retry_failed: 4 },
    },
  ],
  ['the providers of a workspace', providersDocument, providers],
  ['the job of a post-call tool', postCallPayload, { call_id: 'c1', tool: request }],
  ['a test case', caseDocument, testCase],
  ['a platform analysis', platformDocument, platform],
] as const;

/** Maps whose keys users choose. */
const FREE = new Set([
  'pathParams',
  'query',
  'headers',
  'body',
  'resultVariables',
  'keys',
  'customArgsValues',
  'arguments',
  'result',
  'variables',
]);

/** The names of all fields outside the maps that users fill. */
const fieldsOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...(FREE.has(key) ? [] : fieldsOf(inner))]);
};

/** The document with further keys in each object, as an earlier version may have stored them. */
const withOlder = (value: unknown, older: Readonly<Record<string, unknown>>): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withOlder(item, older));
  const known = Object.entries(value).map(([key, inner]) => [key, withOlder(inner, older)]);
  return { ...older, ...Object.fromEntries(known) };
};

describe.each(DOCUMENTS)('%s', (_, typed, stored) => {
  const document = typed as unknown as AnyDocument;
  it('has no wire name once it is read', () => {
    const read = fieldsOf(document.read(stored));
    expect(read.filter((name) => name.includes('_'))).toEqual([]);
    expect(read.length).toBeGreaterThan(2);
  });

  it('is stored as it was read, byte for byte, with the keys of earlier versions', () => {
    const key = fc.stringMatching(/^old(_[a-z]{1,3}){0,2}$/);
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue(), { maxKeys: 3 }), (older) => {
        const text = JSON.stringify(withOlder(stored, older));
        expect(document.text(document.read(JSON.parse(text) as object))).toBe(text);
      }),
      { numRuns: 50 },
    );
  });
});
