import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_LANGUAGES } from '../../../src/shared/agent-languages.ts';
import { voices } from '../../../src/providers/voices.ts';
import { minimalAgent, type Answer } from '../../helpers/api/api.ts';
import { createHome, type Home } from '../../helpers/api/workspace-api.ts';

let home: Home;
beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.api.close());

const create = (change: Record<string, unknown>): Promise<Answer> =>
  home.api.request('POST', '/api/v0/public/agent', {
    key: home.tenant.key,
    body: { ...minimalAgent(), ...change },
  });

interface Details {
  agent_config: Record<string, unknown> & {
    prompt_sections: { section_title: string; section_content: string }[];
  };
  call_config: Record<string, unknown>;
}
async function read(agentId: string): Promise<{ record: Record<string, unknown>; version: Details }> {
  const answer = await home.api.request('GET', `/api/v0/agent/${agentId}`, { key: home.tenant.key });
  expect(answer.status).toBe(200);
  const record = answer.body['agents'] as Record<string, unknown>;
  const versions = record['version_details'] as Record<string, Details>;
  return { record, version: versions[record['active_agent_version_id'] as string]! };
}
const idOf = (answer: Answer): string => (answer.body['data'] as { id: string }).id;
const speaks = (language: string) =>
  voices().find((v) => (v.languages as readonly string[]).includes(language))!;

const REQUIRED = [
  'agent_name',
  'introduction_and_objective',
  'response_guidelines',
  'task',
  'primary_language',
  'voice_id',
  'intro_message',
];
const BOUNDS: [string, number][] = [
  ['agent_name', 100],
  ['introduction_and_objective', 2000],
  ['response_guidelines', 3000],
  ['task', 1500],
  ['faq', 5000],
  ['sample_conversations', 5000],
  ['intro_message', 500],
];
const WRONG_TYPES: [string, unknown][] = [
  ...BOUNDS.map(([field]): [string, unknown] => [field, 5]),
  ['agent_name', null],
  ['agent_name', ['x']],
  ['task', { x: 1 }],
  ['primary_language', 'en'],
  ['primary_language', 'en-us'],
  ['primary_language', 'gu-IN'],
  ['primary_language', 1],
  ['secondary_language', 'xx-XX'],
  ['secondary_language', null],
  ['voice_id', 'Asha'],
  ['voice_id', 12],
  ['voice_id', '00000000-0000-4000-8000-000000000000'],
  ['agent_type', 'both'],
  ['agent_type', true],
  ['custom_variables', 'callee_name'],
  ['custom_variables', { a: 1 }],
  ['call_config', []],
  ['call_config', 'x'],
];

describe('POST /public/agent', () => {
  it('returns the response of the interface', async () => {
    const answer = await create({});
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      data: { version: 'v1', created_at: '2026-01-05T10:00:00.000Z' },
      message: 'Agent created successfully',
    });
    const { record, version } = await read(idOf(answer));
    expect(record).toMatchObject({
      agent_display_name: 'Reminder',
      agent_type: 'outbound',
      orchestration_mode: 'single_node',
      is_ab_live: false,
      ab_versions: [],
    });
    expect(version.agent_config.prompt_sections.map((s) => s.section_title)).toEqual([
      'Objective',
      'Response Guidelines',
      'Conversation Script',
      'FAQs',
    ]);
    expect(version.agent_config.prompt_sections[3]!.section_content).toBe('');
    expect(version.agent_config['custom_variables']).toEqual(['callee_name', 'mobile_number']);
    expect(version.call_config).toEqual({
      call_time: {
        call_start_time: '09:00',
        call_end_time: '21:00',
        timezone: 'Asia/Kolkata',
        days: null,
        slots: null,
        use_callee_timezone: false,
      },
      max_call_length: 240,
      idle_timeout_warning: 5,
      idle_timeout_end: 10,
      noise_filter_config: { filter_noise: false, noise_suppression_level: 80 },
      voicemail: { detect: true, action: 'end', static_message: null, retry: true },
      background_audio_config: { audio_id: null, volume: null },
      mute_during_intro: true,
      first_speaker: { mode: 'auto', delay: 0, limit: 10 },
      recording: { enabled: true },
    });
  });

  it.each(REQUIRED)('requires %s', async (field) => {
    const answer = await create({ [field]: undefined });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toBe(`${field} is required`);
    expect(answer.body['errors']).toEqual([{ field, message: 'is required' }]);
  });

  it.each(REQUIRED)('rejects an empty %s', async (field) => {
    const answer = await create({ [field]: '' });
    expect(answer.status).toBe(422);
    expect(answer.body['message']).toMatch(new RegExp(`^${field} must `));
  });

  it.each(BOUNDS)('limits %s to %d code points', async (field, max) => {
    expect((await create({ [field]: '😀'.repeat(max) })).status).toBe(200);
    const over = await create({ [field]: '😀'.repeat(max + 1) });
    expect(over.status).toBe(422);
    expect(over.body['message']).toBe(`${field} must be at most ${max} characters long`);
  });

  it.each(WRONG_TYPES)('rejects %s = %j naming the field', async (field, value) => {
    const answer = await create({ [field]: value });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message']).startsWith(`${field} `)).toBe(true);
    expect(answer.body['code']).toBe('VALIDATION_FAILED');
  });

  it.each(AGENT_LANGUAGES)('accepts %s with a voice that speaks it', async (language) => {
    const answer = await create({ primary_language: language, voice_id: speaks(language).id });
    expect(answer.status).toBe(200);
  });

  it('answers VOICE_LANGUAGE_MISMATCH for a voice that does not speak a language', async () => {
    const english = voices().find((v) => v.languages.includes('en-US') && !v.languages.includes('zh-CN'))!;
    for (const change of [
      { primary_language: 'zh-CN', voice_id: english.id },
      { primary_language: 'en-US', secondary_language: 'zh-CN', voice_id: english.id },
    ]) {
      const answer = await create(change);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'VOICE_LANGUAGE_MISMATCH',
        message: 'Selected voice does not support the specified language',
      });
    }
  });

  it('takes two languages that no voice shares for an agent that writes, and chooses its second voice', async () => {
    const [malay, hindi] = [speaks('ms-MY'), speaks('hi-IN')];
    expect(voices().some((v) => v.languages.includes('ms-MY') && v.languages.includes('hi-IN'))).toBe(false);
    const languages = { primary_language: 'ms-MY', secondary_language: 'hi-IN', voice_id: malay.id };
    const answer = await create({ ...languages, agent_type: 'whatsapp' });
    expect(answer.status).toBe(200);
    const shown = async () => (await read(idOf(answer))).version as unknown as Record<string, unknown>;
    expect(await shown()).toMatchObject({ secondary_language: 'hi-IN', secondary_voice_id: hindi.id });
    const later = await home.api.request('PATCH', `/api/v0/public/agent/${idOf(answer)}`, {
      key: home.tenant.key,
      body: { secondary_language: 'zh-CN' },
    });
    expect(later.status).toBe(200);
    expect(await shown()).toMatchObject({
      secondary_language: 'zh-CN',
      secondary_voice_id: speaks('zh-CN').id,
    });
    expect((await create(languages)).body['code']).toBe('VOICE_LANGUAGE_MISMATCH');
  });

  it('accepts a voice id in any letter case', async () => {
    expect((await create({ voice_id: speaks('en-US').id.toUpperCase() })).status).toBe(200);
  });

  it('adds the required variables of outbound agents only', async () => {
    for (const [agent_type, expected] of [
      ['outbound', ['callee_name', 'mobile_number', 'day']],
      ['outbound_inbound', ['callee_name', 'mobile_number', 'day']],
      ['inbound', ['day']],
    ] as const) {
      const { version } = await read(idOf(await create({ agent_type, custom_variables: ['day', 'day'] })));
      expect(version.agent_config['custom_variables']).toEqual(expected);
    }
  });

  it('ignores unknown keys of the agent, and rejects unknown keys of call_config', async () => {
    const answer = await create({
      workspace_id: '00000000-0000-4000-8000-000000000000',
      credits: 5,
      nonsense: { a: [1] },
    });
    expect(answer.status).toBe(200);
    expect((await read(idOf(answer))).record['id']).toBe(idOf(answer));
    for (const [call_config, field] of [
      [{ max_call_lenght: 20 }, 'call_config.max_call_lenght'],
      [{ call_time: { start: '09:00' } }, 'call_config.call_time.start'],
      [{ voicemail: { detects: true } }, 'call_config.voicemail.detects'],
      [{ noise_filter_config: { x: 1 } }, 'call_config.noise_filter_config.x'],
      [{ background_audio_config: { vol: 1 } }, 'call_config.background_audio_config.vol'],
      [{ call_retry_config: {} }, 'call_config.call_retry_config'],
    ] as const) {
      const refused = await create({ call_config });
      expect(refused.status).toBe(422);
      expect(refused.body['message']).toBe(`${field} is not a known field`);
    }
  });
});

const GOOD_CONFIGS: Record<string, unknown>[] = [
  {},
  { max_call_length: 10 },
  { max_call_length: 3600 },
  { idle_timeout_warning: 0 },
  { idle_timeout_warning: 599, idle_timeout_end: 600 },
  { idle_timeout_warning: 0, idle_timeout_end: 1 },
  { call_time: { call_start_time: '00:00', call_end_time: '23:59' } },
  { call_time: { call_start_time: '22:00', call_end_time: '06:00' } },
  { call_time: { timezone: 'America/New_York' } },
  { call_time: { timezone: 'EST' } },
  { call_time: { timezone: 'GMT' } },
  { call_time: { timezone: 'America/Argentina/Buenos_Aires' } },
  { noise_filter_config: { filter_noise: true, noise_suppression_level: 0 } },
  { noise_filter_config: { noise_suppression_level: 100 } },
  { voicemail: { detect: false, action: 'summarise', retry: false } },
  { voicemail: { action: 'static_message', static_message: 'Please call back.' } },
  { background_audio_config: { audio_id: 'office_ambience', volume: 0 } },
  { background_audio_config: { audio_id: 'office_ambience', volume: 1 } },
  { background_audio_config: { audio_id: null, volume: null } },
  { mute_during_intro: false },
];
const BAD_CONFIGS: [Record<string, unknown>, string][] = [
  [{ max_call_length: 9 }, 'call_config.max_call_length must be at least 10'],
  [{ max_call_length: 3601 }, 'call_config.max_call_length must be at most 3600'],
  [{ max_call_length: 60.5 }, 'call_config.max_call_length must be an integer'],
  [{ max_call_length: '60' }, 'call_config.max_call_length must be an integer'],
  [{ max_call_length: null }, 'call_config.max_call_length must be an integer'],
  [{ idle_timeout_warning: -1 }, 'call_config.idle_timeout_warning must be at least 0'],
  [{ idle_timeout_warning: 601 }, 'call_config.idle_timeout_warning must be at most 600'],
  [{ idle_timeout_end: 0 }, 'call_config.idle_timeout_end must be at least 1'],
  [{ idle_timeout_end: 601 }, 'call_config.idle_timeout_end must be at most 600'],
  [{ idle_timeout_warning: 10 }, 'call_config.idle_timeout_warning must be less than'],
  [{ idle_timeout_end: 5 }, 'call_config.idle_timeout_warning must be less than'],
  [{ idle_timeout_warning: 20, idle_timeout_end: 20 }, 'call_config.idle_timeout_warning must be less than'],
  ...['9:00', '24:00', '09:60', '09:00:00', '0900', ' 09:00', '09:00\n', '', '٠٩:٠٠'].map(
    (time): [Record<string, unknown>, string] => [
      { call_time: { call_start_time: time } },
      'call_config.call_time.call_start_time must be HH:MM, 24-hour, zero-padded',
    ],
  ),
  [{ call_time: { call_end_time: 900 } }, 'call_config.call_time.call_end_time must be HH:MM'],
  ...['IST', 'PST', 'CST', 'Mars/Olympus', '', 'Asia', '+05:30', 'asia kolkata'].map(
    (timezone): [Record<string, unknown>, string] => [
      { call_time: { timezone } },
      'call_config.call_time.timezone must be an IANA zone',
    ],
  ),
  [{ call_time: 'all day' }, 'call_config.call_time must be an object'],
  [
    { noise_filter_config: { filter_noise: 'yes' } },
    'call_config.noise_filter_config.filter_noise must be a boolean',
  ],
  [
    { noise_filter_config: { noise_suppression_level: 101 } },
    'call_config.noise_filter_config.noise_suppression_level must be at most 100',
  ],
  [
    { noise_filter_config: { noise_suppression_level: -1 } },
    'call_config.noise_filter_config.noise_suppression_level must be at least 0',
  ],
  [{ voicemail: { detect: 1 } }, 'call_config.voicemail.detect must be a boolean'],
  [{ voicemail: { action: 'hangup' } }, 'call_config.voicemail.action must be one of'],
  [{ voicemail: { action: 'static_message' } }, 'call_config.voicemail.static_message is required'],
  [{ voicemail: { retry: 'no' } }, 'call_config.voicemail.retry must be a boolean'],
  [
    { background_audio_config: { audio_id: 'rain' } },
    'call_config.background_audio_config.audio_id must be office_ambience',
  ],
  [{ background_audio_config: { volume: 50 } }, 'call_config.background_audio_config.volume must be at'],
  [{ background_audio_config: { volume: 1.01 } }, 'call_config.background_audio_config.volume must be at'],
  [{ background_audio_config: { volume: -0.1 } }, 'call_config.background_audio_config.volume must be at'],
  [{ mute_during_intro: 0 }, 'call_config.mute_during_intro must be a boolean'],
];

describe('call_config', () => {
  it.each(GOOD_CONFIGS)('accepts %j', async (call_config) => {
    const answer = await create({ call_config });
    expect(answer.text).toContain('"success":true');
    expect((await read(idOf(answer))).version.call_config).toMatchObject(call_config);
  });

  it.each(BAD_CONFIGS)('rejects %j', async (call_config, message) => {
    const answer = await create({ call_config });
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });
});

describe('any valid body', () => {
  const text = (max: number) =>
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: max })
      .filter((s) => !s.includes('\0') && Array.from(s).length <= max);
  const hour = fc.integer({ min: 0, max: 1439 }).map((m) => {
    return `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`;
  });
  const configs = fc
    .record(
      {
        max_call_length: fc.integer({ min: 10, max: 3600 }),
        call_time: fc.record(
          {
            call_start_time: hour,
            call_end_time: hour,
            timezone: fc.constantFrom('Asia/Kolkata', 'Europe/Berlin', 'Australia/Lord_Howe', 'EST'),
          },
          { requiredKeys: [] },
        ),
        idle: fc
          .integer({ min: 1, max: 600 })
          .chain((end) => fc.tuple(fc.integer({ min: 0, max: end - 1 }), fc.constant(end))),
        mute_during_intro: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    .map(({ idle, ...rest }) => ({
      ...rest,
      ...(idle === undefined ? {} : { idle_timeout_warning: idle[0], idle_timeout_end: idle[1] }),
    }));

  it('is accepted and returned on read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          agent_name: text(100),
          intro_message: text(500),
          agent_type: fc.constantFrom('inbound', 'outbound', 'outbound_inbound'),
          call_config: configs,
        }),
        async (change) => {
          const answer = await create(change);
          expect(answer.text).toContain('"success":true');
          const { record, version } = await read(idOf(answer));
          expect(record).toMatchObject({
            agent_display_name: change.agent_name,
            agent_type: change.agent_type,
          });
          expect(version.agent_config['intro_message']).toBe(change.intro_message);
          expect(version.call_config).toMatchObject(change.call_config);
        },
      ),
      { numRuns: 120 },
    );
  });
});
