import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttemptEnd } from '../../../src/domain/calls/attempt/next-step.ts';
import type { Tx } from '../../../src/store/database.ts';
import { checkRun, type Evidence, type Started } from '../../chaos/checker.ts';
import { claimContact, dialContact, settleContact } from '../../helpers/campaigns/campaigns.ts';
import { openCampaignOffice, type CampaignOffice } from '../../helpers/campaigns/campaign-api.ts';

// Tests the checker of the chaos runs: no finding for a correct run, and one finding for each injected fault.

const CREDITS = 1000;
const ROWS = ['+12125550001', '+12125550002', '+12125550003'];
const TALKED: AttemptEnd = { kind: 'answered', reason: 'USER_LEFT' };
const BUSY: AttemptEnd = { kind: 'not_answered', failure: 'busy' };

let office: CampaignOffice;
let evidence: Evidence;
beforeAll(async () => {
  office = await openCampaignOffice();
  await office.renew({ credits: CREDITS * 1_000_000 });
  await sql`create table chaos_top_ups (workspace_id uuid, amount bigint)`.execute(office.api.db);
  evidence = await correctRun();
}, 180_000);
afterAll(() => office.api.close());

/** A client to which the API returns this campaign. */
const showing = (campaign: () => Promise<object>): Evidence['client'] => ({
  ask: async () => ({ status: 200, body: { campaign: await campaign() }, at: 0 }),
});

/** A completed campaign of three contacts, one of them reached at the second attempt, with all logs. */
async function correctRun(): Promise<Evidence> {
  const { api, tenant, nodeId } = office;
  const { db, clock } = api;
  const callConfig = { call_retry_config: { retry_count: 1, retry_busy: 1 } };
  const hook = { callback_url: 'https://example.com/hook' };
  const id = await office.started({ contacts: ROWS.map((number) => ({ number })), callConfig }, hook);
  const rings: Evidence['rings'][number][] = [];
  const ring = async (end: AttemptEnd): Promise<void> => {
    clock.advance(10);
    const ref = await claimContact(api, tenant, id, nodeId, 1_000_000);
    if (ref === null) throw new Error('no contact is due');
    await dialContact(api, ref);
    clock.advance(10);
    const { to_number: to } = await db
      .selectFrom('calls')
      .select('to_number')
      .where('id', '=', ref.callId)
      .executeTakeFirstOrThrow();
    rings.push({ at: clock.now(), callId: `${ref.callId}-${ref.attempt}@callwright`, to });
    clock.advance(2000);
    await settleContact(api, ref, end);
  };
  await ring(BUSY);
  await ring(TALKED);
  await ring(TALKED);
  clock.advance(24 * 3_600_000);
  await ring(TALKED);
  const deliver = async (): Promise<void> => {
    await sql`delete from delivery_queue`.execute(db);
    await sql`update deliveries set state = 'delivered', attempt = 1, finished_at = now()`.execute(db);
  };
  while (await office.keep());
  await deliver();
  while (await office.keep());
  await deliver();
  await sql`update jobs set state = 'done'`.execute(db);
  const deliveries = await db
    .selectFrom('deliveries')
    .select(['event_id', 'event_type', 'call_id'])
    .execute();
  const campaign: Started['campaign'] = {
    index: 0,
    workspace: 0,
    name: 'campaign 0',
    rows: ROWS.map((number) => ({ number, name: 'Callee' })),
    listed: { everywhere: [], here: [] },
    flow: 'save',
    window: 'always',
    zone: 'Etc/UTC',
    percentage: null,
    retries: 1,
    isTerminated: false,
  };
  return {
    db,
    client: showing(() => office.campaignOf(id)),
    plan: {
      workspaces: [
        { name: 'Rich', key: tenant.key, credits: CREDITS, callLimit: 10, numbers: [], isChatty: true },
      ],
      campaigns: [campaign],
    },
    started: [{ campaign, id, slots: [{ start: '00:00', end: '00:00' }], listed: [], terminatedAt: null }],
    workspaceIds: [tenant.workspaceId],
    received: deliveries.map((delivery) => ({
      eventId: delivery.event_id,
      type: delivery.event_type,
      callId: delivery.call_id,
      listId: id,
      body: {},
      at: clock.now(),
      isAccepted: true,
    })),
    rings,
    shownAt: (at) => at,
  };
}

/** The findings after a change; the database is rolled back afterwards. */
async function findings(change: Partial<Evidence>, statement?: string): Promise<string[]> {
  let found: string[] = [];
  const undone = new Error('undone');
  await evidence.db
    .transaction()
    .execute(async (tx: Tx) => {
      if (statement !== undefined) {
        const { numAffectedRows } = await sql.raw(statement).execute(tx);
        if (numAffectedRows === 0n) throw new Error(`nothing changed by: ${statement}`);
      }
      ({ findings: found } = await checkRun({ ...evidence, db: tx, ...change }));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  return found;
}
const startedWith = (change: Partial<Started>): Pick<Evidence, 'started'> => ({
  started: evidence.started.map((campaign) => ({ ...campaign, ...change })),
});
const campaignWith = (change: Partial<Started['campaign']>): Pick<Evidence, 'started'> =>
  startedWith({ campaign: { ...evidence.started[0]!.campaign, ...change } });

const refused = (): Evidence['received'] =>
  evidence.received.map((each, n) => (n === 0 ? { ...each, isAccepted: false } : each));
const completion = (): Evidence['received'][number] =>
  evidence.received.find(({ type }) => type === 'campaign_completed')!;

describe('the chaos checker', () => {
  it('has no findings for a correct run', async () => {
    expect(evidence.rings).toHaveLength(4);
    expect(evidence.received.map(({ type }) => type)).toContain('campaign_completed');
    const { findings: found, figures } = await checkRun(evidence);
    expect(found).toEqual([]);
    expect(figures).toMatchObject({ contacts: 3, attempts: 4, 'callees that rang': 4 });
  });

  const FAULTS: [expected: string, change: () => Partial<Evidence>, how?: string][] = [
    ['1 × rung twice for one attempt', () => ({ rings: [...evidence.rings, evidence.rings[0]!] })],
    [
      '1 × rung without a journal entry',
      () => ({ rings: [...evidence.rings, { ...evidence.rings[0]!, callId: 'unknown-1@elsewhere' }] }),
    ],
    [
      '1 × rung without a journal entry',
      () => ({
        rings: evidence.rings.map((invite, n) => (n === 0 ? { ...invite, to: ROWS[2]! } : invite)),
      }),
      ', because the INVITE went to another contact',
    ],
    [
      '1 × rung before the journal entry',
      () => ({
        rings: evidence.rings.map((invite, n) => ({ ...invite, at: invite.at - (n === 0 ? 11 : 0) })),
      }),
    ],
    ['8 × rung outside the window', () => startedWith({ slots: [{ start: '03:00', end: '03:01' }] })],
    ['2 × rung despite a do-not-call list', () => startedWith({ listed: [evidence.rings[0]!.to] })],
    [
      '4 × rung after the response to the termination',
      () => startedWith({ terminatedAt: evidence.rings[0]!.at - 401 }),
    ],
    ['1 × ended by a callee that did not ring', () => ({ rings: evidence.rings.slice(1) })],
    [
      'campaign 0 has 3 contacts of 2',
      () => campaignWith({ rows: evidence.plan.campaigns[0]!.rows.slice(1) }),
    ],
    ['campaign 0: 2 attempts with 0 retries', () => campaignWith({ retries: 0 })],
    [
      'campaign 0 shows completed_count 2, not 3',
      () => {
        const { id } = evidence.started[0]!;
        return { client: showing(async () => ({ ...(await office.campaignOf(id)), completed_count: 2 })) };
      },
    ],
    ['× event marked delivered that the receiver did not accept', () => ({ received: refused() })],
    ['1 × event given up without a request', () => ({ received: evidence.received.slice(1) })],
    [
      '1 × unknown event',
      () => ({ received: [...evidence.received, { ...evidence.received[0]!, eventId: 'another' }] }),
    ],
    [
      'campaign 0: completed 1 times, received as 2 events',
      () => ({ received: [...evidence.received, { ...completion(), eventId: 'another' }] }),
    ],
  ];
  it.each(FAULTS.map(([expected, change, how = '']) => [expected, how, change] as const))(
    'finds: %s%s',
    async (expected, _how, change) => {
      expect((await findings(change())).join('\n')).toContain(expected);
    },
  );

  it.each([
    [
      '1 × rung again after a crash',
      `update call_attempts set sub_status = 'UNKNOWN_AFTER_CRASH' where sub_status = 'BUSY'`,
    ],
    ['campaign 0: 3 contacts have not ended', `update calls set status = 'registered'`],
    ['Rich: 5 still locked', 'update workspaces set locked_credits = 5 where credits < 1000000000'],
    ['should have 997000000', 'update workspaces set credits = credits + 1 where credits = 997000000'],
    [
      'Rich: charged 3000001, calls cost 3000000',
      `update ledger set amount = amount + 1 where kind = 'charge' and amount > 0 and call_id = (select id from calls where contact_row = 2)`,
    ],
    [
      'Rich: charged 4000000, calls cost 3000000',
      `insert into ledger select workspace_id, id, attempt, 'transfer', 1000000, now() from calls where contact_row = 2`,
    ],
    [
      '1 legs of transfers',
      `insert into transfer_legs (workspace_id, call_id, attempt, trunk_id, started_at)
       select workspace_id, id, attempt, id, now() from calls where contact_row = 2`,
    ],
    ['1 attempts without a charge', `delete from ledger where kind = 'charge' and amount = 0`],
    ['charges without an attempt', `delete from call_attempts where attempt = 2`],
    ['3 × attempt with a wrong price', 'update call_attempts set duration_ms = 60001 where duration_ms > 0'],
    [
      '1 × delivery neither delivered nor tried four times',
      `update deliveries set state = 'dead', attempt = 3 where event_type = 'campaign_completed'`,
    ],
    ['× end without an event', `delete from events where event_type = 'call_completed'`],
    ['campaign 0: completed 0 times', `delete from deliveries where event_type = 'campaign_completed'`],
    ['1 attempts without an end', `update call_attempts set status = 'answered' where attempt = 2`],
    ['1 live calls', `update calls set status = 'ongoing' where attempt = 2`],
    ['1 calls with locked credits', 'update calls set reserved = 1 where attempt = 2'],
    ['1 calls assigned to a node', 'update calls set node_id = id where attempt = 2'],
    ['jobs call.analyse that are due', `update jobs set state = 'due'`],
    [
      '1 deliveries in the queue',
      `insert into delivery_queue (workspace_id, id, event_seq, call_id, campaign_id, host, target, due_at)
       select workspace_id, id, event_seq, call_id, campaign_id, host, target, due_at from deliveries
       where event_type = 'campaign_completed'`,
    ],
    ['1 deliveries due', `update deliveries set state = 'due' where event_type = 'campaign_completed'`],
    ['1 campaigns that were not reported', 'update campaigns set reported_at = null'],
    [
      '1 pending hangup requests',
      `insert into hangup_requests select workspace_id, id, 1, id, now() from calls where attempt = 2`,
    ],
  ])('finds in the database: %s', async (expected, statement) => {
    expect((await findings({}, statement)).join('\n')).toContain(expected);
  });
});
