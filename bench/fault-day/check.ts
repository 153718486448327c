import { sql } from 'kysely';
import type { Db } from '../../src/store/database.ts';
import type { Chats } from './chats.ts';
import type { Tenant, World } from './world.ts';
import { CREDITS } from './world.ts';

/** What a tenant did in the run. */
export interface Done {
  readonly tenant: Tenant;
  readonly campaignId: string;
  /** Its contacts. */
  readonly numbers: readonly string[];
  readonly chats: Chats;
}

const MICRO = 1_000_000;

/** Waits until nothing is under way but deliveries to the dead receiver. */
export async function whenQuiet(
  db: Db,
  limitMs: number,
  note: (text: string) => void,
): Promise<{ readonly ms: number; readonly isQuiet: boolean }> {
  const from = performance.now();
  for (let looks = 0; ; looks += 1) {
    const { rows } = await sql<{ calls: number; campaigns: number; holds: number; deliveries: number }>`
      select (select count(*)::int from calls where status in ('registered', 'retry', 'ongoing')) as calls,
        (select count(*)::int from campaigns where state in ('scheduled', 'ongoing')) as campaigns,
        (select count(*)::int from holds) as holds,
        (select count(*)::int from deliveries d join workspaces w on w.id = d.workspace_id
         where d.state = 'due' and w.name <> 'Receiver') as deliveries`.execute(db);
    const open = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0);
    const ms = performance.now() - from;
    if (open.length === 0 || ms > limitMs) return { ms, isQuiet: open.length === 0 };
    if (looks % 20 === 0)
      note(`under way: ${open.map(([what, count]) => `${String(count)} ${what}`).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** What was lost, what happened twice and what does not agree, by tenant. */
export async function checkDay(
  { database, carrier }: Pick<World, 'database' | 'carrier'>,
  done: readonly Done[],
): Promise<string[]> {
  const db = database.kysely;
  const findings: string[] = [];
  for (const { tenant, campaignId, numbers, chats } of done) {
    const { name } = tenant;
    const found = (what: string, list: readonly unknown[]): void => {
      if (list.length > 0) findings.push(`${name}: ${list.length} ${what}: ${list.slice(0, 4).join(', ')}`);
    };
    found(
      'contacts were not called',
      numbers.filter((number) => !carrier.rung.has(number)),
    );
    found(
      'contacts were called twice',
      numbers.filter((number) => (carrier.rung.get(number) ?? 0) > 1),
    );
    found('contacts without an end of their own', await badEnds(db, campaignId));
    const lost = chats.turns.filter(({ waitedMs }) => waitedMs === null);
    found(
      'lines of chats without an answer',
      lost.map(({ at }) => new Date(at).toISOString()),
    );
    if (chats.twice > 0) findings.push(`${name}: ${chats.twice} lines were shown twice`);
    found('chats with more answers than lines', await answeredTwice(db, chats.chatIds));
    found('events', await badDeliveries(db, tenant));
    found('books', await books(db, name));
  }
  return [...findings, ...(await leftovers(db))];
}

/** Calls of the campaign that ended otherwise than by their callee. */
async function badEnds(db: Db, campaignId: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select c.to_number || ' ' || c.status || ' ' || c.sub_status || coalesce(' ' || a.failure_code, '')
      || coalesce(' (' || a.reason || ')', '') || coalesce(' at ' || a.ended_at::time(0), '') as what
    from calls c left join call_attempts a on a.workspace_id = c.workspace_id and a.call_id = c.id
      and a.attempt = c.attempt
    where c.campaign_id = ${campaignId} and c.sub_status not in ('USER_LEFT', 'AGENT_ENDED', 'BUSY', 'RETRY_LIMIT_REACHED')`.execute(
    db,
  );
  return rows.map(({ what }) => what);
}

async function answeredTwice(db: Db, chatIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select chat_id || ' ' || count(*) filter (where role = 'agent') || ' for '
           || count(*) filter (where role = 'customer') as what
    from chat_messages where chat_id = any(${chatIds}::uuid[]) group by chat_id
    having count(*) filter (where role = 'agent') > 1 + count(*) filter (where role = 'customer')`.execute(
    db,
  );
  return rows.map(({ what }) => what);
}

/** Events that were not delivered to a receiver that works, were accepted twice, or are unknown to the database. */
async function badDeliveries(db: Db, { name, receiver }: Tenant): Promise<string[]> {
  const { rows } = await sql<{ eventId: string; type: string; state: string; attempts: number }>`
    select d.event_id as "eventId", d.event_type as type, d.state, d.attempt::int as attempts
    from deliveries d join workspaces w on w.id = d.workspace_id where w.name = ${name}`.execute(db);
  const accepted = new Map<string, number>();
  for (const { eventId, isAccepted } of receiver.received) {
    if (isAccepted) accepted.set(eventId, (accepted.get(eventId) ?? 0) + 1);
  }
  const known = new Set(rows.map(({ eventId }) => eventId));
  const mayWait = name === 'Receiver';
  return [
    ...rows
      .filter(({ state, eventId }) =>
        state === 'delivered' ? !accepted.has(eventId) : !mayWait || accepted.has(eventId),
      )
      .map(({ eventId, type, state, attempts }) => `${type} ${eventId} ${state} after ${attempts} attempts`),
    ...[...accepted].filter(([, times]) => times > 1).map(([id, times]) => `${id} accepted ${times} times`),
    ...[...accepted.keys()].filter((id) => !known.has(id)).map((id) => `${id} unknown`),
  ];
}

/** Balance, ledger and costs of a workspace whose work is done. */
async function books(db: Db, name: string): Promise<string[]> {
  const { rows } = await sql<{ rule: string; found: number; due: number }>`
    with w as (select * from workspaces where name = ${name}),
    l as (select coalesce(sum(amount) filter (where kind <> 'lock'), 0) as charged from ledger
          where workspace_id = (select id from w)),
    c as (select coalesce(sum(cost), 0) as costs, coalesce(sum(reserved), 0) as reserved from calls
          where workspace_id = (select id from w)),
    a as (select coalesce(sum(cost), 0) as costs, coalesce(sum(case when duration_ms > 0
                   then ceil(duration_ms / 60000.0) * ${MICRO}::int else 0 end), 0) as price
          from call_attempts where workspace_id = (select id from w) and status = 'ended')
    select rule, found::float8 as found, due::float8 as due from w, l, c, a, lateral (values
      ('credits and charges', w.credits + l.charged, ${CREDITS}::bigint * ${MICRO}::bigint),
      ('charges', l.charged, c.costs),
      ('costs of attempts', a.costs, a.price),
      ('locked credits', w.locked_credits, c.reserved)) as r (rule, found, due)
    where found <> due`.execute(db);
  return rows.map(({ rule, found, due }) => `${rule}: ${found} instead of ${due}`);
}

async function leftovers(db: Db): Promise<string[]> {
  const { rows } = await sql<{ what: string; n: number }>`
    select 'calls that have not ended' as what, count(*)::int as n from calls
      where status in ('registered', 'retry', 'ongoing')
    union all select 'attempts without an end', count(*)::int from call_attempts where status <> 'ended'
    union all select 'calls with an end of a crash: ' || a.call_id || ', claimed ' || to_char(a.claimed_at, 'HH24:MI:SS')
        || ', answered ' || coalesce(to_char(a.answered_at, 'HH24:MI:SS'), 'never')
        || ', ended ' || coalesce(to_char(a.ended_at, 'HH24:MI:SS'), 'never'), 1
      from call_attempts a
      where a.sub_status = 'UNKNOWN_AFTER_CRASH'
    union all select 'holds', count(*)::int from holds
    union all select 'campaigns that were not reported', count(*)::int from campaigns where reported_at is null
    `.execute(db);
  return rows.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what}`);
}
