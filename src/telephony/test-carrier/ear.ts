import { Worker } from 'node:worker_threads';
import { SPHINX_MODEL } from '../../providers/stt/offline.ts';
import { utteranceBuffer } from '../../providers/stt/utterance.ts';
import type { Log } from '../../shared/log.ts';
import { FRAME_MS, type SampleRate } from '../../voice/ports.ts';

export interface EarData {
  readonly modelDirectory: string;
}
export type ToEar =
  | {
      readonly type: 'hear';
      readonly id: number;
      readonly pcm: Int16Array<ArrayBuffer>;
      readonly sampleRate: SampleRate;
    }
  | { readonly type: 'stop' };
export interface FromEar {
  readonly id: number;
  readonly text: string;
}

/** The ear on one line: what is said between `begin` and `end` comes back as words. */
export interface LineEar {
  /** Every frame of the line; `quiet` marks one that a long speech may be cut at. */
  write(frame: Int16Array, quiet: boolean): void;
  begin(): void;
  end(): void;
  /** Whether words are still to come of what was ended. */
  readonly decoding: boolean;
  close(): void;
}

/** Longer speech is decoded in pieces: cut at a quiet frame from here on, anywhere at the limit. */
const LONG_MS = 6000;
const LIMIT_MS = 11_000;
/** Pieces waiting beyond this are left unheard: their callees have answered by then. */
const MOST_WAITING = 64;
const CLOSE_MS = 1000;

/**
 * Ears for the callees of test calls: what agents say, in the words of `agent-speech.ts`. One decoder thread,
 * started with the first line that listens, serves all lines; without PocketSphinx nothing is ever understood.
 */
export class Ear {
  readonly #data: EarData;
  readonly #log: Log;
  readonly #waiting = new Map<number, (text: string) => void>();
  #thread: Worker | null = null;
  #broken = false;
  #nextId = 1;

  constructor(options: { log: Log; modelDirectory?: string }) {
    this.#log = options.log;
    this.#data = { modelDirectory: options.modelDirectory ?? SPHINX_MODEL };
  }

  /** `onHeard` gets the words of each piece in order, empty for none; `decoding` tells whether more will come. */
  open(sampleRate: SampleRate, onHeard: (text: string) => void): LineEar {
    this.#start();
    const buffer = utteranceBuffer(sampleRate);
    let speaking = false;
    let spokenMs = 0;
    let pending = 0;
    let closed = false;
    const cut = (): void => {
      const pcm = buffer.end();
      if (pcm === null || closed) return;
      pending++;
      this.#hear(pcm, sampleRate, (text) => {
        pending--;
        if (!closed) onHeard(text);
      });
    };
    return {
      write(frame, quiet) {
        buffer.write(frame);
        if (!speaking) return;
        spokenMs += FRAME_MS;
        if (spokenMs < LONG_MS || (!quiet && spokenMs < LIMIT_MS)) return;
        cut();
        buffer.begin();
        spokenMs = 0;
      },
      begin() {
        buffer.begin();
        speaking = true;
        spokenMs = 0;
      },
      end() {
        if (speaking) cut();
        speaking = false;
      },
      get decoding() {
        return pending > 0;
      },
      close() {
        closed = true;
      },
    };
  }

  async close(): Promise<void> {
    this.#broken = true;
    this.#waiting.clear();
    const thread = this.#thread;
    this.#thread = null;
    if (thread === null) return;
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    thread.postMessage({ type: 'stop' } satisfies ToEar);
    const timer = setTimeout(() => void thread.terminate(), CLOSE_MS);
    await ended;
    clearTimeout(timer);
  }

  #hear(pcm: Int16Array<ArrayBuffer>, sampleRate: SampleRate, onText: (text: string) => void): void {
    if (this.#thread === null || this.#waiting.size >= MOST_WAITING) {
      queueMicrotask(() => onText(''));
      return;
    }
    const id = this.#nextId++;
    this.#waiting.set(id, onText);
    this.#thread.postMessage({ type: 'hear', id, pcm, sampleRate } satisfies ToEar, [pcm.buffer]);
  }

  #start(): void {
    if (this.#thread !== null || this.#broken) return;
    const thread = new Worker(new URL('./ear.thread.ts', import.meta.url), {
      workerData: this.#data,
      name: 'test-carrier-ear',
    });
    this.#thread = thread;
    thread.on('message', ({ id, text }: FromEar) => {
      const onText = this.#waiting.get(id);
      this.#waiting.delete(id);
      onText?.(text);
    });
    thread.on('error', (error) => {
      this.#log.warn({ err: error }, 'callees of the test carrier answer without understanding');
    });
    thread.on('exit', () => {
      this.#thread = null;
      this.#broken = true;
      const lost = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const onText of lost) onText('');
    });
  }
}
