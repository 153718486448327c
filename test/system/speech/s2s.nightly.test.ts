import { beforeAll, describe, expect, it } from 'vitest';
import { type FakeSettings, type FakeVendor, startFakeVendor } from '@callwright/stand-ins';
import { tryS2s } from '../../../src/providers/choose/speech-to-speech.ts';
import { voice } from '../../rigs/calls/virtual-session.ts';

import { callWith, type Case, KEY, lines, VENDORS } from '../../helpers/vendors/s2s-call.ts';

type Scenario = (vendor: Case) => Promise<void>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'is heard and spoken by the vendor, and recorded as it was heard': async (vendor) => {
    const call = await callWith(vendor, { replies: [{ text: 'We open at nine. See you then.' }] });
    await call.hasSaid(/Hello/);
    call.say('When do you open?');
    await call.hasSaid(/then/);
    const result = await call.hangUp();
    expect(lines(result)).toEqual([
      'agent: Hello there.',
      'caller: When do you open?',
      'agent: We open at nine. See you then.',
    ]);
    expect(call.words()).toEqual(['Hello', 'there.', 'We', 'open', 'at', 'nine.', 'See', 'you', 'then.']);
    expect(result.latencies).toMatchObject([{ prepared: true }]);
    expect(result.faults).toEqual([]);
    expect(result.turns?.at(-1)).toMatchObject({
      stt: { vendor: vendor[2] },
      llm: { vendor: vendor[2] },
      tts: { vendor: vendor[2] },
    });
    expect(result.usage?.filter(({ part }) => part === 'stt')).toMatchObject([{ vendor: vendor[2] }]);
    expect(result.usage?.filter(({ part }) => part === 'llm')).toMatchObject([
      { vendor: vendor[2], inputTokens: expect.toSatisfy((tokens: number) => tokens > 0) },
    ]);
    expect(result.turns?.at(-1)?.outputTokens).toBeGreaterThan(0);
  },

  'keeps of an interrupted reply what was heard, at the vendor too': async (vendor) => {
    const long = 'one two three four five six seven eight nine ten eleven twelve';
    const call = await callWith(vendor, { replies: [{ text: long }, { text: 'Sorry.' }] });
    await call.hasSaid(/Hello/);
    call.say('Count.');
    await call.time.until('the agent to count', () => call.words().includes('three'));
    call.say('Stop it please.');
    await call.hasSaid(/Sorry/);
    const result = await call.hangUp();
    const counted = result.transcript.find(({ interrupted }) => interrupted)?.text.split(' ') ?? [];
    const said = call.words().slice(2, -1);
    expect(said.length).toBeGreaterThanOrEqual(3);
    // The record has the words that sounded whole, those of the lowered voice too, which the test cannot read.
    expect(counted.length).toBeGreaterThanOrEqual(said.length - 1);
    expect(counted.length).toBeLessThanOrEqual(said.length + 3);
    expect(lines(result).slice(-2)).toEqual(['caller: Stop it please.', 'agent: Sorry.']);
    // Gemini does so itself.
    const truncated = call.sent('conversation.item.truncate').map(({ audio_end_ms: ms }) => ms);
    const wordsMs = counted.reduce((sum, word) => sum + (word.length + 1) * 40 + 60, 0);
    const expected = vendor[0] === 'openai' ? [expect.closeTo(wordsMs / 1000, 0)] : [];
    expect(truncated.map((ms) => ms / 1000)).toEqual(expected);
  },

  'goes on at the word after a sound that was no interruption': async (vendor) => {
    const text = 'one two three four five six seven eight';
    const call = await callWith(vendor, { replies: [{ text }] });
    await call.hasSaid(/Hello/);
    call.say('Count.');
    await call.time.until('the agent to count', () => call.words().includes('two'));
    call.person.say(voice(450));
    await call.hasSaid(/eight/);
    const result = await call.hangUp();
    expect(lines(result).at(-1)).toBe(`agent: ${text}`);
    // The word that the sound cut is heard again, in its place.
    expect([...new Set(call.words().slice(2))]).toEqual(
      expect.arrayContaining(['one', 'two', 'seven', 'eight']),
    );
    expect(result.faults).toEqual([]);
  },

  'runs tools with the runner of every call, and gives the result back': async (vendor) => {
    const call = await callWith(
      vendor,
      {
        replies: [
          { text: 'Let me look.', tools: [{ name: 'find_slot', args: { day: 'Friday' } }] },
          { after: 'slot at noon', text: 'Noon is free.' },
        ],
      },
      {
        spec: {
          tools: [
            {
              name: 'find_slot',
              description: 'Finds a slot.',
              kind: 'remote',
              parameters: { type: 'object' },
            },
          ],
        },
      },
    );
    await call.hasSaid(/Hello/);
    call.say('Friday?');
    const request = await call.time.until('the tool', () => call.tools[0]);
    call.session.toolResult(request.requestId, { ok: true, result: 'slot at noon' });
    await call.hasSaid(/Noon/);
    const result = await call.hangUp();
    expect(request).toMatchObject({ name: 'find_slot', args: { day: 'Friday' } });
    expect(lines(result).slice(1)).toEqual([
      'caller: Friday?',
      'agent: Let me look.',
      'agent: Noon is free.',
    ]);
    expect(result.toolLog).toMatchObject([{ name: 'find_slot', result: 'slot at noon', ok: true }]);
  },

  'tells the vendor of keys and of silence': async (vendor) => {
    const call = await callWith(
      vendor,
      {
        replies: [
          { after: 'Hello', text: 'First.' },
          { after: '[keypad] 1', text: 'You pressed one.' },
          { after: '[silence]', text: 'Still there?' },
        ],
      },
      { agent: { idleWarningSeconds: 2, idleEndSeconds: 30 } },
    );
    await call.hasSaid(/Hello/);
    call.person.press('1');
    await call.hasSaid(/pressed/);
    await call.hasSaid(/Still/);
    const result = await call.hangUp();
    expect(lines(result).slice(1)).toEqual(['caller: 1', 'agent: You pressed one.', 'agent: Still there?']);
  },

  'ends on an opt-out by its words': async (vendor) => {
    const call = await callWith(vendor, { replies: [{ text: 'Why not?' }] });
    await call.hasSaid(/Hello/);
    call.say('Stop calling me.');
    await call.time.until('the opt-out', () => call.optOuts() === 1);
    expect((await call.hangUp()).optedOut).toBe(true);
  },

  'answers words that the vendor heard and did not transcribe': async (vendor) => {
    const call = await callWith(vendor, { replies: [{ text: 'Gladly.' }], isUntranscribed: true });
    await call.hasSaid(/Hello/);
    call.say('Book a table please.');
    await call.hasSaid(/Gladly/);
    expect(lines(await call.hangUp()).slice(1)).toEqual(['caller: [not understood]', 'agent: Gladly.']);
  },

  'goes on in the middle of its reply with the voice of the pipeline': async (vendor) => {
    const text = 'one two three four five six seven eight nine ten';
    const call = await callWith(vendor, { replies: [{ text }], speed: 1 });
    await call.hasSaid(/Hello/);
    call.say('Count.');
    await call.time.until('the agent to count', () => call.words().includes('two'));
    call.vendor.cut();
    await call.hasSaid(/Pipeline/);
    const result = await call.hangUp();
    const [, , first = '', ...rest] = lines(result);
    expect(`agent: ${text}`.startsWith(first)).toBe(true);
    expect(first).toContain('two');
    expect(rest).toEqual(['agent: Pipeline here.']);
  },
};

/** Whether the whole conversation is known at a connection that began in the middle of it. */
const acrossConnections =
  (ends: Partial<FakeSettings>): Scenario =>
  async (vendor) => {
    const call = await callWith(vendor, {
      ...ends,
      replies: [
        { to: 'Tuesday', text: 'Noted.' },
        { after: 'Tuesday', to: 'when', text: 'You said Tuesday.' },
      ],
    });
    await call.hasSaid(/Hello/);
    call.say('Tuesday suits me.');
    await call.hasSaid(/Noted/);
    await call.time.until('another connection', () => call.vendor.connections.length > 1);
    call.vendor.settings.sessionMs = null;
    call.say('So when was it?');
    await call.hasSaid(/You said/);
    const result = await call.hangUp();
    expect(lines(result)).toEqual([
      'agent: Hello there.',
      'caller: Tuesday suits me.',
      'agent: Noted.',
      'caller: So when was it?',
      'agent: You said Tuesday.',
    ]);
    expect(result.faults).toEqual([]);
  };

const RENEWALS: Readonly<Record<string, Scenario>> = {
  'goes on at a new connection when the old one ends': acrossConnections({ sessionMs: 4_500 }),
  'goes on at a new connection when the old one ends without notice': acrossConnections({
    sessionMs: 4_500,
    noticeMs: 0,
  }),
  'tells a new session what was said': acrossConnections({ sessionMs: 4_500, forgetsSessions: true }),
  'is heard again from the beginning of a turn in which the connection ends': async (vendor) => {
    const call = await callWith(vendor, {
      sessionMs: 3_000,
      noticeMs: 0,
      replies: [{ to: 'eight', text: 'All heard.' }],
    });
    await call.hasSaid(/Hello/);
    await call.time.until('the end to be near', () => call.elapsed() > 2_400);
    call.say('one two three four five six seven eight');
    await call.time.until('another connection', () => call.vendor.connections.length > 1);
    call.vendor.settings.sessionMs = null;
    await call.hasSaid(/heard/);
    const result = await call.hangUp();
    expect(lines(result).slice(1)).toEqual([
      'caller: one two three four five six seven eight',
      'agent: All heard.',
    ]);
    expect(result.faults).toEqual([]);
  },
  'has its connection while it rings': async (vendor) => {
    const call = await callWith(
      vendor,
      { replies: [{ text: 'We open at nine.' }] },
      {
        async rings(ringing) {
          await expect.poll(() => ringing.received.length).toBeGreaterThan(0);
        },
      },
    );
    await call.hasSaid(/Hello/);
    call.say('When do you open?');
    await call.hasSaid(/nine/);
    expect(call.vendor.connections).toHaveLength(1);
    expect((await call.hangUp()).faults).toEqual([]);
  },
  'is the pipeline, and says why, when the vendor fails while it rings': async (vendor) => {
    const call = await callWith(
      vendor,
      { refuse: 402 },
      { rings: () => new Promise((resolve) => setTimeout(resolve, 300)) },
    );
    await call.hasSaid(/Hello/);
    call.say('Hi there.');
    await call.hasSaid(/Pipeline/);
    const result = await call.hangUp();
    expect(result.faults).toContainEqual(
      expect.objectContaining({ vendor: vendor[2], kind: 'credit', status: 402, effect: 'switched' }),
    );
  },
};

const fromTheStart =
  (fault: Partial<FakeSettings>, kind: string, key = KEY): Scenario =>
  async (vendor) => {
    const call = await callWith(vendor, fault, { key });
    await call.time.until('the greeting', () => call.person.soundMs() > 0);
    await call.hasSaid(/Hello/);
    call.say('Hi there.');
    await call.hasSaid(/Pipeline/);
    const result = await call.hangUp();
    expect(lines(result)).toEqual(['agent: Hello there.', 'caller: Hi there.', 'agent: Pipeline here.']);
    expect(result.faults).toContainEqual(
      expect.objectContaining({ vendor: vendor[2], kind, effect: 'switched', part: 'tts' }),
    );
    expect(JSON.stringify(result)).not.toContain(key);
  };

const inTheCall =
  (breaks: (vendor: FakeVendor) => void): Scenario =>
  async (vendor) => {
    const call = await callWith(vendor, { replies: [{ text: 'From the vendor.' }] });
    await call.hasSaid(/Hello/);
    call.say('Book a table please.');
    await call.time.advance(600);
    breaks(call.vendor);
    await call.hasSaid(/Pipeline/);
    const result = await call.hangUp();
    const [, said, answered, ...more] = lines(result);
    expect([said, more]).toEqual(['caller: Book a table please.', []]);
    // A slow machine says "one moment" before.
    expect(answered).toMatch(/^agent: (?:One moment, please\. )?Pipeline here\.$/);
    expect(result.faults).toContainEqual(expect.objectContaining({ vendor: vendor[2], part: 'llm' }));
  };

const FAULTS: Readonly<Record<string, Scenario>> = {
  'is the pipeline from the start when the key is refused': fromTheStart({}, 'key', 'another-key'),
  'is the pipeline from the start when no credit is left': fromTheStart({ refuse: 402 }, 'credit'),
  'is the pipeline from the start when the vendor has too many calls': fromTheStart({ refuse: 429 }, 'limit'),
  'is the pipeline from the start when the vendor hangs': fromTheStart({ hang: true }, 'timeout'),
  'is the pipeline from the start when the vendor sends garbage': fromTheStart({ garbage: true }, 'timeout'),
  'goes on with the pipeline when the vendor hangs after the caller has spoken': inTheCall((vendor) => {
    vendor.settings.hang = true;
  }),
  'goes on with the pipeline when the vendor is cut while the caller speaks': inTheCall((vendor) =>
    vendor.cut(),
  ),
  'goes on with the pipeline when the vendor is slow to reply': inTheCall((vendor) => {
    vendor.settings.speechMs = 4_000;
  }),
};

describe.each(VENDORS)('a call at the speech-to-speech vendor %s', (...vendor) => {
  const all = Object.entries({ ...SCENARIOS, ...RENEWALS, ...FAULTS });
  const over = new Map<string, Promise<void>>();
  beforeAll(() => {
    // In real time, all at once.
    for (const [what, run] of all) {
      const call = run(vendor);
      call.catch(() => undefined);
      over.set(what, call);
    }
  });

  it.each(all)('%s', async (what) => {
    await expect(over.get(what)).resolves.toBeUndefined();
  });
});

describe.each(VENDORS)('the operator tries %s', (...[name, protocol]) => {
  const tried = async (fault: Partial<FakeSettings>, apiKey: string) => {
    const vendor = await startFakeVendor(protocol, { settings: { key: KEY, ...fault } });
    const result = await tryS2s({ name, settings: { apiKey, baseUrl: vendor.baseUrl, model: null } });
    await vendor.close();
    return result;
  };

  it('and it is ready', async () => {
    expect(await tried({}, KEY)).toBeTypeOf('number');
  });

  it.each([
    ['key', {}, 'another-key'],
    ['credit', { refuse: 402 }, KEY],
    ['limit', { refuse: 429 }, KEY],
    ['lost', { refuse: 503 }, KEY],
  ] as const)('and the fault is %s', async (kind, fault, apiKey) => {
    const result = await tried(fault, apiKey);
    expect(result).toMatchObject({ kind });
    expect(JSON.stringify(result)).not.toContain(apiKey);
  });
});
