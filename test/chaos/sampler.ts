import { sql } from 'kysely';
import { isTransient } from '../../src/store/transient.ts';
import type { Db } from '../../src/store/database.ts';
import { INDIA } from './plan.ts';

/** Samples live calls against every limit, each sample in one snapshot: no limit may ever be overshot. */
export class Sampler {
  readonly #db: Db;
  readonly #findings = new Set<string>();
  #samples = 0;
  #peak = 0;
  #timer: NodeJS.Timeout | null = null;
  #sampling: Promise<void> = Promise.resolve();

  constructor(db: Db, everyMs: number) {
    this.#db = db;
    this.#timer = setInterval(() => {
      this.#sampling = this.#sampling.then(() => this.#sample());
    }, everyMs);
  }

  get findings(): readonly string[] {
    return [...this.#findings];
  }
  get samples(): number {
    return this.#samples;
  }
  /** Peak of live calls. */
  get peak(): number {
    return this.#peak;
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await this.#sampling;
  }

  async #sample(): Promise<void> {
    if (this.#timer === null) return;
    try {
      const { rows } = await sql<{ what: string | null; live: number; allowed: number }>`
        with live as materialized (
          select c.*, n.trunk_id from calls c
          left join numbers n on n.workspace_id = c.workspace_id and n.id = c.number_id
          where c.status = 'ongoing'),
        counted as (
          select 'workspace ' || w.name as what, count(*) as live, w.call_limit as allowed
          from live join workspaces w on w.id = live.workspace_id group by w.id
          union all
          select 'trunk ' || t.name, count(*), (t.settings ->> 'max_calls')::int
          from live join trunks t on t.id = live.trunk_id group by t.id
          union all
          select 'number ' || n.number, count(*), n.call_limit
          from live join numbers n on n.workspace_id = live.workspace_id and n.id = live.number_id
          group by n.workspace_id, n.id, n.number, n.call_limit
          union all
          select c.name, count(*), ceil(w.call_limit * c.concurrency_percentage / 100.0)
          from live join campaigns c on c.workspace_id = live.workspace_id and c.id = live.campaign_id
          join workspaces w on w.id = c.workspace_id
          group by c.workspace_id, c.id, c.name, w.call_limit, c.concurrency_percentage
          union all
          select 'destination ' || w.name, count(*), (w.settings #>> array['limits', 'destination_calls', ${INDIA.prefix}])::int
          from live join workspaces w on w.id = live.workspace_id
          where live.to_number like ${`${INDIA.prefix}%`} group by w.id
          union all
          select 'locked credits of ' || name, locked_credits, credits from workspaces where not unlimited
          union all
          select null, count(*), null from live)
        select what, live::float8, allowed::float8 from counted
        where what is null or live > allowed`.execute(this.#db);
      this.#samples += 1;
      for (const { what, live, allowed } of rows) {
        if (what === null) this.#peak = Math.max(this.#peak, live);
        else this.#findings.add(`${what}: ${live} live, ${allowed} allowed`);
      }
    } catch (error) {
      if (!isTransient(error)) this.#findings.add(`the sampler failed: ${String(error)}`);
    }
  }
}
