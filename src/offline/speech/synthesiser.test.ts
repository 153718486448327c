import { describe, expect, it } from 'vitest';
import type { EngineEvent } from './engines.ts';
import { planSynthesis, type Synthesis } from './synthesis.ts';
import { Synthesiser, type SpeechEvent, type SpeechRequest } from './synthesiser.ts';

const RATE = 8000;
const SECOND = Int16Array.from({ length: RATE }, (_, i) => Math.round(8000 * Math.sin(i / 3)));

interface Run {
  readonly synthesis: Synthesis;
  readonly emit: (event: EngineEvent) => void;
  stopped: boolean;
}

/** A synthesiser whose engines run until the test ends them. */
function desk(processes: number) {
  const runs: Run[] = [];
  let now = 0;
  const synthesiser = new Synthesiser(
    { cacheBytes: 1_000_000, processes, espeakCommand: '', fliteCommand: '' },
    (synthesis, onEvent) => {
      const run: Run = { synthesis, emit: onEvent, stopped: false };
      runs.push(run);
      return {
        stop: () => {
          run.stopped = true;
        },
      };
    },
    () => now,
  );
  const request = (text: string, how: Partial<SpeechRequest> = {}): SpeechRequest => ({
    synthesis: planSynthesis({ voiceKey: 'flite:slt', language: 'en-US', speed: 1, text })!,
    sampleRate: RATE,
    purpose: 'speak',
    inMs: 0,
    ...how,
  });
  return {
    runs,
    texts: () => runs.map(({ synthesis }) => synthesis.text),
    at: (ms: number) => {
      now = ms;
    },
    speak: (text: string, how: Partial<SpeechRequest> = {}) => {
      const events: SpeechEvent[] = [];
      const cancel = synthesiser.speak(request(text, how), (event) => events.push(event));
      const samples = (): number =>
        events.reduce((sum, event) => sum + (event.type === 'audio' ? event.pcm.length : 0), 0);
      return { events, cancel, samples, end: () => events.at(-1)?.type };
    },
    /** Ends the oldest run in progress with a second of speech; returns its text. */
    finish: (): string | null => {
      const run = runs.find(({ stopped }) => !stopped);
      if (run === undefined) return null;
      run.stopped = true;
      run.emit({ type: 'samples', pcm: SECOND, sampleRate: RATE });
      run.emit({ type: 'done' });
      return run.synthesis.text;
    },
  };
}

const hello = (name: string): string => `This is Maya from the clinic with news for ${name}.`;
const SECOND_SENTENCE = 'I am calling about your visit next week.';

describe('Synthesiser', () => {
  it('has flite speak for the natural voice where that is not installed, and shares its clips', () => {
    const { speak, finish, runs } = desk(2);
    const plan = (voiceKey: string): Synthesis =>
      planSynthesis({ voiceKey, language: 'en-US', speed: 1, text: hello('Anna') })!;
    const natural = speak('', { synthesis: plan('hibari:heart') });
    const flite = speak('', { synthesis: plan('flite:slt') });
    finish();
    expect(runs.map(({ synthesis }) => [synthesis.engine, synthesis.voice])).toEqual([['flite', 'slt']]);
    expect([natural.end(), flite.end()]).toEqual(['done', 'done']);
    expect(natural.samples()).toBe(flite.samples());
  });

  it('synthesises a text once for sixteen calls that ring and are answered together', () => {
    const { speak, finish, runs } = desk(2);
    for (let call = 0; call < 16; call++) speak(hello('Anna'), { purpose: 'ahead' });
    const answered = Array.from({ length: 16 }, () => speak(hello('Anna')));
    expect(finish()).toBe(hello('Anna'));
    const late = speak(hello('Anna'));
    expect(runs).toHaveLength(1);
    for (const call of [...answered, late]) {
      expect(call.end()).toBe('done');
      expect(call.samples()).toBe(answered[0]!.samples());
      expect(call.samples()).toBeGreaterThan(RATE * 0.9);
    }
  });

  it('synthesises what sixteen different messages have in common once', () => {
    const { speak, finish, texts } = desk(2);
    const names = Array.from({ length: 16 }, (_, i) => `Anna${i}`);
    const calls = names.map((name) => speak(`${hello(name)} ${SECOND_SENTENCE}`));
    while (finish() !== null);
    expect(texts().sort()).toEqual([...names.map(hello), SECOND_SENTENCE].sort());
    for (const call of calls) expect(call.end()).toBe('done');
  });

  it('gives each call its own opening, and the rest of the sentence to all', () => {
    const { speak, finish, texts } = desk(1);
    const calls = ['Anna', 'Bela', 'Carla'].map((name) =>
      speak(`Hello ${name}, this is Maya from the clinic.`),
    );
    while (finish() !== null);
    expect(texts()).toEqual(['Hello Anna,', 'Hello Bela,', 'Hello Carla,', 'this is Maya from the clinic.']);
    for (const call of calls) expect(call.end()).toBe('done');
  });

  it('greets every waiting caller before it continues the message of any', () => {
    const { speak, finish, texts } = desk(1);
    const names = ['Anna', 'Bela', 'Carla', 'David'];
    for (const name of names) speak(`${hello(name)} I have a question for ${name} about next week.`);
    while (finish() !== null);
    expect(texts().slice(0, 4)).toEqual(names.map(hello));
    expect(texts()).toHaveLength(8);
  });

  it('prefers a waiting caller to calls that ring, and those to speech that others still hear', () => {
    const { speak, finish, texts, at } = desk(1);
    speak('The engine is busy with this one.');
    speak('This is heard in five seconds.', { inMs: 5000 });
    speak('This call is ringing just now.', { purpose: 'ahead' });
    speak('This call also rings and is answered.', { purpose: 'ahead' });
    at(10);
    speak('This caller waits for the greeting.');
    at(20);
    speak('This call also rings and is answered.');
    while (finish() !== null);
    expect(texts().slice(1)).toEqual([
      'This caller waits for the greeting.',
      'This call also rings and is answered.',
      'This call is ringing just now.',
      'This is heard in five seconds.',
    ]);
  });

  it('synthesises the whole first sentence ahead, its opening first', () => {
    const { speak, finish } = desk(1);
    speak(`Hello Anna, this is Maya from the clinic. ${SECOND_SENTENCE}`, { purpose: 'ahead' });
    expect([finish(), finish(), finish()]).toEqual(['Hello Anna,', 'this is Maya from the clinic.', null]);
  });

  it('synthesises only the first sentence ahead of the answer', () => {
    const { speak, finish, texts } = desk(2);
    const ahead = speak(`${hello('Anna')} ${SECOND_SENTENCE}`, { purpose: 'ahead' });
    expect(finish()).toBe(hello('Anna'));
    expect(ahead.end()).toBe('done');
    expect(finish()).toBeNull();
    const answered = speak(`${hello('Anna')} ${SECOND_SENTENCE}`);
    expect(answered.samples()).toBeGreaterThan(RATE);
    expect(finish()).toBe(SECOND_SENTENCE);
    expect(answered.end()).toBe('done');
    expect(texts()).toHaveLength(2);
  });

  it('goes on for the other calls when one hangs up, and stops with the last', () => {
    const { speak, runs, finish } = desk(1);
    const [first, second] = [speak(hello('Anna')), speak(hello('Anna'))];
    const queued = speak(hello('Bela'));
    first.cancel();
    expect(runs[0]!.stopped).toBe(false);
    queued.cancel();
    second.cancel();
    expect(runs[0]!.stopped).toBe(true);
    expect(runs).toHaveLength(1);
    const next = speak(hello('Carla'));
    expect(finish()).toBe(hello('Carla'));
    expect(next.end()).toBe('done');
    expect([first.events, second.events, queued.events]).toEqual([[], [], []]);
  });

  it('gives a call that joins late the audio so far', () => {
    const { speak, runs } = desk(1);
    const first = speak(hello('Anna'));
    runs[0]!.emit({ type: 'samples', pcm: Int16Array.from([...SECOND, ...SECOND]), sampleRate: RATE });
    const late = speak(hello('Anna'));
    expect(late.samples()).toBe(first.samples());
    expect(late.samples()).toBeGreaterThan(RATE);
    runs[0]!.emit({ type: 'done' });
    expect(late.samples()).toBe(first.samples());
  });

  it('reports a failed run to every call that shares it, and tries again for the next', () => {
    const { speak, runs, finish } = desk(1);
    const calls = [speak(hello('Anna')), speak(hello('Anna'))];
    runs[0]!.stopped = true;
    runs[0]!.emit({ type: 'failed', message: 'flite exited with an error' });
    for (const call of calls) expect(call.events).toMatchObject([{ type: 'failed', retryable: true }]);
    const again = speak(hello('Anna'));
    expect(finish()).toBe(hello('Anna'));
    expect(again.end()).toBe('done');
  });

  it('lets espeak-ng speak for all calls where flite is missing', () => {
    const { speak, runs, finish } = desk(1);
    const calls = [speak(hello('Anna')), speak(hello('Anna'))];
    runs[0]!.stopped = true;
    runs[0]!.emit({ type: 'missing' });
    expect(runs[1]!.synthesis).toMatchObject({ engine: 'espeak', voice: 'en-us+f3', text: hello('Anna') });
    finish();
    for (const call of calls) expect(call.end()).toBe('done');
    speak(hello('Bela'));
    expect(runs[2]!.synthesis.engine).toBe('espeak');
  });

  it('leaves a pause between two sentences', () => {
    const { speak, finish } = desk(1);
    const one = speak(hello('Anna'));
    finish();
    const two = speak(`${hello('Anna')} ${SECOND_SENTENCE}`);
    finish();
    const pauseMs = ((two.samples() - 2 * one.samples()) / RATE) * 1000;
    expect(pauseMs).toBeGreaterThan(250);
    expect(pauseMs).toBeLessThan(450);
  });
});
