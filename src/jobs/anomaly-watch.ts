import { pauseAnomalies } from '../domain/webhooks/anomaly-stop.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';

const POLL_MS = 60_000;

/** Pauses outbound calls of workspaces whose hour is an anomaly. */
export const anomalyWatch = (deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Events were queued. */
  readonly onPaused: () => void;
}): Poller =>
  new Poller({
    poll: async () => {
      if ((await pauseAnomalies(deps)) > 0) deps.onPaused();
    },
    pollMs: POLL_MS,
    onError: (error) =>
      deps.log.error({ err: error }, 'the hour of workspaces could not be judged; retrying'),
  });
