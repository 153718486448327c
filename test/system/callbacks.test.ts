import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDetails } from '../../src/domain/calls/details.ts';
import { settleAttempt, type SettleDeps, type Settlement } from '../../src/domain/calls/settle-call.ts';
import { newId } from '../../src/shared/ids.ts';
import type { JsonObject } from '../../src/store/schema.ts';
import type { CallResult } from '../../src/workers/protocol.ts';
import { checkStoredEvents } from '../helpers/event-schemas.ts';
import { createNode, createWorkspace, MONDAY, type TestWorkspace } from '../helpers/world.ts';
import { createGround, type Ground } from '../helpers/ground.ts';
import { settlementOf } from '../helpers/settlement.ts';

const HOUR = 3_600_000;
const TO = '+14155550123';
let ground: Ground;
let deps: SettleDeps;
let nodeId: string;
let world: TestWorkspace;

beforeAll(async () => {
  ground = await createGround({ maxConnections: 20 });
});
afterEach(() => checkStoredEvents(ground.db));
afterAll(() => ground.close());
beforeEach(async () => {
  await ground.renew();
  nodeId = await createNode(ground.db);
  deps = {
    db: ground.db,
    clock: ground.clock,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    recordingUrl: () => '',
  };
  world = await createWorkspace(ground.db, { callConfig: { call_time: { timezone: 'Etc/UTC' } } });
});

interface LiveCall {
  to?: string;
  from?: string;
  type?: 'outbound' | 'inbound';
  laneId?: string;
  callConfig?: JsonObject;
  noRetry?: boolean;
}

/** A call that has been answered and is live on this node. */
async function answered(options: LiveCall = {}): Promise<string> {
  const id = newId();
  const at = new Date(ground.clock.now());
  await ground.db
    .insertInto('calls')
    .values({
      workspace_id: world.id,
      id,
      lane_id: options.laneId ?? null,
      agent_id: world.agentId,
      version_id: world.versionId,
      number_id: world.numberIds[0] ?? null,
      call_type: options.type ?? 'outbound',
      from_number: options.from ?? '+14155550100',
      to_number: options.to ?? TO,
      callee_name: 'Ravi',
      args: JSON.stringify({ callee_name: 'Ravi', plan: 'gold' }),
      call_config: options.callConfig === undefined ? null : JSON.stringify(options.callConfig),
      category: 'renewal',
      no_retry: options.noRetry ?? false,
      status: 'ongoing',
      sub_status: 'ACCEPTED',
      attempt: 1,
      node_id: nodeId,
      created_at: at,
      updated_at: at,
      dialed_at: at,
      answered_at: at,
    })
    .execute();
  await ground.db
    .insertInto('call_attempts')
    .values({
      workspace_id: world.id,
      call_id: id,
      attempt: 1,
      node_id: nodeId,
      status: 'answered',
      claimed_at: at,
      dialed_at: at,
      answered_at: at,
    })
    .execute();
  return id;
}

async function campaign(more: { state?: 'ongoing' | 'terminated'; endAt?: number } = {}): Promise<string> {
  const id = newId();
  const at = new Date(MONDAY);
  await ground.db
    .insertInto('campaigns')
    .values({
      workspace_id: world.id,
      id,
      agent_id: world.agentId,
      name: 'renewals',
      state: more.state ?? 'ongoing',
      call_config: JSON.stringify({ call_time: { call_start_time: '11:00' } }),
      end_at: more.endAt === undefined ? null : new Date(more.endAt),
      created_at: at,
      updated_at: at,
    })
    .execute();
  return id;
}

const result = (more: Partial<CallResult>): CallResult => ({
  reason: 'USER_LEFT',
  transcript: [],
  latencies: [],
  interruptions: 0,
  toolLog: [],
  optedOut: false,
  callback: null,
  firstUtteranceMs: null,
  recording: null,
  media: null,
  transfers: [],
  startedAt: 0,
  endedAt: 0,
  ...more,
});

const settlement = (callId: string, more: Partial<Settlement> = {}): Settlement =>
  settlementOf({ workspaceId: world.id, callId, attempt: 1, nodeId }, ground.clock.now(), more);

/** Settles the call as one in which a callback was asked for at this time. */
const asked = (callId: string, at: number, more: Partial<CallResult> = {}, over: Partial<Settlement> = {}) =>
  settleAttempt(
    deps,
    settlement(callId, { result: result({ callback: { at, note: 'after work' }, ...more }), ...over }),
  );

const scheduled = (parent: string) =>
  ground.db.selectFrom('calls').selectAll().where('parent_call_id', '=', parent).execute();
const due = async (parent: string): Promise<(string | undefined)[]> =>
  (await scheduled(parent)).map((call) => call.next_attempt_at?.toISOString());

describe('a callback that was asked for', () => {
  it('is one individual call like the one in which it was asked for, shown there and due at its time', async () => {
    const call = await answered({ callConfig: { call_retry_config: { retry_count: 1 } } });
    await asked(call, MONDAY + 3 * HOUR);
    const [callback, ...others] = await scheduled(call);
    expect(others).toEqual([]);
    expect(callback).toMatchObject({
      status: 'registered',
      sub_status: 'QUEUED',
      call_type: 'outbound',
      lane_id: null,
      agent_id: world.agentId,
      version_id: world.versionId,
      number_id: world.numberIds[0],
      from_number: '+14155550100',
      to_number: TO,
      callee_name: 'Ravi',
      args: { callee_name: 'Ravi', plan: 'gold' },
      call_config: { call_retry_config: { retry_count: 1 } },
      category: 'renewal',
      attempt: 0,
      next_attempt_at: new Date(MONDAY + 3 * HOUR),
    });
    const link = { publicUrl: 'http://localhost', secret: 's' };
    const details = await readDetails({ db: ground.db, link }, world.id, call, false);
    expect(details).toMatchObject({
      call_status: 'completed',
      scheduled_callback_call_id: callback?.id,
    });
    const workspace = await ground.db
      .selectFrom('workspaces')
      .select('next_due_at')
      .executeTakeFirstOrThrow();
    expect(new Date(workspace.next_due_at).getTime()).toBeLessThanOrEqual(MONDAY + 3 * HOUR);
  });
  it('is scheduled once, however often and by however many the end is told', async () => {
    const call = await answered();
    const told = await Promise.all(Array.from({ length: 8 }, () => asked(call, MONDAY + HOUR)));
    expect(told.filter(({ settled }) => settled)).toHaveLength(1);
    await asked(call, MONDAY + HOUR);
    expect(await scheduled(call)).toHaveLength(1);
  });
  it('waits for the opening where it was asked for outside the window, and is never due in the past', async () => {
    const night = await answered();
    await asked(night, Date.UTC(2026, 0, 5, 23));
    expect(await due(night)).toEqual(['2026-01-06T09:00:00.000Z']);
    expect((await scheduled(night))[0]).toMatchObject({ sub_status: 'WINDOW_CLOSED' });
    const past = await answered();
    await asked(past, MONDAY - HOUR);
    expect(await due(past)).toEqual([new Date(MONDAY).toISOString()]);
  });
  it('may be asked for again in the callback itself', async () => {
    const first = await answered();
    await asked(first, MONDAY + HOUR);
    const [second] = await scheduled(first);
    await sql`update calls set status = 'ongoing', attempt = 1, node_id = ${nodeId}, next_attempt_at = null
      where id = ${second?.id ?? ''}`.execute(ground.db);
    await asked(second?.id ?? '', MONDAY + 2 * HOUR);
    expect(await due(second?.id ?? '')).toEqual([new Date(MONDAY + 2 * HOUR).toISOString()]);
  });
  it('leaves its campaign with the campaign’s settings', async () => {
    const laneId = await campaign();
    const call = await answered({ laneId });
    await asked(call, Date.UTC(2026, 0, 6, 9, 30));
    const [callback] = await scheduled(call);
    expect(callback).toMatchObject({
      lane_id: null,
      call_config: { call_time: { call_start_time: '11:00' }, call_retry_config: { retry_count: 2 } },
      next_attempt_at: new Date('2026-01-06T11:00:00Z'),
    });
  });
  it('rings back along an inbound call', async () => {
    await sql`update agents set agent_type = 'outbound_inbound'`.execute(ground.db);
    const call = await answered({ type: 'inbound', from: '+919812345678', to: '+14155550100' });
    await asked(call, MONDAY + HOUR);
    expect(await scheduled(call)).toMatchObject([
      { call_type: 'outbound', from_number: '+14155550100', to_number: '+919812345678' },
    ]);
  });
});

describe('nobody is called back', () => {
  const list = (number: string) =>
    sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${world.id}, ${number}, 'API', now())`.execute(ground.db);
  const NOBODY = { scheduled: [], noted: null, isLive: false };
  const calledBack = async (call: string) => {
    const row = await ground.db
      .selectFrom('calls')
      .selectAll()
      .where('id', '=', call)
      .executeTakeFirstOrThrow();
    return {
      scheduled: await scheduled(call),
      noted: row.callback_call_id,
      isLive: row.status === 'ongoing',
    };
  };

  it('who asked not to be called', async () => {
    const call = await answered();
    await asked(call, MONDAY + HOUR, { optedOut: true });
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('who is on the workspace’s do-not-call list', async () => {
    const call = await answered();
    await list(TO);
    await asked(call, MONDAY + HOUR);
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('who is on the campaign’s do-not-call list', async () => {
    const laneId = await campaign();
    const call = await answered({ laneId });
    await sql`insert into campaign_do_not_call (workspace_id, campaign_id, number, reason, created_at)
      values (${world.id}, ${laneId}, ${TO}, 'API', now())`.execute(ground.db);
    await asked(call, MONDAY + HOUR);
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('for a campaign that was terminated, nor where the call itself was', async () => {
    const laneId = await campaign({ state: 'terminated' });
    const ofCampaign = await answered({ laneId });
    await asked(ofCampaign, MONDAY + HOUR);
    expect(await calledBack(ofCampaign)).toEqual(NOBODY);
    const stopped = await answered({ noRetry: true });
    await asked(stopped, MONDAY + HOUR);
    expect(await calledBack(stopped)).toEqual(NOBODY);
  });
  it('by a campaign that is terminated in the same moment', async () => {
    const laneId = await campaign();
    const call = await answered({ laneId });
    let settling: Promise<unknown> = Promise.resolve();
    await ground.db.transaction().execute(async (tx) => {
      await sql`update campaigns set state = 'terminated' where id = ${laneId}`.execute(tx);
      settling = asked(call, MONDAY + HOUR);
      // The settling waits for the campaign's row: it is the last that it takes.
      for (let waiting = 0; waiting === 0;) {
        const { rows } = await sql<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(tx);
        waiting = rows[0]?.waiting ?? 0;
      }
    });
    await settling;
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('when the call itself is tried again', async () => {
    const call = await answered({ callConfig: { call_retry_config: { retry_count: 1 } } });
    const end = { kind: 'answered', reason: 'VOICEMAIL_DETECTED' } as const;
    await asked(call, MONDAY + HOUR, {}, { end });
    expect(await calledBack(call)).toEqual(NOBODY);
    expect(await ground.db.selectFrom('calls').select('status').where('id', '=', call).execute()).toEqual([
      { status: 'retry' },
    ]);
  });
  it('by an agent that is archived or makes no calls, along a hidden number, or years from now', async () => {
    const far = await answered();
    await asked(far, MONDAY + 400 * 24 * HOUR);
    expect(await calledBack(far)).toEqual(NOBODY);
    await asked(await answered(), Number.NaN);
    const hidden = await answered({ type: 'inbound', from: 'anonymous', to: '+14155550100' });
    await asked(hidden, MONDAY + HOUR);
    expect(await calledBack(hidden)).toEqual(NOBODY);
    await sql`update agents set agent_type = 'inbound'`.execute(ground.db);
    const inbound = await answered({ type: 'inbound', from: '+919812345678', to: '+14155550100' });
    await asked(inbound, MONDAY + HOUR);
    expect(await calledBack(inbound)).toEqual(NOBODY);
    await sql`update agents set agent_type = 'outbound', archived_at = now()`.execute(ground.db);
    const archived = await answered();
    await asked(archived, MONDAY + HOUR);
    expect(await calledBack(archived)).toEqual(NOBODY);
  });
});

describe('a retry in a campaign', () => {
  const busy = (call: string) =>
    settleAttempt(deps, settlement(call, { end: { kind: 'not_answered', failure: 'busy' } }));

  it('is not scheduled at or after the campaign’s end', async () => {
    const ends = await answered({ laneId: await campaign({ endAt: Date.UTC(2026, 0, 5, 11) }) });
    expect(await busy(ends)).toMatchObject({
      status: 'failed',
      subStatus: 'CAMPAIGN_TIME_EXCEEDED',
      retryAt: null,
    });
    const goesOn = await answered({ laneId: await campaign({ endAt: Date.UTC(2026, 0, 5, 11, 1) }) });
    expect(await busy(goesOn)).toMatchObject({ status: 'retry', retryAt: new Date('2026-01-05T11:00:00Z') });
  });
});
