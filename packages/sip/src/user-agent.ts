import type { Log, Scheduler } from './ports.ts';
import type { InboundLeg, OutboundLeg, OutboundRequest, SignallingEvents, SipStep } from './call.ts';
import type { CallDialog } from './call-dialog.ts';
import { type CallTrunk, guarded, type UserAgentContext } from './call-context.ts';
import { ACCEPT, ALLOW, USER_AGENT } from './headers.ts';
import { dialogKey } from './dialog.ts';
import type { EndedDialog } from './ended-dialog.ts';
import { Endpoint } from './endpoint.ts';
import { HopCache } from './hop-cache.ts';
import type { EndpointUser, Screening, ServerTransaction } from './transaction-user.ts';
import { InboundCall } from './inbound-call.ts';
import { MediaNames } from './media-names.ts';
import { sdpOf, tagOf, type Header, type SipMessage, type SipRequest } from './message.ts';
import { OutboundCall } from './outbound-call.ts';
import { checkRequest } from './request-checks.ts';
import type { Resolve } from './resolver.ts';
import { type Replaces, replacesOf } from './replaces.ts';
import { responseTo } from './response.ts';
import { TcpFallback } from './tcp-fallback.ts';
import { createTrace } from './trace.ts';
import type { Timing } from './transaction/types.ts';
import type { Origin, Transports } from './transport.ts';

/** Decision on the source of a request outside a dialog. */
export type Judgement =
  /** `alternatives`: ids of further trunks with the same source; the called number decides between them. */
  | { readonly kind: 'trunk'; readonly trunk: CallTrunk; readonly alternatives?: readonly string[] }
  | { readonly kind: 'drop' }
  | { readonly kind: 'refuse'; readonly status: number; readonly headers: readonly Header[] };

/** Protects the stack from sources that are neither a trunk nor the peer of a dialog. */
export interface SourceGuard {
  /** Decides by source and size alone whether a message is parsed. */
  admits(origin: Origin, bytes: number): boolean;
  /** Decides on a request outside a dialog. */
  judge(request: SipRequest, origin: Origin): Judgement;
  /** Takes one token of the source's budget for error responses. */
  mayRefuse(origin: Origin): boolean;
  /** Takes one INFO from the budget of its call; false: it is refused before its body is read. */
  takesInfo(callId: string): boolean;
  /** Records that a message of the source matched a dialog or transaction of ours, whose tags and branches are secret. */
  prove(origin: Origin): void;
}

interface Options {
  readonly transports: Transports;
  readonly scheduler: Scheduler;
  readonly timing: Timing;
  readonly resolve: Resolve;
  readonly guard: SourceGuard;
  readonly mayRepeatInvite?: () => boolean;
  readonly log: Log;
  /** Cap on live server transactions. */
  readonly maxTransactions?: number;
}

type LiveCall = Pick<OutboundLeg, 'sipCallId' | 'hangup'>;

const RETRY_SOON: Header = { name: 'retry-after', value: '30' };

/** The user agent core: routes requests to dialogs and calls, and answers those that belong to neither. */
export class UserAgent implements EndpointUser {
  readonly endpoint: Endpoint;
  readonly #context: UserAgentContext;
  readonly #options: Options;
  readonly #trace = createTrace();
  /** The last request that came from a trunk: `onRequest` follows `screen` at once. */
  #judged: { readonly request: SipRequest; readonly judgement: Judgement & { kind: 'trunk' } } | null = null;
  /** The dialog of the last request: `onRequest` follows `screen` at once. */
  #found: { readonly request: SipRequest; readonly dialog: CallDialog | EndedDialog | undefined } | null =
    null;
  readonly #inbound = new Map<ServerTransaction, InboundCall>();
  readonly #calls = new Set<LiveCall>();
  #handler: (leg: InboundLeg) => void = (leg) => leg.reject(480);
  #draining = false;
  constructor(options: Options) {
    this.#options = options;
    this.endpoint = new Endpoint({ ...options, user: this });
    const { scheduler, timing, resolve, log, guard } = options;
    const hops = new HopCache(resolve, scheduler);
    this.#context = {
      endpoint: this.endpoint,
      scheduler,
      timing,
      hops,
      names: new MediaNames(hops),
      log,
      tcp: new TcpFallback(scheduler),
      dialogs: new Map<string, CallDialog | EndedDialog>(),
      closing: new Set(),
      place: (trunk, request, events) => this.call(trunk, request, events),
      takesInfo: (callId) => guard.takesInfo(callId),
    };
  }

  /** Number of calls that have neither ended nor failed. */
  get liveCalls(): number {
    return this.#calls.size;
  }
  /** True while a call is live or a BYE transaction is pending. */
  get busy(): boolean {
    return this.#calls.size > 0 || this.#context.closing.size > 0;
  }
  trace(callId: string): readonly SipStep[] {
    return this.#trace.of(callId);
  }
  setHandler(handler: (leg: InboundLeg) => void): void {
    this.#handler = handler;
  }
  drain(): void {
    this.#draining = true;
  }
  hangupAll(cause: string): void {
    for (const call of this.#calls) call.hangup(cause);
  }

  call(trunk: CallTrunk, request: OutboundRequest, events: SignallingEvents): OutboundLeg {
    const peer = trunk.known()?.[0];
    const callIdHost = peer === undefined ? 'callwright.invalid' : this.endpoint.localFor(peer).address;
    const call: OutboundCall = new OutboundCall(this.#context, {
      trunk,
      request,
      events: guarded(events, this.#options.log),
      callIdHost,
      onOver: () => this.#ended(call),
    });
    this.#began(call);
    call.start();
    return call;
  }

  admits(origin: Origin, bytes: number): boolean {
    return this.#options.guard.admits(origin, bytes);
  }

  mayRefuse(origin: Origin): boolean {
    return this.#options.guard.mayRefuse(origin);
  }

  screen(request: SipRequest, origin: Origin): Screening {
    const { transports, guard } = this.#options;
    const check = (): Screening =>
      checkRequest(request, (host) => transports.isOurs(host, null)) ?? ('accept' as const);
    if (tagOf(request.to) !== null && request.method !== 'CANCEL') {
      if (this.#dialogOf(request) !== undefined) {
        guard.prove(origin);
        return check();
      }
      // BYE gets a response from any source, within its budget; other requests only from a trunk or account.
      const known =
        request.method === 'BYE' ? guard.mayRefuse(origin) : guard.judge(request, origin).kind !== 'drop';
      return known ? { status: 481, headers: [] } : 'drop';
    }
    if (request.method === 'CANCEL') return 'accept';
    if (request.method === 'BYE') return guard.mayRefuse(origin) ? { status: 481, headers: [] } : 'drop';
    const judgement = guard.judge(request, origin);
    if (judgement.kind === 'drop') return 'drop';
    if (judgement.kind === 'refuse') return { status: judgement.status, headers: judgement.headers };
    this.#judged = { request, judgement };
    const checked = check();
    if (checked !== 'accept' || !this.#draining) return checked;
    return { status: 503, headers: [RETRY_SOON] };
  }

  onRequest(transaction: ServerTransaction): void {
    const { request } = transaction;
    const dialog = tagOf(request.to) === null ? undefined : this.#dialogOf(request);
    if (dialog !== undefined) {
      this.#found = null;
      dialog.receive(transaction);
      return;
    }
    const toTag = this.endpoint.tagFor(request);
    const judged = this.#judged?.request === request ? this.#judged.judgement : null;
    this.#judged = null;
    if (request.method === 'INVITE' && judged !== null) this.#invited(transaction, judged);
    else if (request.method === 'OPTIONS') {
      transaction.respond(responseTo(request, 200, { toTag, headers: [ALLOW, ACCEPT, USER_AGENT] }));
    } else transaction.respond(responseTo(request, 481, { toTag }));
  }

  onAck(ack: SipRequest): void {
    this.#dialogOf(ack)?.receiveAck(ack);
  }

  onCancel(invite: ServerTransaction): void {
    this.#inbound.get(invite)?.cancelled();
  }

  onMatchedResponse(origin: Origin): void {
    this.#options.guard.prove(origin);
  }

  onTraffic(direction: 'in' | 'out', message: SipMessage): void {
    this.#trace.record(direction, message, this.#options.scheduler.now());
  }

  #began(call: LiveCall): void {
    this.#calls.add(call);
    this.#trace.begin(call.sipCallId);
  }

  #ended(call: LiveCall): void {
    this.#calls.delete(call);
    this.#trace.end(call.sipCallId);
  }

  #dialogOf(request: SipRequest): CallDialog | EndedDialog | undefined {
    if (this.#found?.request === request) return this.#found.dialog;
    const key = dialogKey(request.callId, tagOf(request.to) ?? '', tagOf(request.from) ?? '');
    const dialog = this.#context.dialogs.get(key);
    this.#found = { request, dialog };
    return dialog;
  }

  /** An INVITE with Replaces takes over a live call, whose user hears the new party (RFC 3891 section 3). */
  #replace(
    transaction: ServerTransaction,
    offer: string | null,
    trunkIds: readonly string[],
    replaces: Replaces | 'bad',
  ): void {
    const { request } = transaction;
    const refuse = (status: number): void =>
      transaction.respond(responseTo(request, status, { toTag: this.endpoint.tagFor(request) }));
    if (replaces === 'bad') {
      refuse(400);
      return;
    }
    const dialog = this.#context.dialogs.get(replaces.key);
    if (dialog === undefined || !dialog.isOn(trunkIds)) refuse(481);
    else if (dialog.isOver) refuse(603);
    else if (!dialog.dialog.confirmed) refuse(481);
    else if (replaces.isEarlyOnly) refuse(486);
    else dialog.replaceBy(transaction, offer);
  }

  #invited(
    transaction: ServerTransaction,
    { trunk, alternatives = [] }: Judgement & { kind: 'trunk' },
  ): void {
    const replaces = replacesOf(transaction.request);
    if (replaces !== null) {
      const replace = (offer: string | null): void =>
        this.#replace(transaction, offer, [trunk.id, ...alternatives], replaces);
      const offer = sdpOf(transaction.request);
      if (offer === null) replace(null);
      else this.#context.names.resolve(offer, replace);
      return;
    }
    const call: InboundCall = new InboundCall(this.#context, {
      trunk,
      alternatives,
      transaction,
      onOver: () => {
        this.#inbound.delete(transaction);
        this.#ended(call);
      },
    });
    this.#inbound.set(transaction, call);
    this.#began(call);
    call.whenNamed(() => {
      try {
        this.#handler(call);
      } catch (error) {
        this.#options.log.error({ err: error }, 'Inbound call handler failed');
        call.reject(500);
      }
    });
  }
}
