import { AsyncLocalStorage } from 'node:async_hooks';
import type { AuditRow } from '../../store/audit.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { AuditEntry, AuditTrail } from './audit-trail.ts';

export type { AuditRow };

/** What a change may tell of itself before its answer is sent: ids it made. */
export type Describe = (told: unknown) => AuditEntry;

/** The entry of one request that may change something: it goes with the first transaction that does. */
export class ChangeEntry {
  readonly #trail: AuditTrail;
  readonly #describe: Describe;
  #told: unknown = null;
  #children: readonly string[] = [];
  #state: 'open' | 'elsewhere' | 'written' = 'open';

  constructor(trail: AuditTrail, describe: Describe) {
    this.#trail = trail;
    this.#describe = describe;
  }

  get isWritten(): boolean {
    return this.#state === 'written';
  }

  /** What the change is about, or the answer it will have: known before it is committed. */
  tell(told: unknown): void {
    this.#told = told;
  }

  /** The change is made to these child workspaces: it is entered in their logs too. */
  concerns(children: readonly string[]): void {
    this.#children = [...new Set(children.map((id) => id.toLowerCase()))];
  }

  /** Writes it in a transaction about to be committed; false: it is not of this transaction. */
  async within(tx: Tx, result: unknown): Promise<boolean> {
    if (this.#state !== 'open') return false;
    const entry = this.#describe(this.#told ?? result);
    const { workspaceId } = entry;
    if (this.#children.length === 0) return this.#trail.within(tx, [entry]);
    return this.#trail.within(tx, [
      { ...entry, objects: { ...entry.objects, workspace_ids: this.#children } },
      // Of its siblings a child learns nothing.
      ...this.#children.map((id) => ({
        ...entry,
        workspaceId: id,
        objects: { workspace_id: id, parent_workspace_id: workspaceId },
      })),
    ]);
  }

  /** Writes it on its own, before a deed outside the database. */
  async before(): Promise<void> {
    await this.#trail.before(this.#describe(this.#told));
    this.written();
  }

  /** For whoever commits the change on a connection of their own; they say when it is written. */
  handOver(): AuditRow {
    this.#state = 'elsewhere';
    return this.#trail.row(this.#describe(this.#told));
  }

  /** It is committed. */
  written(): void {
    this.#state = 'written';
  }
}

const underWay = new AsyncLocalStorage<ChangeEntry>();

/** Runs what may change something; `auditedDb` finds its entry from there. */
export const withChangeEntry = (entry: ChangeEntry, run: () => void): void => underWay.run(entry, run);

/**
 * The database as requests use it: a transaction that changes something takes the request's entry in the audit log
 * with it. Where the entry cannot be written the change is not made.
 */
export function auditedDb(db: Db): Db {
  const transaction = (): ReturnType<Db['transaction']> => {
    const builder = db.transaction();
    const execute = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
      const entry = underWay.getStore();
      let isWritten = false;
      const result = await builder.execute(async (tx) => {
        const done = await work(tx);
        isWritten = (await entry?.within(tx, done)) ?? false;
        return done;
      });
      if (isWritten) entry?.written();
      return result;
    };
    return bound(builder, { execute });
  };
  return bound(db, { transaction });
}

/** `target` with some members in the place of its own. */
function bound<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(_target, name) {
      if (Object.hasOwn(own, name)) return own[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
