import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { untilConnected } from '../../api/connection.ts';
import { readEvents } from '../../api/server-events.ts';
import { withEvents, type Wall } from './wall.ts';

const RECONNECT_MS = 1_000;
/** Twenty pictures a second, however many events come. */
const SHOW_EVERY_MS = 50;
const CHANGES_LIST = new Set<unknown>(['status', 'ended']);

/** Follows every live call by one stream, which connects again when it breaks. */
export function useWall(): Wall {
  const [wall, setWall] = useState<Wall>(() => new Map());
  const client = useQueryClient();
  useEffect(() => {
    const leave = new AbortController();
    const { signal } = leave;
    let waiting: unknown[] = [];
    let showing: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      showing = undefined;
      const events = waiting;
      waiting = [];
      setWall((before) => withEvents(before, events));
      const isOld = events.some((event) => CHANGES_LIST.has((event as { type?: unknown }).type));
      if (isOld) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'listCalls' });
    };
    const connect = async (): Promise<void> => {
      try {
        await untilConnected(signal);
        await readEvents(await call('watchCalls', {}, signal), (events) => {
          waiting.push(...events.map(({ data }) => data));
          showing ??= setTimeout(show, SHOW_EVERY_MS);
        });
      } catch {
        // The list still shows the calls; the words come with the next connection.
      }
      if (!signal.aborted) again = setTimeout(() => void connect(), RECONNECT_MS);
    };
    void connect();
    return () => {
      leave.abort();
      clearTimeout(showing);
      clearTimeout(again);
    };
  }, [client]);
  return wall;
}
