import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endQueued } from '../../../src/domain/calls/attempt/end-queued.ts';
import { settleAttempt, type SettleDeps, type Settlement } from '../../../src/domain/calls/attempt/settle.ts';
import { dial, markAnswered } from '../../../src/domain/calls/attempt/dial.ts';
import { analyseCall } from '../../../src/jobs/analyse-call.ts';
import type { DueJob } from '../../../src/jobs/job-runner.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { newId } from '../../../src/shared/ids.ts';
import { foldEndings } from '../../../src/store/analysis/analytics.ts';
import { clearTranscripts } from '../../../src/store/privacy/call-data.ts';
import { analystsWith } from '../../helpers/analysis/analysis-api.ts';
import { createCallSums, type CallSums } from '../../helpers/calls/call-sums.ts';
import { insertEndedCall } from '../../helpers/analysis/ended-call.ts';
import { conversationResult } from '../../helpers/calls/settling-node.ts';
import {
  createNode,
  createWorkspace,
  MONDAY,
  queueCalls,
  type TestWorkspace,
} from '../../helpers/database/workspace.ts';

let sums: CallSums;
let deps: SettleDeps;
beforeAll(async () => {
  sums = await createCallSums();
  deps = {
    db: sums.api.db,
    clock: sums.api.clock,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    recordingUrl: () => 'http://callwright.test/x.wav',
  };
});
afterAll(() => sums.api.close());

const ALWAYS = {
  call_retry_config: { retry_count: 1, retry_busy: 5, retry_not_picked: 5, retry_failed: 5 },
  call_time: { call_start_time: '00:00', call_end_time: '23:59', timezone: 'Etc/UTC' },
};
type End = Settlement['end'];
const ANSWERED = (reason: 'USER_LEFT' | 'VOICEMAIL_DETECTED'): End => ({ kind: 'answered', reason });

/** Dials the due calls of the workspace; the attempts end in turn as `ends` say, answered ones after `talkMs`. */
async function dialDue(
  world: TestWorkspace,
  ends: readonly { end: End; talkMs?: number }[],
): Promise<string[]> {
  await sql`update workspaces set next_due_at = 'infinity' where id <> ${world.id}`.execute(sums.api.db);
  const nodeId = await createNode(sums.api.db, `node ${newId()}`, sums.api.clock.now());
  const { claimed = [] } = (await claimBatch({ ...deps, nodeId }, { visited: [], capacity: 50 })) ?? {};
  expect(claimed).toHaveLength(ends.length);
  for (const [index, call] of claimed.entries()) {
    const { end, talkMs = 0 } = ends[index]!;
    await dial(deps, call, { sipCallId: newId() });
    const isAnswered = end.kind === 'answered';
    if (isAnswered) await markAnswered(deps, call, { at: sums.api.clock.now() });
    sums.api.clock.advance(talkMs);
    await settleAttempt(deps, {
      workspaceId: call.workspaceId,
      callId: call.callId,
      attempt: call.attempt,
      nodeId,
      end,
      endedAt: sums.api.clock.now(),
      answeredAt: null,
      hangupBy: isAnswered ? 'caller' : null,
      sipCallId: null,
      sipCode: null,
      reason: null,
      result: isAnswered ? conversationResult({ recording: null }) : null,
    });
  }
  return claimed.map(({ callId }) => callId);
}

async function analyse(workspaceId: string, callId: string): Promise<void> {
  const job = analyseCall({ ...deps, analystOf: analystsWith(), onEvents: () => undefined });
  await job.run({ payload: { workspaceId, callId } } as unknown as DueJob);
}

const history = async (key: string, query: string): Promise<any> =>
  (await sums.api.request('GET', `/api/v0/calling/history?limit=50&${query}`, { key })).body;
const resultsOf = (page: any): [string, string][] =>
  page.calls.map((call: any) => [call.result, call.result_source]);

describe('the result of a call', () => {
  it('is how its last attempt ended, and nothing while a retry waits', async () => {
    sums.api.clock.set(MONDAY);
    const world = await createWorkspace(sums.api.db, { credits: 100_000, callLimit: 50 });
    const key = await sums.keyed(world);
    await queueCalls(sums.api.db, world, 1, { callConfig: ALWAYS });
    await dialDue(world, [{ end: { kind: 'not_answered', failure: 'no_answer' } }]);
    expect(resultsOf(await history(key, ''))).toEqual([[null, null]]);
    sums.api.clock.advance(6 * 60_000);
    await dialDue(world, [{ end: { kind: 'not_answered', failure: 'rejected' } }]);
    expect(resultsOf(await history(key, ''))).toEqual([['Refused', 'ending']]);
  });

  it('filters the history and is counted, folded or not', async () => {
    sums.api.clock.set(MONDAY);
    const world = await createWorkspace(sums.api.db, { credits: 100_000, callLimit: 50 });
    const key = await sums.keyed(world);
    await queueCalls(sums.api.db, world, 3, {
      callConfig: { ...ALWAYS, call_retry_config: { retry_count: 0 } },
    });
    await dialDue(world, [
      { end: ANSWERED('USER_LEFT'), talkMs: 2_000 },
      { end: ANSWERED('USER_LEFT'), talkMs: 3_000 },
      { end: ANSWERED('VOICEMAIL_DETECTED'), talkMs: 9_000 },
    ]);
    const [waiting = ''] = await queueCalls(sums.api.db, world, 1, { callConfig: ALWAYS });
    const counted = [
      { result: 'Hung up at once', source: 'ending', calls: 2 },
      { result: 'Voicemail', source: 'ending', calls: 1 },
    ];
    const check = async (): Promise<void> => {
      const page = await history(key, 'result=Hung%20up%20at%20once');
      expect([page.total, resultsOf(page)]).toEqual([
        2,
        Array.from({ length: 2 }, () => ['Hung up at once', 'ending']),
      ]);
      expect((await history(key, 'result=Hung')).total).toBe(0);
      const within = 'result=Voicemail&start_date=2026-01-05T08:00:00Z';
      expect((await history(key, within)).total).toBe((await history(key, within)).calls.length);
      expect((await sums.ask(key, 'classification-analytics')).results).toEqual(counted);
    };
    await check();
    await sums.api.db.transaction().execute((tx) => foldEndings(tx, world.id, 100));
    await check();
    await sums.api.db
      .transaction()
      .execute((tx) =>
        endQueued(tx, world.id, waiting, { status: 'cancelled', subStatus: 'USER_TERMINATED' }, new Date()),
      );
    expect(resultsOf(await history(key, 'status=cancelled'))).toEqual([['Cancelled', 'ending']]);
  });

  it('becomes the answer to the goal when the call is analysed, and is gone after an erasure', async () => {
    const { db, clock } = sums.api;
    const { workspaceId, callId } = await insertEndedCall(db, clock, {});
    await analyse(workspaceId, callId);
    const key = await sums.keyed({ id: workspaceId } as TestWorkspace);
    const read = async (): Promise<any> =>
      (await sums.api.request('GET', `/api/v0/calling/call-details?id=${callId}`, { key })).body['data'];
    expect(await read()).toMatchObject({ result: 'Confirmed: yes', result_source: 'goal' });
    await db.transaction().execute((tx) => foldEndings(tx, workspaceId, 100));
    await db.transaction().execute((tx) => clearTranscripts(tx, workspaceId, [callId], new Date(MONDAY)));
    await db.transaction().execute((tx) => foldEndings(tx, workspaceId, 100));
    expect((await read()).result).toBe('Erased');
    const { rows } =
      await sql`select result, calls from result_days where workspace_id = ${workspaceId}`.execute(db);
    expect(rows).toEqual([{ result: 'Erased', calls: 1 }]);
  });

  it('is the label of a call whose agent has no goal', async () => {
    const { db, clock } = sums.api;
    const { workspaceId, callId } = await insertEndedCall(db, clock, {
      client: null,
      labels: ['Hot LEAD', 'cold'],
    });
    await analyse(workspaceId, callId);
    const { rows } = await sql`select result, result_source from calls where id = ${callId}`.execute(db);
    expect(rows).toEqual([{ result: 'Hot LEAD', result_source: 'label' }]);
  });
});

describe('dialled calls', () => {
  it('are told from calls that wait: no last_dialed_at, and a filter that puts the last dialled first', async () => {
    sums.api.clock.set(MONDAY);
    const world = await createWorkspace(sums.api.db, { credits: 100_000, callLimit: 50 });
    const key = await sums.keyed(world);
    const [first = ''] = await queueCalls(sums.api.db, world, 1, { callConfig: ALWAYS });
    const later = await queueCalls(sums.api.db, world, 2, { callConfig: ALWAYS, dueAt: MONDAY + 3_600_000 });
    sums.api.clock.advance(60_000);
    await dialDue(world, [{ end: { kind: 'not_answered', failure: 'busy' } }]);
    const all = await history(key, '');
    expect(all.total).toBe(3);
    expect(Object.fromEntries(all.calls.map((call: any) => [call.call_id, call.last_dialed_at]))).toEqual({
      [first]: new Date(MONDAY + 60_000).toISOString(),
      ...Object.fromEntries(later.map((id) => [id, null])),
    });
    const dialled = await history(key, 'dialled=true');
    expect([dialled.total, dialled.calls.map((call: any) => call.call_id)]).toEqual([1, [first]]);
    const waiting = await history(key, 'dialled=false');
    expect([waiting.total, waiting.calls.length]).toEqual([2, 2]);
  });
});
