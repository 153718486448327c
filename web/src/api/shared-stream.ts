import { ApiFailure } from './client.ts';
import { untilConnected } from './connection.ts';
import { readEvents } from './server-events.ts';

const RECONNECT_MS = 1_000;

/** A stream of events that begins with what is so far, such as that of a call. */
interface StreamSource {
  /** Windows with the same name share one stream. */
  readonly name: string;
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** The events that a window which joins later needs, in order; default: all. */
  readonly keep?: (events: readonly unknown[]) => readonly unknown[];
  /** The service ends the stream once its subject is over; else it is opened again. */
  readonly ends: boolean;
}
interface StreamListener {
  /** The stream begins, or begins again: what was heard before comes anew. */
  readonly begin: () => void;
  readonly events: (events: readonly unknown[]) => void;
  readonly end?: () => void;
  /** The service refuses the stream. */
  readonly refused?: (failure: ApiFailure) => void;
}

/** What windows tell each other: a window that joins asks, and the one that reads the stream answers and passes events on. */
type News =
  | { readonly kind: 'join'; readonly window: string }
  | { readonly kind: 'so far'; readonly window: string; readonly events: readonly unknown[] }
  | { readonly kind: 'begin' | 'end' }
  | { readonly kind: 'events'; readonly events: readonly unknown[] };

/** The parts of the browser by which windows share; null: it lacks them, so that each window has a stream of its own. */
export interface Sharing {
  readonly locks: Pick<LockManager, 'request'>;
  readonly channel: (name: string) => BroadcastChannel;
}
// Without TLS browsers have locks on localhost only.
const ofBrowser = (): Sharing | null =>
  'locks' in navigator && 'BroadcastChannel' in globalThis
    ? { locks: navigator.locks, channel: (name) => new BroadcastChannel(name) }
    : null;

/**
 * Follows a stream that the windows of a browser share, since a browser opens six connections to a host: the window that
 * holds the lock reads the stream and tells the others; when it closes, the next one opens the stream. Returns a function
 * that stops following.
 */
export function followShared(
  { name, open, keep, ends }: StreamSource,
  on: StreamListener,
  sharing: Sharing | null = ofBrowser(),
): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  const key = `stream ${name}`;
  const window = crypto.randomUUID();
  const channel = sharing?.channel(key) ?? null;
  const tell = (news: News): void => channel?.postMessage(news);
  /** The events so far of the stream that this window reads; null: another window reads it. */
  let soFar: readonly unknown[] | null = null;
  let hasBegun = false;
  const begin = (events: readonly unknown[]): void => {
    hasBegun = true;
    on.begin();
    if (events.length > 0) on.events(events);
  };
  const stop = (): void => {
    leave.abort();
    channel?.close();
  };
  const hear = (news: News): void => {
    if (news.kind === 'join') {
      if (soFar !== null) tell({ kind: 'so far', window: news.window, events: soFar });
    } else if (news.kind === 'begin') begin([]);
    else if (news.kind === 'so far') {
      if (news.window === window && !hasBegun) begin(news.events);
    } else if (news.kind === 'events') {
      if (hasBegun) on.events(news.events);
    } else {
      on.end?.();
      stop();
    }
  };
  channel?.addEventListener('message', ({ data }: MessageEvent<News>) => hear(data));
  tell({ kind: 'join', window });
  const read = async (): Promise<void> => {
    const response = await open(signal);
    soFar = [];
    tell({ kind: 'begin' });
    begin([]);
    await readEvents(response, (received) => {
      const events = received.map(({ data }) => data);
      const all = [...(soFar ?? []), ...events];
      soFar = keep === undefined ? all : keep(all);
      tell({ kind: 'events', events });
      on.events(events);
    });
  };
  const lead = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await untilConnected(signal);
        await read();
        if (signal.aborted) return;
        if (ends) {
          tell({ kind: 'end' });
          on.end?.();
          return stop();
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ApiFailure && error.status > 0 && error.status !== 401 && ends)
          return on.refused?.(error);
      }
      soFar = null;
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
    }
  };
  const following = sharing === null ? lead() : sharing.locks.request(key, { signal }, lead);
  following.catch(() => undefined);
  return stop;
}

/** Keeps the last `most` events of each call and type, of notices of each code, and none of calls that have ended. */
export function lastOfEach(events: readonly unknown[], most: number): readonly unknown[] {
  const counts = new Map<string, number>();
  const ended = new Set<unknown>();
  const kept = events.toReversed().filter((event) => {
    const { call_id: call, type, code } = event as Readonly<Record<string, unknown>>;
    if (type === 'ended') ended.add(call);
    const key = `${String(call)} ${String(type)} ${String(code)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return !ended.has(call) && count <= most;
  });
  return kept.toReversed();
}
