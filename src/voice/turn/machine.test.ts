import { describe, expect, it } from 'vitest';
import type { Expected, HistoryItem } from '../ports.ts';
import { initialState, step } from './machine.ts';
import { simulate, type Simulation, type World } from './simulator.ts';
import type { TurnEffect, TurnLatency, TurnSettings } from './types.ts';

const settings: TurnSettings = {
  introMessage: 'Hello this is Maya.',
  muteDuringIntro: true,
  muteWhileAgentSpeaks: false,
  idleWarningMs: 5_000,
  idleEndMs: 10_000,
  maxCallMs: 60_000,
  endpointing: { prepareMs: 150, completeMs: 350, defaultMs: 700, patientMs: 1_200 },
  interruption: { minSpeechMs: 200, minWords: 1 },
  phrases: {
    idleCheckIn: 'Are you there?',
    idleGoodbye: 'Goodbye then.',
    maxLengthGoodbye: 'Our time is up.',
    apology: 'Sorry, say it again.',
    technicalGoodbye: 'We have a problem.',
    oneMoment: 'One moment.',
    didNotCatch: 'Pardon?',
  },
  backchannels: ['hmm', 'okay', 'yes', 'uh huh'],
  farewells: ['bye', 'thank you'],
  greetings: ['hello'],
  shortAnswers: ['yes', 'no'],
  language: 'en-US',
  replyTimeoutMs: 3_000,
};

// The intro sounds from 50 ms to 50 + 19 * 60 = 1190 ms.
const run = (world: Partial<World> & { with?: Partial<TurnSettings> } = {}): Simulation =>
  simulate({ ...world, settings: { ...settings, ...world.with } });

const spoken = (call: Simulation): string[] =>
  call.lines.map((line) => `${line.role}${line.interrupted ? '!' : ''}: ${line.text}`);
const count = (call: Simulation, type: string): number =>
  call.effects.filter(({ effect }) => effect.type === type).length;
const times = (call: Simulation, type: string): number[] =>
  call.effects.filter(({ effect }) => effect.type === type).map(({ at }) => at);
const latencies = (call: Simulation): TurnLatency[] =>
  call.effects.flatMap(({ effect }) => (effect.type === 'turn_latency' ? [effect.latency] : []));
const callerTexts = (history: readonly HistoryItem[]): string[] =>
  history.flatMap((item) => (item.role === 'caller' ? [item.text] : []));
const long = 'I have a slot on Tuesday and another one on Friday which of them suits you better';

describe('a turn', () => {
  it('begins with the first message, at once', () => {
    const call = run({ untilMs: 2_000 });
    expect(call.effects.slice(0, 2).map(({ at, effect }) => [at, effect.type])).toEqual([
      [0, 'speak'],
      [0, 'release'],
    ]);
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.']);
  });

  it('prepares the reply in silence and releases it once the turn is complete', () => {
    const call = run({ acts: [{ at: 2_000, says: 'I want to book.' }], untilMs: 5_000 });
    // The sound ends at 2900, known at 3020 with its final; complete-looking, so committed at 3250.
    expect(times(call, 'generate')).toEqual([3_050]);
    expect(times(call, 'release').at(-1)).toBe(3_250);
    expect(call.sounds[1]).toEqual({ text: 'All right.', from: 3_250, to: 3_850, cut: false });
    expect(latencies(call)).toEqual([
      {
        turn: 1,
        endpointingMs: 350,
        recognitionMs: 120,
        modelMs: 100,
        voiceMs: 100,
        totalMs: 350,
        prepared: true,
      },
    ]);
    expect(spoken(call)).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want to book.',
      'agent: All right.',
    ]);
  });

  it.each([
    ['I want to book.', 350],
    ['I want to book', 700],
    ['I want to book and', 1_200],
    ['my number is nine eight', 1_200],
    ['it is spelled r a', 1_200],
    ['um', 1_200],
    ['yes', 350],
  ])('waits for "%s" %d ms', (says, waitMs) => {
    const call = run({ acts: [{ at: 2_000, says, forMs: 1_000 }], untilMs: 8_000 });
    expect(times(call, 'release').at(1)).toBe(3_000 + waitMs);
  });

  it('is one turn when the caller pauses inside it', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'I want a table', forMs: 1_000 },
        { at: 3_600, says: 'for two.', forMs: 500 },
      ],
      untilMs: 8_000,
    });
    expect(spoken(call)).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want a table for two.',
      'agent: All right.',
    ]);
    expect(count(call, 'generate')).toBe(2);
    expect(count(call, 'cancel_reply')).toBe(1);
    expect(count(call, 'turn_latency')).toBe(1);
  });

  it('is taken back when the caller goes on before the reply is heard, and waits longer next time', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'I want a table.', forMs: 1_000 },
        { at: 3_400, says: 'Outside.', forMs: 500 },
      ],
      brain: () => ({ text: 'Sure.', afterMs: 400 }),
      untilMs: 8_000,
    });
    expect(spoken(call)).toEqual([
      'agent: Hello this is Maya.',
      'caller: I want a table. Outside.',
      'agent: Sure.',
    ]);
    expect(latencies(call)).toHaveLength(1);
    expect(call.state.adapted.defaultMs).toBeGreaterThan(700);
  });

  it('gets one reply although the recogniser finalises twice', () => {
    const state = [
      { type: 'answered', at: 0 } as const,
      { type: 'utterance_started', utteranceId: 0, at: 10 } as const,
      { type: 'utterance_ended', utteranceId: 0, at: 500 } as const,
      { type: 'speech_started', since: 1_000, at: 1_060 } as const,
      { type: 'speech_stopped', since: 2_000, at: 2_120 } as const,
      { type: 'final', text: 'Yes.', at: 2_130 } as const,
      { type: 'final', text: 'yes', at: 2_200 } as const,
      { type: 'wake', at: 2_400 } as const,
      { type: 'final', text: 'yes', at: 2_420 } as const,
    ];
    let now = initialState(settings);
    const effects = state.flatMap((event) => {
      const result = step(now, event);
      now = result.state;
      return result.effects;
    });
    expect(effects.filter((e) => e.type === 'generate')).toHaveLength(1);
    expect(callerTexts(now.history)).toEqual(['Yes.']);
  });

  it('asks again when a final changes after the reply was prepared', () => {
    const call = run({
      acts: [{ at: 2_000, says: 'I want', forMs: 1_000, finalMs: 120 }],
      untilMs: 3_160,
    });
    const changed = step(call.state, { type: 'final', text: 'a table.', at: (call.log[0]?.at ?? 0) + 3_200 });
    expect(changed.effects.map((e) => e.type)).toEqual(['cancel_reply', 'generate']);
  });

  it('takes a whole short answer to an expected question as complete', () => {
    const expected: Expected = { kinds: ['date'], phrases: [] };
    const call = run({
      acts: [
        { at: 2_000, says: 'Book it.', forMs: 500 },
        { at: 6_000, says: 'next tuesday', forMs: 500 },
      ],
      brain: () => ({ text: 'Which day?', expected }),
      untilMs: 9_000,
    });
    expect(times(call, 'release').at(-1)).toBe(6_500 + 350);
    expect(call.effects.some(({ effect }) => effect.type === 'expect' && effect.expected === expected)).toBe(
      true,
    );
  });
});

describe('the first message', () => {
  it('is not stopped while muted, and the words said meanwhile become the turn after it', () => {
    const call = run({ acts: [{ at: 300, says: 'Who is this?', forMs: 500 }], untilMs: 4_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call)).toEqual(['agent: Hello this is Maya.', 'caller: Who is this?', 'agent: All right.']);
    expect(times(call, 'generate')).toEqual([1_190]);
  });

  it('is stopped by words when not muted', () => {
    const call = run({
      with: { muteDuringIntro: false },
      acts: [{ at: 300, says: 'Who is this?', forMs: 700 }],
      untilMs: 4_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([500]);
    expect(spoken(call)).toEqual(['agent!: Hello', 'caller: Who is this?', 'agent: All right.']);
  });

  it.each([true, false])(
    'goes on over the hello of picking up (muted: %s), which stays on record',
    (muteDuringIntro) => {
      const call = run({
        with: { muteDuringIntro },
        acts: [{ at: 100, says: 'Hello?', forMs: 400 }],
        untilMs: 4_000,
      });
      expect(count(call, 'generate')).toBe(0);
      expect(spoken(call)).toEqual(['caller: Hello?', 'agent: Hello this is Maya.']);
    },
  );

  it('tells the recogniser what it asks for', () => {
    const introExpected: Expected = { kinds: ['yes_no'], phrases: [] };
    const call = run({ with: { introExpected }, untilMs: 500 });
    expect(call.effects.at(-1)?.effect).toEqual({ type: 'expect', expected: introExpected });
    expect(call.state.expected).toBe(introExpected);
  });

  it('is generated when empty, or the caller speaks first', () => {
    expect(count(run({ with: { introMessage: '' }, untilMs: 500 }), 'generate')).toBe(1);
    const waits = run({ with: { introMessage: '', speaksFirst: false }, untilMs: 500 });
    expect(waits.effects).toEqual([]);
  });
});

describe('a recogniser with an ear of its own', () => {
  it('is done before the gate: its final covers both sounds, and nothing more is waited for', () => {
    const at = (ms: number) => ({ at: ms });
    let state = initialState(settings);
    const effects: TurnEffect[] = [];
    const feed = (event: Parameters<typeof step>[1]): void => {
      const next = step(state, event);
      state = next.state;
      effects.push(...next.effects);
    };
    feed({ type: 'answered', ...at(0) });
    feed({ type: 'utterance_started', utteranceId: 0, ...at(50) });
    feed({ type: 'utterance_ended', utteranceId: 0, ...at(1_000) });
    feed({ type: 'speech_started', ...at(2_060), since: 2_000 });
    feed({ type: 'speech_stopped', ...at(2_600), since: 2_480 });
    feed({ type: 'speech_started', ...at(2_700), since: 2_640 });
    feed({ type: 'final', text: 'What time do you open?', ...at(3_300) });
    feed({ type: 'speech_stopped', ...at(3_320), since: 3_200 });
    feed({ type: 'wake', ...at(3_350) });
    expect(effects.filter((effect) => effect.type === 'generate')).toHaveLength(1);
    expect(state.wakeAt).toBeLessThanOrEqual(3_550);
  });
});

describe('hold', () => {
  it('stops the agent, waits for nothing, and goes on with the rest when the call is taken back', () => {
    let state = initialState(settings);
    const effects: { at: number; effect: TurnEffect }[] = [];
    const feed = (event: Parameters<typeof step>[1]): void => {
      const next = step(state, event);
      state = next.state;
      for (const effect of next.effects) effects.push({ at: event.at, effect });
    };
    feed({ type: 'answered', at: 0 });
    feed({ type: 'utterance_started', utteranceId: 0, at: 50 });
    feed({ type: 'held', at: 500 });
    feed({
      type: 'speaking_stopped',
      heard: [{ utteranceId: 0, playedMs: 450, totalMs: 1_140, complete: true }],
      at: 500,
    });
    feed({ type: 'speech_started', since: 900, at: 1_000 });
    for (let at = 1_000; at < 40_000; at += 1_000) feed({ type: 'wake', at });
    expect(effects.filter(({ effect }) => effect.type === 'hangup' || effect.type === 'generate')).toEqual(
      [],
    );
    expect(state.wakeAt).toBe(60_000);
    feed({ type: 'resumed', at: 40_000 });
    const rest = effects.filter(({ at, effect }) => at === 40_000 && effect.type === 'speak');
    expect(rest).toHaveLength(1);
    expect(rest[0]?.effect).toMatchObject({ text: expect.stringMatching(/Maya\.$/) });
    expect(state.wakeAt).toBeGreaterThan(40_000);
  });

  it('still ends at the longest a call may last', () => {
    let state = initialState(settings);
    let ended = false;
    for (const event of [
      { type: 'answered', at: 0 },
      { type: 'held', at: 100 },
      { type: 'wake', at: 60_000 },
    ] as const) {
      const next = step(state, event);
      state = next.state;
      ended ||= next.effects.some((effect) => effect.type === 'hangup');
    }
    expect(ended).toBe(true);
  });
});

describe('a language that is not understood', () => {
  it('goes on by itself after the first message, so that keys are offered', () => {
    const call = run({ with: { goesOnAfterIntro: true }, untilMs: 4_000 });
    expect(count(call, 'generate')).toBe(1);
    expect(call.lines.map((line) => line.role)).toEqual(['agent', 'agent']);
  });
});

describe('an interruption', () => {
  const brain = (): { text: string; afterMs: number } => ({ text: long, afterMs: 100 });
  // The reply sounds from 2850 on.
  const asked = { at: 2_000, says: 'When can I come?', forMs: 500 } as const;

  it('stops the agent after 200 ms of speech and keeps only what was heard', () => {
    const call = run({
      acts: [asked, { at: 5_000, says: 'Tuesday is fine.', forMs: 900 }],
      brain: (_, n) => (n === 1 ? brain() : { text: 'Great.' }),
      untilMs: 12_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_200]);
    const cut = call.lines.find((line) => line.interrupted);
    expect(long.startsWith(cut?.text ?? '-')).toBe(true);
    // 2350 of 4860 ms played: 39 of 81 characters, cut at a word.
    expect(cut?.text).toBe('I have a slot on Tuesday and another');
    const interrupted = call.effects.find(({ effect }) => effect.type === 'interrupted');
    const start = call.log[0]?.at ?? 0;
    expect(interrupted?.effect).toEqual({ type: 'interrupted', at: start + 5_000, stoppedAt: start + 5_200 });
    expect(spoken(call).slice(-2)).toEqual(['caller: Tuesday is fine.', 'agent: Great.']);
    expect(call.sounds.filter((s) => s.from > 5_200).map((s) => s.text)).toEqual(['Great.']);
  });

  it('by words of a partial stops earlier than sound alone', () => {
    const call = run({
      acts: [asked, { at: 5_000, says: 'No wait.', forMs: 900, partials: [[120, 'no']] }],
      brain,
      untilMs: 6_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_120]);
  });

  it('is none when the words are a backchannel: the agent says the rest', () => {
    const call = run({
      acts: [asked, { at: 5_000, says: 'okay', forMs: 400 }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(1);
    expect(count(call, 'interrupted')).toBe(0);
    expect(count(call, 'generate')).toBe(1);
    // Sound ends 5400, final at 5520: resumed within a second of the stop.
    const resumed = call.sounds.find((s) => s.from > 5_200);
    expect(resumed?.from).toBeLessThanOrEqual(6_200);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
    expect(call.state.history.at(-1)).toEqual({ role: 'agent', text: long, interrupted: false });
  });

  it('never comes from a backchannel known by its partial', () => {
    const call = run({
      acts: [asked, { at: 5_000, says: 'uh huh', forMs: 600, partials: [[150, 'uh huh']] }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
  });

  it('is taken back after noise without words', () => {
    const call = run({
      acts: [asked, { at: 5_000, says: '', forMs: 500, finalMs: null }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(1);
    expect(spoken(call).at(-1)).toBe(`agent: ${long}`);
    expect(count(call, 'turn_latency')).toBe(1);
  });

  it('cannot happen while the agent is never to be interrupted', () => {
    const call = run({
      with: { muteWhileAgentSpeaks: true },
      acts: [asked, { at: 5_000, says: 'Stop now please.', forMs: 900 }],
      brain,
      untilMs: 12_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).slice(-2)).toEqual([`agent: ${long}`, 'caller: Stop now please.']);
    expect(times(call, 'generate').at(-1)).toBe(2_850 + long.length * 60);
  });

  it('keeps an early yes as the answer to the question it overlaps', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'Book it.', forMs: 500 },
        { at: 4_100, says: 'yes', forMs: 150, finalMs: 120 },
      ],
      brain: (_, n) => ({ text: n === 1 ? 'Is Tuesday at ten fine?' : 'Done.' }),
      untilMs: 8_000,
    });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(spoken(call).slice(-3)).toEqual(['agent: Is Tuesday at ten fine?', 'caller: yes', 'agent: Done.']);
  });
});

describe('tools', () => {
  const asked = { at: 2_000, says: 'Goodbye then.', forMs: 500 } as const;

  it('end the call after the goodbye was heard', () => {
    const call = run({
      acts: [asked],
      brain: () => ({ text: 'Bye, take care.', tools: [{ name: 'end_call' }] }),
    });
    expect(call.hangup).toEqual({ reason: 'AGENT_ENDED', at: 2_850 + 15 * 60 });
    expect(spoken(call).at(-1)).toBe('agent: Bye, take care.');
    expect(count(call, 'tool')).toBe(0);
  });

  it('do not end the call when the caller talks into the goodbye', () => {
    const call = run({
      acts: [asked, { at: 3_000, says: 'Wait one more thing.', forMs: 1_000 }],
      brain: (_, n) =>
        n === 1 ? { text: 'Bye, take care.', tools: [{ name: 'end_call' }] } : { text: 'Yes?' },
      untilMs: 8_000,
    });
    expect(call.hangup).toBe(null);
    expect(spoken(call).slice(-2)).toEqual(['caller: Wait one more thing.', 'agent: Yes?']);
  });

  it('end the call over a thank you', () => {
    const call = run({
      acts: [asked, { at: 3_300, says: 'Thank you, bye.', forMs: 900 }],
      brain: () => ({ text: 'Bye, take care.', tools: [{ name: 'end_call' }] }),
    });
    expect(call.hangup?.reason).toBe('AGENT_ENDED');
    expect(spoken(call).at(-1)).toBe('agent: Bye, take care.');
  });

  it('opt out whatever the caller does', () => {
    const call = run({
      acts: [asked, { at: 3_000, says: 'But wait a moment.', forMs: 800 }],
      brain: () => ({ text: 'We will not call again.', tools: [{ name: 'opt_out' }] }),
    });
    expect(call.hangup?.reason).toBe('OPTED_OUT');
    expect(count(call, 'tool')).toBe(1);
    expect(count(call, 'stop_speaking')).toBe(0);
  });

  it('run only once the turn is certain, and their result brings a reply of its own', () => {
    const call = run({
      acts: [asked],
      brain: (_, n) =>
        n === 1 ? { text: 'Let me look.', tools: [{ name: 'lookup' }], afterMs: 0 } : { text: 'Found it.' },
      untilMs: 8_000,
    });
    expect(times(call, 'tool')).toEqual(times(call, 'release').slice(1, 2));
    const second = call.effects.filter(({ effect }) => effect.type === 'generate')[1]?.effect;
    expect(second?.type === 'generate' ? second.history.slice(-2) : []).toEqual([
      { role: 'agent', text: 'Let me look.', interrupted: false },
      { role: 'tool', name: 'lookup', result: { ok: true } },
    ]);
    expect(spoken(call).slice(-2)).toEqual(['agent: Let me look.', 'agent: Found it.']);
    expect(latencies(call)).toHaveLength(1);
  });

  it('of a reply that hands over to the caller bring no reply of their own', () => {
    const expected: Expected = { kinds: ['yes_no'], phrases: [] };
    for (const toolMs of [10, 3_000]) {
      const call = run({
        acts: [asked],
        toolMs,
        brain: () => ({ text: 'Noted. Anything else?', tools: [{ name: 'schedule_callback' }], expected }),
        untilMs: 7_000,
      });
      expect(count(call, 'generate')).toBe(1);
      expect(call.state.history.at(-1)?.role).toBe('tool');
    }
  });

  it('that never answer count as failed, and rounds are bounded', () => {
    const call = run({
      acts: [asked],
      toolMs: 50,
      brain: () => ({ tools: [{ name: 'lookup' }] }),
      untilMs: 20_000,
    });
    expect(count(call, 'generate')).toBe(7);
    const slow = run({
      acts: [asked],
      toolMs: 1e9,
      brain: (_, n) => (n === 1 ? { tools: [{ name: 'x' }] } : {}),
      untilMs: 20_000,
    });
    expect(slow.state.history).toContainEqual({ role: 'tool', name: 'x', result: { error: 'timeout' } });
  });
});

describe('silence', () => {
  it('brings the check-in and then the end, both counted from where it began', () => {
    const call = run();
    const from = 1_190;
    expect(call.sounds.map((s) => [s.text, s.from])).toEqual([
      ['Hello this is Maya.', 50],
      ['Are you there?', from + 5_000 + 50],
      ['Goodbye then.', from + 10_000 + 50],
    ]);
    expect(call.hangup).toEqual({ reason: 'USER_BECAME_IDLE', at: from + 10_050 + 13 * 60 });
    expect(call.state.history).toContainEqual({ role: 'silence' });
  });

  it('is broken by speech and by keys', () => {
    const call = run({ acts: [{ at: 9_000, presses: '5' }], untilMs: 14_000 });
    expect(call.hangup).toBe(null);
    expect(spoken(call)).toContain('caller: 5');
  });

  it('has no check-in when that is off', () => {
    const call = run({ with: { idleWarningMs: 0 } });
    expect(call.sounds.map((s) => s.text)).toEqual(['Hello this is Maya.', 'Goodbye then.']);
  });

  it('does not run while the agent speaks for long', () => {
    const call = run({
      acts: [{ at: 2_000, says: 'Tell me.', forMs: 500 }],
      brain: () => ({ text: `${long} ${long} ${long}` }),
      untilMs: 17_000,
    });
    expect(call.sounds.map((s) => s.text)).not.toContain('Are you there?');
  });

  it('is not the end when the caller answers the goodbye', () => {
    const call = run({ acts: [{ at: 11_400, says: 'I am here.', forMs: 700 }], untilMs: 14_000 });
    expect(call.hangup).toBe(null);
    expect(spoken(call)).toContain('caller: I am here.');
  });
});

describe('sound without words', () => {
  it('is nothing when short', () => {
    const call = run({ acts: [{ at: 2_000, says: '', forMs: 200, finalMs: null }], untilMs: 4_000 });
    expect(call.effects.filter(({ at }) => at > 1_200)).toEqual([]);
  });

  it('is asked about twice, not a third time', () => {
    const acts = [2_000, 5_000, 8_000].map((at) => ({ at, says: '', forMs: 600, finalMs: null }));
    const call = run({ acts, untilMs: 12_000 });
    expect(call.sounds.filter((s) => s.text === 'Pardon?')).toHaveLength(2);
    expect(count(call, 'generate')).toBe(0);
  });

  it('ends in the words known so far when no final ever comes', () => {
    const act = { at: 2_000, says: 'x', forMs: 1_000, finalMs: 1e9, partials: [[500, 'Tuesday.']] } as const;
    const call = run({ acts: [act], untilMs: 7_000 });
    expect(spoken(call)).toContain('caller: Tuesday.');
  });
});

describe('failure', () => {
  const asked = { at: 2_000, says: 'Hello there.', forMs: 500 } as const;

  it('of the brain is tried once more', () => {
    const call = run({
      acts: [asked],
      brain: (_, n) => (n <= 2 ? { fails: 'for_now' } : { text: 'Hi.' }),
      untilMs: 6_000,
    });
    // The prepared try does not count: it failed before the turn was certain.
    expect(spoken(call).at(-1)).toBe('agent: Hi.');
  });

  it('is apologised for, and ends the call the second time in a row', () => {
    const call = run({
      acts: [asked, { at: 8_000, says: 'Hello again.', forMs: 500 }],
      brain: () => ({ fails: 'for_good' }),
    });
    expect(call.sounds.map((s) => s.text).slice(1)).toEqual(['Sorry, say it again.', 'We have a problem.']);
    expect(call.hangup?.reason).toBe('FAILED');
  });

  it('is what silence of the brain comes to: no dead air beyond twice the timeout', () => {
    const call = run({ acts: [asked], brain: () => ({ afterMs: null }), untilMs: 12_000 });
    const apology = call.sounds.find((s) => s.text === 'Sorry, say it again.');
    expect(apology?.from).toBe(2_850 + 2 * 3_000 + 50);
    expect(count(call, 'generate')).toBe(2);
  });

  it('of the voice ends the call rather than staying silent', () => {
    const call = run({ ttsMs: null });
    expect(call.hangup?.reason).toBe('FAILED');
    expect(call.lines).toEqual([]);
  });
});

describe('a watchdog', () => {
  /** Feeds events with their times in ms after the answer, wakes in between included. */
  function feed(events: readonly Parameters<typeof step>[1][]) {
    let state = initialState(settings);
    const effects: { at: number; effect: TurnEffect }[] = [];
    const take = (event: Parameters<typeof step>[1]): void => {
      const result = step(state, event);
      state = result.state;
      effects.push(...result.effects.map((effect) => ({ at: event.at, effect })));
      if (result.effects.some(({ type }) => type === 'stop_speaking')) {
        take({ type: 'speaking_stopped', heard: [], at: event.at });
      }
    };
    for (const event of events) {
      while (state.wakeAt !== null && state.wakeAt < event.at) take({ type: 'wake', at: state.wakeAt });
      take(event);
    }
    return {
      state,
      effects,
      texts: effects.flatMap(({ at, effect }) => (effect.type === 'speak' ? [[at, effect.text]] : [])),
    };
  }

  it('gives up on sound that never starts, and says so', () => {
    const { texts } = feed([
      { type: 'answered', at: 0 },
      { type: 'wake', at: 3_001 },
    ]);
    expect(texts).toEqual([
      [0, 'Hello this is Maya.'],
      [3_000, 'Sorry, say it again.'],
    ]);
  });

  it('goes on with the next sentence when one is lost', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      { type: 'speech_started', since: 1_000, at: 1_060 },
      { type: 'speech_stopped', since: 2_000, at: 2_120 },
      { type: 'final', text: 'Hello.', at: 2_130 },
      { type: 'reply_text', replyId: 1, text: 'One two. Three four. ', at: 2_200 },
      { type: 'reply_done', replyId: 1, memory: 7, expected: null, at: 2_210 },
      { type: 'utterance_failed', utteranceId: 1, at: 2_500 },
      { type: 'utterance_started', utteranceId: 2, at: 2_600 },
      { type: 'utterance_ended', utteranceId: 2, at: 3_000 },
    ]);
    expect(call.state.history.at(-1)).toEqual({ role: 'agent', text: 'Three four.', interrupted: false });
    expect(call.state.memory).toBe(7);
  });

  it('stops sound that never ends', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'wake', at: 16_000 },
    ]);
    expect(call.effects.find(({ effect }) => effect.type === 'stop_speaking')?.at).toBe(
      10 + 8_000 + 19 * 350,
    );
    expect(call.state.reply?.utterances.map((u) => u.text)).toEqual(['Sorry, say it again.']);
  });

  it('lets a stream that stalls end with what was said, without its memory', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      { type: 'dtmf', digit: '#', at: 1_000 },
      { type: 'reply_text', replyId: 1, text: 'One two. And then', at: 1_100 },
      { type: 'utterance_started', utteranceId: 1, at: 1_200 },
      { type: 'utterance_ended', utteranceId: 1, at: 2_000 },
      { type: 'wake', at: 5_000 },
    ]);
    expect(call.effects.at(-2)).toMatchObject({ at: 5_000, effect: { type: 'cancel_reply', replyId: 1 } });
    expect(call.state.history.at(-1)).toMatchObject({ role: 'agent', text: 'One two.' });
    expect(call.state.memory).toBe(null);
  });

  it('apologises when the recogniser is gone, and ends the call when it stays gone', () => {
    const events = [1_000, 8_000].map((at) => ({ type: 'stt_failed', retryable: false, at }) as const);
    const { texts } = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      ...events.slice(0, 1),
      { type: 'utterance_started', utteranceId: 1, at: 1_100 },
      { type: 'utterance_ended', utteranceId: 1, at: 2_000 },
      { type: 'speech_started', since: 5_000, at: 5_060 },
      ...events.slice(1),
    ]);
    expect(texts.map(([, text]) => text).slice(1)).toEqual(['Sorry, say it again.', 'We have a problem.']);
  });

  it('takes what streams in during a false interruption to the resumed reply', () => {
    const call = feed([
      { type: 'answered', at: 0 },
      { type: 'utterance_started', utteranceId: 0, at: 10 },
      { type: 'utterance_ended', utteranceId: 0, at: 500 },
      { type: 'dtmf', digit: '#', at: 1_000 },
      { type: 'reply_text', replyId: 1, text: 'One two. ', at: 1_100 },
      { type: 'utterance_started', utteranceId: 1, at: 1_200 },
      { type: 'speech_started', since: 1_300, at: 1_360 },
      { type: 'wake', at: 1_500 },
      { type: 'reply_text', replyId: 1, text: 'Three four. ', at: 1_600 },
      { type: 'reply_done', replyId: 1, memory: 7, expected: null, at: 1_610 },
      { type: 'speech_stopped', since: 1_650, at: 1_770 },
      { type: 'stt_nothing', at: 1_800 },
    ]);
    const after = call.effects.filter(({ at }) => at === 1_800).map(({ effect }) => effect);
    expect(after.map((effect) => (effect.type === 'speak' ? effect.text : effect.type))).toEqual([
      'One two.',
      'Three four.',
      'release',
    ]);
    expect(call.state.reply?.id).toBe(1);
  });
});

describe('a caller', () => {
  const turns = (texts: readonly string[], pauseMs: number) =>
    texts.map((says, i) => ({ at: 2_000 + i * (1_000 + pauseMs), says, forMs: 1_000 }));
  const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };

  it('who pauses long inside turns is given more time, up to a bound', () => {
    // Each part goes on 900 ms after the last: beyond the wait at first, within it once it has been learnt.
    const acts = turns(
      Array.from({ length: 14 }, () => 'so it goes on'),
      900,
    );
    const call = run({
      with: { ...quiet, endpointing: { ...settings.endpointing, completeMs: 700 } },
      acts,
      brain: () => ({ text: 'I see.', afterMs: 400 }),
      untilMs: 40_000,
    });
    expect(call.state.adapted.defaultMs).toBeGreaterThan(900);
    expect(call.state.adapted.defaultMs).toBeLessThanOrEqual(1_200);
    expect(spoken(call).filter((line) => line.startsWith('caller'))).toHaveLength(1);
  });

  it('who speaks fluently is given less, down to a bound', () => {
    const acts = Array.from({ length: 12 }, (_, i) => ({
      at: 2_000 + i * 8_000,
      says: 'a long story',
      forMs: 4_000,
    }));
    const call = run({ with: { ...quiet, maxCallMs: 200_000 }, acts, untilMs: 120_000 });
    expect(call.state.adapted.defaultMs).toBe(500);
  });

  it('on a noisy line has to make more of it to be an interruption', () => {
    const noise = [5_000, 6_500, 8_000].map((at) => ({ at, says: '', forMs: 300, finalMs: null }));
    const call = run({
      acts: [{ at: 2_000, says: 'Tell me.', forMs: 500 }, ...noise],
      brain: () => ({ text: `${long} ${long}` }),
      untilMs: 9_000,
    });
    expect(times(call, 'stop_speaking')).toEqual([5_200, 6_750, 8_300]);
  });
});

describe('keys', () => {
  const quiet = { idleWarningMs: 0, idleEndMs: 50_000 };

  it('collect until a pause', () => {
    const acts = (['4', '2', '7'] as const).map((presses, i) => ({ at: 2_000 + i * 400, presses }));
    const call = run({ with: quiet, acts, untilMs: 6_000 });
    expect(times(call, 'generate')).toEqual([2_800 + 1_500]);
    expect(spoken(call).slice(1)).toEqual(['caller: 427', 'agent: All right.']);
    expect(call.lines[1]?.by).toBe('keypad');
  });

  it('are whole with the hash key', () => {
    const acts = (['4', '2', '#'] as const).map((presses, i) => ({ at: 2_000 + i * 100, presses }));
    expect(times(run({ with: quiet, acts, untilMs: 6_000 }), 'generate')).toEqual([2_200]);
  });

  it('answer at once where one key is an answer', () => {
    const call = run({
      with: quiet,
      acts: [
        { at: 2_000, says: 'Hi there.', forMs: 500 },
        { at: 5_000, presses: '1' },
      ],
      brain: () => ({ text: 'Press one.', expected: { kinds: ['yes_no'], phrases: [] } }),
      untilMs: 6_000,
    });
    expect(times(call, 'generate').at(-1)).toBe(5_000);
  });

  it('interrupt like speech, except the muted intro', () => {
    const call = run({ with: quiet, acts: [{ at: 300, presses: '9' }], untilMs: 3_000 });
    expect(count(call, 'stop_speaking')).toBe(0);
    expect(times(call, 'generate')).toEqual([1_800]);
    const free = run({
      with: { ...quiet, muteDuringIntro: false },
      acts: [{ at: 300, presses: '9' }],
      untilMs: 3_000,
    });
    expect(times(free, 'stop_speaking')).toEqual([300]);
  });
});

describe('the end', () => {
  it('comes at the longest length whatever happens, after a goodbye', () => {
    const chatter = Array.from({ length: 20 }, (_, i) => ({
      at: 2_000 + i * 3_000,
      says: 'And then what.',
      forMs: 800,
    }));
    const call = run({ acts: chatter });
    expect(call.sounds.map((s) => s.text)).toContain('Our time is up.');
    expect(call.hangup?.reason).toBe('MAX_CALL_DURATION');
    expect(call.hangup?.at).toBeLessThanOrEqual(60_000);
  });

  it('comes by silence where the only sound is a line that is never quiet', () => {
    const call = run({ acts: [{ at: 2_000, says: 'blah', forMs: 100_000 }] });
    expect(call.hangup?.reason).toBe('USER_BECAME_IDLE');
  });

  it('by the caller keeps what was heard and what was being said', () => {
    const call = run({
      acts: [
        { at: 2_000, says: 'When?', forMs: 500 },
        {
          at: 3_500,
          says: 'x',
          forMs: 2_000,
          partials: [
            [100, 'okay'],
            [160, 'okay but'],
          ],
        },
        { at: 3_640, event: 'hangs_up' },
      ],
      brain: () => ({ text: long }),
    });
    expect(call.hangup).toBe(null);
    expect(call.state.call).toMatchObject({ phase: 'ended', reason: 'USER_LEFT' });
    expect(spoken(call).slice(-2)).toEqual(['agent!: I have a slot', 'caller: okay']);
  });

  it('asked for from outside says its words and hangs up', () => {
    const call = run({ acts: [{ at: 600, ends: 'USER_TERMINATED', say: 'We must stop here.' }] });
    expect(spoken(call)).toEqual(['agent!: Hello', 'agent: We must stop here.']);
    expect(call.hangup?.reason).toBe('USER_TERMINATED');
    expect(run({ acts: [{ at: 600, ends: 'USER_TERMINATED', say: null }] }).hangup?.at).toBe(600);
  });

  it('follows lost media', () => {
    const call = run({ acts: [{ at: 4_000, event: 'media_lost' }] });
    expect(call.hangup).toEqual({ reason: 'MEDIA_TIMEOUT', at: 4_000 });
  });
});

it('gives the same effects for the same log', () => {
  const call = run({
    acts: [
      { at: 2_000, says: 'When can I come?', forMs: 500 },
      { at: 5_000, says: 'okay', forMs: 400 },
      { at: 7_000, presses: '3' },
    ],
    brain: () => ({ text: long }),
  });
  let state = initialState(settings);
  const again = call.log.flatMap((event) => {
    const result = step(state, event);
    state = result.state;
    return result.effects;
  });
  expect(again).toEqual(call.effects.map(({ effect }) => effect));
  expect(state).toEqual(call.state);
});
