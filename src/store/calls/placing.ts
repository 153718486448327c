import { versionDocument, type VersionConfig } from '../json/agent-version.ts';
import { callLevelDocument } from '../json/call-config.ts';
import type { Wire } from '../../shared/wire-names.ts';
import { sql } from 'kysely';
import { ApiError } from '../../errors.ts';
import type { AgentRow } from '../agents/agents.ts';
import { foldEndings } from '../analysis/analytics.ts';
import { insertRows, type AuditRow } from '../audit.ts';
import type { Db, Tx } from '../database.ts';
import { unlimitedOf } from '../terms.ts';
import { runHot } from '../plans.ts';
import type { Balance, NewCall } from './new-call.ts';
import type { AgentType, JsonObject } from '../schema.ts';

/** What placing a call validates: the workspace's balance, the agent with its active version, the caller number. */
export interface Placing {
  readonly balance: Balance;
  readonly agent: Pick<AgentRow, 'id' | 'agentType' | 'activeVersionId' | 'abStartedAt'> | null;
  /** The config of the active version without its prompt; null: no active version. */
  readonly config: VersionConfig | null;
  /** Changes with every edit of the active version. */
  readonly revision: string | null;
  readonly number: PlacingNumber | null;
  /** The callee is on the workspace's do-not-call list. */
  readonly isDoNotCall: boolean;
}
export interface PlacingNumber {
  readonly id: string;
  readonly number: string;
  readonly isTestNumber: boolean;
  readonly trunkId: string | null;
  readonly trunkSettings: JsonObject | null;
}

interface PlacingRow extends Balance {
  agentId: string | null;
  agentType: AgentType;
  activeVersionId: string;
  abStartedAt: Date | null;
  config: Wire<VersionConfig> | null;
  revision: string | null;
  isDoNotCall: boolean;
  numberId: string | null;
  number: string;
  isTestNumber: boolean;
  trunkId: string | null;
  trunkSettings: JsonObject | null;
}

/**
 * Reads them in one statement; null if the workspace is archived or does not exist. Missing ids and ids of other workspaces give null.
 */
export async function findPlacing(
  db: Db,
  workspaceId: string,
  agentId: string | null,
  callee: string,
  caller: { readonly id: string } | { readonly number: string } | null,
): Promise<Placing | null> {
  const byNumber = caller !== null && 'number' in caller;
  const number = byNumber
    ? sql`number = ${caller.number}`
    : sql`id = ${caller === null ? null : caller.id}::uuid`;
  const query = sql<PlacingRow>`
    select w.credits, w.locked_credits as "lockedCredits", ${unlimitedOf('w')} as unlimited, a.id as "agentId",
      a.agent_type as "agentType", a.active_version_id as "activeVersionId", a.ab_started_at as "abStartedAt",
      v.config - 'agent_config' as config, v.xmin::text as revision,
      exists (select from do_not_call d where d.workspace_id = w.id and d.number = ${callee})
        or is_opted_out(w.id, ${callee}) as "isDoNotCall",
      n.id as "numberId", n.number, n.is_test_number as "isTestNumber", n.trunk_id as "trunkId",
      t.settings as "trunkSettings"
    from workspaces w
    left join agents a on a.workspace_id = w.id and a.id = ${agentId}::uuid and a.archived_at is null
    left join agent_versions v
      on v.workspace_id = a.workspace_id and v.agent_id = a.id and v.id = a.active_version_id
    left join lateral (
      select id, number, is_test_number, trunk_id from numbers
      where workspace_id = w.id and ${number} order by created_at limit 1) n on true
    left join trunks t on t.id = n.trunk_id
    where w.id = ${workspaceId}::uuid and w.archived_at is null`;
  const name = byNumber ? 'placing_by_number' : 'placing_by_id';
  const [row] = await runHot(db, name, { compile: () => query.compile(db) });
  if (row === undefined) return null;
  const { agentType, activeVersionId, abStartedAt, isTestNumber, trunkId, trunkSettings } = row;
  return {
    balance: row,
    agent: row.agentId === null ? null : { id: row.agentId, agentType, activeVersionId, abStartedAt },
    config: versionDocument.read(row.config),
    revision: row.revision,
    isDoNotCall: row.isDoNotCall,
    number:
      row.numberId === null
        ? null
        : { id: row.numberId, number: row.number, isTestNumber, trunkId, trunkSettings },
  };
}

/**
 * Queues outbound calls of one workspace with their audit entries and lowers its scheduling hint to the earliest due
 * time, in one statement. Locks the workspace's row even if the hint stays, see `hintDue`.
 */
export async function insertPlacedCalls(
  db: Db,
  workspaceId: string,
  calls: readonly (NewCall & { readonly at: Date })[],
  entries: readonly AuditRow[],
): Promise<void> {
  const due = new Date(Math.min(...calls.map(({ nextAttemptAt }) => nextAttemptAt.getTime())));
  const query = sql`
    with placed as (
      insert into calls (workspace_id, id, agent_id, version_id, number_id, call_type, from_number, to_number,
        callee_name, args, call_config, callback, voice_id, category, parent_call_id, status, sub_status,
        next_attempt_at, created_at, updated_at)
      select ${workspaceId}::uuid, id, "agentId", "versionId", "numberId", 'outbound', "fromNumber", "toNumber",
        "calleeName", args, "callConfig", callback, "voiceId", category, "parentCallId", 'registered', "subStatus",
        "nextAttemptAt", at, at
      from jsonb_to_recordset(${JSON.stringify(calls.map(stored))}::jsonb) as placed (id uuid, "agentId" uuid,
        "versionId" uuid, "numberId" uuid, "fromNumber" text, "toNumber" text, "calleeName" text, args jsonb,
        "callConfig" jsonb, callback jsonb, "voiceId" uuid, category text, "parentCallId" uuid, "subStatus" text,
        "nextAttemptAt" timestamptz, at timestamptz)),
    entered as (${insertRows(entries)})
    update workspaces set next_due_at = least(next_due_at, ${due}::timestamptz)
    where id = ${workspaceId}::uuid`;
  await runHot(db, 'place_calls', { compile: () => query.compile(db) });
}

const stored = (call: Call): object =>
  call.callConfig === null ? call : { ...call, callConfig: callLevelDocument.write(call.callConfig) };

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

  /** Resolves when the call, the request's entry in the audit log and the further writes are committed. */
  add(workspaceId: string, call: Call, entry: AuditRow | null, beside: Beside | null): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.#take(workspaceId, { call, beside, entry, done, failed });
    });
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
