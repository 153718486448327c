import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { silentLog } from '../../src/shared/log.ts';
import { openDatabase, type Db } from '../../src/store/database.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { throughOutage } from '../../src/store/transient.ts';
import { startFakedClock } from '../helpers/service/faked-clock.ts';
import { startSipCallees, type Callees } from './callees.ts';
import { startCarrierCallees } from './carrier-callees.ts';
import { Client } from './client.ts';
import { ProcessPool } from './process-pool.ts';
import { rollDice } from './dice.ts';
import { faultSequence } from './fault-points.ts';
import { checkRun } from './checker.ts';
import { launch } from './launch.ts';
import { INDIA, makePlan, TRUNKS, type Plan } from './plan.ts';
import { startReceiver } from './receiver.ts';
import { Sampler } from './sampler.ts';
import type { ChaosOptions, RunState } from './run-state.ts';
import { operate } from './operator.ts';
import { LOOPBACK_OPEN } from '../helpers/service/open-addresses.ts';

export interface ChaosResult {
  /** Violated invariants; empty: passed. */
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  /** Number of kills per fault point. */
  readonly points: ReadonlyMap<string, number>;
  /** Last lines of processes that crashed by themselves. */
  readonly crashes: readonly string[];
}

const ROLES = ['api,dialer,media,jobs', 'api,dialer,media,jobs', 'api,jobs', 'dialer,media'];

/** Runs the program in several processes over one PostgreSQL, kills them and it, and checks the invariants. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const dice = rollDice(options.seed);
  const plan = makePlan(dice.split('plan'), options.contacts, options.campaigns);
  const dir = await mkdtemp(join(tmpdir(), 'callwright-chaos-'));
  const clock = options.isHurried ? await startFakedClock(new Date().toISOString()) : null;
  const closers: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })];
  if (clock !== null) closers.push(() => clock.dispose());
  try {
    const postgres = new EmbeddedPostgres({ dataDir: dir, log: silentLog });
    const url = await postgres.start();
    const endPostgres = (): void => {
      if (postgres.pid !== null) process.kill(postgres.pid, 'SIGQUIT');
    };
    process.once('exit', endPostgres);
    closers.push(async () => {
      process.off('exit', endPostgres);
      await postgres.stop();
    });
    const database = openDatabase(url, { maxConnections: 4, applicationName: 'chaos' });
    closers.push(() => database.close());
    const receiver = await startReceiver(dice.split('receiver'));
    closers.push(() => receiver.close());
    const callees: Callees[] = [];
    for (const { settings, isApi } of TRUNKS) {
      const callee = await (isApi ? startCarrierCallees(dice.split(settings.name)) : startSipCallees());
      callees.push(callee);
      closers.push(() => callee.stop());
    }
    const pool = new ProcessPool({
      roles: ROLES.slice(0, options.processes),
      kills: options.kills,
      dice: dice.split('processes'),
      nextFault: faultSequence(dice.split('faults'), options.isHurried ? 0.2 : 1),
      lifetimeMs: options.lifetimeMs,
      pointTimeoutMs: options.pointTimeoutMs,
      log: options.log,
      env: {
        DATABASE_URL: url,
        SECRET_KEY: 'the key that all processes of a run share',
        SAFE_FETCH_ALLOW: LOOPBACK_OPEN,
        RING_TIMEOUT_SECONDS: '5',
        CALL_WORKERS: '1',
        LOG_LEVEL: 'info',
        RATE_LIMIT_READ: '0',
        RATE_LIMIT_WRITE: '0',
        ...clock?.env,
      },
    });
    closers.push(() => pool.stop());
    const provision = join(dir, 'provision.json');
    await writeFile(provision, JSON.stringify(provisionOf(plan, callees)));
    await pool.start({ PROVISION_FILE: provision });
    await sql`create table chaos_top_ups (workspace_id uuid, amount bigint)`.execute(database.kysely);
    const startedAt = Date.now();
    const isOver = (): boolean => Date.now() - startedAt > options.limitMs;
    const client = new Client(pool.urls, isOver);
    const state: RunState = {
      options,
      plan,
      db: database.kysely,
      clock,
      pool,
      client,
      receiver,
      postgres,
      started: [],
      failures: [],
      resumed: 0,
      toppedUp: 0,
      postgresKills: 0,
      ...(await setUp(client, plan, database.kysely, receiver.port)),
    };
    const sampler = new Sampler(database.kysely, 200);
    closers.push(() => sampler.stop());
    await execute(state, isOver);
    await sampler.stop();
    const dead = callees.filter((callee) => !callee.isRunning()).map((callee) => callee.output());
    const rings = callees.map((callee) => callee.rings());
    const checked = await checkRun({
      db: state.db,
      client: new Client(pool.urls, () => false),
      plan,
      started: state.started,
      workspaceIds: state.workspaceIds,
      received: receiver.received,
      rings: rings.flat(),
      shownAt: (trueTime) => clock?.shownAt(trueTime) ?? trueTime,
    });
    return {
      findings: [
        ...checked.findings,
        ...state.failures,
        ...sampler.findings,
        ...dead.map((output) => `SIPp ended: ${output}`),
        ...(isOver() ? ['the run did not finish in time'] : []),
      ],
      figures: {
        ...checked.figures,
        'place requests at the carrier': rings.filter((_, i) => TRUNKS[i]?.isApi).flat().length,
        seconds: Math.round((Date.now() - startedAt) / 1000),
        'processes killed at named points': pool.atPoints,
        'processes killed at random': pool.atRandom,
        'times PostgreSQL was killed': state.postgresKills,
        'times processes were started': pool.starts,
        'processes that crashed by themselves': pool.crashes.length,
        'samples of live calls': sampler.samples,
        'peak of live calls': sampler.peak,
        'campaigns resumed after a breaker': state.resumed,
        'balances topped up': state.toppedUp,
      },
      points: pool.points,
      crashes: pool.crashes,
    };
  } finally {
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => options.log(String(error)));
  }
}

function provisionOf(plan: Plan, callees: readonly Callees[]): object {
  return {
    trunks: TRUNKS.map(({ settings }, index) => ({ ...settings, ...callees[index]?.trunk })),
    workspaces: plan.workspaces.map(({ name, key, credits, callLimit, limits, numbers }) => ({
      name,
      api_key: key,
      credits,
      call_limit: callLimit,
      large_campaigns: true,
      // The numbers of a carrier open their own country alone.
      limits: { allowed_destinations: ['+1', INDIA.prefix], ...limits },
      numbers,
    })),
  };
}

async function setUp(
  client: Client,
  plan: Plan,
  db: Db,
  port: number,
): Promise<Pick<RunState, 'agents' | 'numbers' | 'workspaceIds'>> {
  const agents: string[] = [];
  const numbers: string[][] = [];
  const workspaceIds: string[] = [];
  for (const workspace of plan.workspaces) {
    agents.push(await client.createAgent(workspace, `http://127.0.0.1:${port}/events`));
    numbers.push(await client.numberIds(workspace.key));
    const row = await db
      .selectFrom('workspaces')
      .select('id')
      .where('name', '=', workspace.name)
      .executeTakeFirstOrThrow();
    workspaceIds.push(row.id);
  }
  return { agents, numbers, workspaceIds };
}

/** Launches the campaigns one after the other and kills all the time, until the last event is delivered. */
async function execute(state: RunState, isOver: () => boolean): Promise<void> {
  const { pool, options, plan } = state;
  const launching: Promise<void>[] = [];
  pool.startKilling();
  let reported = 0;
  while (!isOver()) {
    const share = Math.min(1, (pool.kills + 1) / Math.max(1, options.kills * 0.75));
    const wanted = Math.min(plan.campaigns.length, Math.max(2, Math.ceil(share * plan.campaigns.length)));
    while (launching.length < wanted) {
      launching.push(
        launch(state, launching.length).catch((error: unknown) => void state.failures.push(String(error))),
      );
    }
    await sleep(500);
    await killPostgres(state);
    const left = await throughOutage(() => operate(state), 60_000);
    if (Date.now() - reported > 10_000) {
      reported = Date.now();
      options.log(
        `${pool.kills} kills (${pool.atPoints} at fault points), ${launching.length} campaigns, ${left.waiting} contacts waiting, ${left.live} live, ${left.running} campaigns running, ${left.queued} deliveries queued, ${left.jobs} jobs${left.stuck}`,
      );
    }
    const isDone = pool.isDone && state.started.length + state.failures.length === plan.campaigns.length;
    const isLeft = left.running + left.live + left.queued + left.unreported + left.jobs > 0;
    if (isDone && !isLeft) break;
    const isIdle = pool.isDone && left.live === 0 && left.due === 0;
    if (isIdle) await advanceClock(state);
  }
  await Promise.race([Promise.all(launching), sleep(5000)]);
}

/** Moves the clock forward while nothing is due. */
async function advanceClock({ clock }: RunState): Promise<void> {
  if (clock === null) return;
  await clock.set(new Date(clock.now() + 60_000).toISOString());
  await sleep(1500);
}

async function killPostgres(state: RunState): Promise<void> {
  const { options, pool, postgres } = state;
  const due = Math.floor((pool.kills * (options.postgresKills + 1)) / Math.max(1, options.kills));
  if (state.postgresKills >= Math.min(options.postgresKills, due)) return;
  const { pid } = postgres;
  if (pid === null) return;
  state.postgresKills += 1;
  options.log('killing PostgreSQL');
  process.kill(pid, 'SIGKILL');
}
