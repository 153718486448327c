import { describe, expect, it } from 'vitest';
import { answerVirtualCall, type VirtualSession } from '../../test/rigs/calls/virtual-session.ts';
import { createScriptLlm } from '../offline/script/brain.ts';
import { type Expected, type HistoryItem, NOT_UNDERSTOOD } from '@callwright/turns';

const LONG =
  'We have many offers this week, and I would like to tell you about each of them in turn, so please listen closely to this one.';
/** A recogniser of phrases that fits none of them to what the caller says. */
const NO_WORDS = { onlyPhrases: true, failure: 'nothing' } as const;
const HOUR = { maxCallMs: 3_600_000 };

/** The caller talks over the agent; fails when the agent sounds after 700 ms of it, or answers before it is over. */
async function interrupt(call: VirtualSession, afterMs: number, talkMs: number): Promise<void> {
  await call.time.until('the agent to speak', () => call.person.quietMs() === 0);
  await call.time.advance(afterMs);
  call.talk(talkMs);
  await call.time.advance(talkMs);
  expect(call.person.quietMs()).toBeGreaterThanOrEqual(talkMs - 700);
  await call.time.advance(400);
  expect(call.person.quietMs()).toBeGreaterThanOrEqual(talkMs - 300);
}

async function talkedOver(options: Parameters<typeof answerVirtualCall>[0], times: number) {
  const call = answerVirtualCall({ spec: HOUR, ...options });
  for (let i = 0; i < times; i++) await interrupt(call, 100 + ((i * 130) % 700), 900 + ((i * 370) % 2_600));
  await call.time.advance(1_000);
  call.session.remoteHangup(call.time.now());
  return call.result();
}

describe('interruptions in free words without ears', () => {
  it('gives the floor to the caller 50 times out of 50', async () => {
    const result = await talkedOver(
      { stt: NO_WORDS, llm: { replies: [LONG] }, agent: { introMessage: LONG } },
      50,
    );
    const lines = result.transcript;
    const unclear = lines.filter(({ text }) => text === NOT_UNDERSTOOD);
    expect({ reason: result.reason, interruptions: result.interruptions, unclear: unclear.length }).toEqual({
      reason: 'USER_LEFT',
      interruptions: 50,
      unclear: 50,
    });
    const afterCut = lines.flatMap(({ interrupted }, at) => (interrupted ? (lines[at + 1] ?? []) : []));
    expect(afterCut.map(({ text }) => text)).toEqual(afterCut.map(() => NOT_UNDERSTOOD));
  });

  it('does so in a language without any recogniser', async () => {
    const agent = { language: 'ta-IN', introMessage: LONG } as const;
    const stt = { understands: () => false, failure: 'nothing' } as const;
    const result = await talkedOver({ stt, agent, llm: { replies: [LONG] } }, 10);
    expect([result.reason, result.interruptions]).toEqual(['USER_LEFT', 10]);
  });

  it('does so when the recogniser never answers', async () => {
    const stt = { onlyPhrases: true, failure: 'hang' } as const;
    const result = await talkedOver({ stt, agent: { introMessage: LONG }, llm: { replies: [LONG] } }, 10);
    expect([result.reason, result.interruptions]).toEqual(['USER_LEFT', 10]);
  });

  it('lets the agent go on after a cough', async () => {
    const call = answerVirtualCall({
      stt: NO_WORDS,
      agent: { introMessage: LONG },
      llm: { replies: [LONG] },
    });
    await call.time.advance(1_000);
    call.talk(300);
    await call.hasSaid(/closely to this one/);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).interruptions).toBe(0);
  });
});

describe('a caller who goes on talking in free words', () => {
  it.each([
    ['phrases', NO_WORDS] as const,
    ['keys', { understands: () => false, failure: 'nothing' }] as const,
  ])('is never hung up on where only %s are understood', async (_, stt) => {
    const call = answerVirtualCall({
      spec: HOUR,
      stt,
      llm: { replies: ['Is it about your order?'] },
      agent: { idleWarningSeconds: 3, idleEndSeconds: 6 },
    });
    for (let i = 0; i < 40; i++) {
      const talkMs = 800 + ((i * 470) % 3_500);
      call.talk(talkMs);
      await call.time.advance(talkMs + 150 + ((i * 310) % 2_500));
    }
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).reason).toBe('USER_LEFT');
  });
});

/** A call with a language model's lines, and what the model and the recogniser were given. */
function modelCall(replies: readonly string[], introMessage: string) {
  const requests: (readonly HistoryItem[])[] = [];
  const expected: (Expected | null)[] = [];
  const call = answerVirtualCall({
    stt: { ...NO_WORDS, onExpect: (answer) => void expected.push(answer) },
    llm: { replies, onRequest: ({ history }) => void requests.push(history) },
    agent: { introMessage, idleWarningSeconds: 20, idleEndSeconds: 40 },
  });
  return { call, requests, expected };
}

describe('a language model without ears', () => {
  const CHOICE = 'Would you prefer morning or evening?';

  it('has the recogniser listen for the answers to its own question', async () => {
    const { call, expected } = modelCall(['Which day suits you?'], CHOICE);
    await call.hasSaid(/evening/);
    expect(expected.at(-1)).toMatchObject({ kinds: ['choice'], choices: ['morning', 'evening'] });
    call.person.press('1');
    await call.hasSaid(/Which day/);
    expect(expected.at(-1)).toMatchObject({ kinds: ['date', 'time'] });
  });

  it('is asked again by voice, then by keys, and then goes on by the model, which knows it all', async () => {
    const { call, requests } = modelCall(['Shall I call you tomorrow?'], CHOICE);
    await call.hasSaid(/evening/);
    for (const answer of [
      /^Sorry, I didn['’]t (?:quite )?catch that/,
      /Press 1 for morning\. Press 2 for evening\./,
      /tomorrow\?/,
    ]) {
      call.talk(1_500);
      await call.hasSaid(answer);
    }
    expect(requests).toHaveLength(1);
    expect(requests[0]?.map((item) => item.role)).toEqual([
      'agent',
      'unclear',
      'agent',
      'unclear',
      'agent',
      'unclear',
    ]);
  });

  it('takes one key as the answer to the offer', async () => {
    const { call, requests } = modelCall(['Evening it is.'], CHOICE);
    await call.hasSaid(/evening/);
    call.talk(1_500);
    await call.hasSaid(/catch that/);
    call.talk(1_500);
    await call.hasSaid(/Press 2/);
    const pressedAt = call.time.now();
    call.person.press('2');
    await call.hasSaid(/Evening it is/);
    expect(requests[0]?.at(-1)).toEqual({ role: 'caller', text: '2', by: 'keypad' });
    const line = call.progress.flatMap(({ transcript }) => transcript).find(({ text }) => /it is/.test(text));
    expect((line?.startedAt ?? Infinity) - pressedAt).toBeLessThan(1_000);
  });

  it.each(['What is your full name?', 'How would you describe the problem?'])(
    'does not have "%s" asked by voice again',
    async (question) => {
      const { call, requests } = modelCall(['A colleague will note that.'], question);
      await call.hasSaid(/\?/);
      call.talk(1_500);
      await call.hasSaid(/colleague/);
      expect(requests).toEqual([
        [{ role: 'agent', text: question, interrupted: false }, { role: 'unclear' }],
      ]);
    },
  );
});

describe('the script brain without ears', () => {
  const prompt =
    '# Task\n1. Ask "What is your full name?"\n2. Ask "Can you make it on Tuesday?"\n3. Say goodbye.';

  it('leaves a question that phrases cannot answer, with a note in the record, and asks the next one', async () => {
    const call = answerVirtualCall({
      stt: { ...NO_WORDS, failure: 'none', finals: ['yes', '', 'yes'] },
      llm: createScriptLlm(),
      agent: { prompt, introMessage: 'Hello, this is Maya. Is now a good time?' },
    });
    await call.hasSaid(/good time/);
    call.talk(400);
    await call.hasSaid(/full name/);
    call.talk(1_200);
    await call.hasSaid(/did not (catch|quite understand)/);
    await call.hasSaid(/Tuesday/);
    call.talk(400);
    const { transcript } = await call.result();
    expect(transcript.filter(({ text }) => text.includes('full name'))).toHaveLength(1);
    const asked = transcript.findIndex(({ text }) => text.includes('full name'));
    expect(transcript[asked + 1]).toMatchObject({ role: 'caller', text: NOT_UNDERSTOOD });
  });
});

describe("the turn machine's own phrases", () => {
  it('are in the language of the caller’s last words', async () => {
    const call = answerVirtualCall({
      finals: ['yes please', '', 'haan theek hai', ''],
      llm: { replies: ['Sure.', 'Fine.'] },
      agent: { language: 'hi-IN', secondaryLanguage: 'en-IN', idleWarningSeconds: 30, idleEndSeconds: 60 },
    });
    await call.hasSaid(/Maya/);
    for (const [reply, phrase] of [
      [/Sure/, /catch that/],
      [/Fine/, /समझ नहीं पाई/],
    ] as const) {
      call.talk(600);
      await call.hasSaid(reply);
      await call.time.until('the reply to end', () => call.person.quietMs() > 1_500);
      call.talk(600);
      await call.hasSaid(phrase);
      await call.time.until('the phrase to end', () => call.person.quietMs() > 1_500);
    }
    call.session.remoteHangup(call.time.now());
    const { transcript } = await call.result();
    expect(transcript.filter(({ role }) => role === 'caller').map(({ text }) => text)).toEqual([
      'yes please',
      'haan theek hai',
    ]);
  });
});
