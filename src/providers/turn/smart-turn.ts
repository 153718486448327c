import { Worker } from 'node:worker_threads';
import { silentLog, type Log } from '../../shared/log.ts';
import { isHostEnding, stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import { NATIVE_ONNX } from '../../shared/onnx.ts';
import { moved, type Moved } from '../../shared/threads/moved.ts';
import { Thread } from '../../shared/threads/thread.ts';
import type { SampleRate } from '@callwright/audio';
import type { TurnModel } from '../ports/recogniser.ts';
import { isJudged } from './judged-languages.ts';

/** A judgement that takes longer comes too late. */
const DEADLINE_MS = 150;
/** Turns that wait for the model; with more, the rules decide at once. */
const MOST_WAITING = 4;
const LOAD_MS = 30_000;

/** The model's thread, as a call worker reaches it. */
export interface TurnThreadApi {
  /** The probability that the turn is over. */
  judge(pcm: Moved<Int16Array>, rate: SampleRate): Promise<number>;
  stop(): void;
}
export interface TurnThreadEvents {
  ready(): void;
  /** Package or model are missing or broken. */
  unusable(message: string): void;
}
type TurnThread = Thread<TurnThreadApi, never, TurnThreadEvents>;
export interface TurnThreadData {
  readonly path: string;
  readonly module: string;
  readonly stop: StopFlag;
}

export interface SmartTurnOptions {
  readonly path: string;
  readonly log?: Log;
  readonly deadlineMs?: number;
  /** Replaces the package, for tests. */
  readonly module?: string;
}

/** smart-turn v3 from a file: it judges by the sound of a turn. Without it, or when it is late, the rules decide. */
export function smartTurn(options: SmartTurnOptions): TurnModel {
  const { path, log = silentLog, deadlineMs = DEADLINE_MS, module = NATIVE_ONNX } = options;
  let waiting = 0;
  let thread: TurnThread | null = null;
  let isReady = false;
  const lose = (message: string): void => {
    const lost = thread;
    if (lost === null) return;
    thread = null;
    isReady = false;
    lost.discard();
    log.warn({ err: new Error(message) }, 'the turn model cannot be used: turns end by the rules');
  };
  thread = startThread(path, module, log, {
    ready: () => {
      isReady = true;
    },
    unusable: lose,
  });
  thread.onEnd(({ message }) => {
    if (!isHostEnding()) lose(message);
  });
  return {
    name: 'smart-turn',
    judges: isJudged,
    async finished({ pcm, sampleRate }) {
      if (thread === null || !isReady || waiting >= MOST_WAITING) return null;
      waiting += 1;
      try {
        return await thread.remote.calls({ withinMs: deadlineMs }).judge(moved(pcm), sampleRate);
      } catch {
        return null;
      } finally {
        waiting -= 1;
      }
    },
    async close() {
      const last = thread;
      thread = null;
      await last?.stop();
    },
  };
}

function startThread(path: string, module: string, log: Log, events: TurnThreadEvents): TurnThread {
  const flag = stopFlag();
  const workerData: TurnThreadData = { path, module, stop: flag };
  const worker = new Worker(new URL('./smart-turn.thread.ts', import.meta.url), { workerData });
  worker.unref();
  return new Thread(worker, {
    name: 'turn model',
    ending: { by: 'flag', flag, log },
    served: { api: events },
  });
}

/** Loads the model as a call worker does. Resolves with the time in ms, or why it cannot be used. */
export async function trySmartTurn(path: string, module = NATIVE_ONNX): Promise<number | string> {
  const startedAt = performance.now();
  const { promise, resolve } = Promise.withResolvers<number | string>();
  const timer = setTimeout(() => resolve(`the model is not loaded after ${LOAD_MS} ms`), LOAD_MS);
  const thread = startThread(path, module, silentLog, {
    ready: () => resolve(Math.round(performance.now() - startedAt)),
    unusable: resolve,
  });
  thread.onEnd(({ message }) => resolve(message));
  const result = await promise;
  clearTimeout(timer);
  await thread.stop();
  return result;
}
