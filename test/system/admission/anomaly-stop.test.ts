import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge } from '../../../src/domain/admission/gate.ts';
import { pauseAnomalies } from '../../../src/domain/webhooks/anomaly-stop.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { newId } from '../../../src/shared/ids.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { openAgentDesk, type AgentDesk } from '../../helpers/agents/agent-api.ts';
import { signedIn } from '../../helpers/browser/browser.ts';
import { createNode } from '../../helpers/database/workspace.ts';

const HOUR_MS = 3_600_000;
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };

let desk: AgentDesk;
let nodeId: string;
beforeAll(async () => {
  desk = await openAgentDesk({
    unlimited: true,
    agent: {
      agent_type: 'outbound_inbound',
      call_config: { call_time: { call_start_time: '00:00', call_end_time: '00:00', timezone: 'Etc/UTC' } },
    },
  });
  await desk.renew();
  await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
  await desk.edit({
    operation: 'edit_event_subscriptions',
    event_subscriptions: [{ event_type: 'outbound_paused', callback_url: 'https://hooks.example.com' }],
  });
  nodeId = await createNode(desk.api.db, 'anomaly', desk.api.clock.now());
});
afterAll(() => desk.api.close());

const watch = () => pauseAnomalies({ db: desk.api.db, clock: desk.api.clock, log: silentLog });
const dialled = (attempts: number) =>
  sql`update workspaces set starts_total = starts_total + ${attempts}, served_at = ${new Date(desk.api.clock.now())}
    where id = ${desk.tenant.workspaceId}`.execute(desk.api.db);
const place = (number: string) =>
  desk.api.request('POST', '/api/v0/calling/outbound/individual', {
    key: desk.tenant.key,
    body: {
      name: 'Sam',
      mobile_number: number,
      agent_id: desk.agentId,
      from_number_id: desk.tenant.numberId,
    },
  });
const claim = async () => {
  const { db, clock } = desk.api;
  await sql`update nodes set beat_at = ${new Date(clock.now())}`.execute(db);
  return (await claimBatch({ db, clock, rate, nodeId }, { visited: [], capacity: 10 }))?.claimed.length ?? 0;
};

describe('a stolen key that dials ten times as much as in the busiest hour of the week', () => {
  it('pauses outbound calls with a notice and an event, until an owner who is signed in lifts it', async () => {
    const { api, tenant } = desk;
    api.clock.advance(HOUR_MS - (api.clock.now() % HOUR_MS));
    await dialled(0);
    expect(await watch()).toBe(0);
    await dialled(40);
    for (let hours = 0; hours < 5; hours += 1) {
      api.clock.advance(HOUR_MS);
      expect(await watch()).toBe(0);
      await dialled(10);
    }
    await dialled(389);
    expect(await watch()).toBe(0);
    await dialled(1);
    expect([await watch(), await watch()]).toEqual([1, 0]);

    expect((await place('+14155550123')).status).toBe(200);
    expect(await claim()).toBe(0);
    const call = await api.db.selectFrom('calls').select(['status', 'sub_status']).executeTakeFirstOrThrow();
    expect(call).toEqual({ status: 'registered', sub_status: 'LIMIT_REACHED' });
    const ring = await takeInbound(
      { db: api.db, clock: api.clock, rate, nodeId: () => nodeId },
      {
        trunkIds: [tenant.trunkId],
        from: '+14155558888',
        to: tenant.number,
        displayName: null,
        callId: newId(),
        sipCallId: newId(),
      },
    );
    expect(ring).toHaveProperty('taken');

    const events = await sql<{ body: Record<string, unknown> }>`select body from events
      where event_type = 'outbound_paused'`.execute(api.db);
    expect(events.rows).toMatchObject([{ body: { reason: 'attempts', attempts_of_hour: 400 } }]);
    const log = await api.request('GET', '/api/v0/workspace/audit-log?action=workspace.outbound_paused', {
      key: tenant.key,
    });
    expect(log.body['entries']).toMatchObject([
      { actor: { type: 'system' }, objects: { reason: 'attempts' } },
    ]);

    const body = { outbound_paused: null };
    const byKey = await api.request('PATCH', '/api/v0/workspace/settings', { key: tenant.key, body });
    expect([byKey.status, byKey.body['code']]).toEqual([403, 'SIGNED_IN_OWNERS_ONLY']);
    expect(await claim()).toBe(0);
    const owner = await signedIn(api, tenant.workspaceId, 'owner');
    const lifted = await owner.request('PATCH', '/api/v0/workspace/settings', body);
    expect(lifted.body).toMatchObject({ outbound_paused: null });
    expect(await claim()).toBe(1);
    await dialled(1000);
    expect(await watch()).toBe(0);
  });
});

describe('spending ten times that of the busiest hour of the week', () => {
  const CREDIT = 1_000_000;
  const spent = (credits: number) =>
    sql`update workspaces set charged_total = charged_total + ${credits * CREDIT},
      served_at = ${new Date(desk.api.clock.now())} where id = ${desk.tenant.workspaceId}`.execute(
      desk.api.db,
    );
  const notices = async () =>
    (
      await sql<{ body: Record<string, unknown> }>`select body from events
        where event_type = 'outbound_paused' and body ->> 'reason' = 'spend'`.execute(desk.api.db)
    ).rows.map(({ body }) => body);

  it('pauses outbound calls and both transfers with a notice, and not below ten times', async () => {
    const { api, tenant } = desk;
    // Beyond the week of the attempts above.
    for (let days = 0; days < 9; days += 1) {
      api.clock.advance(24 * HOUR_MS);
      await watch();
    }
    await spent(20);
    api.clock.advance(HOUR_MS);
    expect(await watch()).toBe(0);
    await spent(199.999);
    expect([await watch(), await notices()]).toEqual([0, []]);
    await spent(0.001);
    expect(await watch()).toBe(1);
    expect(await notices()).toMatchObject([{ reason: 'spend', credits_of_hour: 200 }]);
    const judged = (kind: 'outbound' | 'transfer' | 'refer' | 'inbound' | 'chat') =>
      api.db.transaction().execute(async (tx) => {
        const request = { kind, byStranger: false, price: { amount: 0 } } as const;
        const { admitted } = await judge(tx, { db: api.db, clock: api.clock }, tenant.workspaceId, request);
        return admitted;
      });
    const held = [await judged('outbound'), await judged('transfer'), await judged('refer')];
    expect([held, await judged('inbound'), await judged('chat')]).toEqual([
      [false, false, false],
      true,
      true,
    ]);
  });
});
