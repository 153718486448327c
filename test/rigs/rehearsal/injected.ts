import { DETECTORS, type DetectorName } from '../../../src/rehearsal/detect/alarm.ts';
import { detect } from '../../../src/rehearsal/detect/detect.ts';
import type { Story } from '../../../src/rehearsal/detect/story.ts';
import { FAULTS, INNOCENT } from './faults.ts';

/** Alarms of one detector: at its own fault, elsewhere, and those that did not come. */
export interface Count {
  right: number;
  wrong: number;
  missed: number;
}

export interface Injected {
  readonly calls: number;
  /** Stories that had a place for the fault. */
  readonly places: Readonly<Record<DetectorName, number>>;
  readonly counts: ReadonlyMap<DetectorName, Readonly<Count>>;
}

export const precisionOf = ({ right, wrong }: Count): number => right / (right + wrong);
export const recallOf = ({ right, missed }: Count): number => right / (right + missed);

/** Stories spread over the whole list, at most `most`. */
function spread<T>(list: readonly T[], most: number): readonly T[] {
  const every = Math.max(1, Math.floor(list.length / most));
  return list.filter((_, at) => at % every === 0).slice(0, most);
}

/** Puts `faulty` faults of each kind into clean stories; the rest of `calls` only looks as if it had one. */
export function judgeInjected(clean: readonly Story[], calls: number, faulty: number): Injected {
  const counts = new Map(DETECTORS.map((name) => [name, { right: 0, wrong: 0, missed: 0 }]));
  const places: Partial<Record<DetectorName, number>> = {};
  let judged = 0;
  const judge = (story: Story, fault: DetectorName | null): void => {
    judged += 1;
    const alarms = new Set(detect(story).map(({ detector }) => detector));
    for (const [name, count] of counts) {
      if (alarms.has(name)) count[name === fault ? 'right' : 'wrong'] += 1;
      else if (name === fault) count.missed += 1;
    }
  };
  for (const [index, fault] of DETECTORS.entries()) {
    const stories = clean.flatMap((story, at) => FAULTS[fault](story, at * DETECTORS.length + index) ?? []);
    places[fault] = stories.length;
    for (const story of spread(stories, faulty)) judge(story, fault);
  }
  const innocent = Object.values(INNOCENT);
  const rest = clean.length === 0 ? 0 : calls - judged;
  for (let at = 0; at < rest; at++) {
    const story = clean[at % clean.length]!;
    judge(innocent[at % innocent.length]!(story, at) ?? story, null);
  }
  return { calls: judged, places: places as Injected['places'], counts };
}
