import { sql } from 'kysely';
import type { Db } from '../../src/store/database.ts';
import type { HeardInvite } from './callees.ts';
import type { Client } from './client.ts';
import { isOpen, type CampaignPlan, type Plan, type Slot } from './plan.ts';
import type { Told } from './receiver.ts';

export interface Started {
  readonly campaign: CampaignPlan;
  readonly id: string;
  readonly slots: readonly Slot[];
  /** Numbers that may not be dialled. */
  readonly listed: readonly string[];
  /** When the answer to its termination had come; true time. */
  terminatedAt: number | null;
}

export interface Evidence {
  readonly db: Db;
  readonly client: Pick<Client, 'ask'>;
  readonly plan: Plan;
  readonly started: readonly Started[];
  readonly workspaceIds: readonly string[];
  readonly told: readonly Told[];
  readonly heard: readonly HeardInvite[];
  /** What the clock of the processes showed at a moment of the true time, which the peers' logs have. */
  readonly shownAt: (trueTime: number) => number;
}

interface AttemptRow {
  callId: string;
  attempt: number;
  laneId: string;
  toNumber: string;
  status: string;
  subStatus: string | null;
  dialedAt: Date | null;
  endedAt: Date | null;
  cost: number;
}

/** The log of a peer and ours are of one machine; a log line is written a moment after its packet came. */
const LOG_LATE_MS = 400;
const MICRO = 1_000_000;

/** Holds what everybody outside wrote down against what the database says, and the database against itself. */
export async function judge(
  evidence: Evidence,
): Promise<{ findings: string[]; figures: Record<string, number> }> {
  const { db, started } = evidence;
  const findings: string[] = [];
  const { rows: attempts } = await sql<AttemptRow>`
    select call_id as "callId", attempt::int, lane_id as "laneId", to_number as "toNumber", status,
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
      'INVITEs at the callees': evidence.heard.length,
      'attempts that nobody knows the end of': count('UNKNOWN_AFTER_CRASH'),
      'attempts answered': count('USER_LEFT') + count('AGENT_ENDED'),
      'requests at the receiver': evidence.told.length,
    },
  };
}

/** At most a few of a kind, and how many there are. */
function some(what: string, all: readonly string[]): string[] {
  return all.length === 0 ? [] : [`${all.length} × ${what}: ${all.slice(0, 4).join('; ')}`];
}

/** Nobody is rung twice for one attempt, outside a window, unknown to the journal, or against a list. */
function rings({ heard, started, shownAt }: Evidence, attempts: readonly AttemptRow[]): string[] {
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
  for (const invite of heard) {
    const name = invite.callId.split('@')[0]!;
    times.set(name, (times.get(name) ?? 0) + 1);
    if (times.get(name) === 2) found.twice.push(`${name} to ${invite.to}`);
    const row = known.get(name);
    if (row === undefined || row.dialedAt === null || row.toNumber !== invite.to) {
      found.unknown.push(`${name} to ${invite.to}`);
      continue;
    }
    const dialledAt = row.dialedAt.getTime();
    const { campaign, slots, listed, terminatedAt } = campaigns.get(row.laneId)!;
    const rungAt = shownAt(invite.at);
    if (rungAt < dialledAt) found.early.push(`${name} ${dialledAt - rungAt} ms`);
    // The phone rang at some moment before its line of the log; the clock may have been moved since.
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
  const ringed = new Set(heard.map(({ callId }) => callId.split('@')[0]!));
  // An attempt with an answer from the far side has rung there.
  const unheard = attempts.filter(
    (a) => ['USER_LEFT', 'BUSY'].includes(a.subStatus ?? '') && !ringed.has(`${a.callId}-${a.attempt}`),
  );
  return [
    ...some('rung twice for one attempt', found.twice),
    ...some('rung without a journal', found.unknown),
    ...some('rung before the journal', found.early),
    ...some('rung outside the window', found.closed),
    ...some('rung although listed', more.listed),
    ...some('rung again after a crash', more.after),
    ...some('rung after the termination was answered', more.late),
    ...some(
      'ended by a callee that heard nothing',
      unheard.map((a) => `${a.callId}-${a.attempt}`),
    ),
  ];
}

/** Every contact of every list is there and has ended, and every campaign with them. */
async function contacts({ db, client, plan, started, workspaceIds }: Evidence): Promise<string[]> {
  const findings: string[] = [];
  for (const { campaign, id } of started) {
    const { rows } = await sql<{ status: string; n: number; most: number; numbers: number }>`
      select status, count(*)::int as n, max(attempt)::int as most, count(distinct to_number)::int as numbers
      from calls where workspace_id = ${workspaceIds[campaign.workspace]!} and lane_id = ${id}
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
    const { body } = await client.ask(key, 'GET', `/api/v0/campaign/${id}`, undefined, { patience: 20_000 });
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

/** What was paid in, less every charge, is what is there; a charge is what its attempt cost, once. */
async function money({ db, plan, workspaceIds }: Evidence): Promise<string[]> {
  const findings: string[] = [];
  for (const [index, id] of workspaceIds.entries()) {
    const { name, credits } = plan.workspaces[index]!;
    const { rows } = await sql<Record<'credits' | 'locked' | 'charged' | 'costs' | 'paid', number>>`
      select w.credits, w.locked_credits as locked,
             coalesce((select sum(amount) from ledger where workspace_id = w.id and kind = 'charge'), 0)::float8
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
    select 'attempts without their charge' as what, count(*)::int as n from call_attempts a
    left join ledger l on l.workspace_id = a.workspace_id and l.call_id = a.call_id and l.attempt = a.attempt
      and l.kind = 'charge'
    where l.amount is distinct from a.cost
    union all
    select 'charges without an attempt', count(*)::int from ledger l
    where not exists (select from call_attempts a where a.workspace_id = l.workspace_id and a.call_id = l.call_id
                        and a.attempt = l.attempt)`.execute(db);
  const { rows: priced } = await sql<{ what: string }>`
    select call_id || '-' || attempt || ' ' || sub_status || ': ' || cost || ' for ' || coalesce(duration_ms, -1)
             || ' ms' as what
    from call_attempts join workspaces w on w.id = workspace_id
    where cost <> case when duration_ms > 0 and not w.unlimited then ceil(duration_ms / 60000.0) * ${MICRO}::int else 0 end`.execute(
    db,
  );
  return [
    ...findings,
    ...rows.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what}`),
    ...some(
      'attempt at another price',
      priced.map(({ what }) => what),
    ),
  ];
}

/** Every event reached its receiver or was tried four times; every attempt and campaign has its own, once. */
async function events({ db, told, started }: Evidence): Promise<string[]> {
  const { rows } = await sql<{
    eventId: string;
    state: string;
    attempt: number;
    type: string;
    callId: string;
  }>`
    select event_id as "eventId", state, attempt::int, event_type as type, call_id as "callId"
    from deliveries`.execute(db);
  const accepted = new Set(told.filter(({ isAccepted }) => isAccepted).map(({ eventId }) => eventId));
  const asked = new Set(told.map(({ eventId }) => eventId));
  const known = new Set(rows.map(({ eventId }) => eventId));
  const { rows: untold } = await sql<{ what: string }>`
    select 'attempt ' || a.call_id || '-' || a.attempt as what from call_attempts a
    where not exists (select from events e where e.workspace_id = a.workspace_id and e.call_id = a.call_id
                        and e.event_type = 'call_completed'
                        and (e.body ->> 'retry_count')::int = a.attempt - 1)
    union all
    select 'call ' || c.id from calls c
    where (select count(*) from events e where e.workspace_id = c.workspace_id and e.call_id = c.id
             and e.event_type = 'call_completed') < greatest(1, c.attempt)`.execute(db);
  const completions = told.filter(({ type }) => type === 'campaign_completed');
  const perCampaign = started.map(({ campaign, id }) => ({
    name: campaign.name,
    rows: rows.filter((row) => row.type === 'campaign_completed' && row.callId === id).length,
    ids: new Set(completions.filter(({ listId }) => listId === id).map(({ eventId }) => eventId)).size,
  }));
  return [
    ...some(
      'delivery neither made nor tried four times',
      rows
        .filter(({ state, attempt }) => state !== 'delivered' && !(state === 'dead' && attempt >= 4))
        .map(({ eventId, state, attempt }) => `${eventId} ${state} after ${attempt}`),
    ),
    ...some(
      'event held for delivered that nobody accepted',
      rows.filter((row) => row.state === 'delivered' && !accepted.has(row.eventId)).map((row) => row.eventId),
    ),
    ...some(
      'event given up without being asked for',
      rows.filter((r) => !asked.has(r.eventId)).map((r) => r.eventId),
    ),
    ...some(
      'event that is not ours',
      [...asked].filter((eventId) => !known.has(eventId)),
    ),
    ...some(
      'end without its event',
      untold.map(({ what }) => what),
    ),
    ...perCampaign
      .filter(({ rows: own, ids }) => own !== 1 || ids !== 1)
      .map(({ name, rows: own, ids }) => `${name}: completed ${own} times, told as ${ids} events`),
  ];
}

/** Nothing is left behind that nobody will ever look at again. */
async function leftovers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string; n: number }>`
    select 'attempts without an end' as what, count(*)::int as n from call_attempts where status <> 'ended'
    union all select 'live calls', count(*)::int from calls where status = 'ongoing'
    union all select 'calls with locked money', count(*)::int from calls where reserved <> 0
    union all select 'calls held by a process', count(*)::int from calls where node_id is not null
    union all select 'deliveries in the queue', count(*)::int from delivery_queue
    union all select 'deliveries due', count(*)::int from deliveries where state = 'due'
    union all select 'jobs that are not done', count(*)::int from jobs where state <> 'done'
    union all select 'calls asked to end', count(*)::int from hangup_requests
    union all select 'campaigns that were not reported', count(*)::int from campaigns where reported_at is null
    `.execute(db);
  return rows.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what}`);
}
