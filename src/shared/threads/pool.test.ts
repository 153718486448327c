import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InnerThread } from '../../../test/rigs/threads/inner-thread.ts';
import { ThreadPool, type PoolOptions } from './pool.ts';
import { link } from './remote.ts';
import { Thread } from './thread.ts';

interface Api {
  work(id: number): Promise<number>;
}
type Working = Thread<Api>;

let inner: InnerThread[];
let places: number[];
let answers: Map<number, () => void>;

beforeEach(() => {
  vi.useFakeTimers();
  inner = [];
  places = [];
  answers = new Map();
});
afterEach(() => void vi.useRealTimers());

function pool(options: Partial<PoolOptions<Working>>): ThreadPool<Working> {
  return new ThreadPool({
    size: 2,
    start: (place) => {
      const thread = new InnerThread();
      inner.push(thread);
      places.push(place);
      link<object, never, Api>(thread.inside).serve({
        api: { work: (id) => new Promise((resolve) => answers.set(id, () => resolve(id))) },
      });
      return new Thread<Api>(thread.worker, {
        name: 'thread',
        ending: { by: 'terminate' },
        served: { api: {} },
      });
    },
    ...options,
  });
}
const job =
  (id: number) =>
  (thread: Working): Promise<number> =>
    thread.remote.call.work(id);
const tick = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('the jobs of a pool', () => {
  it('start a thread while one is missing, and wait in order when all are busy', async () => {
    const threads = pool({ jobsEach: 1 });
    const done: number[] = [];
    for (const id of [1, 2, 3, 4]) void threads.run(job(id)).then((answer) => done.push(answer));
    await tick();
    expect(inner).toHaveLength(2);
    expect([...answers.keys()]).toEqual([1, 2]);
    answers.get(2)?.();
    await tick();
    expect([...answers.keys()]).toEqual([1, 2, 3]);
    for (const id of [1, 3]) answers.get(id)?.();
    await tick();
    answers.get(4)?.();
    await tick();
    expect(done).toEqual([2, 1, 3, 4]);
    expect(inner).toHaveLength(2);
  });

  it('go to the least busy thread', async () => {
    const threads = pool({});
    const taken: Working[] = [];
    for (let n = 0; n < 4; n++) {
      void threads.run((thread) => {
        taken.push(thread);
        return new Promise(() => undefined);
      });
    }
    expect(taken[0]).not.toBe(taken[1]);
    expect(new Set(taken.slice(2))).toEqual(new Set(taken.slice(0, 2)));
  });

  it('are rejected when their thread dies; the next in line gets another thread', async () => {
    const threads = pool({ size: 1, jobsEach: 1 });
    const lost = threads.run(job(1)).catch((error: unknown) => String(error));
    const next = threads.run(job(2));
    await tick();
    inner[0]!.emit('exit', 1);
    expect(await lost).toContain('the thread ended');
    await tick();
    answers.get(2)?.();
    expect(await next).toBe(2);
    expect(inner).toHaveLength(2);
  });
});

describe('the threads of a pool', () => {
  it('are replaced after waits that grow, and anew after a steady run', async () => {
    const threads = pool({ size: 1, restartMs: [500, 1_000, 2_000], steadyMs: 60_000 });
    threads.fill();
    const restartedAfter = async (): Promise<number> => {
      const before = inner.length;
      inner.at(-1)!.emit('exit', 1);
      let waited = 0;
      for (; inner.length === before; waited += 100) await tick(100);
      return waited;
    };
    expect(await restartedAfter()).toBe(500);
    expect(await restartedAfter()).toBe(1_000);
    expect(await restartedAfter()).toBe(2_000);
    expect(await restartedAfter()).toBe(2_000);
    await tick(61_000);
    expect(await restartedAfter()).toBe(500);
    expect(places).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('are not replaced when their owner does not want it', async () => {
    const threads = pool({ size: 1, restartMs: [500], mayRestart: () => false });
    threads.fill();
    inner[0]!.emit('exit', 1);
    await tick(60_000);
    expect(inner).toHaveLength(1);
  });

  it('end when they have been idle, and start again with the next job', async () => {
    const threads = pool({ size: 1, jobsEach: 1, idleMs: 1_000 });
    const first = threads.run(job(1));
    await tick();
    answers.get(1)?.();
    await first;
    await tick(900);
    expect(inner[0]!.isTerminated).toBe(false);
    await tick(200);
    expect(inner[0]!.isTerminated).toBe(true);
    const second = threads.run(job(2));
    await tick();
    answers.get(2)?.();
    expect(await second).toBe(2);
    expect(inner).toHaveLength(2);
  });

  it('end with the pool, which rejects the jobs in line and all later ones', async () => {
    const threads = pool({ size: 1, jobsEach: 1, restartMs: [500] });
    const failed = (error: unknown): string => String(error);
    const running = threads.run(job(1)).catch(failed);
    const waiting = threads.run(job(2)).catch(failed);
    await threads.close();
    expect(await running).toContain('the thread ended');
    expect(await waiting).toContain('stopping');
    await expect(threads.run(job(3))).rejects.toThrow('stopping');
    await tick(60_000);
    expect(inner).toHaveLength(1);
  });
});
