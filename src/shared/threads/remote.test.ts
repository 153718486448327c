import { MessageChannel } from 'node:worker_threads';
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  nat,
  oneof,
  record,
  type Arbitrary,
} from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InnerThread } from '../../../test/rigs/threads/inner-thread.ts';
import { Kind } from './messages.ts';
import { moved, type Moved } from './moved.ts';
import { link, type Link } from './remote.ts';
import { NoAnswer, RemoteError } from './remote-error.ts';
import { Thread, ThreadEnded } from './thread.ts';

interface Api {
  add(a: number, b: number): Promise<number>;
  take(samples: Moved<Int16Array<ArrayBuffer>>): Promise<number>;
  fails(): Promise<void>;
  slow(id: number): Promise<number>;
  note(text: string): void;
  stop(): void;
}
interface PartApi {
  name(): Promise<string>;
}
interface Events {
  said(text: string): void;
}

let thread: InnerThread;
let outer: Thread<Api, PartApi, Events>;
let inner: Link<Events, never, Api, PartApi>;
let notes: string[];
let said: string[];
const open = new Map<number, { answer(): void; signal: AbortSignal | undefined }>();

beforeEach(() => {
  thread = new InnerThread();
  notes = [];
  said = [];
  open.clear();
  inner = link(thread.inside);
  inner.serve({
    api: {
      add: (a, b) => a + b,
      take: (samples) => samples.length,
      fails: () => {
        throw Object.assign(new TypeError('it is broken'), { code: 'BROKEN' });
      },
      slow: (id, signal) => new Promise((resolve) => open.set(id, { answer: () => resolve(id), signal })),
      note: (text) => void notes.push(text),
      stop: () => void thread.emit('exit', 0),
    },
    part: (name) => (name === 'gone' ? undefined : { name: () => name }),
  });
  outer = new Thread<Api, PartApi, Events>(thread.worker, {
    name: 'test thread',
    ending: { by: 'request', withinMs: 1_000 },
    served: { api: { said: (text) => void said.push(text) } },
    pulse: { pingMs: 100, limit: 3 },
  });
});
afterEach(() => void vi.useRealTimers());
const settled = async (): Promise<void> => {
  for (let n = 0; n < 10; n++) await Promise.resolve();
};

describe('a remote interface', () => {
  it('answers calls, keeps the order of messages without an answer, and sends events back', async () => {
    outer.remote.send.note('one');
    outer.remote.send.note('two');
    inner.remote.send.said('three');
    expect(await outer.remote.call.add(2, 3)).toBe(5);
    expect([notes, said]).toEqual([['one', 'two'], ['three']]);
  });

  it('reaches parts by name and rejects calls to a part that is gone', async () => {
    expect(await outer.remote.of('one').call.name()).toBe('one');
    await expect(outer.remote.of('gone').call.name()).rejects.toThrow('gone is gone');
  });

  it('moves a marked argument, so that the sender has it no more', async () => {
    const samples = new Int16Array(80);
    expect(await outer.remote.call.take(moved(samples))).toBe(80);
    expect(samples).toHaveLength(0);
  });

  it('moves ports, which carry an interface of their own', async () => {
    const { port1, port2 } = new MessageChannel();
    const far = link<object, never, PartApi>(port1);
    far.serve({ api: { name: () => 'far' } });
    const near = link<PartApi>(port2);
    near.serve({ api: {} });
    expect(await near.remote.call.name()).toBe('far');
    port1.close();
  });

  it('rejects with the name, message and code of an error', async () => {
    const error = await outer.remote.call.fails().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({ name: 'TypeError', message: 'it is broken', code: 'BROKEN' });
  });

  it('rejects a call whose argument cannot be copied, and no other', async () => {
    const add = outer.remote.call.add as (a: unknown, b: number) => Promise<number>;
    await expect(add(() => undefined, 1)).rejects.toThrow('could not be cloned');
    expect(await outer.remote.call.add(1, 1)).toBe(2);
  });
});

describe('the limits of a call', () => {
  it('reject it in time and abort it in the other thread', async () => {
    vi.useFakeTimers();
    const call = outer.remote
      .calls({ withinMs: 50 })
      .slow(1)
      .catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(60);
    expect(await call).toBeInstanceOf(NoAnswer);
    expect(open.get(1)?.signal?.aborted).toBe(true);
    open.get(1)?.answer();
    await settled();
  });

  it('reject it with the reason of the signal, also if that was aborted before', async () => {
    const controller = new AbortController();
    const calls = outer.remote.calls({ signal: controller.signal });
    const call = calls.slow(1).catch((reason: unknown) => reason);
    await settled();
    controller.abort(new Error('not wanted'));
    expect(await call).toEqual(new Error('not wanted'));
    await settled();
    expect(open.get(1)?.signal?.aborted).toBe(true);
    await expect(calls.slow(2)).rejects.toThrow('not wanted');
    await settled();
    expect(open.has(2)).toBe(false);
  });
});

describe('a thread that ends', () => {
  it('rejects its open calls and all later ones with the reason', async () => {
    const call = outer.remote.call.slow(1).catch((reason: unknown) => reason);
    thread.emit('error', new Error('out of memory'));
    expect(await call).toBeInstanceOf(ThreadEnded);
    await expect(outer.remote.call.add(1, 1)).rejects.toThrow('the test thread ended: out of memory');
  });

  it('reports its end once, after its calls were rejected', async () => {
    const seen: string[] = [];
    outer.remote.call.slow(1).catch(() => seen.push('call'));
    outer.onEnd(({ kind }) => queueMicrotask(() => seen.push(kind)));
    thread.emit('exit', 1);
    thread.emit('exit', 1);
    await settled();
    expect(seen).toEqual(['call', 'exited']);
  });

  it('counts as hung after the unanswered pings, and is terminated', async () => {
    vi.useFakeTimers();
    outer.watch();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(outer.ended).toBeNull();
    thread.hangs = true;
    const call = outer.remote.call.add(1, 1).catch((reason: unknown) => reason);
    await vi.advanceTimersByTimeAsync(500);
    expect(await call).toMatchObject({ kind: 'hung' });
    expect(thread.isTerminated).toBe(true);
  });

  it('is asked to, and terminated if it does not exit in time', async () => {
    await outer.remote.call.add(1, 1);
    vi.useFakeTimers();
    thread.hangs = true;
    const stopped = outer.stop();
    await vi.advanceTimersByTimeAsync(999);
    expect(thread.isTerminated).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    await stopped;
    expect([thread.isTerminated, outer.ended?.kind]).toEqual([true, 'exited']);
  });

  describe('while it loads its modules', () => {
    let loading: InnerThread;
    let owner: Thread<object>;
    beforeEach(() => {
      vi.useFakeTimers();
      loading = new InnerThread();
      owner = new Thread(loading.worker, {
        name: 'loading thread',
        ending: { by: 'terminate' },
        served: { api: {} },
      });
    });

    it('is terminated only when it has loaded them', async () => {
      const stopped = owner.stop();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(loading.isTerminated).toBe(false);
      // As Node.js does it: the messages that came before wait for their reader.
      link<object>(loading.inside).serve({ api: {} });
      loading.postMessage([Kind.ping]);
      await stopped;
      expect(loading.isTerminated).toBe(true);
    });

    it('is lost at once for its callers when it is discarded', async () => {
      owner.discard();
      expect(owner.ended?.kind).toBe('discarded');
      link<object>(loading.inside).serve({ api: {} });
      loading.postMessage([Kind.ping]);
      await vi.advanceTimersByTimeAsync(0);
      expect(loading.isTerminated).toBe(true);
    });

    it('is terminated after 30 s when it hangs in them', async () => {
      const stopped = owner.stop();
      await vi.advanceTimersByTimeAsync(29_999);
      expect(loading.isTerminated).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      await stopped;
      expect(loading.isTerminated).toBe(true);
    });

    it('ends by itself when a module fails', async () => {
      const stopped = owner.stop();
      loading.emit('error', new Error('a module is missing'));
      loading.emit('exit', 1);
      await stopped;
      expect(owner.ended?.kind).toBe('failed');
    });
  });
});

/** One step of a random run; `of` names a call by its number. */
type Step =
  | { readonly do: 'call' | 'abortable' }
  | { readonly do: 'answer' | 'abort'; readonly of: number }
  | { readonly do: 'deliver' | 'die' };
const step: Arbitrary<Step> = oneof(
  { weight: 6, arbitrary: record({ do: constantFrom('call' as const, 'abortable' as const) }) },
  {
    weight: 6,
    arbitrary: record({ do: constantFrom('answer' as const, 'abort' as const), of: nat(20) }),
  },
  { weight: 4, arbitrary: constant({ do: 'deliver' } as const) },
  { weight: 1, arbitrary: constant({ do: 'die' } as const) },
);

it('settles every call exactly once in any order of calls, answers, aborts and deaths', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 60 }), async (steps) => {
      const own = new InnerThread();
      const answers = new Map<number, () => void>();
      const slow = (id: number): Promise<number> =>
        new Promise((resolve) => answers.set(id, () => resolve(id)));
      link<object, never, Pick<Api, 'slow'>>(own.inside).serve({ api: { slow } });
      const owner = new Thread<Pick<Api, 'slow'>>(own.worker, {
        name: 'thread',
        ending: { by: 'terminate' },
        served: { api: {} },
      });
      const aborts = new Map<number, AbortController>();
      const settlements: { id: number; value: unknown }[] = [];
      let calls = 0;
      let isDead = false;
      const afterDeath = new Set<number>();
      const begin = (isAbortable: boolean): void => {
        const id = calls;
        calls += 1;
        const controller = new AbortController();
        if (isAbortable) aborts.set(id, controller);
        const call = isAbortable ? owner.remote.calls({ signal: controller.signal }) : owner.remote.call;
        if (isDead) afterDeath.add(id);
        call.slow(id).then(
          (value) => settlements.push({ id, value }),
          (error: unknown) => settlements.push({ id, value: error }),
        );
      };
      for (const each of steps) {
        if (each.do === 'call' || each.do === 'abortable') begin(each.do === 'abortable');
        else if (each.do === 'answer') answers.get(each.of)?.();
        else if (each.do === 'abort') aborts.get(each.of)?.abort();
        else if (each.do === 'deliver') await settled();
        else {
          isDead = true;
          own.emit('exit', 1);
        }
      }
      await settled();
      if (!isDead) own.emit('exit', 1);
      await settled();
      expect(settlements.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: calls }, (_, id) => id),
      );
      const wrong = settlements.filter(({ id, value }) =>
        afterDeath.has(id) ? !(value instanceof ThreadEnded) : value !== id && !(value instanceof Error),
      );
      expect(wrong).toEqual([]);
    }),
  );
});
