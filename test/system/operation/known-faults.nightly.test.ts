import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { dial, markAnswered, markRinging } from '../../../src/domain/calls/attempt/dial.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';
import { createNode, createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';

/** Faults that users of other platforms report of calls and events; each test is named after the fault it prevents. */
const settling = settlingOfFile();
const RECEIVER = 'http://127.0.0.1:1/hook';
const ALL = [
  'call_started',
  'call_ringing',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'platform_analysis_completed',
  'all_processing_completed',
];

it('no call has one time for ringing, answer and first words', async () => {
  const { ground, deps } = settling;
  const subscriptions = [{ event_type: ALL, callback_url: RECEIVER, method_type: 'POST', headers: {} }];
  await queueCalls(ground.db, await createWorkspace(ground.db, { subscriptions }), 1);
  const call = await settling.claimed();
  const claimedAt = ground.clock.now();
  await dial(deps, call, { sipCallId: 'sip-1' });
  await markRinging(deps, call, { at: claimedAt + 2_000, sipCode: 180 });
  await markAnswered(deps, call, { at: claimedAt + 7_000 });
  ground.clock.advance(60_000);
  await settling.settle(call, {
    answeredAt: claimedAt + 7_000,
    result: conversationResult({ firstUtteranceMs: 640 }),
  });
  const { rows } = await sql<Record<string, Date>>`
    select dialed_at, ringing_at, answered_at from call_attempts where call_id = ${call.callId}`.execute(
    ground.db,
  );
  const after = (name: string): number => (rows[0]?.[name]?.getTime() ?? 0) - claimedAt;
  expect(['dialed_at', 'ringing_at', 'answered_at'].map(after)).toEqual([0, 2_000, 7_000]);
  const events = await settling.events();
  const at = (type: string): number =>
    events.find((event) => event.event_type === type).occurred_at.getTime() - claimedAt;
  expect([at('call_ringing'), at('call_ongoing')]).toEqual([2_000, 7_000]);
  const ended = events.find((event) => event.event_type === 'call_completed');
  expect(ended.body.first_utterance_seconds).toBe(0.64);
});

it('no call starts twice while hundreds start at once in two processes', { timeout: 400_000 }, async () => {
  const { ground, deps } = settling;
  const nodes = [deps.nodeId, await createNode(ground.db, 'two')];
  const world = await createWorkspace(ground.db, { callLimit: 300, credits: 1_000_000_000 });
  const ids = await queueCalls(ground.db, world, 300);
  const started: string[] = [];
  const claimer = async (nodeId: string): Promise<void> => {
    for (;;) {
      const batch = await claimBatch({ ...deps, nodeId }, { visited: [], capacity: 20 });
      if (batch === null || batch.claimed.length === 0) return;
      for (const call of batch.claimed) {
        if ((await dial(deps, call, { sipCallId: call.callId })).go) started.push(call.callId);
      }
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map((n) => claimer(nodes[n % 2] ?? '')));
  expect(started.toSorted()).toEqual(ids.toSorted());
});

it('no last event lacks a status, the recording or the transcript, or is lost with its process', async () => {
  const subscriptions = [{ event_type: ALL, callback_url: RECEIVER, method_type: 'POST', headers: {} }];
  const call = await settling.answered({ subscriptions });
  await settling.settle(call, { result: conversationResult() });
  await settling.analyse();
  const last = (await settling.events()).at(-1);
  expect(last.event_type).toBe('all_processing_completed');
  expect(last.body).toMatchObject({
    status: 'completed',
    sub_status: 'USER_LEFT',
    recording_url: expect.stringMatching(/^http/),
    recording_duration: 61,
    transcript: [{ bot: 'Hello' }, { user: 'Yes?' }],
    platform_analysis: { status: 'analyzed' },
  });
  expect(Object.values(last.body).filter((value) => value === undefined || value === '')).toEqual([]);
  // Every event is a row that waits for its delivery, written in the transaction of its cause.
  const due = await settling.ground.db.selectFrom('deliveries').select('event_id').execute();
  expect(due.map((row) => row.event_id)).toContain(last.id);
});
