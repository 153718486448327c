import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Sharing } from './shared-stream.ts';

const noStorage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
vi.stubGlobal('sessionStorage', noStorage);
vi.stubGlobal('localStorage', noStorage);
const { ApiFailure } = await import('./client.ts');
const { followShared, lastOfEach } = await import('./shared-stream.ts');
afterAll(() => vi.unstubAllGlobals());

/** The locks and channels of one browser. */
function browser(): Sharing {
  const channels = new Set<{ name: string; hear: ((event: { data: unknown }) => void)[] }>();
  const queues = new Map<string, Promise<unknown>>();
  const channel = (name: string) => {
    const own = { name, hear: [] as ((event: { data: unknown }) => void)[] };
    channels.add(own);
    return {
      addEventListener: (_: string, hear: (event: { data: unknown }) => void) => own.hear.push(hear),
      postMessage: (data: unknown) => {
        for (const other of channels)
          if (other !== own && other.name === name) for (const hear of other.hear) hear({ data });
      },
      close: () => channels.delete(own),
    };
  };
  const request = (name: string, { signal }: { signal: AbortSignal }, lead: () => Promise<void>) => {
    const turn = (queues.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : lead()));
    queues.set(
      name,
      turn.catch(() => undefined),
    );
    return turn;
  };
  return { locks: { request }, channel } as unknown as Sharing;
}

/** A service whose streams the test fills. */
function service() {
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const open = (signal: AbortSignal): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        streams.push(controller);
        signal.addEventListener('abort', () => controller.error(signal.reason));
      },
    });
    return Promise.resolve(new Response(body));
  };
  const send = (event: unknown): void =>
    streams.at(-1)?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`));
  return { streams, open, send };
}

/** A window that follows, with what it heard since the stream began. */
function openWindow(
  sharing: Sharing | null,
  open: (signal: AbortSignal) => Promise<Response>,
  keep?: (events: readonly unknown[]) => readonly unknown[],
) {
  const heard = { events: [] as unknown[], begun: 0, ended: 0, refused: 0 };
  const stop = followShared(
    { name: 'x', open, ends: true, ...(keep === undefined ? {} : { keep }) },
    {
      begin: () => {
        heard.begun += 1;
        heard.events = [];
      },
      events: (events) => void heard.events.push(...events),
      end: () => void (heard.ended += 1),
      refused: () => void (heard.refused += 1),
    },
    sharing,
  );
  return { heard, stop };
}

describe('the windows of a browser', () => {
  it('read one stream, and one that opens later hears what was before', async () => {
    const sharing = browser();
    const { streams, open, send } = service();
    const first = openWindow(sharing, open);
    const second = openWindow(sharing, open);
    await expect.poll(() => second.heard.begun).toBe(1);
    send(1);
    send(2);
    await expect.poll(() => second.heard.events).toEqual([1, 2]);
    const third = openWindow(sharing, open);
    expect(third.heard.events).toEqual([1, 2]);
    send(3);
    await expect.poll(() => third.heard.events).toEqual([1, 2, 3]);
    expect(first.heard.events).toEqual([1, 2, 3]);
    expect(second.heard.events).toEqual([1, 2, 3]);
    expect(streams).toHaveLength(1);
    for (const window of [third, second, first]) window.stop();
  });

  it('go on with a stream of the next window when the one that reads it closes', async () => {
    const sharing = browser();
    const { streams, open, send } = service();
    const [first, second, third] = [1, 2, 3].map(() => openWindow(sharing, open));
    await expect.poll(() => third?.heard.begun).toBe(1);
    send('before');
    await expect.poll(() => third?.heard.events).toEqual(['before']);
    first?.stop();
    await expect.poll(() => third?.heard.begun).toBe(2);
    send('after');
    await expect.poll(() => third?.heard.events).toEqual(['after']);
    expect(second?.heard.events).toEqual(['after']);
    expect(first?.heard.events).toEqual(['before']);
    expect(streams).toHaveLength(2);
    third?.stop();
    second?.stop();
  });

  it('all end with the stream, and none opens it again', async () => {
    const sharing = browser();
    const { streams, open } = service();
    const windows = [1, 2].map(() => openWindow(sharing, open));
    await expect.poll(() => windows[1]?.heard.begun).toBe(1);
    streams[0]?.close();
    await expect.poll(() => windows.map(({ heard }) => heard.ended)).toEqual([1, 1]);
    expect(streams).toHaveLength(1);
  });

  it('each hear from the service itself why it refuses the stream', async () => {
    const sharing = browser();
    const refuse = (): Promise<Response> => Promise.reject(new ApiFailure(404, { message: 'No such call.' }));
    const windows = [1, 2].map(() => openWindow(sharing, refuse));
    await expect.poll(() => windows.map(({ heard }) => heard.refused)).toEqual([1, 1]);
  });

  it('have a stream each where the browser cannot share', async () => {
    const { streams, open } = service();
    const windows = [1, 2].map(() => openWindow(null, open));
    await expect.poll(() => windows.map(({ heard }) => heard.begun)).toEqual([1, 1]);
    expect(streams).toHaveLength(2);
    for (const { stop } of windows) stop();
  });

  it('keep for later windows what the source says', async () => {
    const sharing = browser();
    const { open, send } = service();
    const first = openWindow(sharing, open, (events) => events.slice(-1));
    await expect.poll(() => first.heard.begun).toBe(1);
    send(1);
    send(2);
    await expect.poll(() => first.heard.events).toEqual([1, 2]);
    const later = openWindow(sharing, open);
    expect(later.heard.events).toEqual([2]);
    later.stop();
    first.stop();
  });
});

describe('the events of many calls', () => {
  it('are kept by call and type, the last ones, in order, and not of ended calls', () => {
    const event = (call: string, type: string, n: number) => ({ call_id: call, type, n });
    const events = [
      event('a', 'line', 1),
      event('a', 'line', 2),
      event('b', 'line', 3),
      event('a', 'words', 4),
      event('a', 'line', 5),
      event('b', 'ended', 6),
    ];
    expect(lastOfEach(events, 2).map((each) => (each as { n: number }).n)).toEqual([2, 4, 5]);
  });

  it('has a notice of a code however many others come', () => {
    const notice = (code: string) => ({ type: 'notice', call_id: 'a', code });
    const events = [notice('ASKED_FOR_PERSON'), ...Array.from({ length: 5 }, () => notice('LLM_FAILED'))];
    expect(lastOfEach(events, 2)).toEqual([
      notice('ASKED_FOR_PERSON'),
      notice('LLM_FAILED'),
      notice('LLM_FAILED'),
    ]);
  });
});
