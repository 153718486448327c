import { Worker } from 'node:worker_threads';
import { SPHINX_MODEL } from '../recogniser/stt.ts';
import { utteranceBuffer } from '../../providers/stt/utterance.ts';
import type { Log } from '../../shared/log.ts';
import { stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { moved, type Moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
import { FRAME_MS, type SampleRate } from '@callwright/audio';

export interface RecogniserData {
  readonly modelDirectory: string;
  readonly stop: StopFlag;
}
/** The decoder's thread, as the carrier's thread reaches it. */
export interface CalleeRecogniserApi {
  hear(pcm: Moved<Int16Array<ArrayBuffer>>, sampleRate: SampleRate): Promise<string>;
  stop(): void;
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
  #waiting = 0;
  #thread: Thread<CalleeRecogniserApi> | null = null;
  #broken = false;
  #closed = false;

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
    this.#closed = true;
    const thread = this.#thread;
    this.#thread = null;
    await thread?.stop();
  }

  #hear(pcm: Int16Array<ArrayBuffer>, sampleRate: SampleRate, onText: (text: string) => void): void {
    if (this.#thread === null || this.#waiting >= MAX_QUEUED) {
      queueMicrotask(() => onText(''));
      return;
    }
    this.#waiting += 1;
    const heard = this.#thread.remote.call.hear(moved(pcm), sampleRate).catch(() => '');
    void heard.then((text) => {
      this.#waiting -= 1;
      if (!this.#closed) onText(text);
    });
  }

  #start(): void {
    if (this.#thread !== null || this.#broken) return;
    const worker = new Worker(new URL('./recogniser.thread.ts', import.meta.url), {
      workerData: this.#data,
      name: 'test-carrier-recogniser',
    });
    const thread = new Thread<CalleeRecogniserApi>(worker, {
      name: 'test carrier recogniser',
      ending: { by: 'flag', flag: this.#data.stop, log: this.#log },
      served: { api: {} },
    });
    this.#thread = thread;
    thread.onEnd(({ kind, cause }) => {
      this.#thread = null;
      this.#broken = true;
      if (kind !== 'failed') return;
      this.#log.warn({ err: cause }, 'test carrier callees answer without speech recognition');
    });
  }
}
