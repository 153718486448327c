import { settlesWithin } from '../../shared/settles-within.ts';
import type { CarrierAnswer, CarrierRequest, CarrierTrunk } from './carrier-trunk.ts';
import { CONTROLS } from './control/controls.ts';

const REQUEST_MS = 15_000;
const MOST_ANSWER_BYTES = 65_536;
/** A bearer token is renewed so long before it expires. */
const RESERVE_MS = 60_000;

export interface CarrierApiDeps {
  /** Epoch ms. */
  now(): number;
  /** One request under the address rules. Never rejects. */
  fetch(
    request: CarrierRequest & { readonly timeoutMs: number; readonly maxBytes: number },
  ): Promise<CarrierAnswer>;
}

interface Token {
  /** The credentials that got it. */
  readonly password: string | null;
  readonly token: string;
  readonly until: number;
}

/** Sends requests to the APIs of carriers, with what proves them. */
export class CarrierApi {
  readonly #deps: CarrierApiDeps;
  readonly #sending = new Set<Promise<CarrierAnswer>>();
  readonly #tokens = new Map<string, Token>();

  constructor(deps: CarrierApiDeps) {
    this.#deps = deps;
  }

  /**
   * Gets what the next requests of the trunk need, so that they leave at once. Never rejects: a request without it is refused
   * by the carrier.
   */
  async prepare(trunk: CarrierTrunk): Promise<void> {
    const { signIn } = CONTROLS[trunk.kind];
    if (signIn === undefined || this.#tokenOf(trunk) !== null) return;
    const read = signIn.read(await this.#fetch(signIn.request(trunk)));
    if (read === null) return;
    const until = this.#deps.now() + Math.max(0, read.seconds * 1_000 - RESERVE_MS);
    this.#tokens.set(trunk.id, { password: trunk.password, token: read.token, until });
  }

  /** Leaves in the same tick, if `prepare` has resolved lately. Never rejects. */
  send(trunk: CarrierTrunk, request: CarrierRequest): Promise<CarrierAnswer> {
    const control = CONTROLS[trunk.kind];
    if (control.signIn === undefined)
      return this.#fetch(control.sign?.(trunk, request, this.#deps.now()) ?? request);
    if (this.#tokenOf(trunk) !== null) return this.#fetch(this.#bearing(trunk, request));
    return this.prepare(trunk).then(() => this.#fetch(this.#bearing(trunk, request)));
  }

  /** Waits for the answers that are due, at most so long. */
  async settle(ms: number): Promise<void> {
    await settlesWithin(ms, Promise.all(this.#sending));
  }

  #bearing(trunk: CarrierTrunk, request: CarrierRequest): CarrierRequest {
    return {
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${this.#tokenOf(trunk) ?? ''}` },
    };
  }

  #tokenOf({ id, password }: CarrierTrunk): string | null {
    const known = this.#tokens.get(id);
    if (known === undefined || known.password !== password || known.until <= this.#deps.now()) return null;
    return known.token;
  }

  async #fetch(request: CarrierRequest): Promise<CarrierAnswer> {
    const answer = this.#deps.fetch({ ...request, timeoutMs: REQUEST_MS, maxBytes: MOST_ANSWER_BYTES });
    this.#sending.add(answer);
    try {
      return await answer;
    } finally {
      this.#sending.delete(answer);
    }
  }
}
