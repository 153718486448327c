import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { followShared, lastOfEach } from '../../api/shared-stream.ts';
import { useWorkspaceId } from '../../session/workspace.ts';
import { withEvents, type Wall } from './wall.ts';

/** Events of each type that a window which opens later gets of a call. */
const KEPT = 4;
/** Twenty pictures a second, however many events come. */
const SHOW_EVERY_MS = 50;
const CHANGES_LIST = new Set<unknown>(['status', 'ended']);

/** Follows every live call by one stream, which the windows of the browser share. */
export function useWall(): Wall {
  const [wall, setWall] = useState<Wall>(() => new Map());
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  useEffect(() => {
    let waiting: unknown[] = [];
    let showing: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      showing = undefined;
      const events = waiting;
      waiting = [];
      setWall((before) => withEvents(before, events));
      const isOld = events.some((event) => CHANGES_LIST.has((event as { type?: unknown }).type));
      if (isOld) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'listCalls' });
    };
    const stop = followShared(
      {
        name: `calls of ${workspace}`,
        open: (signal) => call('watchCalls', {}, signal),
        keep: (events) => lastOfEach(events, KEPT),
        ends: false,
      },
      {
        // What is on the cards stays until newer events come.
        begin: () => undefined,
        events: (events) => {
          waiting.push(...events);
          showing ??= setTimeout(show, SHOW_EVERY_MS);
        },
      },
    );
    return () => {
      stop();
      clearTimeout(showing);
    };
  }, [client, workspace]);
  return wall;
}
