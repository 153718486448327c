import { gunzipSync } from 'node:zlib';
import { firstDifference, readLog } from '@callwright/turns';
import { describe, expect, it } from 'vitest';
import { answerVirtualCall, type VirtualSessionOptions } from '../../test/rigs/calls/virtual-session.ts';
import { createFakeTts } from '../offline/scripted/tts.ts';
import type { TtsProvider } from '../providers/ports/voice.ts';
import { ManualClock } from '../shared/clock.ts';
import { VirtualTime } from '../../test/rigs/calls/virtual-time.ts';
import { dentalFlow } from '../../test/helpers/flows/dental-flow.ts';

const TOOLS = [
  {
    name: 'book',
    description: '',
    kind: 'remote' as const,
    parameters: {
      type: 'object',
      properties: { day: { type: 'string' }, people: { type: 'integer' }, pin: { type: 'string' } },
    },
    sensitive: ['pin'],
  },
  {
    name: 'front_desk',
    description: '',
    kind: 'transfer' as const,
    parameters: { type: 'object', properties: {} },
  },
];

/** A call with the dental flow; the brain of the agent must not be asked for a reply. */
function flowCall({ agent, spec, ...more }: VirtualSessionOptions = {}) {
  let requests = 0;
  const call = answerVirtualCall({
    llm: { replies: ['A reply of the model.'], onRequest: () => void (requests += 1) },
    ...more,
    agent: {
      flow: { document: dentalFlow(), zone: 'UTC' },
      introMessage: 'City Dental, good morning.',
      ...agent,
    },
    spec: { variables: { callee_name: 'Priya' }, tools: TOOLS, maxCallMs: 600_000, ...spec },
  });
  return { call, asked: () => requests };
}

const VOICE = '0190a2f4-0000-7000-8000-00000000000b';
/** A step that a model leads, behind a question; the caller talks while the model's words sound. */
async function ledCall(step: object) {
  const spoken: [voice: string, text: string][] = [];
  const time = new VirtualTime(new ManualClock());
  const speaker: TtsProvider = {
    ...createFakeTts({ scheduler: time }),
    open: (options) =>
      createFakeTts({
        ttsMs: 50,
        scheduler: time,
        onSpeak: (text) => void spoken.push([options.voiceKey, text]),
      }).open(options),
  };
  const { call } = flowCall({
    time,
    speaker,
    finals: ['on Monday', 'wait a minute please'],
    llm: { replies: ['I tell you about the many things that we do on every Monday of the whole long year.'] },
    agent: {
      voiceKey: 'fake:own',
      stepVoices: { [VOICE]: 'fake:step' },
      flow: {
        zone: 'UTC',
        document: {
          start: 'day',
          variables: [{ name: 'day', type: 'text' }],
          nodes: [
            { id: 'day', type: 'collect', variable: 'day', ask: 'Which day?', edges: [{ to: 'lead' }] },
            {
              id: 'lead',
              type: 'talk',
              prompt: 'Tell.',
              turns: 1,
              ...step,
              edges: [{ to: 'bye', on: 'turns' }],
            },
            { id: 'bye', type: 'end', say: 'Goodbye then.' },
          ],
        },
      },
    },
  });
  await call.hasSaid(/Which day/);
  call.talk(900);
  await call.time.until('the words of the model', () =>
    call.live.some((event) => event.type === 'words' && event.text.includes('many things')),
  );
  call.talk(1_500);
  await call.hasSaid(/Goodbye then/);
  const { eventLog } = await call.result();
  const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
  expect(firstDifference(log)).toBeNull();
  const rules = log.entries.flatMap(({ event }) =>
    event.type === 'interruption_changed' ? [event.rule] : [],
  );
  const isInterrupted = call.live.some(({ type }) => type === 'interrupted');
  return { spoken, rules, isInterrupted };
}

describe('a step that sounds otherwise', () => {
  it('speaks with its own voice and cannot be interrupted, and the rest of the flow sounds like the agent', async () => {
    const { spoken, rules, isInterrupted } = await ledCall({
      voice: VOICE.toUpperCase(),
      interruption: 'none',
    });
    const voiceOf = (words: string): string | undefined =>
      spoken.find(([, text]) => text.includes(words))?.[0];
    expect(['Which day', 'many things', 'Goodbye'].map(voiceOf)).toEqual([
      'fake:own',
      'fake:step',
      'fake:own',
    ]);
    expect(rules).toEqual(['none', 'default']);
    expect(isInterrupted).toBe(false);
  });

  it('is interrupted like the agent, and has its voice, without settings of its own', async () => {
    const { spoken, rules, isInterrupted } = await ledCall({});
    expect(new Set(spoken.map(([voice]) => voice))).toEqual(new Set(['fake:own']));
    expect(rules).toEqual([]);
    expect(isInterrupted).toBe(true);
  });
});

describe('a call by a flow', () => {
  it('has the model of a step read a summary of its own, which is a note of the event log, and replays the same', async () => {
    const read: string[][] = [];
    const { call } = flowCall({
      finals: ['on Monday', 'a window seat', 'and now'],
      llm: {
        replies: ['They want a seat.'],
        onRequest: ({ history }) =>
          read.push(history.map((item) => ('text' in item ? item.text : item.role))),
      },
      agent: {
        flow: {
          zone: 'UTC',
          document: {
            start: 'day',
            variables: [
              { name: 'day', type: 'text' },
              { name: 'wish', type: 'text' },
            ],
            nodes: [
              { id: 'day', type: 'collect', variable: 'day', ask: 'Which day?', edges: [{ to: 'wish' }] },
              { id: 'wish', type: 'collect', variable: 'wish', ask: 'Your wish?', edges: [{ to: 'help' }] },
              { id: 'help', type: 'talk', prompt: 'Help.', context: 'summary' },
            ],
          },
        },
      },
    });
    await call.hasSaid(/Which day/);
    call.talk(900);
    await call.hasSaid(/Your wish/);
    call.talk(900);
    await call.hasSaid(/They want a seat/);
    const asked = read.length;
    call.talk(900);
    await call.time.until('the next reply', () => read.length > asked);
    call.session.remoteHangup(call.time.now());
    const { eventLog } = await call.result();
    const note = 'Summary of the conversation before this step: ';
    expect(read[0]?.[0]).toContain(`${note}Known: day: on Monday; wish: a window seat.`);
    expect(read.at(-1)?.[0]).toBe(`${note}They want a seat.`);
    expect(read.at(-1)).not.toContain('a window seat');
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    expect(log.entries.map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'note', text: `${note}They want a seat.` }),
    );
    expect(firstDifference(log)).toBeNull();
  });

  it('asks the first question after the first message, and goes on by what the caller says', async () => {
    const { call, asked } = flowCall({ finals: ['an appointment please', 'check-up', 'Monday', 'yes'] });
    await call.hasSaid(/book, or to cancel/);
    call.talk(900);
    await call.hasSaid(/in pain\?/);
    call.talk(900);
    await call.hasSaid(/Which day suits you/);
    call.talk(900);
    await call.hasSaid(/You said Monday, right\?/);
    call.talk(700);
    await call.hasSaid(/At what time/);
    const moves = call.live.flatMap((event) =>
      event.type === 'moved' ? [`${event.from} → ${event.to}`] : [],
    );
    expect(moves).toEqual(['greet → want', 'want → reason', 'reason → day', 'day → hour']);
    call.session.remoteHangup(call.time.now());
    const { transcript } = await call.result();
    expect(transcript.filter(({ role }) => role === 'agent').map(({ text }) => text)).toEqual([
      'City Dental, good morning.',
      'Hello Priya, this is City Dental. Do you want to book, or to cancel?',
      'Is it a check-up, or are you in pain?',
      'Which day suits you?',
      'You said Monday, right?',
      'At what time?',
    ]);
    expect(asked()).toBe(0);
  });

  it('runs by keys alone to its tool and its goodbye where no speech is understood', async () => {
    const { call } = flowCall({ stt: { understands: () => false } });
    const keys: [RegExp, string][] = [
      [/Press 1 for book/, '1'],
      [/Press 1 for check-up/, '1'],
      [/1 for Monday/, '2'],
      [/enter the hour/, '10'],
      [/For how many/, '2'],
      [/Press 1 for yes/, '1'],
      [/enter your PIN/, '4711'],
    ];
    for (const [question, digits] of keys) {
      await call.hasSaid(question);
      for (const digit of digits) call.person.press(digit as '1');
    }
    await call.time.until('the tool to run', () => call.tools.some(({ name }) => name === 'book'));
    const request = call.tools.find(({ name }) => name === 'book')!;
    expect(request.args).toMatchObject({ people: 2, pin: '4711' });
    call.session.toolResult(request.requestId, { ok: true, result: { booked: true } });
    await call.hasSaid(/See you on/);
    const result = await call.result();
    expect(result.reason).toBe('AGENT_ENDED');
    const kept = JSON.stringify([result.transcript, result.toolLog, call.live, call.progress]);
    expect(kept).not.toContain('4711');
    expect(kept).toContain('[keys hidden]');
  });

  it('keeps in its event log which edge it took and why', async () => {
    const { call } = flowCall({ finals: ['book', 'I am in pain'] });
    await call.hasSaid(/book, or to cancel/);
    call.talk(900);
    await call.hasSaid(/in pain\?/);
    call.talk(900);
    await call.time.until('the transfer', () => call.tools.length > 0);
    call.session.remoteHangup(call.time.now());
    const { eventLog } = await call.result();
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    const steps = log.entries.flatMap(({ event }) =>
      event.type === 'reply_done' ? (event.steps ?? []) : [],
    );
    expect(steps).toEqual([
      'greet → want (default)',
      'want → reason (book)',
      "reason → desk (reason == 'pain')",
    ]);
    expect(firstDifference(log)).toBeNull();
  });

  it('goes on at the edge of a failed transfer', async () => {
    const { call } = flowCall({ finals: ['book', 'I am in pain'] });
    await call.hasSaid(/book, or to cancel/);
    call.talk(900);
    await call.hasSaid(/in pain\?/);
    call.talk(900);
    await call.time.until('the transfer', () => call.tools.length > 0);
    expect(call.tools[0]?.name).toBe('front_desk');
    call.session.toolResult(call.tools[0]!.requestId, { ok: false, result: { error: 'nobody answered' } });
    await call.hasSaid(/I have a problem/);
    expect((await call.result()).reason).toBe('AGENT_ENDED');
  });

  it('asks its question again after the caller has said that they are there', async () => {
    const { call } = flowCall({
      finals: ['an appointment', 'yes', 'check-up'],
      agent: { idleWarningSeconds: 3, idleEndSeconds: 30 },
    });
    await call.hasSaid(/book, or to cancel/);
    call.talk(900);
    await call.hasSaid(/in pain\?/);
    await call.hasSaid(/still there/);
    call.talk(500);
    const asked = () =>
      call.live.filter((event) => event.type === 'line' && event.line.text.includes('in pain?'));
    await call.time.until('the question again', () => asked().length === 2);
    call.talk(700);
    await call.hasSaid(/Which day/);
    call.session.remoteHangup(call.time.now());
    const { transcript } = await call.result();
    const agent = transcript.filter(({ role }) => role === 'agent').map(({ text }) => text);
    expect(agent.slice(-4)).toEqual([
      'Is it a check-up, or are you in pain?',
      'Are you still there?',
      'Is it a check-up, or are you in pain?',
      'Which day suits you?',
    ]);
  });

  it('goes on at the edge of a silence, and decides the same in the replay', async () => {
    const document = dentalFlow();
    document.nodes[1]!.edges!.push({ to: 'bye', on: 'silence', say: 'I hear nothing.' });
    const { call } = flowCall({
      agent: { flow: { document, zone: 'UTC' }, idleWarningSeconds: 3, idleEndSeconds: 30 },
    });
    await call.hasSaid(/book, or to cancel/);
    const { reason, transcript, eventLog } = await call.result();
    expect(reason).toBe('AGENT_ENDED');
    expect(transcript.at(-1)?.text).toMatch(/^I hear nothing. /);
    const log = readLog(gunzipSync(Buffer.from(eventLog!, 'base64')).toString());
    expect(JSON.stringify(log.entries)).toContain('want → bye (silence)');
    expect(firstDifference(log)).toBeNull();
  });

  it('answers a question that interrupts, and asks its own again', async () => {
    const { call } = flowCall({ finals: ['when are you open', 'book'] });
    await call.hasSaid(/book, or to cancel/);
    call.talk(900);
    await call.hasSaid(/nine to five. Do you want to book/);
    call.talk(700);
    await call.hasSaid(/in pain\?/);
    call.session.remoteHangup(call.time.now());
    expect((await call.result()).interruptions).toBe(0);
  });
});
