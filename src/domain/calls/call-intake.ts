import { foldEndings } from '../../store/analysis/analytics.ts';
import type { Db, Tx } from '../../store/database.ts';
import type { NewCall } from '../../store/calls/new-call.ts';
import { insertPlacedCalls } from '../../store/calls/placing.ts';
import { ApiError } from '../../errors.ts';
import type { AuditRow, ChangeEntry } from '../audit/change-entry.ts';

type Call = NewCall & { readonly at: Date };
/** Further writes of the call's transaction. */
type Beside = (tx: Tx) => Promise<void>;

interface Waiting {
  readonly call: Call;
  readonly beside: Beside | null;
  /** The request's entry in the audit log. */
  readonly entry: AuditRow | null;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Calls in one commit. */
const MAX_BATCH = 100;
/** New calls after which `call_endings` rows are folded into the day sums. Sums are exact before it too. */
const FOLD_EVERY = 256;
const FOLD = 1000;
/** SQLSTATE classes of a row that cannot be stored: the batch was rolled back, and its other rows can be stored alone. */
const ROW_REFUSED = /^(22|23)...$/;

/**
 * Group commit for placed calls. Every commit holds the workspace's row until it is on disk, so the next call of the
 * workspace would wait for it anyway: all calls that arrive meanwhile share the next commit.
 */
export class CallIntake {
  readonly #db: Db;
  /** Waiting calls by workspace. A present key means that a commit of the workspace is under way. */
  readonly #waiting = new Map<string, Waiting[]>();
  #unfolded = 0;

  constructor(deps: { db: Db }) {
    this.#db = deps.db;
  }

  /** Resolves when the call, its audit entry and its further writes are committed. */
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
    change?.markWritten();
  }

  #take(workspaceId: string, waiting: Waiting): void {
    const queue = this.#waiting.get(workspaceId);
    if (queue !== undefined) {
      queue.push(waiting);
      return;
    }
    const started = [waiting];
    this.#waiting.set(workspaceId, started);
    void this.#writeAll(workspaceId, started);
  }

  async #writeAll(workspaceId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      await this.#write(workspaceId, queue.splice(0, MAX_BATCH));
      if (this.#unfolded >= FOLD_EVERY) this.#fold(workspaceId);
    }
    this.#waiting.delete(workspaceId);
  }

  /** Folds while the next calls are written. A later fold makes up for a failed one. */
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
      // Last, because it locks the workspace's row, the contention point of placing.
      await insertPlacedCalls(tx, workspaceId, calls, entries);
    });
  }
}

function isRowRefused(error: unknown): boolean {
  // A call's further writes failed, for example because a retry has taken over its Idempotency-Key.
  if (error instanceof ApiError) return true;
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && ROW_REFUSED.test(code);
}
