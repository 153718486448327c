import { describe, expect, it } from 'vitest';
import type { LlmEvent } from '../../providers/ports/model.ts';
import type { SttEvent } from '../../providers/ports/recogniser.ts';
import type { TtsEvent } from '../../providers/ports/voice.ts';
import { createFakeLlm, fakeLlmFromName } from './llm.ts';
import { parseFakeName } from './options.ts';
import { createFakeStt, fakeSttFromName } from './stt.ts';
import { ManualScheduler } from '../../../packages/sip/test/manual-scheduler.ts';
import { createFakeTts, fakeTtsFromName } from './tts.ts';

const frame = (level: number): Int16Array => new Int16Array(160).fill(level);

function hear(options: Parameters<typeof createFakeStt>[0]) {
  const time = new ManualScheduler(0);
  const events: SttEvent[] = [];
  const session = createFakeStt({ scheduler: time, ...options }).open({
    language: 'en-US',
    secondaryLanguage: null,
    sampleRate: 8000,
    vocab: [],
    onEvent: (event) => events.push(event),
  });
  return { time, events, session };
}

describe('fake recogniser', () => {
  it('emits its finals a configured time after the end of speech, then nothing', () => {
    const { time, events, session } = hear({ sttMs: 120, finals: ['yes'] });
    session.speechStarted(1000);
    session.speechEnded(1400);
    time.advance(119);
    expect(events).toEqual([]);
    time.advance(1);
    expect(events).toEqual([{ type: 'final', text: 'yes', confidence: 1, audioMs: 0, at: 1520 }]);
    session.speechStarted(3000);
    session.speechEnded(3300);
    time.advance(120);
    expect(events[1]).toEqual({ type: 'nothing', at: 3420 });
  });

  it('emits the first word of a partial after `partialMs`, and one every `wordMs` after it', () => {
    const { events, session } = hear({ finals: ['next Tuesday morning'], partialMs: 40, wordMs: 100 });
    session.speechStarted(0);
    for (let at = 20; at <= 400; at += 20) session.write(frame(3000), at);
    const heard = events.map((event) => ('text' in event ? [event.at, event.text] : event));
    expect(heard).toEqual([
      [40, 'next'],
      [140, 'next Tuesday'],
      [240, 'next Tuesday morning'],
    ]);
  });

  it('detects the end of an utterance from samples in sample mode, and emits partials', () => {
    const { events, session } = hear({
      sttMs: 60,
      finals: ['next Tuesday'],
      endpoint: 'sample',
      partialMs: 40,
    });
    for (let at = 0; at < 100; at += 20) session.write(frame(3000), at);
    for (let at = 100; at < 300; at += 20) session.write(frame(0), at);
    expect(events).toEqual([
      { type: 'partial', text: 'next', audioMs: 60, at: 40 },
      { type: 'partial', text: 'next Tuesday', audioMs: 100, at: 80 },
      { type: 'final', text: 'next Tuesday', confidence: 1, audioMs: 160, at: 140 },
    ]);
  });

  it.each([
    ['error', 'failed'],
    ['fatal', 'failed'],
    ['nothing', 'nothing'],
  ] as const)('failure %s yields %s', (failure, type) => {
    const { time, events, session } = hear({ finals: ['yes'], failure });
    session.speechStarted(0);
    session.speechEnded(200);
    time.advance(10);
    expect(events.map((event) => event.type)).toEqual([type]);
  });

  it('emits nothing after hang or close', () => {
    const hung = hear({ finals: ['yes'], failure: 'hang' });
    hung.session.speechStarted(0);
    hung.session.speechEnded(10);
    hung.time.advance(10_000);
    expect(hung.events).toEqual([]);
    const shut = hear({ sttMs: 50, finals: ['yes'] });
    shut.session.speechStarted(0);
    shut.session.speechEnded(10);
    shut.session.close();
    shut.time.advance(100);
    expect(shut.events).toEqual([]);
    expect(shut.time.pending).toBe(0);
  });
});

function think(options: Parameters<typeof createFakeLlm>[0], memory: unknown = null) {
  const time = new ManualScheduler(0);
  const events: LlmEvent[] = [];
  const abort = new AbortController();
  const session = createFakeLlm({ scheduler: time, ...options }).open({
    language: 'en-US',
    secondaryLanguage: null,
    prompt: '',
    instructions: '',
    sections: [],
    introMessage: '',
    agentName: '',
    variables: {},
    understandsSpeech: true,
    tools: [],
    callDirection: 'outbound',
  });
  const ask = (text: string): void =>
    session.reply(
      { history: [{ role: 'caller', text, by: 'speech' }], memory, signal: abort.signal },
      (event) => events.push(event),
    );
  return { time, events, abort, ask };
}

describe('fake brain', () => {
  it('streams words after its delays and counts replies in memory', () => {
    const { time, events, ask } = think({
      llmMs: 200,
      perWordMs: 20,
      replies: ['One two.', 'Bye.'],
      endAtReply: 0,
    });
    ask('hi');
    time.advance(199);
    expect(events).toEqual([]);
    time.advance(1);
    expect(events).toEqual([{ type: 'delta', text: 'One ' }]);
    time.advance(20);
    expect(events.slice(1)).toEqual([
      { type: 'delta', text: 'two.' },
      { type: 'tool', id: 'fake-0-end', name: 'end_call', args: {} },
      { type: 'done', memory: { replies: 1 }, expected: null },
    ]);
  });

  it('echoes the caller without replies, and continues from its memory', () => {
    const echo = think({});
    echo.ask('hello there');
    echo.time.advance(0);
    expect(echo.events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(
      'You said: hello there.',
    );
    const second = think({ replies: ['One.', 'Two.'] }, { replies: 1 });
    second.ask('x');
    second.time.advance(0);
    expect(second.events[0]).toEqual({ type: 'delta', text: 'Two.' });
  });

  it('emits nothing after an abort', () => {
    const { time, events, abort, ask } = think({ perWordMs: 10, replies: ['a b c d'] });
    ask('x');
    time.advance(15);
    abort.abort();
    time.advance(1000);
    expect(events).toHaveLength(2);
    expect(time.pending).toBe(0);
  });

  it('simulates each failure: error-once, stall, empty, hang, fatal', () => {
    const once = think({ failure: 'error-once', replies: ['ok'] });
    once.ask('x');
    once.time.advance(0);
    once.ask('x');
    once.time.advance(0);
    expect(once.events.map((event) => event.type)).toEqual(['failed', 'delta', 'done']);
    const types = (failure: 'stall' | 'empty' | 'hang' | 'fatal'): string[] => {
      const run = think({ failure, replies: ['a b'] });
      run.ask('x');
      run.time.advance(1000);
      return run.events.map((event) => event.type);
    };
    expect(types('stall')).toEqual(['delta']);
    expect(types('empty')).toEqual(['done']);
    expect(types('hang')).toEqual([]);
    expect(types('fatal')).toEqual(['failed']);
  });
});

function speak(options: Parameters<typeof createFakeTts>[0], text: string) {
  const time = new ManualScheduler(0);
  const events: TtsEvent[] = [];
  const speech = createFakeTts({ scheduler: time, ...options })
    .open({ voiceKey: 'x', language: 'en-US', speed: 1, sampleRate: 8000 })
    .begin();
  speech.say(text, (event) => events.push(event));
  return { time, events, speech };
}
const samplesOf = (events: readonly TtsEvent[]): number[] =>
  events.flatMap((event) => (event.type === 'audio' ? Array.from(event.pcm) : []));

describe('fake voice', () => {
  it.each(['voice', 'tone', 'noise'] as const)(
    'makes 60 ms of %s per character, the same every time',
    (sound) => {
      const run = (): number[] => {
        const { time, events } = speak({ ttsMs: 80, sound }, 'Hello');
        time.advance(79);
        expect(events).toEqual([]);
        time.advance(500);
        expect(events.at(-1)).toEqual({ type: 'done' });
        return samplesOf(events);
      };
      const samples = run();
      expect(samples).toHaveLength((5 * 60 * 8000) / 1000);
      expect(run()).toEqual(samples);
      const peak = Math.max(...samples.map(Math.abs));
      expect(peak).toBeGreaterThan(1500);
      expect(peak).toBeLessThan(32_000);
    },
  );

  it('stops at an abort and simulates the failures cut and empty', () => {
    const { time, events, speech } = speak({ chunkMs: 20, speedup: 1 }, 'Hello');
    time.advance(50);
    const before = events.length;
    speech.cancel();
    time.advance(1000);
    expect(events).toHaveLength(before);
    expect(events[0]).toEqual({ type: 'marks', marks: [{ textEnd: 5, audioMs: 300 }] });
    const cut = speak({ failure: 'cut' }, 'Hello');
    cut.time.advance(1000);
    expect(cut.events.map((event) => event.type)).toEqual(['marks', 'audio', 'failed']);
    const empty = speak({ failure: 'empty' }, 'Hello');
    empty.time.advance(1000);
    expect(empty.events).toEqual([{ type: 'done' }]);
  });
});

describe('settings by name', () => {
  it('reads keys, numbers, lists and encoded text', () => {
    expect(parseFakeName('fake:a=1,b=x%2Cy', ['a', 'b'])).toEqual(
      new Map([
        ['a', '1'],
        ['b', 'x,y'],
      ]),
    );
    expect(fakeSttFromName('fake:sttMs=100,finals=yes|no').name).toBe('fake');
    expect(fakeLlmFromName('fake').name).toBe('fake');
    expect(fakeTtsFromName('fake:failure=hang').name).toBe('fake');
  });
  it('rejects unknown settings and values', () => {
    expect(() => fakeSttFromName('fake:speed=1')).toThrow('Unknown fake provider setting');
    expect(() => fakeLlmFromName('fake:llmMs=soon')).toThrow('must be a number');
    expect(() => fakeTtsFromName('fake:failure=maybe')).toThrow('must be one of');
    expect(() => parseFakeName('real', [])).toThrow('Not a fake provider');
  });
});
