import { setTimeout as sleep } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';

export interface BossRun {
  readonly fetchers: number;
  readonly batch: number;
  readonly seconds: number;
}

export interface BossResult {
  readonly perSecond: number;
  /** Jobs completed within the measured time; the rest is completed afterwards. */
  readonly completedPerSecond: number;
  readonly p99: number;
}

const QUEUE = 'calls';

/** Reference: a general job queue on the same server, without limits. */
export class BossQueue {
  readonly #boss: PgBoss;

  constructor(url: string, connections: number) {
    this.#boss = new PgBoss({
      connectionString: url,
      max: connections + 1,
      supervise: false,
      schedule: false,
    });
  }

  /** Queues jobs with the payload of a call. */
  async fill(jobs: number): Promise<void> {
    await this.#boss.start();
    await this.#boss.createQueue(QUEUE);
    for (let from = 0; from < jobs; from += 10_000) {
      const rows = Array.from({ length: Math.min(10_000, jobs - from) }, (_, i) => ({
        data: {
          callee_name: 'Priya',
          mobile_number: `+1212${String(from + i).padStart(9, '0')}`,
          day: 'Tuesday',
        },
      }));
      await this.#boss.insert(QUEUE, rows);
    }
  }

  /** Fetches for some seconds while another connection completes the fetched jobs. */
  async run(run: BossRun): Promise<BossResult> {
    const fetched: string[] = [];
    const times: number[] = [];
    const fetching = { isOver: false };
    let [jobs, completed] = [0, 0];
    const begin = performance.now();
    const until = begin + run.seconds * 1000;
    const completing = (async (): Promise<void> => {
      while (!fetching.isOver || fetched.length > 0) {
        const batch = fetched.splice(0, 1000);
        if (batch.length === 0) await sleep(10);
        else {
          await this.#boss.complete(QUEUE, batch);
          completed += batch.length;
        }
      }
    })();
    const fetcher = async (): Promise<void> => {
      while (performance.now() < until) {
        const from = performance.now();
        const batch = await this.#boss.fetch(QUEUE, { batchSize: run.batch });
        times.push(performance.now() - from);
        if (batch.length === 0) return;
        jobs += batch.length;
        fetched.push(...batch.map((job) => job.id));
      }
    };
    await Promise.all(Array.from({ length: run.fetchers }, fetcher));
    const seconds = (performance.now() - begin) / 1000;
    const completedPerSecond = completed / seconds;
    fetching.isOver = true;
    await completing;
    const sorted = times.toSorted((a, b) => a - b);
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
    return { perSecond: jobs / seconds, completedPerSecond, p99 };
  }

  stop(): Promise<void> {
    return this.#boss.stop({ graceful: false });
  }
}
