import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { silentLog } from '../../src/shared/log.ts';
import { openDatabase, type Db } from '../../src/store/database.ts';
import { EmbeddedPostgres } from '../../src/store/embedded/embedded-postgres.ts';
import { throughOutage } from '../../src/store/transient.ts';
import { startFakedClock } from '../helpers/faked-clock.ts';
import { startCallees, type Callees } from './callees.ts';
import { Client } from './client.ts';
import { Crew } from './crew.ts';
import { rollDice } from './dice.ts';
import { fates } from './fates.ts';
import { judge } from './judge.ts';
import { launch } from './launch.ts';
import { makePlan, TRUNKS, type Plan } from './plan.ts';
import { startReceiver } from './receiver.ts';
import { Sampler } from './sampler.ts';
import type { ChaosOptions, Stage } from './stage.ts';
import { tend } from './tend.ts';

export interface Verdict {
  /** What is not as it must be; empty: nothing was lost, rung twice, overshot or left behind. */
  readonly findings: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  /** How often processes died at each named point. */
  readonly points: ReadonlyMap<string, number>;
  /** Last lines of processes that ended by themselves. */
  readonly falls: readonly string[];
}

const ROLES = ['api,dialer,media,jobs', 'api,dialer,media,jobs', 'api,jobs', 'dialer,media'];

/** Runs the program in several processes over one PostgreSQL, kills them and it, and judges what came of it. */
export async function runChaos(options: ChaosOptions): Promise<Verdict> {
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
    for (const _ of TRUNKS) {
      const callee = await startCallees();
      callees.push(callee);
      closers.push(() => callee.stop());
    }
    const crew = new Crew({
      roles: ROLES.slice(0, options.processes),
      kills: options.kills,
      dice: dice.split('crew'),
      nextFate: fates(dice.split('fates'), options.isHurried ? 0.2 : 1),
      lifeMs: options.lifeMs,
      pointMs: options.pointMs,
      log: options.log,
      env: {
        DATABASE_URL: url,
        SECRET_KEY: 'the key that all processes of a run share',
        SAFE_FETCH_ALLOW: '127.0.0.1',
        RING_TIMEOUT_SECONDS: '5',
        CALL_WORKERS: '1',
        LOG_LEVEL: 'info',
        RATE_LIMIT_READ: '0',
        RATE_LIMIT_WRITE: '0',
        ...clock?.env,
      },
    });
    closers.push(() => crew.stop());
    const provision = join(dir, 'provision.json');
    await writeFile(provision, JSON.stringify(provisionOf(plan, callees)));
    await crew.start({ PROVISION_FILE: provision });
    await sql`create table chaos_top_ups (workspace_id uuid, amount bigint)`.execute(database.kysely);
    const startedAt = Date.now();
    const isOver = (): boolean => Date.now() - startedAt > options.limitMs;
    const client = new Client(crew.urls, isOver);
    const stage: Stage = {
      options,
      plan,
      db: database.kysely,
      clock,
      crew,
      client,
      receiver,
      postgres,
      started: [],
      failures: [],
      resumed: 0,
      toppedUp: 0,
      postgresKills: 0,
      ...(await settle(client, plan, database.kysely, receiver.port)),
    };
    const sampler = new Sampler(database.kysely, 200);
    closers.push(() => sampler.stop());
    await perform(stage, isOver);
    await sampler.stop();
    const dead = callees.filter((callee) => !callee.isRunning()).map((callee) => callee.output());
    const heard = callees.flatMap((callee) => callee.heard());
    const verdict = await judge({
      db: stage.db,
      client: new Client(crew.urls, () => false),
      plan,
      started: stage.started,
      workspaceIds: stage.workspaceIds,
      told: receiver.told,
      heard,
      shownAt: (trueTime) => clock?.shownAt(trueTime) ?? trueTime,
    });
    return {
      findings: [
        ...verdict.findings,
        ...stage.failures,
        ...sampler.found,
        ...dead.map((output) => `SIPp ended: ${output}`),
        ...(isOver() ? ['the run was not over in time'] : []),
      ],
      figures: {
        ...verdict.figures,
        seconds: Math.round((Date.now() - startedAt) / 1000),
        'processes killed at named points': crew.atPoints,
        'processes killed at random': crew.atRandom,
        'times PostgreSQL was killed': stage.postgresKills,
        'times processes were started': crew.starts,
        'processes that ended by themselves': crew.falls.length,
        'looks at live calls': sampler.looks,
        'most live calls at once': sampler.most,
        'campaigns resumed after a breaker': stage.resumed,
        'balances topped up': stage.toppedUp,
      },
      points: crew.points,
      falls: crew.falls,
    };
  } finally {
    for (const close of closers.toReversed())
      await close().catch((error: unknown) => options.log(String(error)));
  }
}

function provisionOf(plan: Plan, callees: readonly Callees[]): object {
  return {
    trunks: TRUNKS.map((trunk, index) => ({
      ...trunk,
      uri: `sip:127.0.0.1:${callees[index]!.port}`,
      transport: 'udp',
    })),
    workspaces: plan.workspaces.map(({ name, key, credits, callLimit, limits, numbers }) => ({
      name,
      api_key: key,
      credits,
      call_limit: callLimit,
      large_campaigns: true,
      ...(limits === undefined ? {} : { limits }),
      numbers,
    })),
  };
}

async function settle(
  client: Client,
  plan: Plan,
  db: Db,
  port: number,
): Promise<Pick<Stage, 'agents' | 'numbers' | 'workspaceIds'>> {
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

/** From the first upload to the last event: campaigns one after the other, kills all the time. */
async function perform(stage: Stage, isOver: () => boolean): Promise<void> {
  const { crew, options, plan } = stage;
  const launching: Promise<void>[] = [];
  crew.unleash();
  let reported = 0;
  while (!isOver()) {
    const share = Math.min(1, (crew.kills + 1) / Math.max(1, options.kills * 0.75));
    const wanted = Math.min(plan.campaigns.length, Math.max(2, Math.ceil(share * plan.campaigns.length)));
    while (launching.length < wanted) {
      launching.push(
        launch(stage, launching.length).catch((error: unknown) => void stage.failures.push(String(error))),
      );
    }
    await sleep(500);
    await killPostgres(stage);
    const left = await throughOutage(() => tend(stage), 60_000);
    if (Date.now() - reported > 10_000) {
      reported = Date.now();
      options.log(
        `${crew.kills} kills (${crew.atPoints} at points), ${launching.length} campaigns, ${left.waiting} contacts wait, ${left.live} live, ${left.running} campaigns run, ${left.queued} deliveries queued${left.stuck}`,
      );
    }
    const isDone = crew.isDone && stage.started.length + stage.failures.length === plan.campaigns.length;
    if (isDone && left.running === 0 && left.live === 0 && left.queued === 0 && left.unreported === 0) break;
    const isIdle = crew.isDone && left.live === 0 && left.due === 0;
    if (isIdle) await hurry(stage);
  }
  await Promise.race([Promise.all(launching), sleep(5000)]);
}

/** Nothing is due: the clock moves on to what is. */
async function hurry({ clock }: Stage): Promise<void> {
  if (clock === null) return;
  await clock.set(new Date(clock.now() + 60_000).toISOString());
  await sleep(1500);
}

async function killPostgres(stage: Stage): Promise<void> {
  const { options, crew, postgres } = stage;
  const due = Math.floor((crew.kills * (options.postgresKills + 1)) / Math.max(1, options.kills));
  if (stage.postgresKills >= Math.min(options.postgresKills, due)) return;
  const { pid } = postgres;
  if (pid === null) return;
  stage.postgresKills += 1;
  options.log('PostgreSQL is killed');
  process.kill(pid, 'SIGKILL');
}
