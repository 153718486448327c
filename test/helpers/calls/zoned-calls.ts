import { sql } from 'kysely';
import { newId } from '../../../src/shared/ids.ts';
import { noteAttempt } from '../../../src/store/analysis/attempt-figures.ts';
import type { Db } from '../../../src/store/database.ts';
import type { TestWorkspace } from '../database/workspace.ts';

/** A call that has ended with its first attempt. */
export interface EndedCall {
  readonly createdAt: number;
  readonly dialedAt: number;
  readonly isAnswered: boolean;
  readonly result: string;
}

/** Inserts calls that ended, each with its attempt, as the service leaves them. */
export async function insertEnded(db: Db, world: TestWorkspace, calls: readonly EndedCall[]): Promise<void> {
  const nodeId = newId();
  await db.transaction().execute(async (tx) => {
    for (const { createdAt, dialedAt, isAnswered, result } of calls) {
      const id = newId();
      const ended = new Date(dialedAt + 60_000);
      const of = { workspace_id: world.id, agent_id: world.agentId, version_id: world.versionId };
      const numberId = world.numberIds[0]!;
      await tx
        .insertInto('calls')
        .values({
          ...of,
          id,
          number_id: numberId,
          call_type: 'outbound',
          to_number: '+12125550123',
          status: 'registered',
          sub_status: 'QUEUED',
          attempt: 1,
          created_at: new Date(createdAt),
          updated_at: ended,
          dialed_at: new Date(dialedAt),
        })
        .execute();
      await sql`
        insert into call_attempts (workspace_id, call_id, attempt, node_id, status, sub_status, claimed_at, dialed_at,
          answered_at, ended_at, number_id)
        values (${world.id}, ${id}, 1, ${nodeId}, 'ended', ${isAnswered ? 'USER_LEFT' : 'BUSY'}, ${new Date(dialedAt)},
          ${new Date(dialedAt)}, ${isAnswered ? new Date(dialedAt) : null}, ${ended}, ${numberId})`.execute(
        tx,
      );
      await sql`
        update calls set status = ${isAnswered ? 'completed' : 'failed'}, sub_status = ${isAnswered ? 'USER_LEFT' : 'BUSY'},
          duration_ms = ${isAnswered ? 60_000 : null}, ended_at = ${ended}, result = ${result}, result_source = 'label'
        where workspace_id = ${world.id} and id = ${id}`.execute(tx);
      await noteAttempt(tx, {
        workspaceId: world.id,
        agentId: world.agentId,
        versionId: world.versionId,
        numberId,
        campaignId: null,
        attempt: 1,
        dialedAt: new Date(dialedAt),
        endedAt: ended,
        isAnswered,
        durationMs: isAnswered ? 60_000 : 0,
        turns: [],
      });
    }
  });
}
