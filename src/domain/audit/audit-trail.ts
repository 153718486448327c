import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { insertAudit, insertAuditOfChange, type AuditRow } from '../../store/audit.ts';
import type { Db, Tx } from '../../store/database.ts';

/** Who did something: a key by its ends, a person, whoever had a signed address, or the operator by the provision file. */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'signed_link' | 'operator';
  readonly name: string;
}

/** Something done. Ids and names of operations only: no body, no number, no secret. */
export interface AuditEntry {
  readonly workspaceId: string;
  readonly actor: Actor;
  readonly action: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly objects: Readonly<Record<string, string | readonly string[]>>;
  readonly requestId: string;
  readonly address: string | null;
}

/** Entries written by one statement. */
const MOST = 200;

/**
 * The audit log of every workspace. The entry of a change is written in the change's own transaction; that of what
 * changed nothing, before its answer: many at a time when many wait.
 */
export class AuditTrail {
  readonly #deps: { db: Db; clock: Clock; log: Log };
  #waiting: { row: AuditRow; done: () => void }[] = [];
  #isWriting = false;

  constructor(deps: { db: Db; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /** Writes the entries with what they tell; false where the transaction has changed nothing. */
  within(tx: Tx, entries: readonly AuditEntry[]): Promise<boolean> {
    const rows = entries.map((entry) => this.row(entry));
    return insertAuditOfChange(tx, rows);
  }

  /** Writes the entry of a deed outside the database, before it is done. */
  before(entry: AuditEntry): Promise<void> {
    return insertAudit(this.#deps.db, [this.row(entry)]);
  }

  /**
   * Resolves when the entry is committed. One that cannot be is lost with a line in the program's log: what it tells
   * has happened, and its answer is not held back for it.
   */
  append(entry: AuditEntry): Promise<void> {
    return new Promise((done) => {
      this.#waiting.push({ row: this.row(entry), done });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST);
      try {
        await insertAudit(
          this.#deps.db,
          batch.map(({ row }) => row),
        );
      } catch (error) {
        const lost = batch.map(({ row }) => ({ action: row.action, requestId: row.requestId }));
        this.#deps.log.error({ err: error, lost }, 'entries of the audit log could not be written');
      }
      for (const { done } of batch) done();
    }
    this.#isWriting = false;
  }

  /** The entry as it is stored, for whoever writes it with the change. */
  row(entry: AuditEntry): AuditRow {
    const { actor, objects, ...rest } = entry;
    return {
      ...rest,
      id: newId(),
      at: new Date(this.#deps.clock.now()),
      actorType: actor.type,
      actor: actor.name,
      objects: { ...objects },
    };
  }
}
