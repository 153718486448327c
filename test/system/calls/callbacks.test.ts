import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDetails } from '../../../src/domain/calls/details.ts';
import { whyNoCallback } from '../../../src/domain/calls/schedule-callback.ts';
import { DEFAULT_PRICES } from '../../../src/vendors/prices.ts';
import { toCallDetails } from '../../../src/http/calls/wire.ts';
import { settleAttempt, type SettleDeps, type Settlement } from '../../../src/domain/calls/attempt/settle.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { JsonObject } from '../../../src/store/schema.ts';
import type { ConversationResult } from '../../../src/voice/conversation.ts';
import { checkStoredEvents } from '../../helpers/webhooks/event-schemas.ts';
import { setLimits } from '../../helpers/campaigns/due-campaigns.ts';
import { openTestLinks } from '../../helpers/database/links.ts';
import { createNode, createWorkspace, MONDAY, type TestWorkspace } from '../../helpers/database/workspace.ts';
import { createGround, type Ground } from '../../helpers/database/database-and-clock.ts';
import { settlementOf } from '../../helpers/calls/settlement.ts';

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
  campaignId?: string;
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
      campaign_id: options.campaignId ?? null,
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

const result = (more: Partial<ConversationResult>): ConversationResult => ({
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

/** Settles the call with a callback requested at this time. */
const settleWithCallback = (
  callId: string,
  at: number,
  more: Partial<ConversationResult> = {},
  over: Partial<Settlement> = {},
) =>
  settleAttempt(
    deps,
    settlement(callId, { result: result({ callback: { at, note: 'after work' }, ...more }), ...over }),
  );

const scheduled = (parent: string) =>
  ground.db.selectFrom('calls').selectAll().where('parent_call_id', '=', parent).execute();
const due = async (parent: string): Promise<(string | undefined)[]> =>
  (await scheduled(parent)).map((call) => call.next_attempt_at?.toISOString());

describe('a requested callback', () => {
  it('is one individual call with the settings of its parent, linked there and due at its time', async () => {
    const call = await answered({ callConfig: { call_retry_config: { retry_count: 1 } } });
    await settleWithCallback(call, MONDAY + 3 * HOUR);
    const [callback, ...others] = await scheduled(call);
    expect(others).toEqual([]);
    expect(callback).toMatchObject({
      status: 'registered',
      sub_status: 'QUEUED',
      call_type: 'outbound',
      campaign_id: null,
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
    const link = await openTestLinks(ground.clock);
    const details = await readDetails({ db: ground.db, link }, world.id, call);
    expect(toCallDetails(details, DEFAULT_PRICES, false)).toMatchObject({
      call_status: 'completed',
      scheduled_callback_call_id: callback?.id,
    });
    const workspace = await ground.db
      .selectFrom('workspaces')
      .select('next_due_at')
      .executeTakeFirstOrThrow();
    expect(new Date(workspace.next_due_at).getTime()).toBeLessThanOrEqual(MONDAY + 3 * HOUR);
  });
  it('is scheduled once by repeated and concurrent settlements', async () => {
    const call = await answered();
    const settlements = await Promise.all(
      Array.from({ length: 8 }, () => settleWithCallback(call, MONDAY + HOUR)),
    );
    expect(settlements.filter(({ settled }) => settled)).toHaveLength(1);
    await settleWithCallback(call, MONDAY + HOUR);
    expect(await scheduled(call)).toHaveLength(1);
  });
  it('is due at the next opening when its time is outside the window, and never in the past', async () => {
    const night = await answered();
    await settleWithCallback(night, Date.UTC(2026, 0, 5, 23));
    expect(await due(night)).toEqual(['2026-01-06T09:00:00.000Z']);
    expect((await scheduled(night))[0]).toMatchObject({ sub_status: 'WINDOW_CLOSED' });
    const past = await answered();
    await settleWithCallback(past, MONDAY - HOUR);
    expect(await due(past)).toEqual([new Date(MONDAY).toISOString()]);
  });
  it('may be requested again during the callback', async () => {
    const first = await answered();
    await settleWithCallback(first, MONDAY + HOUR);
    const [second] = await scheduled(first);
    await sql`update calls set status = 'ongoing', attempt = 1, node_id = ${nodeId}, next_attempt_at = null
      where id = ${second?.id ?? ''}`.execute(ground.db);
    await settleWithCallback(second?.id ?? '', MONDAY + 2 * HOUR);
    expect(await due(second?.id ?? '')).toEqual([new Date(MONDAY + 2 * HOUR).toISOString()]);
  });
  it('leaves its campaign and keeps the campaign’s settings', async () => {
    const campaignId = await campaign();
    const call = await answered({ campaignId });
    await settleWithCallback(call, Date.UTC(2026, 0, 6, 9, 30));
    const [callback] = await scheduled(call);
    expect(callback).toMatchObject({
      campaign_id: null,
      call_config: { call_time: { call_start_time: '11:00' }, call_retry_config: { retry_count: 2 } },
      next_attempt_at: new Date('2026-01-06T11:00:00Z'),
    });
  });
  it('swaps the numbers of an inbound call', async () => {
    await sql`update agents set agent_type = 'outbound_inbound'`.execute(ground.db);
    await setLimits(ground.db, world, { allowed_destinations: ['IN'] });
    const call = await answered({ type: 'inbound', from: '+919812345678', to: '+14155550100' });
    await settleWithCallback(call, MONDAY + HOUR);
    expect(await scheduled(call)).toMatchObject([
      { call_type: 'outbound', from_number: '+14155550100', to_number: '+919812345678' },
    ]);
  });
});

describe('no callback is scheduled', () => {
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

  it('after an opt-out', async () => {
    const call = await answered();
    await settleWithCallback(call, MONDAY + HOUR, { optedOut: true });
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('for a number on the workspace’s do-not-call list', async () => {
    const call = await answered();
    await list(TO);
    await settleWithCallback(call, MONDAY + HOUR);
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('for a number on the campaign’s do-not-call list', async () => {
    const campaignId = await campaign();
    const call = await answered({ campaignId });
    await sql`insert into campaign_do_not_call (workspace_id, campaign_id, number, reason, created_at)
      values (${world.id}, ${campaignId}, ${TO}, 'API', now())`.execute(ground.db);
    await settleWithCallback(call, MONDAY + HOUR);
    expect(await calledBack(call)).toEqual(NOBODY);
  });
  it('for a terminated campaign or a terminated call', async () => {
    const campaignId = await campaign({ state: 'terminated' });
    const ofCampaign = await answered({ campaignId });
    await settleWithCallback(ofCampaign, MONDAY + HOUR);
    expect(await calledBack(ofCampaign)).toEqual(NOBODY);
    const stopped = await answered({ noRetry: true });
    await settleWithCallback(stopped, MONDAY + HOUR);
    expect(await calledBack(stopped)).toEqual(NOBODY);
  });
  it('for a campaign terminated concurrently', async () => {
    const campaignId = await campaign();
    const call = await answered({ campaignId });
    let settling: Promise<unknown> = Promise.resolve();
    await ground.db.transaction().execute(async (tx) => {
      await sql`update campaigns set state = 'terminated' where id = ${campaignId}`.execute(tx);
      settling = settleWithCallback(call, MONDAY + HOUR);
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
  it('when the call itself is retried', async () => {
    const call = await answered({ callConfig: { call_retry_config: { retry_count: 1 } } });
    const end = { kind: 'answered', reason: 'VOICEMAIL_DETECTED' } as const;
    await settleWithCallback(call, MONDAY + HOUR, {}, { end });
    expect(await calledBack(call)).toEqual(NOBODY);
    expect(await ground.db.selectFrom('calls').select('status').where('id', '=', call).execute()).toEqual([
      { status: 'retry' },
    ]);
  });
  it('for an archived or inbound-only agent, a hidden number, or a time years ahead', async () => {
    const far = await answered();
    await settleWithCallback(far, MONDAY + 400 * 24 * HOUR);
    expect(await calledBack(far)).toEqual(NOBODY);
    await settleWithCallback(await answered(), Number.NaN);
    const hidden = await answered({ type: 'inbound', from: 'anonymous', to: '+14155550100' });
    await settleWithCallback(hidden, MONDAY + HOUR);
    expect(await calledBack(hidden)).toEqual(NOBODY);
    await sql`update agents set agent_type = 'inbound'`.execute(ground.db);
    const inbound = await answered({ type: 'inbound', from: '+919812345678', to: '+14155550100' });
    await settleWithCallback(inbound, MONDAY + HOUR);
    expect(await calledBack(inbound)).toEqual(NOBODY);
    await sql`update agents set agent_type = 'outbound', archived_at = now()`.execute(ground.db);
    const archived = await answered();
    await settleWithCallback(archived, MONDAY + HOUR);
    expect(await calledBack(archived)).toEqual(NOBODY);
  });
});

describe('a callback to an inbound caller', () => {
  const callIn = async (from: string): Promise<boolean> => {
    const call = await answered({ type: 'inbound', from, to: '+14155550100' });
    await settleAttempt(
      deps,
      settlement(call, { result: result({ callback: { at: MONDAY + HOUR, heard: 'in an hour' } as never }) }),
    );
    const { rows } = await sql<{ id: string | null }>`
      select callback_call_id as id from calls where id = ${call}`.execute(ground.db);
    return rows[0]?.id != null;
  };
  const CUBA = '+5352123456';
  const JAMAICA = '+18765550123';
  beforeEach(() => sql`update agents set agent_type = 'outbound_inbound'`.execute(ground.db));

  /** What the tool answers in the live call at `at`. */
  const asked = async (from: string, at = MONDAY + HOUR): Promise<string | null> => {
    const call = await answered({ type: 'inbound', from, to: '+14155550100' });
    return whyNoCallback(deps, { workspaceId: world.id, callId: call }, at);
  };

  it('is refused during the call for the reason that would drop it at the end', async () => {
    const closed = 'the workspace does not call numbers of this range';
    expect([await asked(TO), await asked(CUBA), await asked(JAMAICA)]).toEqual([null, closed, closed]);
    expect(await asked('anonymous')).toBe('the number of this caller cannot be called back');
    expect(await asked(TO, MONDAY + 400 * 24 * HOUR)).toBe('the time is too far ahead');
    await callIn(TO);
    await callIn(TO);
    expect(await asked(TO)).toBe('this number has no callback left today');
    await sql`insert into do_not_call (workspace_id, number, reason, created_at)
      values (${world.id}, '+14155550125', 'api', ${new Date(MONDAY)})`.execute(ground.db);
    expect(await asked('+14155550125')).toBe('the number is on the do-not-call list');
    deps = { ...deps, countries: ['IN'] };
    expect(await asked('+14155550126')).toBe(closed);
    await sql`update agents set agent_type = 'inbound'`.execute(ground.db);
    expect(await asked('+14155550126')).toBe('this agent makes no calls');
  });

  it('is scheduled twice a day for one number, not more', async () => {
    expect([await callIn(TO), await callIn(TO), await callIn(TO)]).toEqual([true, true, false]);
    expect(await callIn('+14155550124')).toBe(true);
    // Callbacks that were attempted count for 24 hours.
    await sql`insert into call_attempts (workspace_id, call_id, attempt, node_id, status, claimed_at, to_number)
      select workspace_id, id, 1, ${nodeId}, 'ended', ${new Date(MONDAY)}, to_number from calls
      where status = 'registered' and to_number = ${TO}`.execute(ground.db);
    await sql`update calls set status = 'completed' where status = 'registered'`.execute(ground.db);
    ground.clock.advance(23 * HOUR);
    expect(await callIn(TO)).toBe(false);
    ground.clock.advance(2 * HOUR);
    expect(await callIn(TO)).toBe(true);
  });

  it('is not scheduled to a range that the workspace neither dialled nor may list', async () => {
    expect([await callIn(CUBA), await callIn(JAMAICA)]).toEqual([false, false]);
    await sql`insert into call_attempts
        (workspace_id, call_id, attempt, node_id, status, claimed_at, dialed_at, to_number)
      select ${world.id}, gen_random_uuid(), 1, ${nodeId}, 'ended', now(), now(), n
      from unnest(array['+5352000000', '+14155550199']) n`.execute(ground.db);
    expect([await callIn(CUBA), await callIn(JAMAICA)]).toEqual([true, false]);
    await setLimits(ground.db, world, { allowed_destinations: ['JM'] });
    expect([await callIn('+5352123457'), await callIn(JAMAICA)]).toEqual([false, true]);
    deps = { ...deps, countries: ['US'] };
    expect(await callIn('+18765550124')).toBe(false);
  });
});

describe('a retry in a campaign', () => {
  const busy = (call: string) =>
    settleAttempt(deps, settlement(call, { end: { kind: 'not_answered', failure: 'busy' } }));

  it('is not scheduled at or after the campaign’s end time', async () => {
    const ends = await answered({ campaignId: await campaign({ endAt: Date.UTC(2026, 0, 5, 11) }) });
    expect(await busy(ends)).toMatchObject({
      status: 'failed',
      subStatus: 'CAMPAIGN_TIME_EXCEEDED',
      retryAt: null,
    });
    const goesOn = await answered({ campaignId: await campaign({ endAt: Date.UTC(2026, 0, 5, 11, 1) }) });
    expect(await busy(goesOn)).toMatchObject({ status: 'retry', retryAt: new Date('2026-01-05T11:00:00Z') });
  });
});
