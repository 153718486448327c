import type { VersionConfig } from '../store/json/agent-version.ts';
import type { CallTime } from '../store/json/call-config.ts';
import { describe, expect, it } from 'vitest';
import { DEFAULT_CALL_CONFIG } from '../domain/agents/call-config.ts';
import type { StorageKind } from '../domain/workspaces/storage-quotas.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import { callSpec, prepareCall, toolPreparer, type PrepareDeps, type ToolCaller } from './prepare-call.ts';
import { silentLog } from '../shared/log.ts';

const config: VersionConfig = {
  language: 'en-US',
  secondaryLanguage: null,
  voiceId: 'v',
  secondaryVoiceId: null,
  agentConfig: {
    agentPrompt: 'Be kind.',
    promptSections: [],
    introMessage: 'Hello.',
    customVariables: [],
    vocab: [],
    voiceSpeed: 1,
    vadSettings: {},
    muteWhileBotSpeaking: false,
    preQueryResponsePhrases: [],
    preQueryPhraseProbability: 0,
  },
  callConfig: DEFAULT_CALL_CONFIG,
  eventSubscriptions: [],
};
const specOf = (
  change: Partial<VersionConfig['agentConfig']>,
  callConfig: Partial<VersionConfig['callConfig']> = {},
  full: readonly StorageKind[] = [],
) =>
  callSpec(
    { voiceKey: (voiceId) => `key of ${voiceId}`, fullStorage: (id) => (id === 'w' ? full : []) },
    {
      callId: 'c',
      workspaceId: 'w',
      attempt: 1,
      direction: 'outbound',
      agentName: 'Asha',
      config: {
        ...config,
        agentConfig: { ...config.agentConfig, ...change },
        callConfig: { ...config.callConfig, ...callConfig },
      },
      variables: {},
      capMs: 1000,
    },
  );

describe('a call of a workspace that has reached a storage quota', () => {
  it('is not recorded at the quota of recordings', () => {
    const spec = specOf({}, {}, ['recordings']);
    expect([spec.recordingPath, spec.notKept]).toEqual([null, { recording: true, eventLog: false }]);
  });

  it('is recorded at the quota of call records, and its event log is not kept', () => {
    const spec = specOf({}, {}, ['callRecords', 'chats']);
    expect([spec.recordingPath, spec.notKept]).toEqual(['w/c-1.wav', { recording: false, eventLog: true }]);
  });

  it('misses no recording that its agent does not make', () => {
    const spec = specOf({}, { recording: { enabled: false } }, ['recordings']);
    expect([spec.recordingPath, spec.notKept]).toEqual([null, { recording: false, eventLog: false }]);
  });

  it('keeps everything below its quotas', () => {
    expect(specOf({}).recordingPath).toBe('w/c-1.wav');
    expect(specOf({})).not.toHaveProperty('notKept');
  });
});

describe('a call that a recogniser of this machine hears', () => {
  /** Prepares a call; returns it, how often its providers were read, and whether its tools ran. */
  async function prepared(hasSlot: boolean) {
    let [reads, ran] = [0, 0];
    const deps: PrepareDeps = {
      log: silentLog,
      spec: { voiceKey: () => 'key', fullStorage: () => [] },
      prepare: () => {
        ran += 1;
        const tools = { learnt: {}, specs: [], log: [], close: () => Promise.resolve() };
        return Promise.resolve({ ready: true, tools } as unknown as Awaited<
          ReturnType<PrepareDeps['prepare']>
        >);
      },
      knowledge: () => Promise.resolve([]),
      providers: (): Promise<CallProviders> => {
        reads += 1;
        return Promise.resolve({});
      },
      ears: {
        take: ({ languages }, providers) => providers().then(() => hasSlot && languages[0] === 'en-US'),
      },
    };
    const call = {
      callId: 'c',
      workspaceId: 'w',
      attempt: 1,
      direction: 'inbound',
      agentName: 'A',
      config,
      capMs: 1,
    };
    const answer = await prepareCall(deps, { ...call, variables: {} } as unknown as Parameters<
      typeof prepareCall
    >[1]);
    return { answer, reads, ran };
  }

  it('runs no tool while every slot is taken', async () => {
    expect(await prepared(false)).toEqual({ answer: { ready: false, log: 'no ears' }, reads: 1, ran: 0 });
  });

  it('is prepared with a slot, and its providers are read once', async () => {
    expect(await prepared(true)).toMatchObject({ answer: { ready: true }, reads: 1, ran: 1 });
  });
});

it('the agent of a handover is read ahead once, and again when it has changed', async () => {
  const read: string[] = [];
  const tools = { learnt: {}, specs: [], log: [], close: () => Promise.resolve() };
  let intro = 'This is billing.';
  const deps = {
    log: silentLog,
    spec: { voiceKey: () => 'key', fullStorage: () => [] },
    prepare: () => Promise.resolve({ ready: true, tools }),
    knowledge: async (_workspace: string, { agentConfig }: VersionConfig) => {
      read.push(agentConfig.introMessage);
      return [];
    },
    providers: () => Promise.resolve({}),
    next: async (_workspace: string, id: string) => {
      const agentConfig = { ...config.agentConfig, introMessage: intro };
      return { id, name: 'Billing', config: { ...config, agentConfig } };
    },
  } as unknown as PrepareDeps;
  const desk = { ...config, handoffs: [{ agentId: 'b', when: 'asks about an invoice' }] };
  const call = { callId: 'c', workspaceId: 'w', attempt: 1, direction: 'inbound', agentName: 'A', capMs: 1 };
  const unprepared = { ...call, config: desk, variables: {} } as unknown as Parameters<typeof prepareCall>[1];
  const answer = await prepareCall(deps, unprepared);
  const { handovers } = answer as Extract<typeof answer, { ready: true }>;
  expect(await handovers!.ahead('b')).toMatchObject({ id: 'b', spec: { agent: { introMessage: intro } } });
  expect((await handovers!.handOver({ agent_id: 'b' })).answer.ok).toBe(true);
  expect(read).toEqual(['Hello.', 'This is billing.']);
  intro = 'Billing again.';
  expect((await handovers!.handOver({ agent_id: 'b' })).answer.ok).toBe(true);
  expect(read).toEqual(['Hello.', 'This is billing.', 'Billing again.']);
});

describe('keypad settings of a call', () => {
  it('are absent by default; a version’s own settings are converted to milliseconds', () => {
    expect(specOf({}).agent).not.toHaveProperty('keys');
    const dtmfInput = { digits: 4, timeout: 2.5, end: '*', reset: null };
    expect(specOf({ dtmfSettings: { dtmfCapturingEnabled: true, dtmfInput } }).agent.keys).toEqual({
      enabled: true,
      digits: 4,
      pauseMs: 2500,
      end: '*',
      reset: null,
    });
  });
});

/** Monday 5 January 2026, 10:00 in San Francisco, 23:30 in Kolkata. */
const NOW = Date.UTC(2026, 0, 5, 18);
type Deps = Parameters<typeof toolPreparer>[0];

async function schedule(
  agentTime: Partial<CallTime>,
  more: Partial<ToolCaller> = {},
  when = 'tomorrow at 3 pm',
  deps: Partial<Deps> = {},
) {
  const clock = { now: () => NOW, monotonic: () => 0 };
  const prepare = toolPreparer({ clock, log: silentLog, ...deps } as unknown as Deps);
  const callTime = { ...DEFAULT_CALL_CONFIG.callTime, timezone: 'Asia/Kolkata', ...agentTime };
  const config = { language: 'en-US', callConfig: { ...DEFAULT_CALL_CONFIG, callTime } };
  const prepared = await prepare({
    workspaceId: 'w',
    callId: 'c',
    agentId: 'a',
    agentName: 'Maya',
    from: '+919812345678',
    to: '+14155550123',
    direction: 'outbound',
    byStranger: false,
    variables: {},
    config: config as unknown as VersionConfig,
    callTime: null,
    budgetMs: 1000,
    ...more,
  });
  if (!prepared.ready) throw new Error('the tools are not ready');
  const outcome = await prepared.tools.run('schedule_callback', { when });
  return { ...outcome, promised: prepared.tools.callback };
}
async function callbackAt(...how: Parameters<typeof schedule>): Promise<unknown> {
  const { result } = await schedule(...how);
  return (result as { at?: string }).at;
}

describe('a callback that must not be placed', () => {
  it('is refused with the reason, and nothing is promised', async () => {
    const asked: unknown[] = [];
    const whyNoCallback: Deps['whyNoCallback'] = async (...at) => {
      asked.push(at);
      return 'this number has no callback left today';
    };
    expect(await schedule({}, {}, 'tomorrow at 3 pm', { whyNoCallback })).toEqual({
      ok: false,
      result: {
        status: 'refused',
        error:
          'this number has no callback left today: no callback is scheduled; tell the person, and do not promise one',
      },
      promised: null,
    });
    expect(asked).toEqual([[{ workspaceId: 'w', callId: 'c' }, Date.UTC(2026, 0, 6, 9, 30)]]);
  });

  it('is left to the settlement while the database is away', async () => {
    const whyNoCallback = () => Promise.reject(new Error('away'));
    expect(await schedule({}, {}, 'tomorrow at 3 pm', { whyNoCallback })).toMatchObject({
      ok: true,
      promised: { at: Date.UTC(2026, 0, 6, 9, 30) },
    });
  });
});

describe('the time zone of a requested callback', () => {
  const own = { useCalleeTimezone: true };
  const allDay = { callStartTime: '00:00', callEndTime: '00:00' };
  it.each([
    ['is the window’s', {}, {}, '2026-01-06T09:30:00.000Z'],
    ['is the callee’s', own, {}, '2026-01-06T23:00:00.000Z'],
    ['is the call’s own', own, { callTime: { useCalleeTimezone: false } }, '2026-01-06T09:30:00.000Z'],
    ['is the callee’s by the call’s word', {}, { callTime: own }, '2026-01-06T23:00:00.000Z'],
    ['is the caller’s', own, { direction: 'inbound' }, '2026-01-06T09:30:00.000Z'],
    ['is that which opens last', { ...own, ...allDay }, { to: '+18005550199' }, '2026-01-07T01:00:00.000Z'],
  ] as const)('%s', async (_what, agentTime, more, expected) => {
    expect(await callbackAt(agentTime, more)).toBe(expected);
  });
  it('is the zone of the next opening in the tool’s answer to the agent', async () => {
    expect(await callbackAt({}, {}, 'tomorrow at 11 pm')).toBe('2026-01-07T03:30:00.000Z');
  });
});

describe('the summary of the previous call', () => {
  const learnt = async (remember: Deps['remember'], variables: Record<string, string> = {}) => {
    const clock = { now: () => NOW, monotonic: () => 0 };
    const prepare = toolPreparer({ clock, log: silentLog, remember } as unknown as Deps);
    const config = { language: 'en-US', callConfig: DEFAULT_CALL_CONFIG } as unknown as VersionConfig;
    const facts = { workspaceId: 'w', callId: 'c', agentId: 'a', agentName: 'Maya', from: '', to: '' };
    const prepared = await prepare({
      ...facts,
      direction: 'outbound',
      byStranger: false,
      variables,
      config,
      callTime: null,
      budgetMs: 1000,
    });
    return prepared.ready ? prepared.tools.learnt : null;
  };
  const summary = { previous_call_summary: 'They asked for Tuesday.' };

  it('is a variable of the call, unless the call was given one', async () => {
    expect(await learnt(() => Promise.resolve(summary))).toEqual(summary);
    expect(await learnt(() => Promise.resolve(summary), { previous_call_summary: 'mine' })).toEqual({});
  });

  it('is missing while the database is away, and the call goes on', async () => {
    expect(await learnt(() => Promise.reject(new Error('away')))).toEqual({});
  });
});
