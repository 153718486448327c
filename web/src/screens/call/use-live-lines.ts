import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type ApiFailure, call, type OperationName } from '../../api/client.ts';
import { followShared } from '../../api/shared-stream.ts';
import { guestsBy, heldBy, liveLine, openWords, takenBy, type LiveLine } from './live-events.ts';

/** A stream that takes longer to begin probably waits for one of the browser's connections. */
const SLOW_MS = 4_000;
const SHOWS_STATE: ReadonlySet<unknown> = new Set<OperationName>(['getCall', 'listCalls']);

/** Follows the stream of the call, which begins with what was said so far; the windows of the browser share it. */
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
  /** The person hears music, because we put them on hold. */
  isOnHold: boolean;
} {
  const [lines, setLines] = useState<readonly LiveLine[]>([]);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isEnded, setIsEnded] = useState(false);
  const [isSlow, setIsSlow] = useState(false);
  const [isTaken, setIsTaken] = useState(false);
  const [hasGuest, setHasGuest] = useState(false);
  const [isOnHold, setIsOnHold] = useState(false);
  const [open, setOpen] = useState<LiveLine | null>(null);
  const client = useQueryClient();
  useEffect(() => {
    // The state of the call changes with the events, not with the next reading of the page.
    const readState = (): void =>
      void client.invalidateQueries({ predicate: ({ queryKey }) => SHOWS_STATE.has(queryKey[1]) });
    let said: readonly LiveLine[] = [];
    let guests = 0;
    const slow = setTimeout(() => setIsSlow(true), SLOW_MS);
    const isThere = (): void => {
      clearTimeout(slow);
      setIsSlow(false);
    };
    const stop = followShared(
      {
        name: `call ${callId}`,
        open: (signal) => call('watchCall', { call_id: callId }, signal),
        ends: true,
      },
      {
        begin: () => {
          isThere();
          setError(null);
          said = [];
          guests = 0;
        },
        events: (events) => {
          said = [...said, ...events.flatMap((event) => liveLine(event) ?? [])];
          setLines(said);
          const words = events.map(openWords).findLast((line) => line !== undefined);
          if (words !== undefined) setOpen(words);
          const taken = events.map(takenBy).findLast((isTaken) => isTaken !== null);
          if (taken !== undefined && taken !== null) setIsTaken(taken);
          const held = events.map(heldBy).findLast((isHeld) => isHeld !== null);
          if (held !== undefined && held !== null) setIsOnHold(held);
          guests = events.reduce<number>((sum, event) => sum + guestsBy(event), guests);
          setHasGuest(guests > 0);
          if (events.some((event) => (event as { type?: unknown }).type === 'status')) readState();
        },
        end: () => {
          isThere();
          setIsEnded(true);
          readState();
        },
        refused: (failure) => {
          isThere();
          setError(failure);
        },
      },
    );
    return () => {
      stop();
      clearTimeout(slow);
    };
  }, [callId, client]);
  return { lines, open: isEnded ? null : open, error, isEnded, isSlow, isTaken, hasGuest, isOnHold };
}
