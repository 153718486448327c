import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { reapOrphans } from '../../../src/dialer/reaper.ts';
import { releaseExpired } from '../../../src/domain/admission/holds.ts';
import { systemClock as clock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import type { Db } from '../../../src/store/database.ts';
import { GATES, gatesIn, type Gate } from './gates.ts';
import { createWorkspace, queueCalls, type TestWorkspace } from '../../helpers/database/workspace.ts';

/** The workspace whose money moves. */
export interface MoneyWorld extends Omit<TestWorkspace, 'numberIds'> {
  readonly trunkId: string;
  readonly number: string;
}

export interface MoneyChaos {
  readonly db: Db;
  readonly url: string;
  readonly kills: number;
  readonly processes: number;
  /** How long a process lives at most, ms. */
  readonly lifeMs: number;
  /** A bundle of the program; absent: its source. */
  readonly program?: string;
}

const CREDITS = 1_000_000;
const HOUR_MS = 3_600_000;
/** The program that takes and settles money. */
export const PROGRAM = new URL('program.ts', import.meta.url);
/** Each kill raises the caps by this share of what they began with, so that money never stops moving. */
const RAISED = 0.05;
const CAPS = {
  credits_per_day: 300,
  stranger_credits_per_day: 120,
  calls_per_minute: 400,
  stranger_calls_per_minute: 160,
  model_turns_per_day: 300,
};
const QUEUED = 40;

/**
 * Kills processes that take and settle money at every gate, and compares workspace, calls, holds and ledger the whole time in
 * one snapshot. Returns what did not agree, and the figures of the end.
 */
export async function runMoneyChaos(options: MoneyChaos): Promise<{
  findings: string[];
  figures: Record<string, number>;
  /** Into how many kills of processes that were inside it each gate ran. */
  killsInside: ReadonlyMap<Gate, number>;
}> {
  const { db } = options;
  const world = await createWorld(db);
  const findings = new Set<string>();
  const killsInside = new Map<Gate, number>(GATES.map((gate) => [gate, 0]));
  const folder = await mkdtemp(join(tmpdir(), 'callwright-gates-'));
  const figures = { kills: 0, snapshots: 0, reaped: 0, 'expired holds': 0 };
  const look = async (): Promise<void> => {
    for (const finding of await disagreements(db, world.id)) findings.add(finding);
    figures.snapshots += 1;
  };
  const tidy = async (): Promise<void> => {
    figures.reaped += await reapOrphans({
      db,
      clock,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      recordingUrl,
    });
    figures['expired holds'] += await releaseExpired({ db, clock });
  };
  const running: Running[] = [];
  let next: Promise<Running> | null = null;
  try {
    while (running.length < options.processes) running.push(await startProgram(options, world, folder));
    while (figures.kills < options.kills) {
      // It starts while the others work.
      next = startProgram(options, world, folder);
      next.catch(() => undefined);
      await sleep(Math.random() * options.lifeMs);
      await look();
      const [victim] = running.splice(Math.floor(Math.random() * running.length), 1);
      if (victim !== undefined) {
        await kill(db, victim);
        for (const gate of gatesIn(victim.journal)) killsInside.set(gate, (killsInside.get(gate) ?? 0) + 1);
      }
      figures.kills += 1;
      await tidy();
      await look();
      await raiseCaps(db, world.id, figures.kills);
      await queueCalls(db, { ...world, numberIds: [world.numberId] }, QUEUED, { dueAt: clock.now() });
      running.push(await next);
      next = null;
    }
  } finally {
    const last = await next?.catch(() => null);
    for (const each of [...running, ...(last == null ? [] : [last])]) await kill(db, each);
    await rm(folder, { recursive: true });
  }
  // No process is left that could settle a hold, however long it may live.
  const later = { now: () => clock.now() + HOUR_MS, monotonic: () => clock.monotonic() };
  for (let rounds = 0; rounds < 20; rounds += 1) {
    await tidy();
    figures['expired holds'] += await releaseExpired({ db, clock: later });
  }
  await look();
  const { rows } = await sql<{ locked: number; strangers: number; holds: number; live: number }>`
    select locked_credits as locked, stranger_locked as strangers,
      (select count(*)::int from holds) as holds,
      (select count(*)::int from calls where status = 'ongoing') as live
    from workspaces where id = ${world.id}`.execute(db);
  const [rest] = rows;
  if (JSON.stringify(rest) !== JSON.stringify({ locked: 0, strangers: 0, holds: 0, live: 0 }))
    findings.add(`left behind: ${JSON.stringify(rest)}`);
  return { findings: [...findings], figures: { ...figures, ...(await charges(db, world.id)) }, killsInside };
}

const recordingUrl = (): string => 'http://localhost/recording';

async function createWorld(db: Db): Promise<MoneyWorld & { readonly numberId: string }> {
  const made = await createWorkspace(db, { credits: CREDITS, callLimit: 60 });
  const always = { call_time: { timezone: 'Etc/UTC', call_start_time: '00:00', call_end_time: '00:00' } };
  await sql`update agents set agent_type = 'outbound_inbound' where id = ${made.agentId}`.execute(db);
  await sql`update agent_versions set config = jsonb_set(config, '{call_config}', config -> 'call_config' || ${JSON.stringify(always)}::jsonb)
    where id = ${made.versionId}`.execute(db);
  await sql`update numbers set inbound_agent_id = ${made.agentId} where workspace_id = ${made.id}`.execute(
    db,
  );
  await sql`update workspaces set settings = ${JSON.stringify({ limits: CAPS })}::jsonb where id = ${made.id}`.execute(
    db,
  );
  const { rows } = await sql<{ id: string; number: string; trunkId: string }>`
    select id, number, trunk_id as "trunkId" from numbers where workspace_id = ${made.id}`.execute(db);
  const [line] = rows;
  if (line === undefined) throw new Error('the workspace has no number');
  return { ...made, trunkId: line.trunkId, number: line.number, numberId: line.id };
}

async function raiseCaps(db: Db, workspaceId: string, kills: number): Promise<void> {
  const limits = Object.fromEntries(
    Object.entries(CAPS).map(([name, cap]) => [name, Math.round(cap * (1 + kills * RAISED))]),
  );
  await sql`update workspaces set settings = ${JSON.stringify({ limits })}::jsonb where id = ${workspaceId}`.execute(
    db,
  );
}

interface Running {
  readonly nodeId: string;
  readonly child: ChildProcess;
  /** Tells which gates the process is inside. */
  readonly journal: string;
}

async function startProgram(
  { url, program }: MoneyChaos,
  world: MoneyWorld,
  folder: string,
): Promise<Running> {
  const nodeId = newId();
  const journal = join(folder, nodeId);
  const child = fork(program ?? PROGRAM, [url, nodeId, JSON.stringify(world), journal], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`the program ended with ${String(code)}`))),
  ]);
  return { nodeId, child, journal };
}

/** Kills a process and fences its node, as other processes would. */
async function kill(db: Db, { nodeId, child }: Running): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const at = new Date(clock.now());
  await sql`update nodes set fenced_at = ${at}, beat_at = ${at} where id = ${nodeId}`.execute(db);
}

interface Snapshot {
  readonly rule: string;
  readonly found: number;
  readonly due: number;
}

/** Rules that hold in every snapshot: equalities of the books, and caps that are not passed. */
async function disagreements(db: Db, workspaceId: string): Promise<string[]> {
  const { rows } = await sql<Snapshot>`
    with w as (select *, settings -> 'limits' as caps from workspaces where id = ${workspaceId}),
    l as (select coalesce(sum(amount), 0) as charged,
            coalesce(sum(amount) filter (where at >= (select spent_day::timestamp at time zone 'utc' from w)), 0) as today
          from ledger where workspace_id = ${workspaceId} and kind <> 'lock'),
    c as (select coalesce(sum(reserved), 0) as reserved, coalesce(sum(reserved) filter (where by_stranger), 0) as strangers,
            count(*) as live from calls where workspace_id = ${workspaceId} and status = 'ongoing'),
    h as (select coalesce(sum(amount), 0) as held, coalesce(sum(amount) filter (where by_stranger), 0) as strangers
          from holds where workspace_id = ${workspaceId}),
    s as (select coalesce(sum(calls), 0) as calls, coalesce(sum(strangers), 0) as strangers from cap_starts
          where workspace_id = ${workspaceId} and at > ${new Date(clock.now() - 60_000)})
    select rule, found::float8 as found, due::float8 as due from w, l, c, h, s, lateral (values
      ('credits and charges', w.credits + l.charged, ${CREDITS}::bigint * 1000000, true),
      ('locked credits', w.locked_credits, c.reserved + h.held, true),
      ('locked credits of strangers', w.stranger_locked, c.strangers + h.strangers, true),
      ('spent today', w.spent_today, l.today, true),
      ('credits_per_day', w.spent_today + w.locked_credits, (caps ->> 'credits_per_day')::bigint * 1000000, false),
      ('stranger_credits_per_day', w.stranger_spent + w.stranger_locked,
        (caps ->> 'stranger_credits_per_day')::bigint * 1000000, false),
      ('calls_per_minute', s.calls, (caps ->> 'calls_per_minute')::bigint, false),
      ('stranger_calls_per_minute', s.strangers, (caps ->> 'stranger_calls_per_minute')::bigint, false),
      ('model_turns_per_day', w.turns_today, (caps ->> 'model_turns_per_day')::bigint, false),
      ('call_limit', c.live, w.call_limit::bigint, false)) as r (rule, found, due, is_equal)
    where case when is_equal then found <> due else found > due end`.execute(db);
  return rows.map(({ rule, found, due }) => `${rule}: ${found} instead of ${due}`);
}

/** How many entries of each kind the ledger has. */
async function charges(db: Db, workspaceId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; entries: number }>`
    select kind, count(*)::int as entries from ledger where workspace_id = ${workspaceId} group by kind order by kind`.execute(
    db,
  );
  return Object.fromEntries(rows.map(({ kind, entries }) => [`ledger: ${kind}`, entries]));
}
