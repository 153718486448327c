import { sql } from 'kysely';
import type { Db } from '../../src/store/database.ts';
import type { Ring } from './callees.ts';
import type { Client } from './client.ts';
import { isOpen, type CampaignPlan, type Plan, type Slot } from './plan.ts';
import type { ReceivedEvent } from './receiver.ts';

export interface Started {
  readonly campaign: CampaignPlan;
  readonly id: string;
  readonly slots: readonly Slot[];
  /** Numbers on a do-not-call list. */
  readonly listed: readonly string[];
  /** When the response to its termination arrived, real time. */
  terminatedAt: number | null;
}

export interface Evidence {
  readonly db: Db;
  readonly client: Pick<Client, 'ask'>;
  readonly plan: Plan;
  readonly started: readonly Started[];
  readonly workspaceIds: readonly string[];
  readonly received: readonly ReceivedEvent[];
  /** Of SIP callees and of callees behind a carrier's API. */
  readonly rings: readonly Ring[];
  /** Converts real time, which the peers log, to the faked clock of the processes. */
  readonly shownAt: (realTime: number) => number;
}

interface AttemptRow {
  callId: string;
  attempt: number;
  campaignId: string;
  toNumber: string;
  status: string;
  subStatus: string | null;
  dialedAt: Date | null;
  endedAt: Date | null;
  cost: number;
}

/** A peer writes its log line up to this long after the packet arrived (same machine, same clock). */
const LOG_LATE_MS = 400;
const MICRO = 1_000_000;

/** Checks the logs of callees and receiver against the database, and the database for consistency. */
export async function checkRun(
  evidence: Evidence,
): Promise<{ findings: string[]; figures: Record<string, number> }> {
  const { db, started } = evidence;
  const findings: string[] = [];
  const { rows: attempts } = await sql<AttemptRow>`
    select call_id as "callId", attempt::int, campaign_id as "campaignId", to_number as "toNumber", status,
           sub_status as "subStatus", dialed_at as "dialedAt", ended_at as "endedAt", cost
    from call_attempts order by call_id, attempt`.execute(db);
  findings.push(...rings(evidence, attempts));
  findings.push(...(await contacts(evidence)));
  findings.push(...(await money(evidence)));
  findings.push(...(await events(evidence)));
  findings.push(...(await leftovers(db)));
  const count = (subStatus: string): number => attempts.filter((a) => a.subStatus === subStatus).length;
  return {
    findings,
    figures: {
      contacts: started.reduce((sum, { campaign }) => sum + campaign.rows.length, 0),
      campaigns: started.length,
      attempts: attempts.length,
      'callees that rang': evidence.rings.length,
      'attempts with unknown end': count('UNKNOWN_AFTER_CRASH'),
      'attempts answered': count('USER_LEFT') + count('AGENT_ENDED'),
      'requests at the receiver': evidence.received.length,
    },
  };
}

/** Summarises findings of one kind: their count and the first few. */
function some(what: string, all: readonly string[]): string[] {
  return all.length === 0 ? [] : [`${all.length} × ${what}: ${all.slice(0, 4).join('; ')}`];
}

/** No callee is rung twice for one attempt, outside the window, without a journal entry or against a list. */
function rings({ rings: rung, started, shownAt }: Evidence, attempts: readonly AttemptRow[]): string[] {
  const known = new Map(attempts.map((row) => [`${row.callId}-${row.attempt}`, row]));
  const campaigns = new Map(started.map((campaign) => [campaign.id, campaign]));
  const crashedAt = new Map(
    attempts.filter((a) => a.subStatus === 'UNKNOWN_AFTER_CRASH').map((a) => [a.callId, a.attempt]),
  );
  const times = new Map<string, number>();
  const found = {
    twice: [] as string[],
    unknown: [] as string[],
    early: [] as string[],
    closed: [] as string[],
  };
  const more = { listed: [] as string[], after: [] as string[], late: [] as string[] };
  for (const invite of rung) {
    const name = invite.callId.split('@')[0]!;
    times.set(name, (times.get(name) ?? 0) + 1);
    if (times.get(name) === 2) found.twice.push(`${name} to ${invite.to}`);
    const row = known.get(name);
    if (row === undefined || row.dialedAt === null || row.toNumber !== invite.to) {
      found.unknown.push(`${name} to ${invite.to}`);
      continue;
    }
    const dialledAt = row.dialedAt.getTime();
    const { campaign, slots, listed, terminatedAt } = campaigns.get(row.campaignId)!;
    const rungAt = shownAt(invite.at);
    if (rungAt < dialledAt) found.early.push(`${name} ${dialledAt - rungAt} ms`);
    // The INVITE arrived shortly before its log line; the faked clock may have been moved in between.
    const isIn = (at: number): boolean => isOpen(slots, campaign.zone, at);
    if (!isIn(rungAt) && !isIn(shownAt(invite.at - LOG_LATE_MS))) {
      found.closed.push(`${name} at ${new Date(rungAt).toISOString()} by its callee`);
    }
    if (!isIn(dialledAt)) found.closed.push(`${name} at ${row.dialedAt.toISOString()} by the journal`);
    if (listed.includes(invite.to)) more.listed.push(`${name} to ${invite.to}`);
    const crashed = crashedAt.get(row.callId);
    if (crashed !== undefined && row.attempt > crashed) more.after.push(name);
    if (terminatedAt !== null && invite.at > terminatedAt + LOG_LATE_MS) {
      more.late.push(`${name} ${invite.at - terminatedAt} ms`);
    }
  }
  const ringed = new Set(rung.map(({ callId }) => callId.split('@')[0]!));
  // An attempt that the callee ended must appear in the callee's log.
  const unheard = attempts.filter(
    (a) => ['USER_LEFT', 'BUSY'].includes(a.subStatus ?? '') && !ringed.has(`${a.callId}-${a.attempt}`),
  );
  return [
    ...some('rung twice for one attempt', found.twice),
    ...some('rung without a journal entry', found.unknown),
    ...some('rung before the journal entry', found.early),
    ...some('rung outside the window', found.closed),
    ...some('rung despite a do-not-call list', more.listed),
    ...some('rung again after a crash', more.after),
    ...some('rung after the response to the termination', more.late),
    ...some(
      'ended by a callee that did not ring',
      unheard.map((a) => `${a.callId}-${a.attempt}`),
    ),
  ];
}

/** Every contact of every list exists and has ended, and so has every campaign. */
async function contacts({ db, client, plan, started, workspaceIds }: Evidence): Promise<string[]> {
  const findings: string[] = [];
  for (const { campaign, id } of started) {
    const { rows } = await sql<{ status: string; n: number; most: number; numbers: number }>`
      select status, count(*)::int as n, max(attempt)::int as most, count(distinct to_number)::int as numbers
      from calls where workspace_id = ${workspaceIds[campaign.workspace]!} and campaign_id = ${id}
      group by status`.execute(db);
    const of = (...statuses: string[]): number =>
      rows.filter((row) => statuses.includes(row.status)).reduce((sum, row) => sum + row.n, 0);
    const total = rows.reduce((sum, row) => sum + row.n, 0);
    const open = of('registered', 'retry', 'ongoing');
    if (total !== campaign.rows.length) {
      findings.push(`${campaign.name} has ${total} contacts of ${campaign.rows.length}`);
    }
    if (open > 0) findings.push(`${campaign.name}: ${open} contacts have not ended`);
    const most = Math.max(0, ...rows.map((row) => row.most));
    if (most > campaign.retries + 1) {
      findings.push(`${campaign.name}: ${most} attempts with ${campaign.retries} retries`);
    }
    const { key } = plan.workspaces[campaign.workspace]!;
    const { body } = await client.ask(key, 'GET', `/api/v0/campaign/${id}`, undefined, { timeoutMs: 20_000 });
    const shown = body.campaign;
    const expected = {
      campaign_status: campaign.isTerminated ? ['terminated', 'completed'] : ['completed'],
      total_count: total,
      registered_count: of('registered'),
      ongoing_count: of('ongoing'),
      retry_count: of('retry'),
      completed_count: of('completed'),
      failed_count: of('failed', 'error'),
      cancelled_count: of('cancelled'),
    };
    for (const [name, value] of Object.entries(expected)) {
      const isAsExpected = Array.isArray(value) ? value.includes(shown[name]) : value === shown[name];
      if (!isAsExpected) findings.push(`${campaign.name} shows ${name} ${shown[name]}, not ${String(value)}`);
    }
  }
  return findings;
}

/** Balance = deposits minus charges, those of transfers included; each attempt is charged its cost exactly once. */
async function money({ db, plan, workspaceIds }: Evidence): Promise<string[]> {
  const findings: string[] = [];
  for (const [index, id] of workspaceIds.entries()) {
    const { name, credits } = plan.workspaces[index]!;
    const { rows } = await sql<Record<'credits' | 'locked' | 'charged' | 'costs' | 'paid', number>>`
      select w.credits, w.locked_credits as locked,
             coalesce((select sum(amount) from ledger where workspace_id = w.id and kind <> 'lock'), 0)::float8
               as charged,
             coalesce((select sum(cost) from calls where workspace_id = w.id), 0)::float8 as costs,
             coalesce((select sum(amount) from chaos_top_ups where workspace_id = w.id), 0)::float8 as paid
      from workspaces w where w.id = ${id}`.execute(db);
    const row = rows[0]!;
    if (row.locked !== 0) findings.push(`${name}: ${row.locked} still locked`);
    if (row.charged !== row.costs) findings.push(`${name}: charged ${row.charged}, calls cost ${row.costs}`);
    const first = credits === 'unlimited' ? 0 : credits * MICRO;
    const expected = first + row.paid - row.charged;
    if (row.credits !== expected) findings.push(`${name}: has ${row.credits}, should have ${expected}`);
  }
  const { rows } = await sql<{ what: string; n: number }>`
    select 'attempts without a charge' as what, count(*)::int as n from call_attempts a
    left join ledger l on l.workspace_id = a.workspace_id and l.call_id = a.call_id and l.attempt = a.attempt
      and l.kind = 'charge'
    left join ledger t on t.workspace_id = a.workspace_id and t.call_id = a.call_id and t.attempt = a.attempt
      and t.kind = 'transfer'
    where l.amount + coalesce(t.amount, 0) is distinct from a.cost
    union all
    select 'charges without an attempt', count(*)::int from ledger l
    where not exists (select from call_attempts a where a.workspace_id = l.workspace_id and a.call_id = l.call_id
                        and a.attempt = l.attempt)`.execute(db);
  const { rows: priced } = await sql<{ what: string }>`
    select a.call_id || '-' || a.attempt || ' ' || sub_status || ': ' || cost || ' for ' || coalesce(duration_ms, -1)
             || ' ms' as what
    from call_attempts a join workspaces w on w.id = a.workspace_id
    left join ledger t on t.workspace_id = a.workspace_id and t.call_id = a.call_id and t.attempt = a.attempt
      and t.kind = 'transfer'
    where cost - coalesce(t.amount, 0) <> case when duration_ms > 0 and not w.unlimited then ceil(duration_ms / 60000.0) * ${MICRO}::int else 0 end`.execute(
    db,
  );
  return [
    ...findings,
    ...rows.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what}`),
    ...some(
      'attempt with a wrong price',
      priced.map(({ what }) => what),
    ),
  ];
}

/** Every event was delivered or tried four times; every attempt and campaign has its final event, once. */
async function events({ db, received, started }: Evidence): Promise<string[]> {
  const { rows } = await sql<{
    eventId: string;
    state: string;
    attempt: number;
    type: string;
    callId: string;
  }>`
    select event_id as "eventId", state, attempt::int, event_type as type, call_id as "callId"
    from deliveries`.execute(db);
  const accepted = new Set(received.filter(({ isAccepted }) => isAccepted).map(({ eventId }) => eventId));
  const requested = new Set(received.map(({ eventId }) => eventId));
  const known = new Set(rows.map(({ eventId }) => eventId));
  const { rows: missing } = await sql<{ what: string }>`
    select 'attempt ' || a.call_id || '-' || a.attempt as what from call_attempts a
    where not exists (select from events e where e.workspace_id = a.workspace_id and e.call_id = a.call_id
                        and e.event_type = 'call_completed'
                        and (e.body ->> 'retry_count')::int = a.attempt - 1)
    union all
    select 'call ' || c.id from calls c
    where (select count(*) from events e where e.workspace_id = c.workspace_id and e.call_id = c.id
             and e.event_type = 'call_completed') < greatest(1, c.attempt)`.execute(db);
  const completions = received.filter(({ type }) => type === 'campaign_completed');
  const perCampaign = started.map(({ campaign, id }) => ({
    name: campaign.name,
    rows: rows.filter((row) => row.type === 'campaign_completed' && row.callId === id).length,
    ids: new Set(completions.filter(({ listId }) => listId === id).map(({ eventId }) => eventId)).size,
  }));
  return [
    ...some(
      'delivery neither delivered nor tried four times',
      rows
        .filter(({ state, attempt }) => state !== 'delivered' && !(state === 'dead' && attempt >= 4))
        .map(({ eventId, state, attempt }) => `${eventId} ${state} after ${attempt}`),
    ),
    ...some(
      'event marked delivered that the receiver did not accept',
      rows.filter((row) => row.state === 'delivered' && !accepted.has(row.eventId)).map((row) => row.eventId),
    ),
    ...some(
      'event given up without a request',
      rows.filter((r) => !requested.has(r.eventId)).map((r) => r.eventId),
    ),
    ...some(
      'unknown event',
      [...requested].filter((eventId) => !known.has(eventId)),
    ),
    ...some(
      'end without an event',
      missing.map(({ what }) => what),
    ),
    ...perCampaign
      .filter(({ rows: own, ids }) => own !== 1 || ids !== 1)
      .map(({ name, rows: own, ids }) => `${name}: completed ${own} times, received as ${ids} events`),
  ];
}

/** No row is left behind in a non-final state. */
async function leftovers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string; n: number }>`
    select 'attempts without an end' as what, count(*)::int as n from call_attempts where status <> 'ended'
    union all select 'live calls', count(*)::int from calls where status = 'ongoing'
    union all select 'calls with locked credits', count(*)::int from calls where reserved <> 0
    union all select 'calls assigned to a node', count(*)::int from calls where node_id is not null
    union all select 'deliveries in the queue', count(*)::int from delivery_queue
    union all select 'deliveries due', count(*)::int from deliveries where state = 'due'
    union all select 'jobs ' || kind || ' that are ' || state, count(*)::int from jobs where state <> 'done'
      group by kind, state
    union all select 'legs of transfers', count(*)::int from transfer_legs
    union all select 'pending hangup requests', count(*)::int from hangup_requests
    union all select 'campaigns that were not reported', count(*)::int from campaigns where reported_at is null
    `.execute(db);
  return rows.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what}`);
}
