import type { Log } from '../../shared/log.ts';
import type { InboundLeg, OutboundLeg, OutboundRequest, SignallingEvents } from '../leg.ts';
import type { CallDialog } from './call-dialog.ts';
import type { CallTrunk } from './call-trunk.ts';
import { ACCEPT, ALLOW, USER_AGENT } from './capabilities.ts';
import { dialogKey } from './dialog.ts';
import { Endpoint } from './endpoint.ts';
import type { EndpointUser, Screening, ServerTransaction } from './endpoint-user.ts';
import { guarded } from './guarded-events.ts';
import { InboundCall } from './inbound-call.ts';
import { tagOf, type Header, type SipMessage, type SipRequest } from './message.ts';
import { OutboundCall } from './outbound-call.ts';
import { checkRequest } from './request-checks.ts';
import type { Resolve } from './resolver.ts';
import { responseTo } from './response.ts';
import type { Scheduler } from './scheduler.ts';
import { createTrace, type TraceEntry } from './trace.ts';
import type { Timing } from './transaction/types.ts';
import type { Origin, Transports } from './transport.ts';
import type { UserAgentContext } from './user-agent-context.ts';

/** Who may talk to us: decided once per request outside a dialog. */
export type Judgement =
  | { readonly kind: 'trunk'; readonly trunk: CallTrunk }
  | { readonly kind: 'drop' }
  | { readonly kind: 'refuse'; readonly status: number; readonly headers: readonly Header[] };

export type Judge = (request: SipRequest, origin: Origin) => Judgement;

interface Options {
  readonly transports: Transports;
  readonly scheduler: Scheduler;
  readonly timing: Timing;
  readonly resolve: Resolve;
  readonly judge: Judge;
  readonly mayRepeatInvite?: () => boolean;
  readonly log: Log;
}

const RETRY_SOON: Header = { name: 'retry-after', value: '30' };

/** The user agent core: routes requests to dialogs and calls, and answers what belongs to neither. */
export class UserAgent implements EndpointUser {
  readonly endpoint: Endpoint;
  readonly #context: UserAgentContext;
  readonly #options: Options;
  readonly #trace = createTrace();
  readonly #trunks = new WeakMap<SipRequest, CallTrunk>();
  readonly #inbound = new Map<ServerTransaction, InboundCall>();
  readonly #calls = new Set<{ hangup(cause: string): void }>();
  #handler: (leg: InboundLeg) => void = (leg) => leg.reject(480);
  #draining = false;
  constructor(options: Options) {
    this.#options = options;
    this.endpoint = new Endpoint({ ...options, user: this });
    const { scheduler, timing, resolve, log } = options;
    const dialogs = new Map<string, CallDialog>();
    this.#context = { endpoint: this.endpoint, scheduler, timing, resolve, log, dialogs, closing: new Set() };
  }

  /** Calls that have neither ended nor failed. */
  get liveCalls(): number {
    return this.#calls.size;
  }
  /** True while a call lives or a BYE waits for its answer. */
  get busy(): boolean {
    return this.#calls.size > 0 || this.#context.closing.size > 0;
  }
  trace(callId: string): readonly TraceEntry[] {
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
      onOver: () => this.#calls.delete(call),
    });
    this.#calls.add(call);
    call.start();
    return call;
  }

  screen(request: SipRequest, origin: Origin): Screening {
    const { transports } = this.#options;
    const check = (): Screening =>
      checkRequest(request, (host) => transports.isOurs(host, null)) ?? ('accept' as const);
    if (tagOf(request.to) !== null && request.method !== 'CANCEL') {
      if (this.#dialogOf(request) !== undefined) return check();
      // A BYE is always answered; for anything else a stranger learns nothing.
      const known = request.method === 'BYE' || this.#options.judge(request, origin).kind !== 'drop';
      return known ? { status: 481, headers: [] } : 'drop';
    }
    if (request.method === 'CANCEL' || request.method === 'BYE') return 'accept';
    const judgement = this.#options.judge(request, origin);
    if (judgement.kind === 'drop') return 'drop';
    if (judgement.kind === 'refuse') return { status: judgement.status, headers: judgement.headers };
    this.#trunks.set(request, judgement.trunk);
    const checked = check();
    if (checked !== 'accept' || !this.#draining) return checked;
    return { status: 503, headers: [RETRY_SOON] };
  }

  onRequest(transaction: ServerTransaction): void {
    const { request } = transaction;
    const dialog = tagOf(request.to) === null ? undefined : this.#dialogOf(request);
    if (dialog !== undefined) {
      dialog.receive(transaction);
      return;
    }
    const toTag = this.endpoint.tagFor(request);
    const trunk = this.#trunks.get(request);
    if (request.method === 'INVITE' && trunk !== undefined) this.#invited(transaction, trunk);
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

  onTraffic(direction: 'in' | 'out', message: SipMessage): void {
    this.#trace.note(direction, message, this.#options.scheduler.now());
  }

  #dialogOf(request: SipRequest): CallDialog | undefined {
    const key = dialogKey(request.callId, tagOf(request.to) ?? '', tagOf(request.from) ?? '');
    return this.#context.dialogs.get(key);
  }

  #invited(transaction: ServerTransaction, trunk: CallTrunk): void {
    const call: InboundCall = new InboundCall(this.#context, {
      trunk,
      transaction,
      onOver: () => {
        this.#inbound.delete(transaction);
        this.#calls.delete(call);
      },
    });
    this.#inbound.set(transaction, call);
    this.#calls.add(call);
    try {
      this.#handler(call);
    } catch (error) {
      this.#options.log.error({ err: error }, 'Inbound call handler failed');
      call.reject(500);
    }
  }
}
