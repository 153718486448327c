// These proofs run inside the tests of test/system/api/statements.test.ts.
/* oxlint-disable vitest/no-standalone-expect */
import { expect } from 'vitest';
import { callWindow, nextOpening } from '../../src/domain/call-windows/call-window.ts';
import { both, data, ok, refused, section, type Statement, type World } from './statement.ts';

const config = section('call_config (agent level)');
const level = section('Call-level call_config');

/** A value at `path` of call_config is accepted and returned, or rejected naming the field. */
const nested = (path: string, value: unknown): Record<string, unknown> =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
const at = (object: any, path: string): unknown => path.split('.').reduce((o, key) => o?.[key], object);

/** `good` values are stored, `bad` ones answer 422 with the full path, and `standard` is the default. */
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

export const CALL_CONFIG: readonly Statement[] = [
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
    'packages/turns/src/turn/machine.silence.test.ts > triggers no check-in when it is off',
  ),
  config.prove(
    '`idle_timeout_end`: integer 1 to 600; must be greater than `idle_timeout_warning`, default `10`',
    both(setting('idle_timeout_end', [1, 600], [0, 601, 'x'], 10, { idle_timeout_warning: 0 }), async (w) => {
      refused(await w.create({ call_config: { idle_timeout_end: 5 } }), 422, 'idle_timeout_end');
    }),
  ),
  config.elsewhere(
    'seconds of caller silence before the call ends',
    'test/system/conversations/conversation-outcomes.test.ts > checks in on a silent callee, then ends the call as USER_BECAME_IDLE',
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
    'src/domain/calls/attempt/next-step.test.ts > do not retry voicemail when its retry is off',
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
    'packages/turns/src/turn/machine.test.ts > is not stopped while muted',
  ),
  config.elsewhere(
    'hard cap on call length, seconds',
    'packages/turns/src/turn/machine.end.test.ts > comes at max_call_length, after a goodbye',
  ),
  config.elsewhere(
    'seconds of caller silence before the agent asks if the caller is still there',
    'packages/turns/src/turn/machine.silence.test.ts > triggers the check-in and then the end',
  ),
  config.elsewhere(
    'noise cancellation on caller audio',
    'test/thorough/speech.test.ts > attenuates steady noise and keeps speech',
  ),
  config.elsewhere(
    'detect voicemail',
    'test/system/analysis/answer.test.ts > is treated as a person when detection is off',
  ),
  config.elsewhere(
    'what to do on voicemail',
    'test/system/analysis/answer.test.ts > gets an introduction under the action summarise',
  ),
  config.elsewhere(
    'text spoken when action is `static_message`',
    'test/system/analysis/answer.test.ts > gets the whole static message once, after its tone',
  ),
  config.elsewhere(
    "ambient track under the agent's voice",
    'test/system/operation/background.test.ts > plays during and between the agent’s words, and only in the agent’s channel of the recording',
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
    'test/system/calls/settle.test.ts > moves a retry outside the window to the next opening',
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
