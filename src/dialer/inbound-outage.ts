import {
  callerOf,
  inboundVariables,
  type InboundDecision,
  type InboundRoute,
  type IncomingCall,
  type LateInbound,
  type TakenCall,
} from '../domain/calls/take-inbound.ts';
import type { Clock, Scheduler } from '../shared/clock.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import { isTransient, throughOutage } from '../store/transient.ts';
import type { CallProviders } from '../vendors/accounts.ts';

/** What the last call to a number was prepared with. */
export interface Prepared {
  readonly knowledge: readonly KnowledgeItem[];
  readonly providers: CallProviders;
}

export type AnsweredInbound =
  | {
      readonly taken: TakenCall;
      /** Keeps what the call was prepared with for later calls to the number. */
      keep(prepared: Prepared): void;
    }
  | {
      readonly taken: TakenCall;
      readonly prepared: Prepared;
      /** Stores the call, once the database is back. */
      store(): Promise<void>;
      /** The call has ended: from now on only what it lasted counts as not stored. */
      over(): void;
    }
  | (Extract<InboundDecision, { readonly refuse: number }> & {
      /** The database answers only after the refusal: the call that it then has stored, which has to be settled, or null. */
      readonly storedLater?: Promise<TakenCall | null>;
    });

export interface InboundOutageDeps {
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly scheduler: Pick<Scheduler, 'after'>;
  readonly log: Log;
  readonly nodeId: () => string;
  take(incoming: IncomingCall): Promise<InboundDecision>;
  store(late: LateInbound): Promise<void>;
}

interface Route extends InboundRoute {
  readonly taken: TakenCall;
  readonly at: number;
  prepared: Prepared | null;
}

/** How long a call waits for the database before a route that is known answers it. */
const WAIT_MS = 3_000;
/** How long the answer to the last call to a number holds for another one. */
const KEPT_MS = 3_600_000;
const MOST_ROUTES = 500;
/**
 * What a workspace may use without the gate, in this process: so much talk that is not stored yet, and so much in one call.
 * A call under way counts as if it lasted as long as it may, one that ended as long as it lasted, but not less than a
 * short one.
 */
const MOST_UNSTORED_MS = 1_200_000;
const LATE_CAP_MS = 300_000;
const SHORT_MS = 15_000;

/**
 * Answers inbound calls also while the database is away: a number whose last call was answered within the hour goes to the
 * same agent again. Such a call is stored, with its money, as soon as the database is back, and settled after that.
 */
export class InboundOutage {
  readonly #deps: InboundOutageDeps;
  /** By trunks and number, the latest last. */
  readonly #routes = new Map<string, Route>();
  /** Talk that is not stored yet, by workspace, ms. */
  readonly #unstored = new Map<string, number>();

  constructor(deps: InboundOutageDeps) {
    this.#deps = deps;
  }

  async take(incoming: IncomingCall): Promise<AnsweredInbound> {
    const key = `${incoming.trunkIds.join()} ${incoming.to}`;
    const route = this.#usable(key);
    const asked = this.#ask(incoming);
    const decision = route === null ? await asked : await this.#withinPatience(asked);
    if (decision === null && route !== null) return this.#takeLate(incoming, route, asked);
    if (decision === null) return { refuse: 503, reason: 'the database is away' };
    if ('refuse' in decision) {
      // The number, its agent or the balance has changed; busy lines and a fenced node say nothing about the route.
      if (decision.refuse === 404 || decision.refuse === 480) this.#routes.delete(key);
      return decision;
    }
    const { taken } = decision;
    return { taken, keep: (prepared) => this.#keep(key, { ...decision.route, taken, prepared }) };
  }

  /** Null: the database is away. */
  #ask(incoming: IncomingCall): Promise<InboundDecision | null> {
    return this.#deps.take(incoming).catch((error: unknown) => {
      this.#deps.log.error({ err: error }, 'an inbound call could not be stored');
      if (isTransient(error)) return null;
      return { refuse: 503, reason: 'the call could not be stored' } as const;
    });
  }

  /** Null: the database is away, or does not answer in time. A later decision may have stored the call under its id. */
  async #withinPatience(asked: Promise<InboundDecision | null>): Promise<InboundDecision | null> {
    const late = Promise.withResolvers<null>();
    const cancel = this.#deps.scheduler.after(WAIT_MS, () => late.resolve(null));
    const decision = await Promise.race([asked, late.promise]);
    cancel();
    return decision;
  }

  #usable(key: string): (Route & { readonly prepared: Prepared }) | null {
    const route = this.#routes.get(key);
    if (route === undefined || route.prepared === null) return null;
    const isRecent = this.#deps.clock.monotonic() - route.at < KEPT_MS;
    return isRecent ? { ...route, prepared: route.prepared } : null;
  }

  #keep(key: string, route: Omit<Route, 'at'>): void {
    this.#routes.delete(key);
    this.#routes.set(key, { ...route, at: this.#deps.clock.monotonic() });
    const [oldest] = this.#routes.keys();
    if (this.#routes.size > MOST_ROUTES && oldest !== undefined) this.#routes.delete(oldest);
  }

  #takeLate(
    incoming: IncomingCall,
    route: Route & { readonly prepared: Prepared },
    asked: Promise<InboundDecision | null>,
  ): AnsweredInbound {
    const { clock, log, nodeId } = this.#deps;
    const { workspaceId } = route.taken;
    const talkMs = Math.min(route.taken.capMs, LATE_CAP_MS);
    if ((this.#unstored.get(workspaceId) ?? 0) + talkMs > MOST_UNSTORED_MS) {
      return {
        refuse: 503,
        reason: 'the database is away, and too much talk of the workspace is not stored yet',
        storedLater: asked.then((decision) =>
          decision === null || 'refuse' in decision ? null : decision.taken,
        ),
      };
    }
    const { callId, sipCallId } = incoming;
    const caller = callerOf(incoming, route.number);
    const ref = { workspaceId, callId, attempt: 1, nodeId: nodeId() };
    const late = { ref, route: routeOf(route), caller, sipCallId, at: clock.now(), talkMs };
    log.warn({ callId }, 'the database is away: an inbound call goes to the agent of the last one');
    const from = clock.monotonic();
    let counted = 0;
    const count = (ms: number): void => {
      this.#count(workspaceId, ms - counted);
      counted = ms;
    };
    let isStored = false;
    count(talkMs);
    return {
      taken: { ...route.taken, ...ref, args: inboundVariables(caller), capMs: talkMs },
      prepared: route.prepared,
      store: () =>
        throughOutage(() => this.#deps.store(late), Number.POSITIVE_INFINITY).finally(() => {
          isStored = true;
          count(0);
        }),
      over: () => {
        const lasted = Math.max(SHORT_MS, clock.monotonic() - from);
        if (!isStored) count(Math.min(counted, lasted));
      },
    };
  }

  #count(workspaceId: string, ms: number): void {
    const unstored = (this.#unstored.get(workspaceId) ?? 0) + ms;
    if (unstored <= 0) this.#unstored.delete(workspaceId);
    else this.#unstored.set(workspaceId, unstored);
  }
}

const routeOf = ({ agentId, versionId, numberId, number }: InboundRoute): InboundRoute => ({
  agentId,
  versionId,
  numberId,
  number,
});
