import type { TtsEvent, TtsProvider, TtsSession } from '../../voice/ports.ts';
import { choiceSetting, numberSetting, parseFakeName } from './options.ts';
import { systemTimers, type Timers } from './timers.ts';

/**
 * `error`: every utterance fails at once (retryable); `fatal`: not retryable; `hang`: no audio ever; `cut`: fails
 * after the first chunk; `empty`: done without audio.
 */
const FAILURES = ['none', 'error', 'fatal', 'hang', 'cut', 'empty'] as const;
export type FakeTtsFailure = (typeof FAILURES)[number];

export interface FakeTtsOptions {
  /** Request to first audio. */
  ttsMs?: number;
  /** Length of the audio per character of text. */
  msPerCharacter?: number;
  chunkMs?: number;
  /** How much faster than real time audio arrives; 0: all at once after `ttsMs`. */
  speedup?: number;
  /** `voice`: harmonics with a syllable rhythm; `tone`: one steady sine; `noise`: band-limited noise. */
  sound?: 'voice' | 'tone' | 'noise';
  failure?: FakeTtsFailure;
  timers?: Timers;
  onSpeak?: (text: string) => void;
}

/** A synthesiser of deterministic speech-band sound, 60 ms per character unless set otherwise. */
export function createFakeTts(options: FakeTtsOptions = {}): TtsProvider {
  return {
    name: 'fake',
    open: ({ sampleRate, speed }) => openSession(options, sampleRate, speed),
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
    sound: choiceSetting(values, 'sound', ['voice', 'tone', 'noise'] as const) ?? 'voice',
    failure: choiceSetting(values, 'failure', FAILURES) ?? 'none',
  });
}

function openSession(options: FakeTtsOptions, sampleRate: number, speed: number): TtsSession {
  const timers = options.timers ?? systemTimers;
  const chunkMs = Math.max(20, options.chunkMs ?? 100);
  const speedup = options.speedup ?? 20;
  const failure = options.failure ?? 'none';
  const cancels = new Set<() => void>();
  let closed = false;

  return {
    speak(text, signal, onEvent) {
      options.onSpeak?.(text);
      if (failure === 'hang') return;
      const lengthMs =
        failure === 'empty' ? 0 : (Array.from(text).length * (options.msPerCharacter ?? 60)) / speed;
      const total = Math.round((lengthMs * sampleRate) / 1000);
      const perChunk = Math.round((chunkMs * sampleRate) / 1000);
      const sound = soundOf(options.sound ?? 'voice', text, sampleRate);
      let cancel = (): void => undefined;
      const emit = (event: TtsEvent): void => {
        if (!closed && !signal.aborted) onEvent(event);
      };
      const schedule = (delayMs: number, work: () => void): void => {
        const own = timers.after(delayMs, () => {
          cancels.delete(own);
          if (!closed && !signal.aborted) work();
        });
        cancel = own;
        cancels.add(own);
      };
      signal.addEventListener('abort', () => {
        cancel();
        cancels.delete(cancel);
      });

      const produce = (from: number): void => {
        if (from >= total) {
          emit({ type: 'done' });
          return;
        }
        const pcm = new Int16Array(Math.min(perChunk, total - from));
        for (let i = 0; i < pcm.length; i++) pcm[i] = sound(from + i);
        emit({ type: 'audio', pcm });
        if (failure === 'cut') {
          emit({ type: 'failed', message: 'fake synthesiser failure', retryable: true });
        } else if (speedup > 0) schedule(chunkMs / speedup, () => produce(from + perChunk));
        else if (!signal.aborted) produce(from + perChunk);
      };
      schedule(options.ttsMs ?? 0, () => {
        if (failure === 'error' || failure === 'fatal') {
          emit({ type: 'failed', message: 'fake synthesiser failure', retryable: failure === 'error' });
        } else produce(0);
      });
    },
    close() {
      closed = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}

/** Sample value by index: the same text always gives the same samples. */
function soundOf(
  kind: 'voice' | 'tone' | 'noise',
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
    let value = 0;
    for (let harmonic = 2; harmonic <= 20; harmonic++) {
      value += FORMANTS[harmonic % FORMANTS.length]! * Math.sin(base * harmonic * index);
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
