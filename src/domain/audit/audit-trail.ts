import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import { forAllTenants } from '../../shared/shares/tenant.ts';
import { insertAudit, insertAuditOfChange, type AuditRow } from '../../store/audit.ts';
import type { Db, Tx } from '../../store/database.ts';
import { isTransient, throughOutage } from '../../store/transient.ts';

/**
 * The author of a request: an API key (masked), a user, the holder of a signed link, or the operator through the
 * provision file.
 */
export interface Actor {
  readonly type: 'api_key' | 'user' | 'signed_link' | 'operator';
  readonly name: string;
}

/** One entry of the audit log: ids and operation names only, never a body, a phone number or a secret. */
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

/** How long entries wait for a database that is away. */
const OUTAGE_MS = 60_000;
/** Entries that wait; further ones are lost. */
const MOST_WAITING = 20_000;
/** Entries per insert statement. */
const MOST = 200;

/**
 * Writes the audit log. The entry of a change is inserted by the transaction of the change. Entries of requests that
 * changed nothing are inserted before the response; concurrent ones share a batch.
 */
export class AuditTrail {
  readonly #deps: { db: Db; clock: Clock; log: Log };
  #waiting: { row: AuditRow; answer: () => void }[] = [];
  #isWriting = false;
  /** The last insert failed because the database is away. */
  #isAway = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: { db: Db; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /** Inserts the entries as the last statement of a change; returns false if `tx` has written nothing. */
  writeIn(tx: Tx, entries: readonly AuditEntry[]): Promise<boolean> {
    const rows = entries.map((entry) => this.row(entry));
    return insertAuditOfChange(tx, rows);
  }

  /** Inserts one entry at once. */
  insert(entry: AuditEntry): Promise<void> {
    return insertAudit(this.#deps.db, [this.row(entry)]);
  }

  /**
   * Resolves when the entry is committed, or when the database is away: then it is inserted once the database is back. An
   * entry that cannot be inserted within `OUTAGE_MS` is logged and lost.
   */
  append(entry: AuditEntry): Promise<void> {
    return new Promise((answer) => {
      if (this.#waiting.length >= MOST_WAITING) {
        this.#deps.log.error(
          { action: entry.action, requestId: entry.requestId },
          'audit log entry lost: too many wait',
        );
        return answer();
      }
      this.#waiting.push({ row: this.row(entry), answer });
      if (this.#isAway) answer();
      if (!this.#isWriting) this.#writing = forAllTenants(() => this.#write());
      return undefined;
    });
  }

  /** Resolves when no entry waits for its insert. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST);
      const rows = batch.map(({ row }) => row);
      const insert = (): Promise<void> => insertAudit(this.#deps.db, rows);
      const answerAll = (): void => batch.forEach(({ answer }) => answer());
      try {
        await insert().catch((error: unknown) => {
          if (!isTransient(error)) throw error;
          // No response waits for an outage to end.
          this.#isAway = true;
          for (const { answer } of [...batch, ...this.#waiting]) answer();
          return throughOutage(insert, OUTAGE_MS);
        });
        this.#isAway = false;
      } catch (error) {
        const lost = rows.map(({ action, requestId }) => ({ action, requestId }));
        this.#deps.log.error({ err: error, lost }, 'audit log entries lost: the insert failed');
      }
      answerAll();
    }
    this.#isWriting = false;
  }

  /** The row of an entry, for a caller that inserts it on another connection. */
  row(entry: AuditEntry): AuditRow {
    return auditRow(this.#deps.clock, entry);
  }
}

/** The row of an entry that happens now. */
export function auditRow(clock: Clock, entry: AuditEntry): AuditRow {
  const { actor, objects, ...rest } = entry;
  return {
    ...rest,
    id: newId(),
    at: new Date(clock.now()),
    actorType: actor.type,
    actor: actor.name,
    objects: { ...objects },
  };
}
