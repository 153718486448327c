import { details, place } from '../../test/helpers/service/scenario.ts';
import { sleep } from '../attacks/attack.ts';
import type { Tenant } from './world.ts';

const LANES = 2;
const LOOK_MS = 1_000;
const OVER = new Set(['completed', 'failed', 'error', 'cancelled']);

/** A call with a callee of the built-in carrier who answers each question. */
export interface Talk {
  readonly from: number;
  readonly until: number;
  readonly outcome: string;
  /** From the callee's last sound to the first packet of the reply, per turn, ms. */
  readonly reactions: readonly number[];
}

/** Conversations of a tenant, one after another in a few lanes. */
export class Talks {
  readonly talks: Talk[] = [];
  readonly #tenant: Tenant;
  readonly #stop = new AbortController();
  readonly #lanes: Promise<void>;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#lanes = Promise.all(Array.from({ length: LANES }, (_, lane) => this.#lane(lane))).then(
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#lanes;
  }

  async #lane(lane: number): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#talk(`+1415556${lane}100`);
      } catch {
        // The API is away: no call was placed, or its end is not known yet.
        await sleep(LOOK_MS, signal);
      }
    }
  }

  async #talk(number: string): Promise<void> {
    const { client, agentId, testNumber } = this.#tenant;
    const from = Date.now();
    const callId = await place(client, agentId, number, { from_number: testNumber });
    for (;;) {
      await sleep(LOOK_MS);
      const call = await details(client, callId).catch(() => undefined);
      if (!OVER.has(call?.call_status)) continue;
      this.talks.push({
        from,
        until: Date.now(),
        outcome: String(call.call_sub_status),
        reactions: call.latency.turns.map(({ total_ms: total }: { total_ms: number }) => total),
      });
      return;
    }
  }
}
