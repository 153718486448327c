import { parentPort } from 'node:worker_threads';
import type { ReplayedLog } from '../domain/calls/replay.ts';
import { setThreadPriority } from '../shared/thread-priority.ts';
import { link } from '../shared/threads/remote.ts';
import type { NewFinding } from '../store/quality/checks.ts';
import { foundIn, replayLog } from './replay-log.ts';

setThreadPriority('bulk');
/** A thread that replays calls. */
export interface ReplayApi {
  replay(log: string): Promise<ReplayedLog>;
  /** What the detectors find. */
  detect(log: string): Promise<readonly NewFinding[]>;
}

const api: ReplayApi = { replay: async (log) => replayLog(log), detect: async (log) => foundIn(log) };
if (parentPort !== null) link<object, never, ReplayApi>(parentPort).serve({ api });
