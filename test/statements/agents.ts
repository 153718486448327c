// These proofs run inside the tests of test/system/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { callWindow, nextOpening } from '../../src/domain/calls/call-window.ts';
import { AGENT_LANGUAGES } from '../../src/shared/languages.ts';
import {
  data,
  ENGLISH,
  ok,
  refused,
  section,
  textField,
  UNKNOWN,
  voiceFor,
  voiceNotFor,
  type Statement,
  type World,
} from './statement.ts';

const create = section('Agent create request');
const config = section('call_config (agent level)');
const level = section('Call-level call_config');

/** What a prompt field becomes: the section of this title holds its text. */
const becomes = (field: string, title: string) => async (w: World) => {
  const marker = `Marker of ${field}.`;
  const { agentId } = await w.agent({ [field]: marker });
  const { prompt_sections: sections } = (await w.version(agentId)).agent_config;
  const found = sections.find((s: { section_content: string }) => s.section_content.includes(marker));
  expect(found?.section_title).toBe(title);
};
const both =
  (...proofs: ((w: World) => Promise<void>)[]) =>
  async (w: World) => {
    for (const proof of proofs) await proof(w);
  };

/** A value at `path` of call_config is taken and read back, or refused by name. */
const nested = (path: string, value: unknown): Record<string, unknown> =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
const at = (object: any, path: string): unknown => path.split('.').reduce((o, key) => o?.[key], object);

/** `good` values are kept, `bad` ones answer 422 with the full path, and `standard` is what an agent starts with. */
const setting =
  (path: string, good: readonly unknown[], bad: readonly unknown[], standard: unknown, beside = {}) =>
  async (w: World): Promise<void> => {
    const { agentId } = await w.agent();
    expect(at((await w.version(agentId)).call_config, path)).toEqual(standard);
    for (const value of good) {
      ok(await w.edit(agentId, 'edit_call_config', { call_config: merge(beside, nested(path, value)) }));
      expect(at((await w.version(agentId)).call_config, path)).toEqual(value);
    }
    for (const value of bad) {
      refused(
        await w.edit(agentId, 'edit_call_config', { call_config: merge(beside, nested(path, value)) }),
        422,
        `call_config.${path}`,
      );
      refused(await w.create({ call_config: nested(path, value) }), 422, `call_config.${path}`);
    }
  };
const merge = (a: any, b: any): any => {
  const out = { ...a };
  for (const [key, value] of Object.entries(b)) {
    out[key] = typeof value === 'object' && value !== null ? merge(out[key] ?? {}, value) : value;
  }
  return out;
};
const BAD_TIMES = ['9:00', '24:00', '09:60', '0900', 'noon', ''];

export const AGENTS: readonly Statement[] = [
  create.prove('`agent_name`: string, yes, max 100 chars', textField('agent_name', 100, true)),
  create.prove(
    '`introduction_and_objective`: max 2000 chars; becomes the Objective prompt section',
    both(
      textField('introduction_and_objective', 2000, true),
      becomes('introduction_and_objective', 'Objective'),
    ),
  ),
  create.prove(
    '`response_guidelines`: max 3000 chars; becomes the Response Guidelines section',
    both(textField('response_guidelines', 3000, true), becomes('response_guidelines', 'Response Guidelines')),
  ),
  create.prove(
    '`task`: max 1500 chars; becomes the Conversation Script section',
    both(textField('task', 1500, true), becomes('task', 'Conversation Script')),
  ),
  create.prove(
    '`faq`: max 5000 chars; becomes the FAQs section (empty when omitted)',
    both(textField('faq', 5000, false), becomes('faq', 'FAQs'), async (w) => {
      const { agentId } = await w.agent();
      const { prompt_sections: sections } = (await w.version(agentId)).agent_config;
      expect(sections).toContainEqual({ section_title: 'FAQs', section_content: '' });
    }),
  ),
  create.prove(
    '`sample_conversations`: max 5000 chars; turns separated by newline characters; appended at the end of the Conversation Script section',
    both(textField('sample_conversations', 5000, false), async (w) => {
      const turns = 'Agent: Hello.\nCaller: Yes?';
      const { agentId } = await w.agent({ task: '1. Ask.', sample_conversations: turns });
      const { prompt_sections: sections } = (await w.version(agentId)).agent_config;
      const script = sections.find((s: any) => s.section_title === 'Conversation Script').section_content;
      expect(script.startsWith('1. Ask.')).toBe(true);
      expect(script.endsWith(turns)).toBe(true);
    }),
  ),
  create.prove('`primary_language`: string, yes, one of the language codes below', async (w) => {
    refused(await w.create({ primary_language: undefined }), 422, 'primary_language is required');
    refused(await w.create({ primary_language: 'fr-FR' }), 422, 'primary_language');
    ok(await w.create({ primary_language: 'en-US' }));
  }),
  create.prove('`secondary_language`: string, no, one of the language codes below', async (w) => {
    ok(await w.create({}));
    ok(await w.create({ secondary_language: 'en-US' }));
    refused(await w.create({ secondary_language: 'fr-FR' }), 422, 'secondary_language');
  }),
  create.prove(
    '`voice_id`: string (UUID), from `GET /agent/voices`; the voice must support the language',
    async (w) => {
      const listed = ok(await w.get('/agent/voices')).body['voices'] as { id: string }[];
      expect(listed.map((v) => v.id)).toContain(ENGLISH);
      refused(await w.create({ voice_id: undefined }), 422, 'voice_id is required');
      refused(await w.create({ voice_id: 'x' }), 422, 'voice_id');
      refused(await w.create({ voice_id: UNKNOWN }), 422, 'voice_id');
      refused(await w.create({ voice_id: voiceNotFor('en-US') }), 400);
    },
  ),
  create.prove(
    "`intro_message`: max 500 chars; the agent's first message",
    both(textField('intro_message', 500, true), async (w) => {
      const { agentId } = await w.agent({ intro_message: 'Good day.' });
      expect((await w.version(agentId)).agent_config.intro_message).toBe('Good day.');
    }),
  ),
  create.prove('`agent_type`: `inbound`, `outbound`, `outbound_inbound`; default `outbound`', async (w) => {
    for (const agent_type of ['inbound', 'outbound', 'outbound_inbound']) {
      const { agentId } = await w.agent({ agent_type });
      expect((await w.record(agentId)).agent_type).toBe(agent_type);
    }
    expect((await w.record((await w.agent()).agentId)).agent_type).toBe('outbound');
    refused(await w.create({ agent_type: 'both' }), 422, 'agent_type');
  }),
  create.prove(
    '`custom_variables`: for outbound agents `callee_name` and `mobile_number` are always included automatically',
    async (w) => {
      const variables = async (change: Record<string, unknown>): Promise<string[]> =>
        (await w.version((await w.agent(change)).agentId)).agent_config.custom_variables;
      expect(await variables({ custom_variables: ['slot'] })).toEqual([
        'callee_name',
        'mobile_number',
        'slot',
      ]);
      expect(await variables({})).toEqual(['callee_name', 'mobile_number']);
      expect(await variables({ agent_type: 'inbound', custom_variables: ['slot'] })).toEqual(['slot']);
      refused(await w.create({ custom_variables: 'slot' }), 422, 'custom_variables');
    },
  ),
  create.prove('`call_config`: object, no', async (w) => {
    ok(await w.create({ call_config: {} }));
    refused(await w.create({ call_config: 'x' }), 422, 'call_config');
  }),
  create.prove(
    'Language codes for `primary_language` and `secondary_language`: `en-US`, `en-GB`, `en-AU`, `en-IN`, `hi-IN`, `ta-IN`, `te-IN`, `bn-IN`, `mr-IN`, `kn-IN`, `ms-MY`, `zh-CN`, `od-IN`, `pa-IN`, `my-MM`.',
    async (w) => {
      const codes =
        'en-US en-GB en-AU en-IN hi-IN ta-IN te-IN bn-IN mr-IN kn-IN ms-MY zh-CN od-IN pa-IN my-MM'.split(
          ' ',
        );
      expect([...AGENT_LANGUAGES].sort()).toEqual([...codes].sort());
      for (const code of codes) {
        const voice_id = voiceFor(code);
        ok(await w.create({ primary_language: code, secondary_language: code, voice_id }));
      }
      for (const code of ['gu-IN', 'ar-AE', 'en', 'EN-US']) {
        refused(await w.create({ primary_language: code }), 422, 'primary_language');
      }
    },
  ),
  create.elsewhere(
    'Prompt variables are written `@{{name}}` or `{{name}}` in the prompt text.',
    'src/voice/prompt/render.test.ts > puts values in place of both forms',
  ),
  create.prove(
    'Create response (200): `{success: boolean, data: {id: <agent_id>, version: <string>, version_id: <uuid>, created_at: <ISO 8601 timestamp>}, message: <string>}`.',
    async (w) => {
      expect(ok(await w.create({})).body).toEqual({
        success: true,
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          version: expect.any(String),
          version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
        message: expect.any(String),
      });
    },
  ),
  create.prove('`data.id` is the `agent_id`.', async (w) => {
    const id = data(ok(await w.create({}))).id;
    ok(await w.edit(id, 'edit_voice_speed', { voice_speed: 1 }));
  }),

  config.prove(
    '`call_config` (agent level; every key optional, omitted keys keep the default)',
    async (w) => {
      const { agentId } = await w.agent({ call_config: { max_call_length: 100 } });
      const plain = (await w.version((await w.agent()).agentId)).call_config;
      expect((await w.version(agentId)).call_config).toEqual({ ...plain, max_call_length: 100 });
    },
  ),
  config.prove(
    '`call_time.call_start_time`: pattern `00:00` to `23:59`, default `09:00`',
    setting('call_time.call_start_time', ['00:00', '23:59', '08:05'], BAD_TIMES, '09:00'),
  ),
  config.prove(
    '`call_time.call_end_time`: same pattern; the window may cross midnight (`22:00` to `06:00` is valid)',
    both(setting('call_time.call_end_time', ['00:00', '23:59'], BAD_TIMES, '21:00'), async (w) => {
      ok(
        await w.create({ call_config: { call_time: { call_start_time: '22:00', call_end_time: '06:00' } } }),
      );
    }),
  ),
  config.prove(
    '`call_time.timezone`: any IANA zone in `Region/City` form, default `Asia/Kolkata`',
    setting(
      'call_time.timezone',
      ['America/New_York', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'],
      ['Mars/Olympus', 'Kolkata', '+05:30', ''],
      'Asia/Kolkata',
    ),
  ),
  config.prove(
    '`max_call_length`: integer 10 to 3600, default `240`',
    setting('max_call_length', [10, 3600], [9, 3601, 10.5, '240', null], 240),
  ),
  config.prove(
    '`idle_timeout_warning`: integer 0 to 600; must be less than `idle_timeout_end`, default `5`',
    both(
      setting('idle_timeout_warning', [0, 599], [-1, 601, 1.5, 600], 5, { idle_timeout_end: 600 }),
      async (w) => {
        refused(
          await w.create({ call_config: { idle_timeout_warning: 10 } }),
          422,
          'call_config.idle_timeout_warning',
        );
      },
    ),
  ),
  config.elsewhere(
    '`0` turns the check-in off',
    'src/voice/turn/machine.silence.test.ts > has no check-in when that is off',
  ),
  config.prove(
    '`idle_timeout_end`: integer 1 to 600; must be greater than `idle_timeout_warning`, default `10`',
    both(setting('idle_timeout_end', [1, 600], [0, 601, 'x'], 10, { idle_timeout_warning: 0 }), async (w) => {
      refused(await w.create({ call_config: { idle_timeout_end: 5 } }), 422, 'idle_timeout_end');
    }),
  ),
  config.elsewhere(
    'seconds of caller silence before the call ends',
    'test/system/call-outcomes.test.ts > a callee who stays silent is asked, then the call ends for idleness',
  ),
  config.prove(
    '`noise_filter_config.filter_noise`: boolean, off',
    setting('noise_filter_config.filter_noise', [true, false], ['yes', 1], false),
  ),
  config.prove(
    '`noise_filter_config.noise_suppression_level`: 0 to 100, default `80`',
    setting('noise_filter_config.noise_suppression_level', [0, 100], [-1, 101, 'high'], 80),
  ),
  config.prove(
    '`voicemail.detect`: boolean, on',
    setting('voicemail.detect', [false, true], ['no', 0], true),
  ),
  config.prove(
    '`voicemail.action`: `end`, `summarise`, `static_message`; default `end`',
    setting('voicemail.action', ['summarise', 'static_message', 'end'], ['leave', 1], 'end', {
      voicemail: { static_message: 'Bye.' },
    }),
  ),
  config.prove(
    '`voicemail.static_message`: text spoken when action is `static_message`, default none',
    setting('voicemail.static_message', ['Call us back.'], [5], null),
  ),
  config.prove(
    '`voicemail.retry`: re-queue the call after voicemail, on',
    setting('voicemail.retry', [false, true], ['x'], true),
  ),
  config.elsewhere(
    're-queue the call after voicemail',
    'src/domain/calls/retry-rules.test.ts > leaves voicemail alone when its retry is off',
  ),
  config.prove(
    '`background_audio_config.audio_id`: only `office_ambience`, off',
    setting('background_audio_config.audio_id', ['office_ambience'], ['cafe', 1], null, {
      background_audio_config: { volume: 0.5 },
    }),
  ),
  config.prove(
    '`background_audio_config.volume`: 0.0 to 1.0 (0.5, not 50), none',
    setting('background_audio_config.volume', [0, 0.5, 1], [-0.1, 1.1, 50], null),
  ),
  config.prove(
    '`mute_during_intro`: true: the caller cannot interrupt the first message, default `true`',
    setting('mute_during_intro', [false, true], ['x', 1], true),
  ),
  config.elsewhere(
    'the caller cannot interrupt the first message',
    'src/voice/turn/machine.test.ts > is not stopped while muted',
  ),
  config.elsewhere(
    'hard cap on call length, seconds',
    'src/voice/turn/machine.end.test.ts > comes at the longest length whatever happens',
  ),
  config.elsewhere(
    'seconds of caller silence before the agent asks if the caller is still there',
    'src/voice/turn/machine.silence.test.ts > brings the check-in and then the end',
  ),
  config.elsewhere('noise cancellation on caller audio', 'test/system/speech.test.ts > openNoiseFilter'),
  config.elsewhere(
    'detect voicemail',
    'test/system/answer.test.ts > is talked to like a person where nobody looks',
  ),
  config.elsewhere(
    'what to do on voicemail',
    'test/system/answer.test.ts > gets who called and why where a summary is wanted',
  ),
  config.elsewhere(
    'text spoken when action is `static_message`',
    'test/system/answer.test.ts > gets the static message after its tone, once and whole',
  ),
  config.elsewhere(
    "ambient track under the agent's voice",
    'test/system/background.test.ts > is heard under the voice and between its words, on our side of the recording alone',
  ),
  config.prove('`IST`, `PST` and `CST` are rejected.', async (w) => {
    for (const timezone of ['IST', 'PST', 'CST']) {
      refused(
        await w.create({ call_config: { call_time: { timezone } } }),
        422,
        'call_config.call_time.timezone',
      );
    }
  }),
  config.prove('`EST`, `MST`, `HST` and `GMT` are accepted but are fixed-offset zones', async (w) => {
    for (const timezone of ['EST', 'MST', 'HST', 'GMT']) {
      ok(await w.create({ call_config: { call_time: { timezone } } }));
    }
  }),
  config.prove(
    'an agent on `EST` dials an hour late for most of the year compared with `America/New_York`.',
    () => {
      const opening = (timezone: string, date: string): string =>
        new Date(
          nextOpening(callWindow({ timezone }, null, '+919812345678'), Date.parse(date)) ?? 0,
        ).toISOString();
      expect(opening('EST', '2026-07-01T06:00:00Z')).toBe('2026-07-01T14:00:00.000Z');
      expect(opening('America/New_York', '2026-07-01T06:00:00Z')).toBe('2026-07-01T13:00:00.000Z');
      expect(opening('EST', '2026-01-05T06:00:00Z')).toBe(
        opening('America/New_York', '2026-01-05T06:00:00Z'),
      );
      return Promise.resolve();
    },
  ),
  config.elsewhere(
    'Outbound calls placed outside the window wait for the next opening, and so do retries.',
    'test/system/settle.test.ts > moves a retry that would fall outside the window to its opening',
  ),
  config.prove('A campaign or an individual call can set its own window instead.', async (w) => {
    const call_config = {
      call_time: { call_start_time: '03:00', call_end_time: '04:00', timezone: 'Etc/UTC' },
    };
    const callId = data(ok(await w.place({ call_config }))).call_id;
    expect(await w.details(callId)).toMatchObject({
      call_status: 'registered',
      call_sub_status: 'WINDOW_CLOSED',
      next_attempt_at: '2026-01-06T03:00:00.000Z',
    });
  }),
  config.prove(
    'An agent created by API without `call_config.call_time` gets `09:00` to `21:00` in `Asia/Kolkata`.',
    async (w) => {
      const { agentId } = await w.agent({ call_config: { max_call_length: 60 } });
      expect((await w.version(agentId)).call_config.call_time).toEqual({
        call_start_time: '09:00',
        call_end_time: '21:00',
        timezone: 'Asia/Kolkata',
        days: null,
        slots: null,
        use_callee_timezone: false,
      });
    },
  ),

  level.prove('It takes `call_time` (same keys as above) and `call_retry_config`', async (w) => {
    ok(await w.place({ call_config: { call_time: { call_end_time: '23:00' }, call_retry_config: {} } }));
    refused(await w.place({ call_config: { max_call_length: 10 } }), 422, 'call_config.max_call_length');
    refused(await w.place({ call_config: { call_time: { timezone: 'IST' } } }), 422, 'timezone');
  }),
  ...(['retry_count', 'retry_busy', 'retry_not_picked', 'retry_failed'] as const).map((key) =>
    level.prove(`\`call_retry_config.${key}\`: integer`, async (w) => {
      ok(await w.place({ call_config: { call_retry_config: { [key]: 3 } } }));
      for (const value of [1.5, -1, '3', 100_000]) {
        refused(
          await w.place({ call_config: { call_retry_config: { [key]: value } } }),
          422,
          `call_config.call_retry_config.${key}`,
        );
      }
    }),
  ),
];
