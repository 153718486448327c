import { describe, expect, it } from 'vitest';
import type { SpeechManner, TtsContext, TtsEvent, TtsProvider } from '../ports/voice.ts';
import { cachedVoice, spokenClips } from './cached-voice.ts';

const FIXED = { isFixed: true } as const;
const SETTINGS = { apiKey: 'key', baseUrl: 'https://voice.example.com', model: 'flash' };
const OPTIONS = { voiceKey: 'v:amy', language: 'en-US', speed: 1, sampleRate: 8000 } as const;

/** A voice that speaks each text at once, and what it was given. */
function voice() {
  const said: string[] = [];
  const cancelled: number[] = [];
  let emit: (event: TtsEvent) => void = () => undefined;
  let isHeld = false;
  const provider: TtsProvider = {
    name: 'v',
    open: () => ({
      begin(): TtsContext {
        return {
          say(text, onEvent) {
            said.push(text);
            emit = onEvent;
            onEvent({ type: 'usage', vendor: 'v', model: 'flash', characters: text.length });
            onEvent({ type: 'audio', pcm: new Int16Array([1, 2, 3]) });
            onEvent({ type: 'marks', marks: [{ textEnd: text.length, audioMs: 300 }] });
            if (!isHeld) onEvent({ type: 'done' });
          },
          end: () => undefined,
          cancel: () => void cancelled.push(said.length),
        };
      },
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
  return {
    provider,
    said,
    cancelled,
    emit: (event: TtsEvent) => emit(event),
    hold: () => (isHeld = true),
  };
}

function speak(tts: TtsProvider, text: string, manner?: SpeechManner, options: object = {}): TtsEvent[] {
  const events: TtsEvent[] = [];
  const context = tts.open({ ...OPTIONS, ...options }).begin();
  context.say(text, (event) => events.push(event), manner);
  context.end();
  return events;
}

describe('a fixed sentence of a vendor’s voice', () => {
  it('is synthesised and charged once; audio and marks are the same each time', () => {
    const { provider, said } = voice();
    const tts = cachedVoice(provider, SETTINGS, spokenClips());
    const first = speak(tts, 'Hello, this is Maya.', FIXED);
    const again = speak(tts, 'Hello, this is Maya.', FIXED);
    expect(said).toEqual(['Hello, this is Maya.']);
    const sound = (events: TtsEvent[]) => events.filter(({ type }) => type === 'audio' || type === 'marks');
    expect(sound(again)).toEqual(expect.arrayContaining(sound(first)));
    expect(again.at(0)).toEqual({ type: 'usage', vendor: 'v', model: 'flash', characters: 0 });
    expect(again.at(-1)).toEqual({ type: 'done' });
  });

  it('is not changed by a receiver that changes its audio', () => {
    const { provider } = voice();
    const tts = cachedVoice(provider, SETTINGS, spokenClips());
    const pcmOf = (events: TtsEvent[]) =>
      events.flatMap((event) => (event.type === 'audio' ? event.pcm : []));
    for (let i = 0; i < 3; i++) {
      const [pcm] = pcmOf(speak(tts, 'Hello.', FIXED));
      expect(pcm).toEqual(new Int16Array([1, 2, 3]));
      pcm?.fill(0);
    }
  });

  it.each([
    ['another text', 'Goodbye.', {}, {}, {}],
    ['another voice', 'Hello.', { voiceKey: 'v:bob' }, {}, {}],
    ['another language of one sentence', 'Hello.', {}, { language: 'hi-IN' as const }, {}],
    ['another speed', 'Hello.', { speed: 1.2 }, {}, {}],
    ['another rate', 'Hello.', { sampleRate: 16_000 }, {}, {}],
    ['another account', 'Hello.', {}, {}, { apiKey: 'other' }],
    ['another model', 'Hello.', {}, {}, { model: 'multilingual' }],
  ])('is synthesised again for %s', (_, text, options, manner, settings) => {
    const { provider, said } = voice();
    const clips = spokenClips();
    speak(cachedVoice(provider, SETTINGS, clips), 'Hello.', FIXED);
    speak(cachedVoice(provider, { ...SETTINGS, ...settings }, clips), text, { ...FIXED, ...manner }, options);
    expect(said).toHaveLength(2);
  });

  it('is not kept when it was cut off, failed, or is not fixed', () => {
    const { provider, said, hold, emit, cancelled } = voice();
    const tts = cachedVoice(provider, SETTINGS, spokenClips());
    speak(tts, 'Free words.');
    speak(tts, 'Free words.');
    hold();
    speak(tts, 'Hello.', FIXED);
    emit({ type: 'failed', message: 'lost', retryable: true });
    const context = tts.open(OPTIONS).begin();
    context.say('Hello.', () => undefined, FIXED);
    context.cancel();
    speak(tts, 'Hello.', FIXED);
    expect([said.length, cancelled.length]).toEqual([5, 1]);
  });
});
