import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST_CALL_JOB } from '../../../src/domain/tools/post-call.ts';
import { JobRunner } from '../../../src/jobs/job-runner.ts';
import { postCallTool } from '../../../src/jobs/run-post-call-tool.ts';
import type { FetchFailure } from '../../../src/net/safe-fetch.ts';
import { insertJob } from '../../../src/store/jobs.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { insertEndedCall } from '../../helpers/analysis/ended-call.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { eventually } from '../../helpers/service/service.ts';
import { mondayClock } from '../../helpers/database/workspace.ts';

let database: TestDatabase;
const clock = mondayClock();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Runs one post-call tool whose request fails; returns the log lines, the job and the call. */
async function failing(failure: FetchFailure, detail: string) {
  const { db } = database;
  const { workspaceId, callId } = await insertEndedCall(db, clock, {});
  const tool = { type: 'API_TOOL', name: 'crm', method: 'POST', url: 'https://crm.example/' };
  const job = { workspaceId, kind: POST_CALL_JOB, dedup: callId, payload: { call_id: callId, tool } };
  await insertJob(db, job, new Date(clock.now()));
  const lines: Record<string, any>[] = [];
  const fetch = () => Promise.resolve({ ok: false as const, failure, detail });
  const fetcher = { of: () => ({ fetch }) };
  const runner = new JobRunner({
    db,
    clock,
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
    kind: POST_CALL_JOB,
    pollMs: 20,
    handler: postCallTool({ db, clock, fetcher, seal: TEST_SEAL }),
  });
  runner.start();
  const ended = await eventually('the attempt to be stored', async () => {
    const jobs = db.selectFrom('jobs').selectAll().where('kind', '=', POST_CALL_JOB);
    const found = await jobs.where('dedup', '=', callId).executeTakeFirst();
    return found === undefined || (found.state === 'due' && found.last_error === null) ? null : found;
  });
  await runner.stop();
  const record = await db
    .selectFrom('call_records')
    .select('tool_log')
    .where('call_id', '=', callId)
    .executeTakeFirstOrThrow();
  return { callId, lines, state: ended.state, toolLog: record.tool_log };
}

describe('a post-call tool whose request fails', () => {
  it('logs the call and the reason of each failed attempt', async () => {
    const { callId, lines, state } = await failing('refused', 'ECONNREFUSED');
    expect(state).toBe('due');
    expect(lines).toMatchObject([
      { callId, msg: 'a job failed', err: { message: `post-call tool crm of call ${callId}: refused` } },
    ]);
  });

  it('is not tried again at an inner address, and the tool log names SAFE_FETCH_ALLOW', async () => {
    const detail = 'an inner address that SAFE_FETCH_ALLOW does not list for tools';
    const { lines, state, toolLog } = await failing('blocked', detail);
    expect([state, lines]).toEqual(['done', []]);
    expect(toolLog).toMatchObject([{ name: 'crm', ok: false, result: { error: 'blocked', detail } }]);
  });
});
