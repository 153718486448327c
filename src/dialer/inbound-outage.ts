import {
  callerOf,
  type InboundDecision,
  type InboundRoute,
  type IncomingCall,
  type LateInbound,
  type TakenCall,
} from '../domain/calls/take-inbound.ts';
import { calleeVariables } from '../shared/callee-variables.ts';
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
    }
  | Extract<InboundDecision, { readonly refuse: number }>;

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
 * What a workspace may use without the gate, in this process: so many calls that are not stored yet, each of at most this
 * length.
 */
const MOST_UNSTORED = 4;
const LATE_CAP_MS = 300_000;

/**
 * Answers inbound calls also while the database is away: a number whose last call was answered within the hour goes to the
 * same agent again. Such a call is stored, with its money, as soon as the database is back, and settled after that.
 */
export class InboundOutage {
  readonly #deps: InboundOutageDeps;
  /** By trunks and number, the latest last. */
  readonly #routes = new Map<string, Route>();
  /** Calls that are not stored yet, by workspace. */
  readonly #unstored = new Map<string, number>();

  constructor(deps: InboundOutageDeps) {
    this.#deps = deps;
  }

  async take(incoming: IncomingCall): Promise<AnsweredInbound> {
    const key = `${incoming.trunkIds.join()} ${incoming.to}`;
    const route = this.#usable(key);
    const decision = await this.#decide(incoming, route);
    if (decision === null && route !== null) return this.#takeLate(incoming, route, route.prepared);
    if (decision === null) return { refuse: 503, reason: 'the database is away' };
    if ('refuse' in decision) {
      // The number, its agent or the balance has changed; busy lines and a fenced node say nothing about the route.
      if (decision.refuse === 404 || decision.refuse === 480) this.#routes.delete(key);
      return decision;
    }
    const { taken } = decision;
    return { taken, keep: (prepared) => this.#keep(key, { ...decision.route, taken, prepared }) };
  }

  /** Null: the database does not answer. A decision that comes too late may have stored the call, which the id shows. */
  async #decide(incoming: IncomingCall, route: Route | null): Promise<InboundDecision | null> {
    const asked = this.#deps.take(incoming).catch((error: unknown) => {
      this.#deps.log.error({ err: error }, 'an inbound call could not be stored');
      if (isTransient(error)) return null;
      return { refuse: 503, reason: 'the call could not be stored' } as const;
    });
    if (route === null) return asked;
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

  #takeLate(incoming: IncomingCall, route: Route, prepared: Prepared): AnsweredInbound {
    const { clock, log, nodeId } = this.#deps;
    const { workspaceId } = route.taken;
    const waiting = this.#unstored.get(workspaceId) ?? 0;
    if (waiting >= MOST_UNSTORED) {
      return {
        refuse: 503,
        reason: 'the database is away, and too many calls of the workspace are not stored yet',
      };
    }
    this.#unstored.set(workspaceId, waiting + 1);
    const { callId, sipCallId } = incoming;
    const caller = callerOf(incoming, route.number);
    const ref = { workspaceId, callId, attempt: 1, nodeId: nodeId() };
    const talkMs = Math.min(route.taken.capMs, LATE_CAP_MS);
    const late = { ref, route: routeOf(route), caller, sipCallId, at: clock.now(), talkMs };
    log.warn({ callId }, 'the database is away: an inbound call goes to the agent of the last one');
    return {
      taken: { ...route.taken, ...ref, args: calleeVariables(caller), capMs: talkMs },
      prepared,
      store: () =>
        throughOutage(() => this.#deps.store(late), Number.POSITIVE_INFINITY).finally(() =>
          this.#stored(workspaceId),
        ),
    };
  }

  #stored(workspaceId: string): void {
    const left = (this.#unstored.get(workspaceId) ?? 1) - 1;
    if (left === 0) this.#unstored.delete(workspaceId);
    else this.#unstored.set(workspaceId, left);
  }
}

const routeOf = ({ agentId, versionId, numberId, number }: InboundRoute): InboundRoute => ({
  agentId,
  versionId,
  numberId,
  number,
});
