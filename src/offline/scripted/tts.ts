import type {
  TtsContext,
  TtsEvent,
  TtsOptions,
  TtsProvider,
  TtsSession,
  TtsVoice,
} from '../../providers/ports/voice.ts';
import { type TtsMark, wordEnds } from '@callwright/turns';
import { choiceSetting, numberSetting, parseFakeName } from './options.ts';
import { codedSpeech } from '@callwright/stand-ins';
import { systemScheduler, type Scheduler } from '../../shared/clock.ts';

/**
 * `error`: every utterance fails at once (retryable); `fatal`: not retryable; `hang`: no audio ever; `cut`: fails
 * after the first chunk; `empty`: done without audio.
 */
const FAILURES = ['none', 'error', 'fatal', 'hang', 'cut', 'empty'] as const;
export type FakeTtsFailure = (typeof FAILURES)[number];

export interface FakeTtsOptions {
  /** Delay between request and first audio. */
  ttsMs?: number;
  /** Audio length per character of text. */
  msPerCharacter?: number;
  chunkMs?: number;
  /** Delivery speed relative to real time; 0: all at once after `ttsMs`. */
  speedup?: number;
  /**
   * `voice`: harmonics with a syllable rhythm; `tone`: one steady sine; `noise`: band-limited noise; `words`: coded words
   * (vendors/word-code.ts), which set the length themselves.
   */
  sound?: 'voice' | 'tone' | 'noise' | 'words';
  failure?: FakeTtsFailure;
  scheduler?: Scheduler;
  onSpeak?: (text: string) => void;
}

/** A synthesiser of deterministic speech-band sound, by default 60 ms per character. */
export function createFakeTts(options: FakeTtsOptions = {}): TtsProvider {
  return {
    name: 'fake',
    open: (voice) => openSession(options, voice),
    close: () => Promise.resolve(),
  };
}

/** Settings by name: `fake:ttsMs=80,msPerCharacter=60,chunkMs=100,speedup=20,sound=tone,failure=cut`. */
export function fakeTtsFromName(name: string): TtsProvider {
  const values = parseFakeName(name, ['ttsMs', 'msPerCharacter', 'chunkMs', 'speedup', 'sound', 'failure']);
  return createFakeTts({
    ttsMs: numberSetting(values, 'ttsMs') ?? 0,
    msPerCharacter: numberSetting(values, 'msPerCharacter') ?? 60,
    chunkMs: numberSetting(values, 'chunkMs') ?? 100,
    speedup: numberSetting(values, 'speedup') ?? 20,
    sound: choiceSetting(values, 'sound', ['voice', 'tone', 'noise', 'words'] as const) ?? 'voice',
    failure: choiceSetting(values, 'failure', FAILURES) ?? 'none',
  });
}

function openSession(options: FakeTtsOptions, voice: TtsOptions): TtsSession {
  const contexts = new Set<FakeContext>();
  return {
    begin() {
      const context = new FakeContext(options, voice);
      contexts.add(context);
      return context;
    },
    close() {
      for (const context of contexts) context.cancel();
      contexts.clear();
    },
  };
}

class FakeContext implements TtsContext {
  readonly #options: FakeTtsOptions;
  readonly #voice: TtsOptions;
  readonly #scheduler: Scheduler;
  readonly #cancels = new Set<() => void>();
  #isCancelled = false;

  constructor(options: FakeTtsOptions, voice: TtsOptions) {
    this.#options = options;
    this.#voice = voice;
    this.#scheduler = options.scheduler ?? systemScheduler;
  }

  say(text: string, onEvent: (event: TtsEvent) => void, voice: Partial<TtsVoice> = {}): void {
    const { failure = 'none', ttsMs = 0 } = this.#options;
    this.#options.onSpeak?.(text);
    if (failure === 'hang' || this.#isCancelled) return;
    const speed = voice.speed ?? this.#voice.speed;
    this.#later(ttsMs, () => {
      if (failure === 'error' || failure === 'fatal') {
        const retryable = failure === 'error';
        return onEvent({ type: 'failed', message: 'fake synthesiser failure', retryable });
      }
      return this.#produce(text, speed, onEvent);
    });
  }

  end(): void {
    // Each sentence is spoken as it comes.
  }

  cancel(): void {
    this.#isCancelled = true;
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }

  #produce(text: string, speed: number, onEvent: (event: TtsEvent) => void): void {
    const { failure = 'none', msPerCharacter = 60, speedup = 20 } = this.#options;
    const { sampleRate } = this.#voice;
    const chunkMs = Math.max(20, this.#options.chunkMs ?? 100);
    const msPerUnit = msPerCharacter / speed;
    const lengthMs = failure === 'empty' ? 0 : Array.from(text).length * msPerUnit;
    const isCoded = this.#options.sound === 'words' && failure !== 'empty';
    const coded = isCoded ? codedSpeech(text, sampleRate) : null;
    const total = coded?.length ?? Math.round((lengthMs * sampleRate) / 1000);
    const perChunk = Math.round((chunkMs * sampleRate) / 1000);
    const sound =
      coded === null
        ? soundOf(this.#options.sound ?? 'voice', text, sampleRate)
        : (index: number): number => coded[index] ?? 0;
    const marks = isCoded ? codedMarks(text, sampleRate) : marksOf(text, msPerUnit);
    if (total > 0) onEvent({ type: 'marks', marks });
    const produce = (from: number): void => {
      if (this.#isCancelled) return;
      if (from >= total) return onEvent({ type: 'done' });
      const pcm = new Int16Array(Math.min(perChunk, total - from));
      for (let i = 0; i < pcm.length; i++) pcm[i] = sound(from + i);
      onEvent({ type: 'audio', pcm });
      if (failure === 'cut') {
        return onEvent({ type: 'failed', message: 'fake synthesiser failure', retryable: true });
      }
      if (speedup > 0) return this.#later(chunkMs / speedup, () => produce(from + perChunk));
      return produce(from + perChunk);
    };
    produce(0);
  }

  #later(delayMs: number, work: () => void): void {
    const cancel = this.#scheduler.after(delayMs, () => {
      this.#cancels.delete(cancel);
      if (!this.#isCancelled) work();
    });
    this.#cancels.add(cancel);
  }
}

const marksOf = (text: string, msPerUnit: number): TtsMark[] =>
  Array.from(wordEnds(text), (textEnd) => ({
    textEnd,
    audioMs: Math.round(Array.from(text.slice(0, textEnd)).length * msPerUnit),
  }));

/** A word is spoken once all of its tones have sounded; its pause may be missing. */
function codedMarks(text: string, rate: number): TtsMark[] {
  let samples = 0;
  return Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => {
    const pcm = codedSpeech(word, rate);
    const endMs = ((samples + pcm.findLastIndex((sample) => sample !== 0) + 1) * 1000) / rate;
    samples += pcm.length;
    return { textEnd: index + word.length, audioMs: Math.ceil(endMs) };
  });
}

/** Sample value by index: equal texts yield equal samples. */
function soundOf(
  kind: Exclude<FakeTtsOptions['sound'], undefined>,
  text: string,
  sampleRate: number,
): (index: number) => number {
  const seed = hash(text);
  if (kind === 'tone') {
    const step = (2 * Math.PI * (400 + (seed % 800))) / sampleRate;
    return (index) => Math.round(6000 * Math.sin(step * index));
  }
  if (kind === 'noise') {
    let state = seed;
    let low = 0;
    let slow = 0;
    return () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const white = state / 2147483648 - 1;
      low += 0.5 * (white - low);
      slow += 0.1 * (low - slow);
      return Math.round(9000 * (low - slow));
    };
  }
  const base = (2 * Math.PI * (110 + (seed % 60))) / sampleRate;
  const syllable = (2 * Math.PI * 4) / sampleRate;
  return (index) => {
    const envelope = 0.55 - 0.45 * Math.cos(syllable * index);
    // Each harmonic from the two before it: sin (h+1)x = 2 cos x · sin hx − sin (h−1)x.
    const twice = 2 * Math.cos(base * index);
    let before = Math.sin(base * index);
    let harmonic = twice * before;
    let value = 0;
    for (let n = 2; n <= 20; n++) {
      value += FORMANTS[n % FORMANTS.length]! * harmonic;
      [before, harmonic] = [harmonic, twice * harmonic - before];
    }
    return Math.round(2500 * envelope * value);
  };
}

const FORMANTS = [0.3, 0.5, 1, 0.8, 0.4, 0.2, 0.35, 0.6] as const;

function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
  return value;
}
