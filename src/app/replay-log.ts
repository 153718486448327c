import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReplayLog } from '../domain/calls/replay.ts';
import {
  type Difference,
  TimeLine,
  type TimeLineEntry,
  differenceOf,
  readLog,
  replay,
} from '@callwright/turns';

/** Events that are replayed before the thread turns to other work. */
const SLICE = 500;

export const replayLog: ReplayLog = async (text) => {
  const log = readLog(text);
  const startedAt = log.entries[0]?.event.at ?? 0;
  const line = new TimeLine(startedAt);
  const timeLine: TimeLineEntry[] = [];
  let difference: Difference | null = null;
  let events = 0;
  for (const replayed of replay(log)) {
    difference ??= differenceOf(replayed, startedAt);
    timeLine.push(...line.linesOf(replayed));
    events += 1;
    if (events % SLICE === 0) await nextTurn();
  }
  return { events, cutMs: log.cutMs, difference, timeLine };
};
