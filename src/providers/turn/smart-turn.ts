import { Worker } from 'node:worker_threads';
import { silentLog, type Log } from '../../shared/log.ts';
import { endThread, stopFlag, type StopFlag } from '../../shared/native-threads.ts';
import type { Language } from '@callwright/language';
import type { SampleRate } from '@callwright/audio';
import type { TurnModel } from '../ports/recogniser.ts';

const PACKAGE = 'onnxruntime-node';
/** A judgement that takes longer comes too late. */
const DEADLINE_MS = 150;
/** Turns that wait for the model; with more, the rules decide at once. */
const MOST_WAITING = 4;
const LOAD_MS = 30_000;

/** Messages between a call worker and the model's thread; samples are transferred. */
export type ToTurnThread =
  | { readonly type: 'judge'; readonly id: number; readonly pcm: Int16Array; readonly rate: SampleRate }
  | { readonly type: 'stop' };
export type FromTurnThread =
  | { readonly type: 'ready' }
  /** Package or model are missing or broken. */
  | { readonly type: 'unusable'; readonly message: string }
  | { readonly type: 'judged'; readonly id: number; readonly probability: number }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };
export interface TurnThreadData {
  readonly path: string;
  readonly module: string;
  readonly stop: StopFlag;
}

/** Languages of ours that smart-turn v3 was trained on. */
const TRAINED: ReadonlySet<Language> = new Set<Language>([
  'en-US',
  'en-GB',
  'en-AU',
  'en-IN',
  'hi-IN',
  'bn-IN',
  'mr-IN',
  'zh-CN',
  'ar-AE',
]);

type Answer = (probability: number | null) => void;

export interface SmartTurnOptions {
  readonly path: string;
  readonly log?: Log;
  readonly deadlineMs?: number;
  /** Replaces the package, for tests. */
  readonly module?: string;
}

/** smart-turn v3 from a file: it judges by the sound of a turn. Without it, or when it is late, the rules decide. */
export function smartTurn(options: SmartTurnOptions): TurnModel {
  const { path, log = silentLog, deadlineMs = DEADLINE_MS, module = PACKAGE } = options;
  const waiting = new Map<number, Answer>();
  let ids = 0;
  const stop = stopFlag();
  let thread: Worker | null = null;
  let isReady = false;
  const answer = (id: number, probability: number | null): void => {
    waiting.get(id)?.(probability);
    waiting.delete(id);
  };
  const lose = (message: string): void => {
    if (thread === null) return;
    void endThread(thread, { stop, log, name: 'turn model' });
    thread = null;
    isReady = false;
    for (const id of waiting.keys()) answer(id, null);
    log.warn({ err: new Error(message) }, 'the turn model cannot be used: turns end by the rules');
  };
  thread = startThread({ path, module, stop }, (message) => {
    if (message.type === 'ready') isReady = true;
    else if (message.type === 'unusable') lose(message.message);
    else answer(message.id, message.type === 'judged' ? message.probability : null);
  });
  thread.on('error', (error) => lose(`its thread failed: ${error.message}`));
  thread.on('exit', () => lose('its thread ended'));
  return {
    name: 'smart-turn',
    judges: (language) => TRAINED.has(language),
    finished({ pcm, sampleRate }) {
      if (thread === null || !isReady || waiting.size >= MOST_WAITING) return Promise.resolve(null);
      const id = ++ids;
      const judged = new Promise<number | null>((resolve) => {
        waiting.set(id, resolve);
        setTimeout(() => answer(id, null), deadlineMs).unref();
      });
      const order: ToTurnThread = { type: 'judge', id, pcm, rate: sampleRate };
      thread.postMessage(order, [pcm.buffer as ArrayBuffer]);
      return judged;
    },
    async close() {
      const last = thread;
      thread = null;
      for (const id of waiting.keys()) answer(id, null);
      if (last !== null) await endThread(last, { stop, log, name: 'turn model' });
    },
  };
}

function startThread(data: TurnThreadData, onMessage: (message: FromTurnThread) => void): Worker {
  const worker = new Worker(new URL('./smart-turn.thread.ts', import.meta.url), { workerData: data });
  worker.on('message', onMessage);
  worker.unref();
  return worker;
}

/** Loads the model as a call worker does. Resolves with the time in ms, or why it cannot be used. */
export async function trySmartTurn(path: string, module = PACKAGE): Promise<number | string> {
  const startedAt = performance.now();
  const stop = stopFlag();
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;
  const result = await new Promise<number | string>((resolve) => {
    timer = setTimeout(() => resolve(`the model is not loaded after ${LOAD_MS} ms`), LOAD_MS);
    worker = startThread({ path, module, stop }, (message) => {
      if (message.type === 'ready') resolve(Math.round(performance.now() - startedAt));
      else if (message.type === 'unusable') resolve(message.message);
    });
    worker.on('error', (error) => resolve(`its thread failed: ${error.message}`));
  });
  clearTimeout(timer);
  if (worker !== null) await endThread(worker, { stop, log: silentLog, name: 'turn model' });
  return result;
}
