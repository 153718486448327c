import { type ByeHeaders, byeHeadersOf } from './call-headers.ts';
import { allowOf } from './headers.ts';
import type { CallTrunk, UserAgentContext } from './call-context.ts';
import type { OutboundLeg, ReferRequest, SignallingEvents } from './call.ts';
import { hasControl } from './grammar.ts';
import { type Header, headerLines, type SipRequest } from './message.ts';
import { parseAddress } from './parse-header.ts';
import { targetOf } from './redirects.ts';
import { responseTo } from './response.ts';
import type { ServerTransaction } from './transaction-user.ts';
import { parseUri } from './uri.ts';

/** How long the target may ring. */
const RING_MS = 45_000;

type ReferUser = Omit<SignallingEvents, 'onRinging' | 'onSent'>;

/** The call in which the peer sent the REFER. */
export interface ReferHost {
  readonly trunk: CallTrunk;
  /** Our number: From of the new INVITE. */
  readonly from: string;
  /** Where the new call reports its events; null: the call has ended, or its user accepts no REFER. */
  events(): ReferUser | null;
  /** Sends a NOTIFY in the dialog with the peer, unless it is over; `done` follows the response. */
  notify(headers: readonly Header[], body: string, done: () => void): void;
  /** The target is in the call: the dialog with the peer ends. */
  moved(): void;
  /** The call ended: on the new leg, or because the peer left and the target was not reached. */
  ended(...end: Parameters<SignallingEvents['onEnded']>): void;
}

/**
 * REFER of the peer: we call the target in its place, and the user of the call goes on with the target (RFC 3515, RFC 5589).
 * The media moves when the target answers; until then it stays with the peer.
 */
export class Referred {
  readonly #context: UserAgentContext;
  readonly #host: ReferHost;
  /** The call to the target; null: none. */
  #leg: OutboundLeg | null = null;
  #isPending = false;
  #isMoved = false;
  /** What the peer's BYE said before the target answered. */
  #farewell: ByeHeaders | null = null;
  #count = 0;
  constructor(context: UserAgentContext, host: ReferHost) {
    this.#context = context;
    this.#host = host;
  }

  /** The leg with the target, once it is in the call. */
  get leg(): OutboundLeg | null {
    return this.#isMoved ? this.#leg : null;
  }

  receive(transaction: ServerTransaction): void {
    const { request } = transaction;
    const { trunk } = this.#host;
    const events = this.#host.events();
    const refuse = (status: number): void => transaction.respond(responseTo(request, status));
    if (trunk.acceptsRefer !== true) {
      transaction.respond(responseTo(request, 405, { headers: [allowOf(trunk)] }));
      return;
    }
    const refer = referOf(request, trunk);
    if (refer === null) return refuse(400);
    if (this.#isPending) return refuse(491);
    if (events?.onRefer === undefined) return refuse(603);
    this.#isPending = true;
    this.#count += 1;
    const id = this.#count === 1 ? '' : `;id=${request.cseq.sequence}`;
    void events
      .onRefer({ to: refer.to, headers: byeHeadersOf(request, trunk.headerNames) })
      .catch(() => false)
      .then((isPermitted) => {
        const offer =
          isPermitted && this.#host.events() !== null ? (events.onOfferRequest?.() ?? null) : null;
        if (offer === null) {
          this.#isPending = false;
          return refuse(603);
        }
        transaction.respond(responseTo(request, 202));
        return this.#call(refer, offer, id, events);
      });
  }

  /** The peer hung up. True: the call goes on, because the target is being called. */
  peerLeft(bye: ByeHeaders): boolean {
    if (this.#isPending) this.#farewell ??= bye;
    return this.#isPending || this.#isMoved;
  }

  hangup(cause: string): void {
    this.#leg?.hangup(cause);
  }

  #call(refer: Refer, offer: string, id: string, events: ReferUser): void {
    const { trunk, from } = this.#host;
    this.#notify(id, '100 Trying', false);
    this.#leg = this.#context.place(
      trunk,
      {
        trunkId: trunk.id,
        from,
        to: refer.to,
        displayName: null,
        sdpOffer: offer,
        ringTimeoutMs: RING_MS,
        attemptId: `referred-${this.#context.scheduler.now()}-${this.#count}`,
        headers: refer.headers,
      },
      {
        ...events,
        onSent: () => {},
        onRinging: ({ sipCode }) => this.#notify(id, `${sipCode} Ringing`, false),
        onAnswered: ({ sdp }) => {
          this.#isPending = false;
          this.#isMoved = true;
          events.onReofferAnswer?.(sdp);
          // The peer learns the outcome before the BYE.
          this.#notify(id, '200 OK', true, () => this.#host.moved());
        },
        onFailed: ({ sipCode, at }) => {
          this.#isPending = false;
          this.#leg = null;
          this.#notify(id, `${sipCode ?? 503} Failed`, true);
          if (this.#farewell !== null)
            this.#host.ended({
              by: 'caller',
              cause: 'remote hangup',
              sipCode: null,
              at,
              bye: this.#farewell,
            });
        },
        onEnded: (end) => this.#host.ended(end),
      },
    );
  }

  #notify(id: string, status: string, isOver: boolean, done = (): void => {}): void {
    const state = isOver ? 'terminated;reason=noresource' : 'active;expires=60';
    const headers = [
      { name: 'event', value: `refer${id}` },
      { name: 'subscription-state', value: state },
      { name: 'content-type', value: 'message/sipfrag' },
    ];
    this.#host.notify(headers, `SIP/2.0 ${status}\r\n`, done);
  }
}

interface Refer extends Pick<ReferRequest, 'to'> {
  /** Of the new INVITE: Replaces of an attended transfer, Referred-By. */
  readonly headers: readonly Header[];
}

/** What a REFER asks for; null: its Refer-To is missing, doubled, or names no target for an INVITE. */
function referOf(request: SipRequest, trunk: CallTrunk): Refer | null {
  const [line, ...more] = headerLines(request, 'refer-to');
  const address = line === undefined || more.length > 0 ? null : parseAddress(line);
  const uri = address === null ? null : parseUri(address.uri);
  const to = address === null ? null : targetOf(address.uri, trunk);
  if (uri === null || to === null || !['', 'INVITE'].includes(methodOf(uri.params.get('method'))))
    return null;
  const replaces = uri.scheme === 'tel' ? null : escapedHeader(uri.headers, 'replaces');
  const [referredBy] = headerLines(request, 'referred-by');
  return {
    to,
    headers: [
      ...(replaces === null
        ? []
        : [
            { name: 'replaces', value: replaces },
            { name: 'require', value: 'replaces' },
          ]),
      ...(referredBy === undefined || hasControl(referredBy)
        ? []
        : [{ name: 'referred-by', value: referredBy }]),
    ],
  };
}

const methodOf = (value: string | null | undefined): string => (value ?? '').toUpperCase();

/** A header of a URI (RFC 3261 section 19.1.1); null: it is absent or malformed. */
function escapedHeader(headers: string | null, name: string): string | null {
  const found = (headers ?? '').split('&').find((part) => part.toLowerCase().startsWith(`${name}=`));
  if (found === undefined) return null;
  try {
    const value = decodeURIComponent(found.slice(name.length + 1));
    return hasControl(value) ? null : value;
  } catch {
    return null;
  }
}
