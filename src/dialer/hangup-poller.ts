import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Db } from '../store/database.ts';
import { forgetHangup, hangupsOf } from '../store/calls/hangup-requests.ts';

export interface HangupPollerOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  /** Ends a call of this process; false when it is not here: not placed yet, or settled. */
  readonly hangup: (workspaceId: string, callId: string) => boolean;
}

const POLL_MS = 400;
/** Longer than any call lasts: an older request belongs to a call that is over. */
const LAPSE_MS = 7_200_000;

/** Ends calls of this process for which another process stored a hangup request. A kick polls at once. */
export function hangupPoller(options: HangupPollerOptions): Poller {
  const { db, clock, log, nodeId, hangup } = options;
  return new Poller({
    poll: async () => {
      for (const ref of await hangupsOf(db, nodeId(), new Date(clock.now() - LAPSE_MS))) {
        // The request of a call that was claimed but not placed yet stays for the next poll.
        if (hangup(ref.workspaceId, ref.callId)) await forgetHangup(db, ref);
      }
    },
    pollMs: POLL_MS,
    onError: (error) => log.warn({ err: error }, 'hangup requests could not be read'),
  });
}
