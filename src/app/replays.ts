import { Worker } from 'node:worker_threads';
import type { ReplayedLog } from '../domain/calls/replay.ts';
import type { NewFinding } from '../store/quality/checks.ts';
import type { ScenarioFacts } from '../rehearsal/scenario/from-story.ts';
import { Shares } from '../shared/shares/shares.ts';
import { ThreadPool } from '../shared/threads/pool.ts';
import { Thread } from '../shared/threads/thread.ts';
import type { ReplayApi } from './replay.thread.ts';

/** An idle thread is kept for the next calls that the same person looks at. */
const IDLE_MS = 30_000;
/** Replays of one workspace that may wait for the thread, and how long. */
const WAITING = { perTenant: 4, ms: 10_000 };

/** Replays calls, and runs the detectors over them, on a thread of their own, one after another and fairly between workspaces, apart from the API. */
export class Replays {
  readonly #shares = new Shares({ places: 1, parts: 1, waiting: WAITING });
  readonly #pool = new ThreadPool({ size: 1, jobsEach: 1, idleMs: IDLE_MS, start: startThread });

  replay(log: string, workspaceId: string): Promise<ReplayedLog> {
    return this.#shares.within(workspaceId, () => this.#pool.run((thread) => thread.remote.call.replay(log)));
  }

  detect(log: string, workspaceId: string): Promise<readonly NewFinding[]> {
    return this.#shares.within(workspaceId, () => this.#pool.run((thread) => thread.remote.call.detect(log)));
  }

  scenario(log: string, facts: ScenarioFacts, workspaceId: string): Promise<object> {
    return this.#shares.within(workspaceId, () =>
      this.#pool.run((thread) => thread.remote.call.scenario(log, facts)),
    );
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

function startThread(): Thread<ReplayApi> {
  const worker = new Worker(new URL('./replay.thread.ts', import.meta.url));
  return new Thread<ReplayApi>(worker, {
    name: 'thread that replays calls',
    ending: { by: 'terminate' },
    served: { api: {} },
  });
}
