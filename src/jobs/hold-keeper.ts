import { releaseExpired } from '../domain/admission/holds.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';

const POLL_MS = 10_000;

/** Releases the credits and turns that dead processes held. */
export const holdKeeper = (deps: { readonly db: Db; readonly clock: Clock; readonly log: Log }): Poller =>
  new Poller({
    poll: async () => {
      const released = await releaseExpired(deps);
      if (released > 0) deps.log.info({ released }, 'held credits of turns that did not end were released');
    },
    pollMs: POLL_MS,
    onError: (error) => deps.log.error({ err: error }, 'expired holds could not be released; retrying'),
  });
