import { sql } from 'kysely';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { endQueued } from '../../../src/domain/calls/attempt/end-queued.ts';
import { settleAttempt, type SettleDeps } from '../../../src/domain/calls/attempt/settle.ts';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import { newId } from '../../../src/shared/ids.ts';
import { noteAttempt } from '../../../src/store/analysis/attempt-figures.ts';
import { replaceKey } from '../../../src/store/tenants/keys.ts';
import { createTestApi, type Answer, type TestApi } from '../api/api.ts';
import { createNode, type TestWorkspace } from '../database/workspace.ts';

/** Possible ends of an attempt. */
export const ENDS = ['answered', 'voicemail', 'busy', 'no_answer', 'crash', 'cancel', 'wait'] as const;
const NIL = sql.lit('00000000-0000-0000-0000-000000000000');

/** Maintained analytics, and a recount from the calls. */
export interface CallSums {
  readonly api: TestApi;
  /** The same sums, computed from the calls. */
  recount(workspaceId: string, where?: ReturnType<typeof sql>): Promise<unknown[]>;
  kept(workspaceId: string): Promise<unknown[]>;
  /** Ended attempts `t` of calls `c` that were dialled, and those that a person answered, counted from the journal. */
  recountAttempts(
    workspaceId: string,
    where?: ReturnType<typeof sql>,
  ): Promise<{ attempts: number; answered: number }>;
  /** Counts attempts of the workspace's agent that ended now; the first `answered` ones by a person. */
  noteAttempts(world: TestWorkspace, attempts: number, answered: number, versionId?: string): Promise<void>;
  /** Creates a key of the workspace. */
  keyed(world: TestWorkspace): Promise<string>;
  /** Response of an analytics endpoint. */
  ask(key: string, path: string): Promise<any>;
}

/** Starts an API whose sums can be recounted. */
export async function createCallSums(): Promise<CallSums> {
  const api = await createTestApi();
  async function recount(workspaceId: string, where = sql`true`): Promise<unknown[]> {
    const { rows } = await sql`
      select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day, agent_id, version_id, number_id, campaign_id,
        call_type, status, sub_status, count(*)::int as calls, sum(attempt)::int as attempts,
        sum(coalesce(duration_ms, 0))::int as duration_ms, sum(cost)::int as cost
      from calls where workspace_id = ${workspaceId} and ${where}
        and status in ('completed', 'failed', 'error', 'cancelled')
      group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`.execute(api.db);
    return rows;
  }
  async function recountAttempts(workspaceId: string, where = sql`true`) {
    const { rows } = await sql<{ attempts: number; answered: number }>`
      select count(*)::int as attempts, (count(t.answered_at) filter (
        where t.sub_status not in ('VOICEMAIL_DETECTED', 'CALL_SCREENED', 'NOT_ABLE_TO_CALL')))::int as answered
      from call_attempts t join calls c on c.id = t.call_id
      where t.workspace_id = ${workspaceId} and t.status = 'ended' and t.dialed_at is not null
        and ${where}`.execute(api.db);
    return rows[0]!;
  }
  async function noteAttempts(
    world: TestWorkspace,
    attempts: number,
    answered: number,
    versionId = world.versionId,
  ): Promise<void> {
    const at = new Date(api.clock.now());
    const ended = {
      workspaceId: world.id,
      agentId: world.agentId,
      versionId,
      numberId: world.numberIds[0] ?? null,
      campaignId: null,
    };
    await api.db.transaction().execute(async (tx) => {
      for (let n = 0; n < attempts; n += 1) {
        const times = { attempt: 1, dialedAt: at, endedAt: at, isAnswered: n < answered, durationMs: 0 };
        await noteAttempt(tx, { ...ended, ...times, turns: [] });
      }
    });
  }
  async function kept(workspaceId: string): Promise<unknown[]> {
    const { rows } = await sql`
      select to_char(day, 'YYYY-MM-DD') as day, agent_id, version_id, nullif(number_id, ${NIL}::uuid) as number_id,
        nullif(campaign_id, ${NIL}::uuid) as campaign_id, call_type, status, sub_status, sum(calls)::int as calls,
        sum(attempts)::int as attempts, sum(duration_ms)::int as duration_ms, sum(cost)::int as cost
      from (select day, agent_id, version_id, number_id, campaign_id, call_type, status, sub_status, calls, attempts,
              duration_ms, cost from call_days where workspace_id = ${workspaceId}
            union all
            select day, agent_id, version_id, number_id, campaign_id, call_type, status, sub_status, 1, attempts,
              duration_ms, cost from call_endings where workspace_id = ${workspaceId}) k
      group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8`.execute(api.db);
    return rows;
  }
  async function keyed(world: TestWorkspace): Promise<string> {
    const key = newApiKey();
    await replaceKey(api.db, world.id, storedForm(key), new Date(api.clock.now()));
    return key;
  }
  const ask = async (key: string, path: string): Promise<any> => {
    const answer: Answer = await api.request('GET', `/api/v0/analytics/${path}`, { key });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body['data'];
  };
  return { api, recount, recountAttempts, noteAttempts, kept, keyed, ask };
}

/** Dials all due calls; attempts end in the order of `ends`. */
export async function dialAll(
  api: TestApi,
  deps: SettleDeps,
  world: TestWorkspace,
  ends: readonly (typeof ENDS)[number][],
) {
  let turn = 0;
  const next = (): (typeof ENDS)[number] => ends[turn++ % ends.length] ?? 'busy';
  for (let round = 0; round < 6; round += 1) {
    const nodeId = await createNode(api.db, `node ${newId()}`, api.clock.now());
    const claim = await claimBatch({ ...deps, nodeId }, { visited: [], capacity: 50 });
    let hasCrashed = false;
    for (const call of claim?.claimed ?? []) {
      const end = next();
      if (end === 'wait') {
        hasCrashed = true;
        continue;
      }
      await dial(deps, call, { sipCallId: newId() });
      if (end === 'crash') {
        hasCrashed = true;
        continue;
      }
      const isAnswered = end === 'answered' || end === 'voicemail';
      if (isAnswered) await markAnswered(deps, call, { at: api.clock.now() });
      if (isAnswered) api.clock.advance(1000 * (1 + ((turn * 37) % 700)));
      await settleAttempt(deps, {
        workspaceId: call.workspaceId,
        callId: call.callId,
        attempt: call.attempt,
        nodeId,
        end:
          end === 'answered'
            ? { kind: 'answered', reason: 'USER_LEFT' }
            : end === 'voicemail'
              ? { kind: 'answered', reason: 'VOICEMAIL_DETECTED' }
              : { kind: 'not_answered', failure: end === 'cancel' ? 'cancelled' : end },
        endedAt: api.clock.now(),
        answeredAt: null,
        hangupBy: 'caller',
        sipCallId: null,
        sipCode: null,
        reason: null,
        result: null,
      });
    }
    if (hasCrashed) {
      await api.db
        .updateTable('nodes')
        .set({ fenced_at: new Date(api.clock.now()) })
        .where('id', '=', nodeId)
        .execute();
      await reapOrphans(deps);
    }
    if (next() === 'cancel') {
      const waiting = await api.db
        .selectFrom('calls')
        .select('id')
        .where('workspace_id', '=', world.id)
        .where('status', 'in', ['registered', 'retry'])
        .limit(3)
        .execute();
      for (const { id } of waiting) {
        const end = { status: 'cancelled', subStatus: 'USER_TERMINATED' } as const;
        const at = new Date(api.clock.now());
        await api.db.transaction().execute((tx) => endQueued(tx, world.id, id, end, at));
      }
    }
    api.clock.advance(7 * 3_600_000);
  }
}
