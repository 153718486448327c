import type { ReplayedLog } from '../domain/calls/replay.ts';
import { detect } from '../rehearsal/detect/detect.ts';
import { storyOf, type Story } from '../rehearsal/detect/story.ts';
import { scenarioOf, type ScenarioFacts } from '../rehearsal/scenario/from-story.ts';
import type { NewFinding } from '../store/quality/checks.ts';
import {
  type Difference,
  TimeLine,
  type TimeLineEntry,
  differenceOf,
  readLog,
  replay,
} from '@callwright/turns';

/** Runs a written event log through the conversation core. May occupy the thread for seconds. */
export function replayLog(text: string): ReplayedLog {
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
  }
  return { events, cutMs: log.cutMs, difference, timeLine };
}

/** Runs the detectors over a written event log. May occupy the thread for seconds. */
export function foundIn(text: string): NewFinding[] {
  return detect(storyIn(text)).map(({ detector, at, detail }) => ({ detector, atMs: at, detail }));
}

/** Makes a scenario of a written event log. May occupy the thread for seconds. */
export const scenarioIn = (text: string, facts: ScenarioFacts): object => scenarioOf(storyIn(text), facts);

function storyIn(text: string): Story {
  const { settings, entries } = readLog(text);
  return storyOf(
    settings,
    entries.map(({ event }) => event),
  );
}
