import { Worker } from 'node:worker_threads';
import { SPHINX_MODEL } from '../recogniser/stt.ts';
import { utteranceBuffer } from '../../providers/stt/utterance.ts';
import type { Log } from '../../shared/log.ts';
import { endThread, stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { FRAME_MS, type SampleRate } from '@callwright/audio';

export interface RecogniserData {
  readonly modelDirectory: string;
  readonly stop: StopFlag;
}
export type ToRecogniser =
  | {
      readonly type: 'hear';
      readonly id: number;
      readonly pcm: Int16Array<ArrayBuffer>;
      readonly sampleRate: SampleRate;
    }
  | { readonly type: 'stop' };
export interface FromRecogniser {
  readonly id: number;
  readonly text: string;
}

/** Recognition on one line: the speech between `begin` and `end` is returned as words. */
export interface LineRecogniser {
  /** Takes every frame of the line; `quiet` marks a frame at which long speech may be split. */
  write(frame: Int16Array, quiet: boolean): void;
  begin(): void;
  end(): void;
  /** True while the words of an ended speech are pending. */
  readonly decoding: boolean;
  close(): void;
}

/** Longer speech is decoded in pieces: split at a quiet frame after LONG_MS, anywhere at LIMIT_MS. */
const LONG_MS = 6000;
const LIMIT_MS = 11_000;
/** Queue limit: above it pieces are returned as empty, because their callees answer before the queue drains. */
const MAX_QUEUED = 64;

/**
 * Speech recognition for the callees of test calls, with the vocabulary of `agent-speech.ts`. One decoder thread,
 * started with the first line, serves all lines; without PocketSphinx every result is empty.
 */
export class Recogniser {
  readonly #data: RecogniserData;
  readonly #log: Log;
  readonly #waiting = new Map<number, (text: string) => void>();
  #thread: Worker | null = null;
  #broken = false;
  #nextId = 1;

  constructor(options: { log: Log; modelDirectory?: string }) {
    this.#log = options.log;
    this.#data = { modelDirectory: options.modelDirectory ?? SPHINX_MODEL, stop: stopFlag() };
  }

  /** Calls `onHeard` with the words of each piece in order, empty for none; `decoding` is true if more will follow. */
  open(sampleRate: SampleRate, onHeard: (text: string) => void): LineRecogniser {
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
    await endThread(thread, { stop: this.#data.stop, log: this.#log, name: 'test carrier recogniser' });
  }

  #hear(pcm: Int16Array<ArrayBuffer>, sampleRate: SampleRate, onText: (text: string) => void): void {
    if (this.#thread === null || this.#waiting.size >= MAX_QUEUED) {
      queueMicrotask(() => onText(''));
      return;
    }
    const id = this.#nextId++;
    this.#waiting.set(id, onText);
    this.#thread.postMessage({ type: 'hear', id, pcm, sampleRate } satisfies ToRecogniser, [pcm.buffer]);
  }

  #start(): void {
    if (this.#thread !== null || this.#broken) return;
    const thread = new Worker(new URL('./recogniser.thread.ts', import.meta.url), {
      workerData: this.#data,
      name: 'test-carrier-recogniser',
    });
    this.#thread = thread;
    thread.on('message', ({ id, text }: FromRecogniser) => {
      const onText = this.#waiting.get(id);
      this.#waiting.delete(id);
      onText?.(text);
    });
    thread.on('error', (error) => {
      this.#log.warn({ err: error }, 'Test carrier callees answer without speech recognition');
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
