import { gzipSync } from 'node:zlib';
import { newId } from '../../../src/shared/ids.ts';
import type { Db } from '../../../src/store/database.ts';
import { insertCheck, insertFindings } from '../../../src/store/quality/checks.ts';
import { storeScore } from '../../../src/store/quality/scorecards.ts';
import { packedFixture, withoutReply } from '../sip/replays.ts';

const DAY_MS = 86_400_000;
const FAULTY = 3;

/** Ended calls of an agent that the detectors have read, one a day until today with a dead air, and a clean one today. */
export async function insertCheckedCalls(db: Db, agentId: string): Promise<string[]> {
  const { workspace_id: workspaceId, active_version_id: versionId } = await db
    .selectFrom('agents')
    .select(['workspace_id', 'active_version_id'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: FAULTY + 1 }, () => newId());
  for (const [place, id] of ids.entries()) {
    const isFaulty = place < FAULTY;
    const at = new Date(Date.now() - (isFaulty ? place : 0) * DAY_MS);
    const startedAt = at.getTime() - 20_000;
    await db
      .insertInto('calls')
      .values({
        workspace_id: workspaceId,
        id,
        agent_id: agentId,
        version_id: versionId,
        call_type: 'outbound',
        from_number: '+14155550001',
        to_number: '+14155550002',
        callee_name: 'Priya',
        args: JSON.stringify({ callee_name: 'Priya' }),
        status: 'completed',
        sub_status: 'USER_LEFT',
        dialed_at: new Date(startedAt),
        created_at: new Date(startedAt),
        updated_at: at,
        ended_at: at,
        duration_ms: 20_000,
      })
      .execute();
    await db
      .insertInto('call_records')
      .values({
        workspace_id: workspaceId,
        call_id: id,
        transcript: JSON.stringify([
          { role: 'agent', text: 'Hello, this is Maya.', startedAt },
          { role: 'caller', text: 'yes', startedAt: startedAt + 2_500 },
        ]),
        event_log: isFaulty ? gzipSync(withoutReply('booking')) : packedFixture('booking'),
        updated_at: at,
      })
      .execute();
    const call = { id, agentId, versionId };
    const detail = '6.2 s without a word after “yes”';
    await db.transaction().execute(async (tx) => {
      await insertCheck(tx, workspaceId, call, at);
      if (isFaulty)
        await insertFindings(tx, workspaceId, call, [{ detector: 'dead_air', atMs: 3_100, detail }], at);
      const score = isFaulty ? 60 + 10 * place : 100;
      await storeScore(tx, workspaceId, id, { scorecardVersion: 1, score, verdicts: null });
    });
  }
  return ids;
}
