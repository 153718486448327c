import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../helpers/peer-process.ts';
import type { Dice } from './dice.ts';
import type { Fate } from './fates.ts';
import { live, type Life } from './program.ts';

export interface CrewOptions {
  readonly roles: readonly string[];
  readonly env: Record<string, string>;
  readonly kills: number;
  readonly dice: Dice;
  readonly nextFate: () => Fate;
  /** How long a process may live on before it is killed at random, and how long a point is waited for. */
  readonly lifeMs: number;
  readonly pointMs: number;
  readonly log: (line: string) => void;
}

interface Post {
  readonly env: Record<string, string>;
  readonly url: string | null;
  life: Life | null;
}

/** The processes of a run: killed and started again, half of the times at a named point of their own choosing. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #posts: Post[] = [];
  readonly #dataDirs: string[] = [];
  readonly #work: Promise<void>[] = [];
  readonly points = new Map<string, number>();
  readonly falls: string[] = [];
  atPoints = 0;
  atRandom = 0;
  starts = 0;
  #isOver = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  get urls(): string[] {
    return this.#posts.flatMap(({ url }) => url ?? []);
  }
  get kills(): number {
    return this.atPoints + this.atRandom;
  }
  /** All kills were made, half of them at points: points that are not reached cost more, within twice as many. */
  get isDone(): boolean {
    const { kills } = this.#options;
    return this.kills >= kills && (this.atPoints >= kills / 2 || this.kills >= 2 * kills);
  }

  /** Starts every process once and waits until they serve; the first with what is only said once. */
  async start(first: Record<string, string>): Promise<void> {
    for (const [index, roles] of this.#options.roles.entries()) {
      const dataDir = await mkdtemp(join(tmpdir(), 'callwright-chaos-'));
      this.#dataDirs.push(dataDir);
      const port = await freePort();
      this.#posts.push({
        url: roles.includes('api') ? `http://127.0.0.1:${port}` : null,
        life: null,
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
    // The first prepares the database; the others find it ready.
    await this.#serve(this.#posts.slice(0, 1), first);
    await this.#serve(this.#posts.slice(1), {});
  }

  async #serve(posts: readonly Post[], more: Record<string, string>): Promise<void> {
    for (const post of posts) post.life = this.#begin({ env: { ...post.env, ...more } }, null);
    for (const { life } of posts) {
      if (life !== null && !(await life.ready)) {
        throw new Error(`a process did not start:\n${life.output().slice(-3000)}`);
      }
    }
  }

  /** From now on they are killed. */
  unleash(): void {
    for (const post of this.#posts) this.#work.push(this.#keep(post));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const { life } of this.#posts) life?.kill('SIGKILL');
    await Promise.all(this.#work);
    for (const { life } of this.#posts) await life?.ended;
    for (const dir of this.#dataDirs) await rm(dir, { recursive: true, force: true });
  }

  #begin(post: Pick<Post, 'env'>, fate: Fate | null): Life {
    this.starts += 1;
    return live(post.env, fate);
  }

  /** Lives of one process, one after the other. */
  async #keep(post: Post): Promise<void> {
    const { dice, kills, log, pointMs } = this.#options;
    let fate: Fate | null = null;
    while (!this.#isOver) {
      const life = (post.life ??= this.#begin(post, fate));
      const isDoomed = !this.isDone;
      const limit = !isDoomed
        ? Number.POSITIVE_INFINITY
        : fate === null
          ? await this.#randomLife(life)
          : pointMs;
      if (fate !== null) await life.ready;
      const said = await this.#outlive(life, limit);
      if (this.#isOver) return;
      post.life = null;
      if (said === 'alive') {
        // What others did meanwhile may have been the last kill.
        if (this.isDone) {
          post.life = life;
          fate = null;
          continue;
        }
        this.atRandom += 1;
        life.kill('SIGKILL');
        await life.ended;
      } else if (said === null) {
        const tail = life.output().trimEnd().split('\n').slice(-4).join('\n').slice(-1500);
        this.falls.push(tail);
        log(`a process ended by itself: ${tail}`);
        await sleep(500);
      } else {
        this.atPoints += 1;
        this.points.set(said, (this.points.get(said) ?? 0) + 1);
      }
      const wantsPoint = this.atPoints < kills / 2 && (this.atRandom >= kills / 2 || dice.next() < 0.6);
      fate = !this.isDone && wantsPoint ? this.#options.nextFate() : null;
    }
  }

  /** Some die while they start, most at work. */
  async #randomLife(life: Life): Promise<number> {
    const { dice, lifeMs } = this.#options;
    if (dice.next() < 0.15) return dice.int(200, 2000);
    await life.ready;
    return dice.int(100, lifeMs);
  }

  async #outlive(life: Life, limitMs: number): Promise<string | null> {
    if (limitMs === Number.POSITIVE_INFINITY) return life.ended;
    const timer = new AbortController();
    const late = sleep(limitMs, 'alive' as const, { signal: timer.signal }).catch(() => 'alive' as const);
    const outcome = await Promise.race([life.ended, late]);
    timer.abort();
    return outcome;
  }
}
