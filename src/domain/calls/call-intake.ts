import { foldEndings } from '../../store/analytics.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { NewCall } from '../../store/new-call.ts';
import { insertPlacedCalls } from '../../store/placing.ts';
import type { AuditRow, ChangeEntry } from '../audit/change-entry.ts';

type Call = NewCall & { readonly at: Date };
/** What is to be kept with the call, in its transaction. */
type Beside = (tx: Tx) => Promise<void>;

interface Waiting {
  readonly call: Call;
  readonly beside: Beside | null;
  /** In the audit log. */
  readonly entry: AuditRow | null;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Calls written by one commit. */
const MOST = 100;
/** After so many calls their beginnings are folded into the sums; the sums are true before as well. */
const FOLD_EVERY = 256;
const FOLD = 1000;
/** SQLSTATE classes of a row that cannot be stored: nothing was, and the calls beside it can be. */
const ROW_REFUSED = /^(22|23)...$/;

/**
 * Writes calls that are placed at the same time into the database together. Every commit holds the workspace's row
 * until it is on disk, so the next of the same workspace waits for it anyway: all that come meanwhile share one. A call
 * is answered for when it is committed.
 */
export class CallIntake {
  readonly #db: Db;
  /** By workspace; one that is there is being written. */
  readonly #waiting = new Map<string, Waiting[]>();
  #unfolded = 0;

  constructor(deps: { db: Db }) {
    this.#db = deps.db;
  }

  /** Resolves when the call, its entry in the audit log and what is kept beside it are committed. */
  async add(
    workspaceId: string,
    call: Call,
    change: ChangeEntry | null,
    beside: Beside | null,
  ): Promise<void> {
    const entry = change?.handOver() ?? null;
    await new Promise<void>((done, failed) => {
      this.#take(workspaceId, { call, beside, entry, done, failed });
    });
    change?.written();
  }

  #take(workspaceId: string, waiting: Waiting): void {
    const line = this.#waiting.get(workspaceId);
    if (line !== undefined) {
      line.push(waiting);
      return;
    }
    const begun = [waiting];
    this.#waiting.set(workspaceId, begun);
    void this.#empty(workspaceId, begun);
  }

  async #empty(workspaceId: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      await this.#write(workspaceId, line.splice(0, MOST));
      if (this.#unfolded >= FOLD_EVERY) this.#fold(workspaceId);
    }
    this.#waiting.delete(workspaceId);
  }

  /** Beside the calls that come next. One that fails is made up for by a later one. */
  #fold(workspaceId: string): void {
    this.#unfolded = 0;
    const folded = this.#db.transaction().execute((tx) => foldEndings(tx, workspaceId, FOLD));
    folded.catch(() => undefined);
  }

  async #write(workspaceId: string, batch: readonly Waiting[]): Promise<void> {
    try {
      await this.#commit(workspaceId, batch);
      for (const { done } of batch) done();
      this.#unfolded += batch.length;
    } catch (error) {
      if (batch.length > 1 && isRowRefused(error)) {
        for (const entry of batch) await this.#write(workspaceId, [entry]);
      } else for (const { failed } of batch) failed(error);
    }
  }

  async #commit(workspaceId: string, batch: readonly Waiting[]): Promise<void> {
    const calls = batch.map(({ call }) => call);
    const entries = batch.flatMap(({ entry }) => entry ?? []);
    if (batch.every(({ beside }) => beside === null)) {
      await insertPlacedCalls(this.#db, workspaceId, calls, entries);
      return;
    }
    await this.#db.transaction().execute(async (tx) => {
      for (const { beside } of batch) await beside?.(tx);
      // Last, because it takes the workspace's row.
      await insertPlacedCalls(tx, workspaceId, calls, entries);
    });
  }
}

function isRowRefused(error: unknown): boolean {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && ROW_REFUSED.test(code);
}
