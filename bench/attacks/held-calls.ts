import { place } from '../../test/helpers/service/scenario.ts';
import { request, sleep } from './attack.ts';
import { gaugeOf, type InnocentSettings } from './service.ts';

/** Ends with a cause in the call: no side has spoken for ten minutes. */
const NATURAL = new Set(['USER_BECAME_IDLE', 'AGENT_ENDED', 'USER_LEFT']);
const OVER = new Set(['completed', 'failed', 'error', 'cancelled']);
const LOOK_MS = 5_000;

/** Live calls of the innocent workspace. A call that ends by itself is replaced, any other end counts as cut. */
export class HeldCalls {
  readonly cut: string[] = [];
  ended = 0;
  readonly #settings: InnocentSettings;
  readonly #calls = new Map<string, { readonly number: string; readonly from: string }>();
  readonly #over = new AbortController();
  #keeping: Promise<void> = Promise.resolve();
  /** Looks run one after another. */
  #checked: Promise<void> = Promise.resolve();

  readonly #metricsPort: number;

  constructor(settings: InnocentSettings, metricsPort: number) {
    this.#settings = settings;
    this.#metricsPort = metricsPort;
  }

  /** Places `measured` calls on the measuring carrier and `others` on the built-in one; waits until all are live. */
  async start(measured: number, others: number): Promise<void> {
    const { from, testNumber } = this.#settings;
    for (let n = 0; n < measured; n += 1) await this.#place(`+1415555${8_000 + n}`, from);
    // Callees of the built-in carrier whose number ends in 0006 answer and stay silent.
    for (let n = 0; n < others; n += 1) await this.#place(`+1415${200 + n}0006`, testNumber);
    for (let n = 0; n < 60 && (await this.live()) < measured + others; n += 1) await sleep(500);
    this.#keeping = this.#keep();
  }

  /** Live calls of the process. */
  live(): Promise<number> {
    return gaugeOf(this.#metricsPort, 'callwright_live_calls');
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#keeping;
    await this.#look();
  }

  /** Stops, and hangs the calls up. */
  async hangUp(): Promise<void> {
    await this.stop();
    for (const id of this.#calls.keys()) await this.#request('POST', `/api/v0/calling/${id}/hangup`, {});
  }

  async #place(number: string, from: string): Promise<void> {
    const { agentId } = this.#settings;
    const client = {
      request: (method: string, path: string, body?: unknown) => this.#request(method, path, body),
    };
    this.#calls.set(await place(client, agentId, number, { from_number: from }), { number, from });
  }

  async #keep(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await sleep(LOOK_MS, this.#over.signal);
      await this.check();
    }
  }

  /** Looks for calls that have ended, and replaces them. */
  check(): Promise<void> {
    this.#checked = this.#checked.then(async () => {
      for (const { number, from } of await this.#look()) await this.#place(number, from);
    });
    return this.#checked;
  }

  /** Takes the calls that have ended off the list. */
  async #look(): Promise<{ number: string; from: string }[]> {
    const { body } = await this.#request('GET', '/api/v0/calling/history?limit=100&call_status=ongoing');
    const ongoing = new Set((body?.calls ?? []).map(({ id }: { id: string }) => id));
    const gone: { number: string; from: string }[] = [];
    for (const [id, call] of this.#calls) {
      if (ongoing.has(id)) continue;
      const details = (await this.#request('GET', `/api/v0/calling/call-details?id=${id}`)).body?.data;
      if (details === undefined || !OVER.has(details.call_status)) continue;
      this.#calls.delete(id);
      this.ended += 1;
      if (!NATURAL.has(details.call_sub_status)) this.cut.push(`${call.number}: ${details.call_sub_status}`);
      gone.push(call);
    }
    return gone;
  }

  #request(method: string, path: string, body?: unknown): ReturnType<typeof request> {
    return request(this.#settings, this.#settings.key, method, path, body === undefined ? {} : { body });
  }
}
