import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { insertSystemEntry } from '../audit/system-entry.ts';
import type { Db } from '../../store/database.ts';
import { isFirstNotice } from '../../store/tenants/cap-notices.ts';
import type { CapName } from './limits.ts';

/** The window of a notice: a minute of the wall clock, and a day of UTC. */
const WINDOW_MS: Readonly<Record<CapName, number>> = {
  calls_per_minute: 60_000,
  credits_per_day: 86_400_000,
  stranger_calls_per_minute: 60_000,
  stranger_credits_per_day: 86_400_000,
  model_turns_per_day: 86_400_000,
};
const MAX_NOTED = 10_000;

/**
 * Tells the operator that a workspace reached a cap: a log line, an entry in the workspace's audit log and a count in
 * the metrics, once per cap and window in all processes together.
 */
export class CapNotices {
  readonly #log: Log;
  readonly #clock: Clock;
  /** The last window of each workspace and cap that this process noted. */
  readonly #noted = new Map<string, number>();
  readonly #counts = new Map<CapName, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { log: Log; clock: Clock }) {
    this.#log = deps.log;
    this.#clock = deps.clock;
  }

  /** Windows that this process was the first to note, by cap. */
  get counts(): Iterable<readonly [CapName, number]> {
    return this.#counts;
  }

  /** Resolves when every notice so far is written. */
  get written(): Promise<void> {
    return this.#writing;
  }

  /** Never rejects and holds up nothing; `db` must not be a transaction. */
  note(db: Db, workspaceId: string, cap: CapName): void {
    const now = this.#clock.now();
    const window = now - (now % WINDOW_MS[cap]);
    const key = `${workspaceId} ${cap}`;
    if (this.#noted.get(key) === window) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(key, window);
    this.#writing = this.#writing
      .then(() => this.#write(db, workspaceId, cap, { window: new Date(window), at: new Date(now) }))
      .catch((error: unknown) => {
        this.#log.warn({ err: error, workspaceId, cap }, 'a reached cap was not noted in the audit log');
      });
  }

  async #write(
    db: Db,
    workspaceId: string,
    cap: CapName,
    { window, at }: { window: Date; at: Date },
  ): Promise<void> {
    const isFirst = await db.transaction().execute(async (tx) => {
      if (!(await isFirstNotice(tx, workspaceId, cap, window))) return false;
      await insertSystemEntry(tx, workspaceId, 'workspace.cap_reached', at, { cap });
      return true;
    });
    if (!isFirst) return;
    this.#counts.set(cap, (this.#counts.get(cap) ?? 0) + 1);
    this.#log.warn(
      { workspaceId, cap },
      'a workspace reached a cap of its limits; its calls are refused or wait',
    );
  }
}
