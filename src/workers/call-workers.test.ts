import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../shared/log.ts';
import type { CallMediaEvents } from './call-media.ts';
import { CallWorkers } from './call-workers.ts';
import type { FromWorker, ToWorker } from './protocol.ts';
import type { WorkerThread } from './worker-slot.ts';

/** A worker thread that answers, until it hangs. */
class FakeThread extends EventEmitter {
  hangs = false;
  isTerminated = false;

  constructor() {
    super();
    const engines = { vad: 'v', stt: 's', tts: 't', llm: 'l' };
    queueMicrotask(() => this.say({ type: 'ready', engines, freePairs: 10 }));
  }
  say(message: FromWorker): void {
    this.emit('message', message);
  }
  postMessage(message: ToWorker): void {
    if (this.hangs) return;
    if (message.type === 'ping') this.say({ type: 'pong' });
    if (message.type === 'stop') this.emit('exit', 0);
    if (message.type === 'allocate') {
      const { requestId } = message;
      queueMicrotask(() => this.say({ type: 'allocated', requestId, port: 4000, freePairs: 9 }));
    }
  }
  terminate(): Promise<number> {
    this.isTerminated = true;
    return Promise.resolve(1);
  }
}

const threads: FakeThread[] = [];
let workers: CallWorkers;
let lost: string[];
const eventsOf = (callId: string): CallMediaEvents =>
  ({
    onLost: () => lost.push(callId),
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
    spawn: () => {
      threads.push(new FakeThread());
      return threads.at(-1) as unknown as WorkerThread;
    },
    data: { rtpPorts: null } as never,
  });
  await workers.start();
});
afterEach(() => void vi.useRealTimers());

describe('a call worker that hangs', () => {
  it('is replaced within 3 s and its calls are lost, once', async () => {
    await workers.allocate('one', eventsOf('one'));
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
    const media = await workers.allocate('one', eventsOf('one'));
    threads[0]!.hangs = true;
    const pending = workers.allocate('two', eventsOf('two')).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await pending).toContain('the call worker ended');
    await expect(media.openBridge('')).rejects.toThrow('ended');
  });

  it('is ignored when it reports on a call that has begun again elsewhere', async () => {
    await workers.allocate('one', eventsOf('one'));
    threads[0]!.hangs = true;
    await vi.advanceTimersByTimeAsync(4_000);
    await workers.allocate('one', eventsOf('one, again'));
    threads[0]!.say({ type: 'hangup', callId: 'one', reason: 'FAILED' });
    expect(lost).toEqual(['one']);
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
    spawn: () => {
      const thread = new EventEmitter();
      queueMicrotask(() => thread.emit('exit', 1));
      return thread as unknown as WorkerThread;
    },
    data: { rtpPorts: null } as never,
  });
  await expect(pool.start()).rejects.toThrow('a call worker ended at its start');
});
