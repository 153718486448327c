import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { insertSystemEntry } from '../audit/system-entry.ts';
import type { Db } from '../../store/database.ts';
import { isFirstNotice } from '../../store/tenants/cap-notices.ts';
import type { CapName, StorageLimit } from './limits.ts';

/** A cap or a storage quota, by its name in the limits. */
type Noted = CapName | StorageLimit;

/** The window of a notice: a minute of the wall clock for limits by the minute, a day of UTC for the others. */
const windowMsOf = (noted: Noted): number => (noted.endsWith('_per_minute') ? 60_000 : 86_400_000);
const MAX_NOTED = 10_000;

/**
 * Tells the operator that a workspace reached a cap or a storage quota: a log line, an entry in the workspace's audit log and a
 * count in the metrics, once per cap or quota and window in all processes together.
 */
export class CapNotices {
  readonly #log: Log;
  readonly #clock: Clock;
  /** The last window of each workspace and cap that this process noted. */
  readonly #noted = new Map<string, number>();
  readonly #counts = new Map<Noted, number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { log: Log; clock: Clock }) {
    this.#log = deps.log;
    this.#clock = deps.clock;
  }

  /** Windows that this process was the first to note, by cap or quota. */
  get counts(): Iterable<readonly [Noted, number]> {
    return this.#counts;
  }

  /** Resolves when every notice so far is written. */
  get written(): Promise<void> {
    return this.#writing;
  }

  /** Never rejects and holds up nothing; `db` must not be a transaction. */
  note(db: Db, workspaceId: string, cap: Noted): void {
    const now = this.#clock.now();
    const window = now - (now % windowMsOf(cap));
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
    cap: Noted,
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
      'a workspace reached a cap or a storage quota; calls, chats and tests beyond a cap wait or are refused, data beyond a quota is not kept',
    );
  }
}
