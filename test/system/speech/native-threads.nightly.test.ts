import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { createLog, silentLog } from '../../../src/shared/log.ts';
import { endThread, HostThread, stopFlag } from '../../../src/shared/native-threads.ts';
import type { SleeperData } from '../../helpers/service/native-sleeper.ts';
import { runToEnd } from '../../helpers/service/program.ts';

const SLEEPER = new URL('../../helpers/service/native-sleeper.ts', import.meta.url);
const counters = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(8));
const sleeper = (options: Partial<SleeperData> = {}): SleeperData => ({
  isHost: false,
  stop: stopFlag(),
  sleepMs: 100,
  counts: counters(),
  ...options,
});
const wake = (thread: Worker) => (): void => thread.postMessage('stop');
/** A log that keeps its messages. */
function keptLog() {
  const lines: string[] = [];
  const log = createLog({ level: 'warn', pretty: false, destination: { write: (line) => lines.push(line) } });
  return { log, lines };
}

it('recognisers and models that are started and ended while they compute end, without a crash and without a log', async () => {
  expect(await runToEnd({}, 60_000, ['test/helpers/service/native-threads.ts'])).toEqual({
    code: 0,
    output: '',
  });
}, 180_000);

it('a thread ends after its native call', async () => {
  const data = sleeper();
  const { log, lines } = keptLog();
  const thread = new Worker(SLEEPER, { workerData: data });
  await once(thread, 'message');
  await endThread(thread, { stop: data.stop, log, name: 'sleeper', ask: wake(thread) });
  expect(thread.threadId).toBe(-1);
  expect(data.counts[1]).toBe(data.counts[0]);
  expect(lines).toEqual([]);
});

it('a thread that does not end in time is logged and left to end by itself', async () => {
  const data = sleeper({ sleepMs: 400 });
  const { log, lines } = keptLog();
  const thread = new Worker(SLEEPER, { workerData: data });
  await once(thread, 'message');
  const exited = once(thread, 'exit');
  await endThread(thread, { stop: data.stop, log, name: 'sleeper', ask: wake(thread), withinMs: 20 });
  expect(data.counts[1]).toBe(0);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 50, thread: 'sleeper' }]);
  expect(await exited).toEqual([0]);
  expect(data.counts[1]).toBe(1);
});

it('the end of a thread that has ended is not waited for', async () => {
  const data = sleeper();
  const thread = new Worker(SLEEPER, { workerData: data });
  const ending = { stop: data.stop, log: silentLog, name: 'sleeper', ask: wake(thread) };
  await once(thread, 'message');
  await endThread(thread, ending);
  expect(thread.threadId).toBe(-1);
  await expect(endThread(thread, { ...ending, withinMs: 60_000 })).resolves.toBeUndefined();
});

it('a host thread is terminated between the native calls of the threads below it', async () => {
  const data = sleeper({ isHost: true });
  const { log, lines } = keptLog();
  const host = new HostThread(SLEEPER, { workerData: data }, log);
  await once(host, 'message');
  await host.terminate();
  expect(data.counts[0]).toBeGreaterThan(0);
  expect(data.counts[1]).toBe(data.counts[0]);
  expect(lines).toEqual([]);
});
