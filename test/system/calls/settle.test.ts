import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import type { Claimed } from '../../../src/scheduler/claimed.ts';
import { dial } from '../../../src/domain/calls/attempt/dial.ts';
import { settleAttempt, type SettleDeps, type Settlement } from '../../../src/domain/calls/attempt/settle.ts';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { createWorkspace, MONDAY, queueCalls, type WorldOptions } from '../../helpers/database/workspace.ts';
import type { Ground } from '../../helpers/database/database-and-clock.ts';
import { conversationResult, createSettling, type Settling } from '../../helpers/calls/settling-node.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';

let settling: Settling;
let ground: Ground;
let deps: SettleDeps & { nodeId: string };

beforeAll(async () => {
  settling = await createSettling();
  ground = settling.ground;
});
afterEach(() => checkStoredEvents(ground.db));
afterAll(() => ground.close());
beforeEach(async () => {
  await settling.renew();
  deps = settling.deps;
});

const result = conversationResult;
const analyse = () => settling.analyse();
const ended = (c: Claimed, more: Partial<Settlement>): Settlement =>
  settlementOf(c, ground.clock.now(), more);

const claimed = () => settling.claimed();
const answered: Settling['answered'] = (...how) => settling.answered(...how);

const callOf = (c: Claimed) =>
  ground.db.selectFrom('calls').selectAll().where('id', '=', c.callId).executeTakeFirstOrThrow();
const workspaceOf = (c: Claimed) =>
  ground.db.selectFrom('workspaces').selectAll().where('id', '=', c.workspaceId).executeTakeFirstOrThrow();
const events = () => settling.events();

const ALL = [
  'call_started',
  'call_ongoing',
  'call_completed',
  'recording_completed',
  'all_processing_completed',
];

describe('settling an answered call', () => {
  it('adds what the far side said in its BYE to the variables of the call and of its events', async () => {
    const c = await answered({
      subscriptions: [
        {
          event_type: ['call_completed'],
          callback_url: 'http://127.0.0.1:1/hook',
          method_type: 'POST',
          headers: {},
        },
      ],
    });
    const variables = { bye_reason: 'Q.850 16', bye_x_account: '42' };
    await settleAttempt(deps, ended(c, { result: result(), variables }));
    const expected = { callee_name: 'Ravi', bye_reason: 'Q.850 16', bye_x_account: '42' };
    expect((await callOf(c)).args).toEqual(expected);
    const completed = (await events()).find((event) => event.event_type === 'call_completed');
    expect(completed?.body['custom_args_values']).toEqual(expected);
  });

  it('charges started pulses, unlocks the rest, stores the record and appends events in order', async () => {
    const c = await answered({
      subscriptions: [
        {
          event_type: ALL,
          callback_url: 'http://127.0.0.1:1/hook',
          method_type: 'POST',
          headers: { a: 'b' },
        },
      ],
    });
    ground.clock.advance(61_000);
    expect(await settleAttempt(deps, ended(c, { result: result() }))).toEqual({
      settled: true,
      status: 'completed',
      subStatus: 'USER_LEFT',
      retryAt: null,
    });
    expect(await callOf(c)).toMatchObject({
      status: 'completed',
      sub_status: 'USER_LEFT',
      cost: 2_000_000,
      reserved: 0,
      duration_ms: 61_000,
      hangup_by: 'caller',
      node_id: null,
    });
    expect(await workspaceOf(c)).toMatchObject({ credits: 998_000_000, locked_credits: 0 });
    expect(await ground.db.selectFrom('call_records').selectAll().executeTakeFirst()).toMatchObject({
      interruptions: 1,
      first_utterance_ms: 640,
      recording_state: 'stored',
      recording_bytes: 1_000_000,
      transcript: [{ role: 'agent' }, { role: 'caller' }],
    });
    // all_processing_completed follows the analysis.
    expect((await events()).map((event) => event.event_type)).toEqual(ALL.slice(0, -1));
    await analyse();
    const emitted = await events();
    expect(emitted.map((event) => event.event_type)).toEqual(
      ALL.toSpliced(-1, 0, 'platform_analysis_completed'),
    );
    const last = emitted.at(-1)?.body;
    expect(last).toMatchObject({
      event_type: 'all_processing_completed',
      call_id: c.callId,
      call_sid: 'sip-1',
      agent_name: 'Asha',
      bulk_list_id: null,
      custom_args_values: { callee_name: 'Ravi' },
      call_type: 'outbound',
      status: 'completed',
      sub_status: 'USER_LEFT',
      retry_count: 0,
      call_cost: 2,
      occurred_at: new Date(MONDAY + 61_000).toISOString(),
      tool_call_logs: [{ name: 'end_call' }],
      call_duration: 61,
      called_on: new Date(MONDAY).toISOString(),
      agent_message_count: 1,
      user_message_count: 1,
      transcript: [{ bot: 'Hello' }, { user: 'Yes?' }],
      overall_latency_seconds: 0.75,
      first_utterance_seconds: 0.64,
      hangup_by: 'caller',
      recording_url: `http://localhost/recordings/${c.callId}.wav`,
      recording_duration: 61,
      platform_analysis: {
        status: 'analyzed',
        analyzed_by: 'offline-rules',
        call_disconnect_reason: 'USER_LEFT',
      },
      client_analysis: null,
    });
    expect(emitted.find((event) => event.event_type === 'call_completed')?.body['recording_url']).toBeNull();
    const deliveries = await ground.db.selectFrom('deliveries').selectAll().orderBy('event_seq').execute();
    expect(deliveries.map((row) => [row.state, row.host, row.headers])).toEqual(
      ALL.map(() => ['due', '127.0.0.1:1', { a: 'b' }]),
    );
  });

  it('is idempotent, sequentially and concurrently', async () => {
    const c = await answered();
    ground.clock.advance(30_000);
    const s = ended(c, { result: result() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => settleAttempt(deps, s)));
    expect(answers.filter((answer) => answer.settled)).toHaveLength(1);
    expect(await settleAttempt(deps, s)).toEqual({
      settled: false,
      stored: { status: 'completed', subStatus: 'USER_LEFT' },
    });
    expect(await workspaceOf(c)).toMatchObject({ credits: 999_000_000, locked_credits: 0 });
    expect((await events()).map((event) => event.event_type)).toEqual(ALL.slice(0, -1));
  });

  it('never charges more than the locked amount', async () => {
    const c = await answered({ credits: 2 });
    ground.clock.advance(125_000);
    await settleAttempt(deps, ended(c, {}));
    expect(await workspaceOf(c)).toMatchObject({ credits: 0, locked_credits: 0 });
  });

  it('counts talk time from the signalling when the answer was not journalled', async () => {
    const w = await createWorkspace(ground.db);
    await queueCalls(ground.db, w, 1);
    const c = await claimed();
    await dial(deps, c);
    const answeredAt = ground.clock.now() + 5000;
    ground.clock.advance(65_001);
    await settleAttempt(deps, ended(c, { answeredAt }));
    expect(await callOf(c)).toMatchObject({
      duration_ms: 60_001,
      cost: 2_000_000,
      answered_at: new Date(answeredAt),
    });
  });

  it('adds an opted-out number to the do-not-call list and cancels every queued call to it', async () => {
    const to = '+12125559999';
    const c = await answered({}, { to });
    const w = { id: c.workspaceId, agentId: c.agentId, versionId: c.versionId, numberIds: [c.numberId] };
    const queued = await queueCalls(ground.db, w, 2, { to });
    const [other = ''] = await queueCalls(ground.db, w, 1, { to: '+12125551111' });
    await settleAttempt(
      deps,
      ended(c, {
        end: { kind: 'answered', reason: 'OPTED_OUT' },
        result: result({ optedOut: true, recording: null }),
      }),
    );
    expect(await callOf(c)).toMatchObject({ status: 'completed', sub_status: 'OPTED_OUT' });
    const rows = await ground.db
      .selectFrom('calls')
      .select(['id', 'status', 'sub_status'])
      .where('id', '!=', c.callId)
      .execute();
    expect(rows.filter((row) => queued.includes(row.id))).toEqual(
      queued.map(
        (id) => expect.objectContaining({ id, status: 'cancelled', sub_status: 'OPTED_OUT' }) as unknown,
      ),
    );
    expect(rows.find((row) => row.id === other)?.status).toBe('registered');
    expect(await ground.db.selectFrom('do_not_call').select('number').execute()).toEqual([{ number: to }]);
  });

  it('sends no recording_completed for a failed recording and stores its state', async () => {
    const c = await answered();
    const recording = { path: 'x.wav', durationMs: 0, bytes: 0, failed: true };
    await settleAttempt(deps, ended(c, { result: result({ recording }) }));
    expect((await events()).map((event) => event.event_type)).not.toContain('recording_completed');
    expect(await ground.db.selectFrom('call_records').select('recording_state').executeTakeFirst()).toEqual({
      recording_state: 'failed',
    });
  });
});

describe('settling an unanswered call', () => {
  const retryConfig = {
    call_retry_config: { retry_count: 2, retry_busy: 0, retry_not_picked: 20, retry_failed: 5 },
  };

  async function dialed(options: WorldOptions = {}): Promise<Claimed> {
    const w = await createWorkspace(ground.db, options);
    await queueCalls(ground.db, w, 1, { callConfig: retryConfig });
    const c = await claimed();
    await dial(deps, c);
    return c;
  }
  const failed = (c: Claimed, failure: 'busy' | 'no_answer' | 'failed' | 'invalid_number'): Settlement =>
    ended(c, { end: { kind: 'not_answered', failure }, hangupBy: null, sipCode: 486 });

  it('retries after the delay of its outcome up to the limit, and charges nothing', async () => {
    const first = await dialed();
    expect(await settleAttempt(deps, failed(first, 'no_answer'))).toMatchObject({
      status: 'retry',
      subStatus: 'RETRY_SCHEDULED',
      retryAt: new Date(MONDAY + 20 * 60_000),
    });
    expect(await callOf(first)).toMatchObject({ status: 'retry', retries_used: 1, attempt: 1 });
    await expect(claimed()).rejects.toThrow('nothing claimed');
    ground.clock.advance(20 * 60_000);
    const second = await claimed();
    expect(second).toMatchObject({ callId: first.callId, attempt: 2 });
    expect(await settleAttempt(deps, failed(second, 'busy'))).toMatchObject({ status: 'retry' });
    // A retry delay of zero is due at once.
    const third = await claimed();
    expect(await settleAttempt(deps, failed(third, 'busy'))).toMatchObject({
      status: 'failed',
      subStatus: 'RETRY_LIMIT_REACHED',
    });
    const attempts = await ground.db.selectFrom('call_attempts').selectAll().orderBy('attempt').execute();
    expect(attempts.map((row) => [row.attempt, row.status, row.sub_status])).toEqual([
      [1, 'ended', 'NO_ANSWER'],
      [2, 'ended', 'BUSY'],
      [3, 'ended', 'BUSY'],
    ]);
    const emitted = await events();
    expect(
      emitted.map((event) => [event.event_type, event.body['status'], event.body['sub_status']]),
    ).toEqual([
      ['call_started', 'ongoing', 'QUEUED'],
      ['call_completed', 'retry', 'NO_ANSWER'],
      ['call_completed', 'retry', 'BUSY'],
      ['call_completed', 'failed', 'RETRY_LIMIT_REACHED'],
      ['all_processing_completed', 'failed', 'RETRY_LIMIT_REACHED'],
    ]);
    expect(await workspaceOf(first)).toMatchObject({ credits: 1_000_000_000, locked_credits: 0 });
  });

  it('moves a retry outside the window to the next opening', async () => {
    const c = await dialed({ callConfig: { call_time: { call_end_time: '15:40' } } });
    expect(await settleAttempt(deps, failed(c, 'no_answer'))).toMatchObject({
      retryAt: new Date('2026-01-06T03:30:00Z'),
    });
  });

  it('does not retry an invalid number', async () => {
    const c = await dialed();
    expect(await settleAttempt(deps, failed(c, 'invalid_number'))).toMatchObject({
      status: 'failed',
      subStatus: 'NOT_ABLE_TO_CALL',
    });
  });
});

describe('money', () => {
  it('balance, ledger and call costs agree over many calls of every outcome', async () => {
    const w = await createWorkspace(ground.db, {
      credits: 100,
      callLimit: 50,
      callConfig: { max_call_length: 120 },
    });
    await queueCalls(ground.db, w, 60);
    let busy = 0;
    for (let turns = 0; turns < 40; turns += 1) {
      const turn = await claimBatch(deps, { visited: [], capacity: 50 });
      if (turn === null || turn.claimed.length === 0) break;
      await Promise.all(
        turn.claimed.map(async (c, index) => {
          await dial(deps, c);
          const talked = (index * 17_321) % 120_000;
          const end: Settlement['end'] =
            index % 3 === 0
              ? { kind: 'not_answered', failure: 'busy' }
              : { kind: 'answered', reason: 'AGENT_ENDED' };
          busy += index % 3 === 0 ? 1 : 0;
          const answeredAt = index % 3 === 0 ? null : ground.clock.now() - talked;
          const s = ended(c, { end, answeredAt });
          await Promise.all([settleAttempt(deps, s), settleAttempt(deps, s)]);
        }),
      );
    }
    expect(busy).toBeGreaterThan(0);
    const row = await ground.db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', w.id)
      .executeTakeFirstOrThrow();
    const { rows } = await sql<{ charged: number; costs: number }>`
      select (select sum(amount)::bigint from ledger where kind = 'charge') as charged,
             (select sum(cost)::bigint from calls) as costs`.execute(ground.db);
    expect(rows[0]?.charged).toBe(100_000_000 - row.credits);
    expect(rows[0]?.costs).toBe(rows[0]?.charged);
    expect(row.locked_credits).toBe(0);
    expect(row.credits).toBeGreaterThanOrEqual(0);
  });
});
