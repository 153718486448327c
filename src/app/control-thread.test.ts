import type { MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveCalls } from '../dialer/live-calls.ts';
import { InnerThread } from '../../test/rigs/threads/inner-thread.ts';
import { silentLog } from '../shared/log.ts';
import type { Port } from '../shared/threads/messages.ts';
import { link } from '../shared/threads/remote.ts';
import { noCalls } from './call-link.ts';
import type { ControlSetup } from './control-plane.ts';
import type { CallsApi, ControlApi, Started } from './control-api.ts';
import { ControlThread } from './control-thread.ts';
import { RemoteCalls } from './remote-calls.ts';
import { StartFailure } from './start-failure.ts';

/** A control thread on the test's own thread; messages are copied as between threads. */
class FakeThread extends InnerThread {
  readonly calls: RemoteCalls;
  readonly received: unknown[] = [];
  /** What it answers to `start`. */
  starts: Started = { port: 8080 };

  constructor() {
    super();
    const ends = link<CallsApi, never, ControlApi>(this.inside);
    this.calls = new RemoteCalls(ends.remote);
    const kept = <T>(name: string, args: unknown, answer: T): T => {
      this.received.push({ type: name, args });
      return answer;
    };
    ends.serve({
      api: {
        start: (setup, ...args) => kept('start', [setup, ...args], this.starts),
        stopPart: (part) => kept('stop', [part], undefined),
        callSettled: () => kept('settled', [], undefined),
        watched: (watchId, event) => {
          kept('event', [watchId, event], undefined);
          this.calls.watched(watchId, event);
        },
      },
    });
  }
}

const SETUP = {
  config: { port: 0, logLevel: 'silent' },
  databaseUrl: 'of the test',
} as unknown as ControlSetup;
let live: LiveCalls;
let threads: FakeThread[];
let woken = 0;
let control: ControlThread;
const tick = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

beforeEach(async () => {
  vi.useFakeTimers();
  live = new LiveCalls();
  threads = [];
  woken = 0;
  const connectSpeech = (port: MessagePort): void => port.close();
  const report = await noCalls({ isDraining: () => false, connectSpeech }).report();
  control = new ControlThread({
    log: silentLog,
    isLogPretty: false,
    calls: {
      wake: () => (woken += 1),
      hangup: (workspaceId, callId) => live.hangup(workspaceId, callId),
      control: (workspaceId, callId, order) => live.control(workspaceId, callId, order),
      watch: (...args) => live.watch(...args),
      watchAll: (...args) => live.watchAll(...args),
      web: {
        open: () => Promise.resolve({ refuse: 503, reason: 'none here' }),
        connect: () => undefined,
        openListener: () => Promise.resolve({ refuse: 503, reason: 'none here' }),
        listen: () => undefined,
        carrierStatus: () => undefined,
      },
      report: () => ({ ...report, liveCalls: live.size }),
      checkTrunk: (name) => name === 'carrier',
      connectSpeech,
    },
    spawn: () => {
      threads.push(new FakeThread());
      return threads.at(-1)!.worker;
    },
  });
});
afterEach(() => void vi.useRealTimers());

const UNTOUCHED = {
  hangup: () => undefined,
  cut: () => undefined,
  control: () => false,
  listen: () => false,
  unlisten: () => undefined,
};

describe('the calls, from the control thread', () => {
  it('are hung up, counted and woken', async () => {
    await control.start(SETUP);
    const { calls } = threads[0]!;
    const hungUp: string[] = [];
    const ordered: string[] = [];
    live.add('mine', 'call', {
      hangup: () => void hungUp.push('call'),
      cut: () => undefined,
      control: ({ by }) => {
        ordered.push(by);
        return true;
      },
      listen: () => false,
      unlisten: () => undefined,
    });
    expect(await calls.hangup('mine', 'call')).toBe(true);
    expect(await calls.hangup('other', 'call')).toBe(false);
    expect(hungUp).toEqual(['call']);
    const order = { operation: 'take_over', by: 'sam' } as const;
    expect(await calls.control('mine', 'call', order)).toBe(true);
    expect(await calls.control('other', 'call', order)).toBe(false);
    expect(ordered).toEqual(['sam']);
    expect((await calls.report()).liveCalls).toBe(1);
    expect([await calls.checkTrunk('carrier'), await calls.checkTrunk('other')]).toEqual([true, false]);
    calls.wake();
    await tick();
    expect(woken).toBe(1);
  });

  it('are watched with their past and up to their end, and not after a stop', async () => {
    await control.start(SETUP);
    const { calls } = threads[0]!;
    const ended = { type: 'ended', status: 'completed', subStatus: 'AGENT_ENDED', at: 2 } as const;
    const status = { type: 'status', status: 'ongoing', subStatus: 'RINGING', at: 1 } as const;
    live.add('mine', 'call', UNTOUCHED);
    live.publish('call', status);
    const seen: object[] = [];
    const left: object[] = [];
    expect(await calls.watch('mine', 'unknown', () => undefined)).toBeNull();
    expect(await calls.watch('mine', 'call', (event) => seen.push(event))).not.toBeNull();
    const sent = [status, ended].map((event, i) => ({
      ...event,
      id: expect.stringMatching(new RegExp(`^[\\w-]+\\.${i + 1}$`)),
    }));
    expect(seen).toEqual(sent.slice(0, 1));
    const stop = await calls.watch('mine', 'call', (event) => left.push(event));
    stop?.();
    await tick();
    live.remove('call', ended);
    await tick();
    expect(seen).toEqual(sent);
    expect(left).toEqual(sent.slice(0, 1));
  });

  it('count as not here while their thread does not respond', async () => {
    const sent: unknown[] = [];
    const port: Port = { postMessage: (message) => sent.push(message), on: () => undefined };
    const calls = new RemoteCalls(link<CallsApi>(port).remote);
    const hangup = calls.hangup('mine', 'call');
    const watch = calls.watch('mine', 'call', () => undefined);
    const report = calls.report().catch((error: unknown) => String(error));
    await tick(2_000);
    expect([await hangup, await watch]).toEqual([false, null]);
    expect(await report).toContain('does not respond');
    expect(sent.flat()).toContain('unwatch');
  });
});

describe('a control thread', () => {
  it('that dies is started again on its port, and its watchers are forgotten', async () => {
    expect(await control.start(SETUP)).toBe(8080);
    live.add('mine', 'call', UNTOUCHED);
    await threads[0]!.calls.watch('mine', 'call', () => undefined);
    threads[0]!.emit('exit', 1);
    await tick(500);
    expect(threads).toHaveLength(2);
    expect(threads[1]!.received[0]).toMatchObject({
      type: 'start',
      args: [{ config: { port: 8080 } }, false],
    });
    const before = threads[1]!.received.length;
    live.publish('call', { type: 'interrupted', at: 1, stopMs: 1 });
    expect(threads[1]!.received).toHaveLength(before);
  });

  it('that keeps dying is started ever more rarely, but again and again', async () => {
    await control.start(SETUP);
    const startsWithin = async (ms: number): Promise<number> => {
      const before = threads.length;
      for (let at = 0; at < ms; at += 100) {
        if (threads.at(-1)!.listenerCount('exit') > 0) threads.at(-1)!.emit('exit', 1);
        await tick(100);
      }
      return threads.length - before;
    };
    expect(await startsWithin(4_000)).toBe(3);
    await startsWithin(16_000);
    expect(await startsWithin(300_000)).toBe(10);
  });

  it('that hangs for half a minute is replaced, one that answers is not', async () => {
    await control.start(SETUP);
    await tick(120_000);
    expect(threads).toHaveLength(1);
    threads[0]!.hangs = true;
    await tick(29_000);
    expect(threads).toHaveLength(1);
    await tick(4_000);
    expect(threads[0]!.isTerminated).toBe(true);
    expect(threads).toHaveLength(2);
  });

  it('that cannot start says why, and is not started again', async () => {
    threads[0]!.starts = { fault: 'PORT 80 on 0.0.0.0 is in use', isSetting: true };
    await expect(control.start(SETUP)).rejects.toThrow(StartFailure);
    await control.stop('database');
    await tick(60_000);
    expect(threads).toHaveLength(1);
  });

  it('that ends while it loads fails the start', async () => {
    threads[0]!.emit('exit', 1);
    await expect(control.start(SETUP)).rejects.toThrow('ended at its start');
  });

  it('stops part by part, and at once when it has ended', async () => {
    await control.start(SETUP);
    await control.stop('http');
    expect(threads[0]!.received.at(-1)).toEqual({ type: 'stop', args: ['http'] });
    const work = control.stop('work');
    threads[0]!.emit('exit', 1);
    await work;
    await control.stop('database');
    await tick(60_000);
    expect(threads).toHaveLength(1);
  });

  it('that was never started has nothing to stop', async () => {
    await control.stop('http');
    await control.stop('work');
    await control.stop('database');
    expect([threads[0]!.isTerminated, threads[0]!.received]).toEqual([true, []]);
  });
});
