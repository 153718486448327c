import type { ReadyCheck } from '../http/server/server-deps.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { ServiceClock } from '../shared/service-clock.ts';
import { readDatabaseTime, type Db } from '../store/database.ts';

/** Between two readings, and once the last minute's readings agreed with the time of the service. */
const POLL_MS = { usual: 5_000, steady: 15_000 } as const;
const STEADY_READINGS = 12;
/** Readings differ by so much where nothing is wrong: an answer comes late on a busy machine. */
const JITTER_MS = 50;
/** An answer that takes longer says too little about the time. */
const MAX_ROUND_TRIP_MS = 1_000;
/** A difference that an operator should know of. */
const REPORTED_MS = 2_000;

/** A sentence for the operator while a clock differs from the time of the service; null: none does. */
function clockNote({ aheadMs }: Pick<ServiceClock, 'aheadMs'>): string | null {
  const clocks = [
    ["this host's clock", aheadMs.host],
    ["the database's clock", aheadMs.database],
  ] as const;
  const parts = clocks
    .filter(([, ms]) => Math.abs(ms) > REPORTED_MS)
    .map(([name, ms]) => `${name} is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead' : 'behind'}`);
  return parts.length === 0 ? null : parts.join(', ');
}

/** A note in the readiness answer: the service works with its own time, so it stays ready. */
export function clockCheck(clock: Pick<ServiceClock, 'aheadMs'>): ReadyCheck[] {
  const detail = clockNote(clock);
  return detail === null ? [] : [{ name: 'clock', ok: true, detail }];
}

/** Keeps the time of the service near the database's clock, which all processes follow. */
export class ClockSync {
  readonly #clock: ServiceClock;
  readonly #log: Log;
  #poller: Poller | null = null;
  #isReported = false;
  /** Readings in a row that agreed. */
  #agreed = 0;

  constructor(deps: { readonly clock: ServiceClock; readonly log: Log }) {
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** Takes the database's time over, then follows it. */
  async start(db: Db): Promise<void> {
    await this.#read(db);
    this.#poller = new Poller({
      poll: async () => {
        await this.#read(db);
        return this.#agreed >= STEADY_READINGS ? POLL_MS.steady : POLL_MS.usual;
      },
      pollMs: POLL_MS.steady,
      failedMs: POLL_MS.usual,
      // Without the database the time goes on with the monotonic clock.
      onError: () => undefined,
    });
    this.#poller.start();
  }

  async stop(): Promise<void> {
    await this.#poller?.stop();
  }

  async #read(db: Db): Promise<void> {
    const sentAt = this.#clock.monotonic();
    const reference = await readDatabaseTime(db);
    const at = this.#clock.monotonic();
    if (at - sentAt > MAX_ROUND_TRIP_MS) return;
    const middle = (sentAt + at) / 2;
    const differsMs = Math.abs(reference - (this.#clock.now() - (at - middle)));
    this.#agreed = differsMs < JITTER_MS ? this.#agreed + 1 : 0;
    this.#clock.follow(reference, middle);
    const note = clockNote(this.#clock);
    if (note !== null && !this.#isReported) {
      this.#log.warn(
        { problem: note },
        "a clock differs from the time of the service, which follows the database's slowly",
      );
    }
    this.#isReported = note !== null;
  }
}
