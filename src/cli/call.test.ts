import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from './api-client.ts';
import { ValuesRefused, type Ask } from './call-variables.ts';
import { calleeClock, placeAndShow, waitsFor, type CallOptions } from './call.ts';

const WINDOW = {
  source: 'agent',
  timezone: 'Asia/Kolkata',
  callee_timezone: 'America/Los_Angeles',
  is_open: true,
  closes_at: '2026-01-05T21:00:00-08:00',
};
const OPTIONS: CallOptions = {
  url: '',
  key: 'k',
  agent: undefined,
  from: undefined,
  name: 'Sam',
  var: [],
  allowMissing: false,
  json: false,
};
afterEach(() => vi.restoreAllMocks());

/** An API with one agent that says a day, and whether it names a place is its own choice. */
function apiWith(posted: unknown[], isGivenBack = false): ApiClient {
  let streams = 0;
  const answers: Record<string, unknown> = {
    '/agent/all': { data: { agents: [{ id: 'a1', agent_display_name: 'Desk', agent_type: 'outbound' }] } },
    '/workspace/numbers': {
      workspace_numbers: [{ id: 'n1', number: '+14155550100', is_test_number: false }],
    },
    '/agent/a1': {
      agents: {
        active_agent_version_id: 'v1',
        version_details: {
          v1: {
            call_time_source: 'agent',
            call_config: {},
            agent_config: {
              agent_prompt: 'Ask {{callee_name}}.',
              intro_message: 'Your visit on {{day}} at {{place|our clinic}}.',
              custom_variables: ['day', 'place', 'old'],
            },
          },
        },
      },
    },
    '/calling/call-details?id=c1': {
      data: {
        call_status: 'completed',
        call_sub_status: 'AGENT_ENDED',
        call_cost: 1,
        call_duration: 20,
        recording_url: null,
      },
    },
  };
  return {
    get: async <T>(path: string) => {
      const answer = answers[path] as { data: object };
      const isQueued = isGivenBack && streams === 1 && path.includes('call-details');
      return (isQueued ? { data: { ...answer.data, call_status: 'registered' } } : answer) as T;
    },
    post: async <T>(_path: string, body: unknown) => {
      posted.push(body);
      const data = {
        call_id: 'c1',
        call_status: 'registered',
        call_sub_status: 'QUEUED',
        next_attempt_at: '2026-01-05T17:00:00.000Z',
        calling_window: WINDOW,
        warnings: [],
      };
      return { data } as T;
    },
    download: () => Promise.reject(new Error('nothing is downloaded')),
    // oxlint-disable-next-line require-yield -- The call is over.
    events: async function* () {
      streams += 1;
      return;
    },
  };
}
async function callWith(change: Partial<CallOptions>, ask: Ask, isGivenBack = false) {
  const posted: { custom_args_values?: unknown }[] = [];
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
  const run = placeAndShow(apiWith(posted, isGivenBack), '+14155550123', { ...OPTIONS, ...change }, ask);
  const code = await run.catch((error: unknown) => error);
  return { code, posted, printed };
}

describe('callwright call', () => {
  it('says until when a call waits, for whose window, and on the callee\u2019s clock', () => {
    const words = waitsFor({
      call_id: 'id',
      call_status: 'registered',
      call_sub_status: 'WINDOW_CLOSED',
      next_attempt_at: '2026-01-05T17:00:00.000Z',
      calling_window: { ...WINDOW, is_open: false, closes_at: null },
      warnings: [],
    });
    expect(words).toContain('waits for the calling window of the agent until');
    expect(words).toContain('(5 Jan 2026, 09:00 in America/Los_Angeles)');
  });

  it('asks for the values that the agent needs on a terminal, and for no others', async () => {
    const asked: string[] = [];
    const { code, posted } = await callWith({}, async (question) => {
      asked.push(question);
      return asked.length === 1 ? ' ' : 'Monday';
    });
    expect(asked).toEqual(['day (used by the first message): ', 'day (used by the first message): ']);
    expect(posted).toMatchObject([{ custom_args_values: { day: 'Monday' } }]);
    expect(code).toBe(0);
  });

  it('refuses without a terminal with the names of missing values, and sends nothing', async () => {
    const { code, posted } = await callWith({ var: ['place=the annex'] }, null);
    expect(code).toBeInstanceOf(ValuesRefused);
    expect((code as Error).message).toBe(
      'No value for day: give --var "day=…", or --allow-missing: the agent then leaves those phrases out.',
    );
    expect(posted).toEqual([]);
  });

  it('calls without missing values when they are allowed', async () => {
    const { code, posted } = await callWith({ allowMissing: true }, null);
    expect(code).toBe(0);
    expect(posted).toMatchObject([{ custom_args_values: {} }]);
  });

  it('goes on showing a call whose process gave it back to the queue', async () => {
    const { code } = await callWith({ allowMissing: true }, null, true);
    expect(code).toBe(0);
  });

  it('refuses a value without a name', async () => {
    const { code, posted } = await callWith({ var: ['Monday'] }, null);
    expect((code as Error).message).toBe('--var Monday: write name=value');
    expect(posted).toEqual([]);
  });

  it('prints the time at the callee and until when calls may leave', async () => {
    const noon = Date.UTC(2026, 0, 5, 20, 0);
    expect(calleeClock(WINDOW, noon)).toBe(
      'it is 12:00 in America/Los_Angeles; calls may leave until 5 Jan 2026, 21:00',
    );
    expect(calleeClock({ ...WINDOW, callee_timezone: null, is_open: false }, noon)).toBe(
      'it is 01:30 in Asia/Kolkata, the time zone of the window',
    );
    const { printed } = await callWith({ var: ['day=Monday'] }, null);
    expect(printed.join('\n')).toMatch(/it is \d\d:\d\d in America\/Los_Angeles; calls may leave until/);
  });
});
