import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure, call, type OperationName } from '../../api/client.ts';
import { untilConnected } from '../../api/connection.ts';
import { readEvents } from '../../api/server-events.ts';
import { guestsBy, liveLine, openWords, takenBy, type LiveLine } from './live-events.ts';

const RECONNECT_MS = 1_000;
/** A stream that takes longer to begin probably waits for one of the browser's connections. */
const SLOW_MS = 4_000;
const SHOWS_STATE: ReadonlySet<unknown> = new Set<OperationName>(['getCall', 'listCalls']);

/** Reads the stream, which begins with what was said so far, and connects again when it breaks. */
export function useLiveLines(callId: string): {
  lines: readonly LiveLine[];
  /** The words of a line that is not over. */
  open: LiveLine | null;
  error: ApiFailure | null;
  isEnded: boolean;
  /** The stream does not begin. */
  isSlow: boolean;
  /** A person talks in the assistant's place. */
  isTaken: boolean;
  /** Somebody has been invited to the call, or has joined it. */
  hasGuest: boolean;
} {
  const [lines, setLines] = useState<readonly LiveLine[]>([]);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isEnded, setIsEnded] = useState(false);
  const [isSlow, setIsSlow] = useState(false);
  const [isTaken, setIsTaken] = useState(false);
  const [hasGuest, setHasGuest] = useState(false);
  const [open, setOpen] = useState<LiveLine | null>(null);
  const client = useQueryClient();
  useEffect(() => {
    const leave = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The state of the call changes with the events, not with the next reading of the page.
    const readState = (): Promise<void> =>
      client.invalidateQueries({ predicate: ({ queryKey }) => SHOWS_STATE.has(queryKey[1]) });
    const connect = async (): Promise<void> => {
      const slow = setTimeout(() => setIsSlow(true), SLOW_MS);
      const begun = (): void => {
        clearTimeout(slow);
        setIsSlow(false);
      };
      try {
        await untilConnected(leave.signal);
        await readStream(callId, leave.signal, {
          begun,
          show: setLines,
          open: setOpen,
          taken: setIsTaken,
          guest: setHasGuest,
          changed: () => void readState(),
        });
        setError(null);
        setIsEnded(true);
        await readState();
      } catch (caught) {
        if (leave.signal.aborted) return;
        if (caught instanceof ApiFailure && caught.status > 0 && caught.status !== 401) setError(caught);
        else timer = setTimeout(() => void connect(), RECONNECT_MS);
      } finally {
        begun();
      }
    };
    void connect();
    return () => {
      leave.abort();
      clearTimeout(timer);
    };
  }, [callId, client]);
  return { lines, open: isEnded ? null : open, error, isEnded, isSlow, isTaken, hasGuest };
}

async function readStream(
  callId: string,
  signal: AbortSignal,
  on: {
    begun: () => void;
    show: (lines: readonly LiveLine[]) => void;
    open: (line: LiveLine | null) => void;
    taken: (isTaken: boolean) => void;
    guest: (hasGuest: boolean) => void;
    changed: () => void;
  },
): Promise<void> {
  const response = await call('watchCall', { call_id: callId }, signal);
  on.begun();
  let lines: readonly LiveLine[] = [];
  let open: LiveLine | null = null;
  let guests = 0;
  await readEvents(response, (events) => {
    lines = [...lines, ...events.flatMap(({ data }) => liveLine(data) ?? [])];
    for (const { data } of events) open = openWords(data) === undefined ? open : (openWords(data) ?? null);
    on.show(lines);
    on.open(open);
    const taken = events.map(({ data }) => takenBy(data)).findLast((isTaken) => isTaken !== null);
    for (const { data } of events) guests += guestsBy(data);
    on.guest(guests > 0);
    if (taken !== undefined && taken !== null) on.taken(taken);
    if (events.some(({ data }) => (data as { type?: unknown }).type === 'status')) on.changed();
  });
}
