import type { Language } from '@callwright/language';
import { FRAME_MS } from '@callwright/audio';
import type { Expected } from '@callwright/turns';
import type { SttEvent, SttProvider, SttSession } from '../../providers/ports/recogniser.ts';
import { choiceSetting, listSetting, numberSetting, parseFakeName } from './options.ts';
import { systemScheduler, type Scheduler } from '../../shared/clock.ts';

/**
 * `error`: every utterance fails (retryable). `fatal`: fails, not retryable. `hang`: speech never yields an event.
 * `nothing`: every utterance has no words.
 */
const FAILURES = ['none', 'error', 'fatal', 'hang', 'nothing'] as const;
export type FakeSttFailure = (typeof FAILURES)[number];

export interface FakeSttOptions {
  /** Delay from the end of speech to the final. */
  sttMs?: number;
  /** The caller's lines, one per utterance; after the last one utterances are `nothing` unless `repeat`. */
  finals?: readonly string[];
  /** Restart the list of finals at its end. */
  repeat?: boolean;
  /** Emit growing partials: the first word after `partialMs` of speech, then one every `wordMs`; 0 turns them off. */
  partialMs?: number;
  /** Default: `partialMs`. */
  wordMs?: number;
  /** End of speech: `speechEnded`, or the last loud frame (without a VAD). */
  endpoint?: 'vad' | 'sample';
  failure?: FakeSttFailure;
  understands?: (language: Language) => boolean;
  /** Pretend to recognise expected phrases only, as the offline recogniser. */
  onlyPhrases?: boolean;
  scheduler?: Scheduler;
  onExpect?: (expected: Expected | null) => void;
}

/** Frames louder than this mean absolute level count as speech in `sample` mode. */
const LOUD = 200;

/** A recogniser that returns scripted lines after a configured delay: no model, no randomness. */
export function createFakeStt(options: FakeSttOptions = {}): SttProvider {
  return {
    name: 'fake',
    understands: options.understands ?? (() => true),
    onlyPhrases: () => options.onlyPhrases === true,
    open: ({ onEvent }) => openSession(options, onEvent),
    close: () => Promise.resolve(),
  };
}

/** Settings by name: `fake:sttMs=100,finals=yes|no,repeat=1,partialMs=200,wordMs=250,endpoint=sample,failure=hang`. */
export function fakeSttFromName(name: string): SttProvider {
  const values = parseFakeName(name, [
    'sttMs',
    'finals',
    'repeat',
    'partialMs',
    'wordMs',
    'endpoint',
    'failure',
  ]);
  const wordMs = numberSetting(values, 'wordMs');
  return createFakeStt({
    sttMs: numberSetting(values, 'sttMs') ?? 0,
    ...(wordMs === undefined ? {} : { wordMs }),
    finals: listSetting(values, 'finals') ?? [],
    repeat: values.get('repeat') === '1',
    partialMs: numberSetting(values, 'partialMs') ?? 0,
    endpoint: choiceSetting(values, 'endpoint', ['vad', 'sample'] as const) ?? 'vad',
    failure: choiceSetting(values, 'failure', FAILURES) ?? 'none',
  });
}

function openSession(options: FakeSttOptions, onEvent: (event: SttEvent) => void): SttSession {
  const scheduler = options.scheduler ?? systemScheduler;
  const finals = options.finals ?? [];
  const sttMs = options.sttMs ?? 0;
  const partialMs = options.partialMs ?? 0;
  const wordMs = options.wordMs ?? partialMs;
  const bySample = options.endpoint === 'sample';
  const cancels = new Set<() => void>();
  let utterance = 0;
  let closed = false;
  let speechSince: number | null = null;
  let lastLoudAt: number | null = null;
  let partialWords = 0;
  /** Audio written, and audio up to the end of the last utterance. */
  let audioMs = 0;
  let heardMs = 0;

  const later = (delayMs: number, work: () => void): void => {
    const cancel = scheduler.after(delayMs, () => {
      cancels.delete(cancel);
      if (!closed) work();
    });
    cancels.add(cancel);
  };
  const lineOf = (index: number): string | undefined =>
    options.repeat === true && finals.length > 0 ? finals[index % finals.length] : finals[index];

  const conclude = (at: number): void => {
    const text = lineOf(utterance++);
    partialWords = 0;
    switch (options.failure ?? 'none') {
      case 'hang':
        return;
      case 'error':
      case 'fatal':
        onEvent({
          type: 'failed',
          message: 'fake recogniser failure',
          retryable: options.failure === 'error',
          at,
        });
        return;
      case 'nothing':
        onEvent({ type: 'nothing', at });
        return;
      case 'none':
        if (text === undefined || text === '') onEvent({ type: 'nothing', at });
        else onEvent({ type: 'final', text, confidence: 1, audioMs: heardMs, at });
    }
  };

  const partial = (at: number): void => {
    if (partialMs === 0 || speechSince === null || (options.failure ?? 'none') !== 'none') return;
    const words = (lineOf(utterance) ?? '').split(' ').filter((word) => word !== '');
    const sinceFirst = at - speechSince - partialMs;
    const known = sinceFirst < 0 ? 0 : Math.min(words.length, 1 + Math.floor(sinceFirst / wordMs));
    if (known <= partialWords) return;
    partialWords = known;
    onEvent({ type: 'partial', text: words.slice(0, known).join(' '), audioMs, at });
  };

  return {
    write(frame, at) {
      if (closed) return;
      audioMs += FRAME_MS;
      if (!bySample) {
        partial(at);
        return;
      }
      if (meanLevel(frame) > LOUD) {
        lastLoudAt = at;
        speechSince ??= at;
        partial(at);
      } else if (lastLoudAt !== null && at - lastLoudAt >= sttMs) {
        lastLoudAt = null;
        speechSince = null;
        heardMs = audioMs;
        conclude(at);
      } else {
        partial(at);
      }
    },
    speechStarted(at) {
      if (!bySample) speechSince = at;
    },
    speechEnded(at) {
      if (closed || bySample || speechSince === null) return;
      speechSince = null;
      heardMs = audioMs;
      later(sttMs, () => {
        conclude(at + sttMs);
      });
    },
    expect: (expected) => options.onExpect?.(expected),
    close() {
      closed = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}

function meanLevel(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += Math.abs(sample);
  return frame.length === 0 ? 0 : sum / frame.length;
}
