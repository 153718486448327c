import { accessSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog, type Log } from '../../shared/log.ts';
import { isEnglish } from '@callwright/language';
import type { Expected } from '@callwright/turns';
import type { RecogniserFault, SttEvent, SttProvider, SttSession } from '../../providers/ports/recogniser.ts';
import { expectedGrammar, type Grammar } from './grammar.ts';
import { RecogniserPool, type Recognised } from './pocketsphinx.ts';
import { loadSphinx } from './sphinx-library.ts';
import { joinedPcm, utteranceBuffer } from '../../providers/stt/utterance.ts';

export interface OfflineSttOptions {
  log?: Log;
  /** Decoder threads; each takes about 10 MB. */
  threads?: number;
  /** Where pocketsphinx-en-us is installed. */
  modelDirectory?: string;
  espeakCommand?: string;
  fliteCommand?: string;
}

export const SPHINX_MODEL = '/usr/share/pocketsphinx/model/en-us';

/**
 * Speech goes on after pauses up to this, such as the holes that noise filters of browsers cut: an utterance in which no
 * phrase was found is decoded again with what follows.
 */
const JOIN_MS = 240;
const LONGEST_JOINED_MS = 12_000;

/** How often a recogniser that is not installed is looked for again. */
const RECHECK_MS = 10_000;

/** Below this confidence the phrase fits no better than free speech, so the caller said something else. */
const LEAST_CONFIDENCE = 0.4;

/** Recognises closed sets of English phrases locally, one utterance at a time. */
export class OfflineStt implements SttProvider {
  readonly name = 'offline';
  readonly #pool: RecogniserPool;
  readonly #modelDirectory: string;
  #checked: { ok: boolean; reason: string } | null = null;
  #checkedAt = 0;

  constructor(options: OfflineSttOptions = {}) {
    this.#modelDirectory = options.modelDirectory ?? SPHINX_MODEL;
    this.#pool = new RecogniserPool({
      modelDirectory: this.#modelDirectory,
      espeakCommand: options.espeakCommand ?? 'espeak-ng',
      fliteCommand: options.fliteCommand ?? 'flite',
      threads: options.threads ?? 2,
      log: options.log ?? silentLog,
    });
  }

  /** Whether PocketSphinx is usable on this machine; `reason` names what is missing. */
  available(): { ok: boolean; reason: string } {
    const now = performance.now();
    if (this.#checked === null || (!this.#checked.ok && now - this.#checkedAt >= RECHECK_MS)) {
      this.#checked = check(this.#modelDirectory);
      this.#checkedAt = now;
    }
    return this.#checked;
  }

  understands(language: Parameters<SttProvider['understands']>[0]): boolean {
    return isEnglish(language) && this.available().ok;
  }

  fault(): RecogniserFault | null {
    const { ok, reason } = this.available();
    if (!ok) return { message: reason, isInstalled: false };
    const message = this.#pool.fault();
    return message === null ? null : { message, isInstalled: true };
  }

  /** Starts a decoder as a call would. Resolves with its fault; null: it works. */
  tried(): Promise<string | null> {
    const { ok, reason } = this.available();
    return ok ? this.#pool.tried() : Promise.resolve(reason);
  }

  onlyPhrases(): boolean {
    return true;
  }

  open(options: Parameters<SttProvider['open']>[0]): SttSession {
    const { language, secondaryLanguage } = options;
    const english =
      this.understands(language) || (secondaryLanguage !== null && this.understands(secondaryLanguage));
    return english ? phraseSession(this.#pool, options) : silentSession(options.onEvent);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

export const createOfflineStt = (options: OfflineSttOptions = {}): OfflineStt => new OfflineStt(options);

function check(modelDirectory: string): { ok: boolean; reason: string } {
  try {
    loadSphinx();
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  try {
    for (const file of ['en-us/mdef', 'cmudict-en-us.dict', 'en-us-phone.lm.bin']) {
      accessSync(join(modelDirectory, file));
    }
  } catch {
    return { ok: false, reason: 'pocketsphinx-en-us is not installed' };
  }
  return { ok: true, reason: '' };
}

/** An utterance that may be the first part of one that goes on. */
interface Part {
  readonly pcm: Int16Array<ArrayBuffer>;
  /** Audio time of its end. */
  readonly endedMs: number;
  /** No phrase was found in it; false: one was, or its result is not known yet. */
  isNothing: boolean;
}

function phraseSession(pool: RecogniserPool, options: Parameters<SttProvider['open']>[0]): SttSession {
  const { sampleRate, vocab, onEvent } = options;
  const buffer = utteranceBuffer(sampleRate);
  let grammar: Grammar = expectedGrammar(null, vocab);
  let closed = false;
  let audioMs = 0;
  let last: Part | null = null;
  let before: Part | null = null;
  pool.prepare(grammar);

  /** Decodes a copy: the pool takes the samples away. */
  const decode = (pcm: Int16Array): Promise<Recognised> =>
    new Promise((resolve) => {
      pool.decode(grammar, pcm.slice(), sampleRate, resolve);
    });
  return {
    write(frame) {
      buffer.write(frame);
      audioMs += (frame.length * 1000) / sampleRate;
    },
    speechStarted() {
      before = last !== null && audioMs - last.endedMs <= JOIN_MS ? last : null;
      buffer.begin();
    },
    speechEnded(at) {
      const own = buffer.end();
      if (own === null || closed) return;
      const endedAt = performance.now();
      const heardMs = audioMs;
      const longest = (LONGEST_JOINED_MS * sampleRate) / 1000;
      const first = before?.isNothing === true && before.pcm.length + own.length <= longest ? before : null;
      const pcm = first === null ? own : joinedPcm(first.pcm, own);
      const part: Part = { pcm, endedMs: audioMs, isNothing: false };
      last = part;
      // What a sound before the words would spoil is decoded without it too.
      const results = Promise.all(first === null ? [decode(pcm)] : [decode(pcm), decode(own)]);
      void results.then((decoded) => {
        if (closed) return;
        const now = at + Math.round(performance.now() - endedAt);
        const event = eventOf(surest(decoded), heardMs, now);
        part.isNothing = event.type === 'nothing';
        onEvent(event);
      });
    },
    expect(expected: Expected | null) {
      const next = expectedGrammar(expected, vocab);
      if (next.jsgf === grammar.jsgf) return;
      grammar = next;
      pool.prepare(grammar);
    },
    close() {
      closed = true;
    },
  };
}

/** The result with words and the greatest confidence, else the first one. */
const surest = (results: readonly Recognised[]): Recognised =>
  results.reduce((best, result) => (sureness(result) > sureness(best) ? result : best));
const sureness = (result: Recognised): number =>
  result.type === 'decoded' && result.text !== '' ? result.confidence : -1;

function eventOf(result: Recognised, audioMs: number, at: number): SttEvent {
  if (result.type === 'failed') return { type: 'failed', message: result.message, retryable: true, at };
  if (result.text === '' || result.confidence < LEAST_CONFIDENCE) return { type: 'nothing', at };
  return { type: 'final', text: result.text, confidence: result.confidence, audioMs, at };
}

/** A session for languages without a recogniser: every utterance ends as `nothing`. */
function silentSession(onEvent: (event: SttEvent) => void): SttSession {
  let speaking = false;
  let closed = false;
  return {
    write: () => undefined,
    speechStarted() {
      speaking = true;
    },
    speechEnded(at) {
      if (!speaking || closed) return;
      speaking = false;
      queueMicrotask(() => {
        if (!closed) onEvent({ type: 'nothing', at });
      });
    },
    expect: () => undefined,
    close() {
      closed = true;
    },
  };
}
