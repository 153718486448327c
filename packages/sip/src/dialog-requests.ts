import type { CallTrunk, UserAgentContext } from './call-context.ts';
import { usePeersOf } from './dialog-peers.ts';
import { type Dialog, nextHop, refreshTarget, requestInDialog } from './dialog.ts';
import { Exchange } from './exchange.ts';
import { contact, USER_AGENT } from './headers.ts';
import type { Header, SipRequest, SipResponse } from './message.ts';
import type { Origin, Peer } from './transport.ts';

/** Requests that we send in a dialog. */
export type OwnMethod = 'BYE' | 'INFO' | 'REFER' | 'NOTIFY' | 'PRACK' | 'UPDATE' | 'INVITE';
/** Methods of an answered call: they carry our Contact, and the call ends when the peer does not know the dialog. */
const OF_LIVE_CALL: ReadonlySet<OwnMethod> = new Set(['INFO', 'REFER', 'UPDATE', 'INVITE']);

/** The way of a call's requests. */
export interface DialogRoute {
  /** Peer or connection of the message that created the dialog. */
  readonly flow: Peer | Origin;
  readonly trunk: CallTrunk;
  readonly contactUser: string;
}

/** The dialog that the requests belong to. */
export interface DialogOwner {
  readonly dialog: Dialog;
  /** Requests other than BYE are refused by now. */
  readonly isOver: boolean;
  update(change: (dialog: Dialog) => Dialog): void;
  /** The dialog is lost (RFC 3261 section 12.2.1.2): 481, 408, or null: no response in time. */
  lost(sipCode: number | null): void;
}

export interface RequestContent {
  readonly headers?: readonly Header[];
  readonly body?: Buffer;
}

/** `response` null: the network did not take the request, or nobody answered it. */
export type RequestDone = (response: SipResponse | null, peer: Peer | null) => void;

/** Sends our requests in one dialog, and the ACKs of our INVITEs' 2xx. */
export class DialogRequests {
  readonly #context: UserAgentContext;
  readonly #route: DialogRoute;
  readonly #owner: DialogOwner;
  /** The ACKs sent, by CSeq number: a 2xx that comes again gets its ACK again. */
  readonly #acks = new Map<number, { readonly request: SipRequest; readonly peer: Peer | Origin }>();
  constructor(context: UserAgentContext, route: DialogRoute, owner: DialogOwner) {
    this.#context = context;
    this.#route = route;
    this.#owner = owner;
  }

  /** Acknowledges a 2xx of our INVITE (RFC 3261 section 13.2.2.4), also one that comes again. */
  acknowledge(sequence: number, credentials: readonly Header[]): void {
    const sent = this.#acks.get(sequence);
    if (sent !== undefined) {
      this.#context.endpoint.transmit(sent.request, sent.peer);
      return;
    }
    const headers = [...credentials, USER_AGENT];
    const { request } = requestInDialog(this.#owner.dialog, 'ACK', { sequence, headers });
    this.#withPeers((peers) => {
      const peer = peers[0] ?? this.#route.flow;
      const trusted = this.#mayAuthenticate(peer) ? request : withoutCredentials(request);
      const ack = { request: this.#context.endpoint.addressed(trusted, peer), peer };
      this.#acks.set(sequence, ack);
      this.#context.endpoint.transmit(ack.request, peer);
    });
  }

  send(method: OwnMethod, content: RequestContent, done: RequestDone): void {
    this.#withPeers((peers) => {
      this.sendTo(peers.length === 0 ? [this.#route.flow] : peers, method, content, done);
    });
  }

  sendTo(
    reached: readonly (Peer | Origin)[],
    method: OwnMethod,
    content: RequestContent,
    done: RequestDone,
  ): void {
    const { trunk } = this.#route;
    let isDone = false;
    const exchange: Exchange = new Exchange(this.#context.endpoint, {
      build: (local, peer) => {
        const headers = [
          ...(OF_LIVE_CALL.has(method) || method === 'NOTIFY'
            ? [contact(this.#route.contactUser, local, peer)]
            : []),
          USER_AGENT,
          ...(content.headers ?? []),
        ];
        const built = requestInDialog(this.#owner.dialog, method, {
          headers,
          ...(content.body === undefined ? {} : { body: content.body }),
        });
        this.#owner.update(() => built.dialog);
        return built.request;
      },
      peers: reached,
      tcp: trunk.transport === 'auto' ? this.#context.tcp : null,
      authenticator: reached.every((peer) => this.#mayAuthenticate(peer)) ? trunk.authenticator : null,
      wanted: () => true,
      user: {
        onProvisional: () => {},
        onFinal: (response) => {
          const { status, cseq } = response;
          if (status < 300 && (method === 'INVITE' || method === 'UPDATE'))
            this.#owner.update((dialog) => refreshTarget(dialog, response));
          if (status < 300 && method === 'INVITE') this.acknowledge(cseq.sequence, exchange.credentials);
          // A 2xx of an INVITE may come again.
          if (isDone) return;
          isDone = true;
          if (OF_LIVE_CALL.has(method) && (status === 481 || status === 408)) this.#owner.lost(status);
          done(response, exchange.current?.peer ?? null);
        },
        onFailure: ({ kind }) => {
          // A message that the network refused says nothing about the peer's dialog.
          if (OF_LIVE_CALL.has(method) && kind === 'timeout') this.#owner.lost(null);
          done(null, null);
        },
      },
    });
    exchange.start();
  }

  /** Contact and Record-Route of the peer may name any host: only the trunk's own addresses get credentials. */
  #mayAuthenticate(peer: Peer): boolean {
    return this.#route.trunk.owns(peer.address);
  }

  #withPeers(use: (peers: readonly (Peer | Origin)[]) => void): void {
    const { flow, trunk } = this.#route;
    usePeersOf(nextHop(this.#owner.dialog), { flow, trunk, hops: this.#context.hops }, use);
  }
}

const withoutCredentials = (request: SipRequest): SipRequest => ({
  ...request,
  headers: request.headers.filter(({ name }) => name !== 'authorization' && name !== 'proxy-authorization'),
});
