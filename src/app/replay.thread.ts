import { parentPort } from 'node:worker_threads';
import type { ReplayedLog } from '../domain/calls/replay.ts';
import type { ScenarioFacts } from '../rehearsal/scenario/from-story.ts';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { link } from '../shared/threads/remote.ts';
import type { NewFinding } from '../store/quality/checks.ts';
import { foundIn, replayLog, scenarioIn } from './replay-log.ts';

setThreadPriority('bulk');
/** A thread that replays calls. */
export interface ReplayApi {
  replay(log: string): Promise<ReplayedLog>;
  /** What the detectors find. */
  detect(log: string): Promise<readonly NewFinding[]>;
  scenario(log: string, facts: ScenarioFacts): Promise<object>;
}

const api: ReplayApi = {
  replay: async (log) => replayLog(log),
  detect: async (log) => foundIn(log),
  scenario: async (log, facts) => scenarioIn(log, facts),
};
if (parentPort !== null) link<object, never, ReplayApi>(parentPort).serve({ api });
