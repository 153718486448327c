import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../helpers/sip/peer-process.ts';
import type { Dice } from './dice.ts';
import type { Fault } from './fault-points.ts';
import { startProgram, type ProgramRun } from './program.ts';

export interface PoolOptions {
  readonly roles: readonly string[];
  readonly env: Record<string, string>;
  readonly kills: number;
  readonly dice: Dice;
  readonly nextFault: () => Fault;
  /** Maximum lifetime before a random kill, and how long to wait for a process to reach its fault point. */
  readonly lifetimeMs: number;
  readonly pointTimeoutMs: number;
  readonly log: (line: string) => void;
}

interface Member {
  readonly env: Record<string, string>;
  readonly url: string | null;
  run: ProgramRun | null;
}

/** The processes under test: killed and restarted, half of the time at a named fault point, half at random. */
export class ProcessPool {
  readonly #options: PoolOptions;
  readonly #members: Member[] = [];
  readonly #dataDirs: string[] = [];
  readonly #loops: Promise<void>[] = [];
  readonly points = new Map<string, number>();
  readonly crashes: string[] = [];
  atPoints = 0;
  atRandom = 0;
  starts = 0;
  #isOver = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get urls(): string[] {
    return this.#members.flatMap(({ url }) => url ?? []);
  }
  get kills(): number {
    return this.atPoints + this.atRandom;
  }
  /** True after the planned kills, half of them at fault points. Unreached points may double the number of kills. */
  get isDone(): boolean {
    const { kills } = this.#options;
    return this.kills >= kills && (this.atPoints >= kills / 2 || this.kills >= 2 * kills);
  }

  /** Starts every process and waits until it is ready; `first` is extra environment of the first one. */
  async start(first: Record<string, string>): Promise<void> {
    for (const [index, roles] of this.#options.roles.entries()) {
      const dataDir = await mkdtemp(join(tmpdir(), 'callwright-chaos-'));
      this.#dataDirs.push(dataDir);
      const port = await freePort();
      this.#members.push({
        url: roles.includes('api') ? `http://127.0.0.1:${port}` : null,
        run: null,
        env: {
          ...this.#options.env,
          ROLES: roles,
          PORT: String(port),
          SIP_PORT: String(await freePort()),
          RTP_PORTS: `${16_000 + index * 3000}-${18_999 + index * 3000}`,
          DATA_DIR: dataDir,
        },
      });
    }
    // The first process migrates and provisions the database before the others start.
    await this.#startAll(this.#members.slice(0, 1), first);
    await this.#startAll(this.#members.slice(1), {});
  }

  async #startAll(members: readonly Member[], more: Record<string, string>): Promise<void> {
    for (const member of members) member.run = this.#start({ env: { ...member.env, ...more } }, null);
    for (const { run } of members) {
      if (run !== null && !(await run.ready)) {
        throw new Error(`a process did not start:\n${run.output().slice(-3000)}`);
      }
    }
  }

  /** Starts killing. */
  startKilling(): void {
    for (const member of this.#members) this.#loops.push(this.#killLoop(member));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const { run } of this.#members) run?.kill('SIGKILL');
    await Promise.all(this.#loops);
    for (const { run } of this.#members) await run?.ended;
    for (const dir of this.#dataDirs) await rm(dir, { recursive: true, force: true });
  }

  #start(member: Pick<Member, 'env'>, fault: Fault | null): ProgramRun {
    this.starts += 1;
    return startProgram(member.env, fault);
  }

  /** Runs one pool member: start, kill, restart. */
  async #killLoop(member: Member): Promise<void> {
    const { dice, kills, log, pointTimeoutMs } = this.#options;
    let fault: Fault | null = null;
    while (!this.#isOver) {
      const run = (member.run ??= this.#start(member, fault));
      const limit = this.isDone
        ? Number.POSITIVE_INFINITY
        : fault === null
          ? await this.#randomLifetime(run)
          : pointTimeoutMs;
      if (fault !== null) await run.ready;
      const end = await this.#endWithin(run, limit);
      if (this.#isOver) return;
      member.run = null;
      if (end === 'alive') {
        // Another member may have made the last kill meanwhile.
        if (this.isDone) {
          member.run = run;
          fault = null;
          continue;
        }
        this.atRandom += 1;
        run.kill('SIGKILL');
        await run.ended;
      } else if (end === null) {
        const tail = run.output().trimEnd().split('\n').slice(-4).join('\n').slice(-1500);
        this.crashes.push(tail);
        log(`a process crashed by itself: ${tail}`);
        await sleep(500);
      } else {
        this.atPoints += 1;
        this.points.set(end, (this.points.get(end) ?? 0) + 1);
      }
      const wantsPoint = this.atPoints < kills / 2 && (this.atRandom >= kills / 2 || dice.next() < 0.6);
      fault = !this.isDone && wantsPoint ? this.#options.nextFault() : null;
    }
  }

  /** 15 % are killed during startup, the others after it. */
  async #randomLifetime(run: ProgramRun): Promise<number> {
    const { dice, lifetimeMs } = this.#options;
    if (dice.next() < 0.15) return dice.int(200, 2000);
    await run.ready;
    return dice.int(100, lifetimeMs);
  }

  async #endWithin(run: ProgramRun, limitMs: number): Promise<string | null> {
    if (limitMs === Number.POSITIVE_INFINITY) return run.ended;
    const timer = new AbortController();
    const late = sleep(limitMs, 'alive' as const, { signal: timer.signal }).catch(() => 'alive' as const);
    const outcome = await Promise.race([run.ended, late]);
    timer.abort();
    return outcome;
  }
}
