import { watchAlerts } from '../domain/quality/watch-alerts.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';

const POLL_MS = 20_000;

/** Raises and clears alerts over the quality of calls. */
export const alertWatch = (deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** Events were queued. */
  readonly onChanged: () => void;
}): Poller =>
  new Poller({
    poll: async () => {
      if ((await watchAlerts(deps)) > 0) deps.onChanged();
    },
    pollMs: POLL_MS,
    onError: (error) =>
      deps.log.error({ err: error }, 'the alerts over the quality of calls could not be measured; retrying'),
  });
