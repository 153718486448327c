import type { AuditRow } from '../../store/audit.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { AuditEntry, AuditTrail } from './audit-trail.ts';

export type { AuditRow };

/** Builds the entry from its subject: the answer of the request, or the ids that the change created. */
export type Describe = (subject: unknown) => AuditEntry;

/**
 * The audit entry of one request that may change something. The first transaction of the request that writes also
 * inserts the entry (`commitChange`).
 */
export class ChangeEntry {
  readonly #trail: AuditTrail;
  readonly #describe: Describe;
  #subject: unknown = null;
  #children: readonly string[] = [];
  /** `handed-over`: another connection inserts the entry. */
  #state: 'open' | 'handed-over' | 'written' = 'open';

  constructor(trail: AuditTrail, describe: Describe) {
    this.#trail = trail;
    this.#describe = describe;
  }

  get isWritten(): boolean {
    return this.#state === 'written';
  }

  /** Sets the subject before the commit; without it the result of the transaction is the subject. */
  setSubject(subject: unknown): void {
    this.#subject = subject;
  }

  /** Adds the entry to the logs of these child workspaces as well. */
  addChildWorkspaces(children: readonly string[]): void {
    this.#children = [...new Set(children.map((id) => id.toLowerCase()))];
  }

  /**
   * Inserts the entry as the last statement of `tx`. Returns false if the entry belongs elsewhere or `tx` has written
   * nothing.
   */
  async writeIn(tx: Tx, result: unknown): Promise<boolean> {
    if (this.#state !== 'open') return false;
    const entry = this.#describe(this.#subject ?? result);
    const { workspaceId } = entry;
    if (this.#children.length === 0) return this.#trail.writeIn(tx, [entry]);
    return this.#trail.writeIn(tx, [
      { ...entry, objects: { ...entry.objects, workspace_ids: this.#children } },
      // A child's log must not name its siblings.
      ...this.#children.map((id) => ({
        ...entry,
        workspaceId: id,
        objects: { workspace_id: id, parent_workspace_id: workspaceId },
      })),
    ]);
  }

  /** Inserts the entry before an action outside the database. */
  async writeBefore(): Promise<void> {
    await this.#trail.insert(this.#describe(this.#subject));
    this.markWritten();
  }

  /** Returns the row for a caller that commits the change on its own connection and then calls `markWritten`. */
  handOver(): AuditRow {
    this.#state = 'handed-over';
    return this.#trail.row(this.#describe(this.#subject));
  }

  /** Records that the entry is committed. */
  markWritten(): void {
    this.#state = 'written';
  }
}

/**
 * Runs `work` in a transaction that also inserts the audit entry of the change: both commit or neither does. `change`
 * is null where no request makes the change, or where an earlier transaction of the request has inserted the entry.
 */
export async function commitChange<T>(
  db: Db,
  change: ChangeEntry | null,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let isWritten = false;
  const result = await db.transaction().execute(async (tx) => {
    const done = await work(tx);
    isWritten = (await change?.writeIn(tx, done)) ?? false;
    return done;
  });
  if (isWritten) change?.markWritten();
  return result;
}
