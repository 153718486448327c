import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { LookingLoop } from '../shared/looking-loop.ts';
import type { Db } from '../store/database.ts';
import { forgetHangup, hangupsOf } from '../store/hangup-requests.ts';

export interface HangupWatchOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeId: () => string;
  /** Ends a call of this process; false while it is not yet, or no longer, here. */
  readonly hangup: (workspaceId: string, callId: string) => boolean;
}

const POLL_MS = 400;
/** Longer than any call may last: who was asked then is gone. */
const LAPSE_MS = 7_200_000;

/** Ends calls of this process that were asked to end elsewhere. Looks several times a second, and when it is kicked. */
export class HangupWatch {
  readonly #options: HangupWatchOptions;
  readonly #loop: LookingLoop;

  constructor(options: HangupWatchOptions) {
    this.#options = options;
    this.#loop = new LookingLoop({
      look: () => this.#look(),
      pollMs: POLL_MS,
      onError: (error) => options.log.warn({ err: error }, 'requests to hang up could not be read'),
    });
  }

  start(): void {
    this.#loop.start();
  }

  kick(): void {
    this.#loop.kick();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #look(): Promise<void> {
    const { db, clock, nodeId, hangup } = this.#options;
    const asked = await hangupsOf(db, nodeId(), new Date(clock.now() - LAPSE_MS));
    for (const ref of asked) {
      // One that was only just claimed is asked again at the next look.
      if (hangup(ref.workspaceId, ref.callId)) await forgetHangup(db, ref);
    }
  }
}
