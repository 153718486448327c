import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InnerThread } from '../../test/rigs/threads/inner-thread.ts';
import { silentLog } from '../shared/log.ts';
import { link } from '../shared/threads/remote.ts';
import type { WorkerThread } from '../shared/threads/thread.ts';
import type { MainThread } from './call-host.ts';
import type { CallMediaEvents, HostedCallEvents } from './call-media.ts';
import type { CallWorkerApi, CallWorkerEvents } from './call-worker-api.ts';
import { CallWorkers } from './call-workers.ts';

/** A worker thread that answers, until it hangs. */
class FakeThread extends InnerThread {
  readonly main: MainThread;

  constructor() {
    super();
    const ends = link<CallWorkerEvents, HostedCallEvents, Pick<CallWorkerApi, 'allocate' | 'stop'>>(
      this.inside,
    );
    this.main = ends.remote;
    ends.serve({
      api: {
        allocate: () => ({ port: 4000, freePairs: 9 }),
        stop: () => void this.emit('exit', 0),
      },
    });
    ends.remote.send.ready({ vad: 'v', stt: 's', tts: 't', llm: 'l' }, 10);
  }
}

const RTP = { sampleRate: 8_000 } as const;
const threads: FakeThread[] = [];
let workers: CallWorkers;
let lost: string[];
const eventsOf = (callId: string): CallMediaEvents =>
  ({
    onLost: (why: string) => lost.push(why === 'ended' ? callId : `${callId}: ${why}`),
    onHangup: () => lost.push(`hangup of ${callId}`),
  }) as unknown as CallMediaEvents;

beforeEach(async () => {
  vi.useFakeTimers();
  threads.length = 0;
  lost = [];
  workers = new CallWorkers({
    count: 1,
    maxCallsPerWorker: 10,
    log: silentLog,
    connectSpeech: (port) => port.close(),
    connectEar: (port) => port.close(),
    spawn: () => {
      threads.push(new FakeThread());
      return threads.at(-1)!.worker;
    },
    data: { rtpPorts: null } as never,
  });
  await workers.start();
});
afterEach(() => void vi.useRealTimers());

describe('a call worker that hangs', () => {
  it('is replaced within 3 s and its calls are lost, once', async () => {
    await workers.allocate('one', eventsOf('one'), RTP);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lost).toEqual([]);
    threads[0]!.hangs = true;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(lost).toEqual(['one']);
    expect(threads[0]!.isTerminated).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(threads).toHaveLength(2);
    expect(workers.health()).toMatchObject([{ ready: true, calls: 0 }]);
    threads[0]!.emit('exit', 1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(threads).toHaveLength(2);
    expect(lost).toEqual(['one']);
  });

  it('rejects the requests it has not answered, and a transfer leg on it', async () => {
    const media = await workers.allocate('one', eventsOf('one'), RTP);
    threads[0]!.hangs = true;
    const pending = workers.allocate('two', eventsOf('two'), RTP).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await pending).toContain('the call worker ended');
    await expect(media.openBridge('', null)).rejects.toThrow('ended');
  });

  it('is ignored when it reports on a call that has begun again elsewhere', async () => {
    await workers.allocate('one', eventsOf('one'), RTP);
    threads[0]!.hangs = true;
    await vi.advanceTimersByTimeAsync(4_000);
    await workers.allocate('one', eventsOf('one, again'), RTP);
    threads[0]!.main.of('one').send.onHangup('FAILED');
    await vi.advanceTimersByTimeAsync(0);
    expect(lost).toEqual(['one']);
  });
});

describe('a call worker whose heap is full', () => {
  it('ends with its calls, which learn why, and another takes its place', async () => {
    await workers.allocate('one', eventsOf('one'), RTP);
    await workers.allocate('two', eventsOf('two'), RTP);
    const full = Object.assign(new Error('heap limit'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    threads[0]!.emit('error', full);
    threads[0]!.emit('exit', 1);
    expect(lost).toEqual(['one: memory', 'two: memory']);
    await vi.advanceTimersByTimeAsync(500);
    await workers.allocate('three', eventsOf('three'), RTP);
    expect(workers.health()).toMatchObject([{ ready: true, calls: 1 }]);
  });
});

describe('a call worker that is late with several calls', () => {
  beforeEach(async () => {
    await workers.allocate('one', eventsOf('one'), RTP);
    await workers.allocate('two', eventsOf('two'), RTP);
    threads[0]!.hangs = true;
    await vi.advanceTimersByTimeAsync(3_000);
  });

  it('keeps them, and another worker takes the new ones', async () => {
    expect(lost).toEqual([]);
    expect([threads[0]!.isTerminated, threads.length]).toEqual([false, 2]);
    threads[0]!.hangs = false;
    await vi.advanceTimersByTimeAsync(60_000);
    await workers.allocate('three', eventsOf('three'), RTP);
    expect(workers.health()).toMatchObject([{ ready: true, calls: 1 }]);
    expect([workers.liveCalls(), lost]).toEqual([3, []]);
  });

  it('loses them after 20 s without an answer, and is terminated', async () => {
    await vi.advanceTimersByTimeAsync(16_000);
    expect(lost).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(lost).toEqual(['one', 'two']);
    expect([threads[0]!.isTerminated, workers.liveCalls()]).toEqual([true, 0]);
  });
});

it('a stop does not wait for a worker that died and is not replaced yet', async () => {
  threads[0]!.emit('exit', 1);
  await workers.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(threads).toHaveLength(1);
});

it('a worker that ends before it is ready fails the start', async () => {
  const pool = new CallWorkers({
    count: 1,
    maxCallsPerWorker: 10,
    log: silentLog,
    connectSpeech: (port) => port.close(),
    connectEar: (port) => port.close(),
    spawn: () => {
      const thread = new EventEmitter();
      queueMicrotask(() => thread.emit('exit', 1));
      return thread as unknown as WorkerThread;
    },
    data: { rtpPorts: null } as never,
  });
  await expect(pool.start()).rejects.toThrow('a call worker ended at its start');
});
