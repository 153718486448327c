import { Client } from 'pg';
import { newId } from '../../src/shared/ids.ts';

/** Calls that begin or end at a time. */
const BATCH = 18;
const EVERY_MS = 100;

/** Changes calls of a workspace as fast as a busy dialer does: begins calls, and ends those that began before. */
export class LiveUpdates {
  readonly #client: Client;
  readonly #workspaceId: string;
  readonly #numberId: string;
  #timer: NodeJS.Timeout | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #changes = 0;
  #failure: Error | null = null;
  #begunAt = 0;
  #isBeginning = true;
  #live: string[] = [];

  constructor(url: string, workspace: { readonly workspaceId: string; readonly numberId: string }) {
    this.#client = new Client({ connectionString: url });
    this.#workspaceId = workspace.workspaceId;
    this.#numberId = workspace.numberId;
  }

  async start(): Promise<void> {
    await this.#client.connect();
    this.#begunAt = performance.now();
    this.#timer = setInterval(() => {
      this.#work = this.#work.then(() => this.#catchUp()).catch((error: Error) => (this.#failure ??= error));
    }, EVERY_MS);
  }

  /** The timer of a busy processor is late; the changes keep their rate. */
  async #catchUp(): Promise<void> {
    while (this.#changes < ((performance.now() - this.#begunAt) / EVERY_MS) * BATCH) await this.#change();
  }

  /** Ends the changes; resolves with the rate that was reached, per minute. */
  async stop(): Promise<number> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#work;
    const minutes = (performance.now() - this.#begunAt) / 60_000;
    await this.#client.end();
    if (this.#failure !== null) throw this.#failure;
    return this.#changes / minutes;
  }

  async #change(): Promise<void> {
    this.#changes += BATCH;
    this.#isBeginning = !this.#isBeginning;
    if (!this.#isBeginning) {
      this.#live = Array.from({ length: BATCH }, newId);
      await this.#client.query(
        `insert into calls (workspace_id, id, agent_id, version_id, number_id, call_type, from_number, to_number,
           callee_name, status, sub_status, attempt, created_at, updated_at)
         select $1, id, $2, $2, $3, 'outbound', '+14155550100', '+14155550123', 'Live', 'ongoing', 'ACCEPTED', 1,
           now(), now()
         from unnest($4::uuid[]) id`,
        [this.#workspaceId, newId(), this.#numberId, this.#live],
      );
      return;
    }
    await this.#client.query(
      `update calls set status = 'completed', sub_status = 'USER_LEFT', ended_at = now(), updated_at = now(),
         duration_ms = 1000
       where workspace_id = $1 and id = any($2)`,
      [this.#workspaceId, this.#live],
    );
  }
}
