import { hash, randomBytes } from 'node:crypto';
import { randomToken } from './random-token.ts';
import type { Log, Scheduler } from './ports.ts';
import { ServerEntry, type ServerHost } from './server-entry.ts';
import type { ClientUser, EndpointUser, ServerTransaction } from './transaction-user.ts';
import {
  BRANCH_COOKIE,
  clientKey,
  mergeKey,
  noteSource,
  responseDestination,
  serverKey,
} from './matching.ts';
import {
  branchOf,
  type Header,
  type SipMessage,
  type SipRequest,
  type SipResponse,
  tagOf,
} from './message.ts';
import { parseMessage, type BadMessage } from './parse-message.ts';
import { responseTo } from './response.ts';
import { createClientRun, type ClientRun } from './transaction/run.ts';
import type { Timing } from './transaction/types.ts';
import {
  SIP_PORT,
  isReliable,
  TooLateError,
  type LocalPoint,
  type Origin,
  type Peer,
  type Transports,
} from './transport.ts';
import { textOf, writeMessage, writeRefusal } from './write.ts';

/** Cap on live server transactions; above it the endpoint answers 503. */
const MAX_SERVER_TRANSACTIONS = 20_000;
/** Part of the cap that only in-dialog requests and CANCEL may use, so that live calls can end under overload. */
const RESERVED_FOR_DIALOGS = 0.1;

/** The transaction layer: matches messages to transactions and runs their state machines (RFC 3261 section 17). */
export class Endpoint {
  readonly #transports: Transports;
  readonly #scheduler: Scheduler;
  readonly #timing: Timing;
  readonly #user: EndpointUser;
  readonly #mayRepeatInvite: () => boolean;
  readonly #log: Log;
  readonly #maxTransactions: number;
  readonly #secret = randomBytes(32).toString('hex');
  readonly #clients = new Map<string, ClientRun>();
  readonly #servers = new Map<string, ServerEntry>();
  readonly #merging = new Map<string, string>();
  readonly #host: ServerHost = {
    send: (response, entry) => {
      this.#user.onTraffic('out', response);
      this.#respond(this.#bytesOf(response), entry);
    },
    repeat: (text, entry) => this.#repeat(text, entry),
    acknowledged: (ack) => this.#user.onAck(ack),
    forget: (entry) => this.#forget(entry),
  };
  /** The last message written: an INVITE is measured before it leaves. */
  #written: { readonly message: SipMessage; readonly bytes: Buffer } | null = null;
  constructor(options: {
    transports: Transports;
    scheduler: Scheduler;
    timing: Timing;
    user: EndpointUser;
    /** Checked before every INVITE retransmission; false suppresses it. Absent: always true. */
    mayRepeatInvite?: () => boolean;
    log: Log;
    /** Cap on live server transactions. */
    maxTransactions?: number;
  }) {
    this.#transports = options.transports;
    this.#scheduler = options.scheduler;
    this.#timing = options.timing;
    this.#user = options.user;
    this.#mayRepeatInvite = options.mayRepeatInvite ?? (() => true);
    this.#log = options.log;
    this.#maxTransactions = options.maxTransactions ?? MAX_SERVER_TRANSACTIONS;
  }

  localFor(peer: Peer): LocalPoint {
    return this.#transports.localFor(peer);
  }

  /** Number of live transactions. */
  get live(): number {
    return this.#clients.size + this.#servers.size;
  }

  /** Adds our Via for `peer`, unless the request has one already (CANCEL). */
  addressed(request: SipRequest, peer: Peer): SipRequest {
    if (request.via.length > 0) return request;
    const { address, port, isFlowOnly = false } = this.#transports.localFor(peer);
    const params = new Map<string, string | null>([['branch', `${BRANCH_COOKIE}${randomToken(24)}`]]);
    if (peer.transport === 'udp') params.set('rport', null);
    // RFC 5923: the peer sends its own requests on our connection.
    if (isFlowOnly) params.set('alias', null);
    return { ...request, via: [{ transport: peer.transport.toUpperCase(), host: address, port, params }] };
  }

  /** Size on the wire of an addressed request. */
  sizeOf(request: SipRequest): number {
    return this.#bytesOf(request).length;
  }

  /** Sends an addressed request in a new client transaction; the returned function drops the transaction silently. */
  send(request: SipRequest, peer: Peer, user: ClientUser): () => void {
    const key = clientKey(request);
    let sent = false;
    let tooLate = false;
    const mayLeave = user.mayLeave === undefined ? undefined : (): boolean => user.mayLeave?.() !== false;
    const run = createClientRun({
      request,
      reliable: isReliable(peer),
      timing: this.#timing,
      scheduler: this.#scheduler,
      actions: {
        send: (message) => {
          const isCopy = sent && message === request && request.method === 'INVITE';
          if (isCopy && !this.#mayRepeatInvite()) return;
          this.transmit(
            message,
            peer,
            (error) => {
              if (error === null) {
                if (!sent) user.onSent?.();
                sent = true;
                return;
              }
              tooLate = error instanceof TooLateError;
              run.dispatch({ kind: 'transportError' });
            },
            message === request ? mayLeave : undefined,
          );
        },
        toUser: (event) => {
          if (event.kind === 'response') user.onResponse(event.response);
          else if (event.kind === 'timeout') user.onTimeout();
          else if (event.kind === 'transportError') user.onTransportError(!sent, tooLate);
        },
        ended: () => this.#clients.delete(key),
      },
    });
    this.#clients.set(key, run);
    run.dispatch({ kind: 'start' });
    return () => run.stop();
  }

  /** Stops retransmission of an abandoned request; the transaction still handles responses. */
  stopRetransmitting(request: SipRequest): void {
    this.#clients.get(clientKey(request))?.dispatch({ kind: 'stopRetransmitting' });
  }

  /** Sends outside any transaction, such as the ACK of a 2xx. */
  transmit(
    message: SipMessage,
    to: Peer | Origin,
    done: (error: Error | null) => void = () => {},
    mayLeave?: () => boolean,
  ): void {
    this.#user.onTraffic('out', message);
    this.#put(this.#bytesOf(message), to, done, mayLeave);
  }

  /** Our To tag for a request: the same for its retransmissions and its CANCEL. */
  tagFor(request: SipRequest): string {
    const text = `${this.#secret}|${request.callId}|${tagOf(request.from) ?? ''}|${branchOf(request)}`;
    // A quarter of the hash is shown, from which nobody can go on to the hash of a longer text: no HMAC is needed.
    return hash('sha256', text).slice(0, 16);
  }

  /** Handles one message from a transport. Never throws: a fault in one message must not end other calls. */
  receive(bytes: Buffer, origin: Origin): void {
    try {
      this.#take(bytes, origin);
    } catch (error) {
      this.#log.error({ err: error, peer: origin.address }, 'a SIP message could not be handled');
    }
  }

  #take(bytes: Buffer, origin: Origin): void {
    if (!this.#user.admits(origin, bytes.length)) return;
    const parsed = parseMessage(bytes);
    if (parsed.kind === 'keepalive') return;
    if (parsed.kind === 'bad') this.#refuseBad(parsed, origin);
    else if (parsed.message.kind === 'response') this.#receiveResponse(parsed.message, origin);
    else this.#receiveRequest(noteSource(parsed.message, origin), origin);
  }

  stop(): void {
    for (const run of this.#clients.values()) run.stop();
    for (const entry of this.#servers.values()) entry.stop();
  }

  #bytesOf(message: SipMessage): Buffer {
    if (this.#written?.message !== message) this.#written = { message, bytes: writeMessage(message) };
    return this.#written.bytes;
  }

  #textOf(response: SipResponse): string {
    const text = textOf(response);
    this.#written = { message: response, bytes: Buffer.from(text) };
    return text;
  }

  #put(
    bytes: Buffer,
    to: Peer | Origin,
    done: (error: Error | null) => void,
    mayLeave?: () => boolean,
  ): void {
    const sent = (error: Error | null): void => {
      if (error !== null) this.#log.debug({ err: error, transport: to.transport }, 'SIP message not sent');
      done(error);
    };
    this.#transports.send(bytes, to, sent, mayLeave);
  }

  #refuseBad(bad: BadMessage, origin: Origin): void {
    this.#log.debug({ reason: bad.reason, peer: origin.address }, 'Malformed SIP message');
    const bytes = writeRefusal(bad, randomToken(10));
    if (bytes !== null && this.#user.mayRefuse(origin)) this.#transports.send(bytes, origin, () => {});
  }

  #receiveResponse(response: SipResponse, origin: Origin): void {
    // Section 8.1.3.3: further Vias mean that the response belongs to another element.
    if (response.via.length > 1) return;
    const run = this.#clients.get(clientKey(response));
    if (run === undefined) return;
    this.#user.onMatchedResponse(origin);
    this.#user.onTraffic('in', response);
    run.dispatch({ kind: 'response', response });
  }

  #receiveRequest(request: SipRequest, origin: Origin): void {
    const key = serverKey(request);
    const entry = this.#servers.get(key);
    if (entry !== undefined) {
      entry.receive(request);
      return;
    }
    if (request.method === 'ACK') {
      this.#user.onTraffic('in', request);
      this.#user.onAck(request);
      return;
    }
    const screening = this.#user.screen(request, origin);
    if (screening === 'drop') return;
    const merge = isMergeable(request) ? mergeKey(request) : null;
    this.#user.onTraffic('in', request);
    if (request.method === 'CANCEL' && !this.#servers.has(serverKey(request, 'INVITE'))) {
      if (this.#user.mayRefuse(origin)) this.#refuse(request, origin, 481);
    } else if (screening !== 'accept') this.#refuse(request, origin, screening.status, screening.headers);
    // Section 8.2.2.2. A request of ours that a proxy routes back to us is a spiral, not a loop.
    else if (merge !== null && this.#merging.has(merge)) this.#refuse(request, origin, 482);
    else if (this.#isFull(request)) {
      this.#refuse(request, origin, 503, [{ name: 'retry-after', value: '10' }]);
    } else this.#open(request, origin, { key, merge });
  }

  #isFull(request: SipRequest): boolean {
    const isInDialog = tagOf(request.to) !== null || request.method === 'CANCEL';
    const reserved = isInDialog ? 0 : RESERVED_FOR_DIALOGS;
    return this.#servers.size >= this.#maxTransactions * (1 - reserved);
  }

  /** Responds statelessly: a retransmitted request gets the response again, its ACK is ignored. */
  #refuse(request: SipRequest, origin: Origin, status: number, headers: readonly Header[] = []): void {
    const response = responseTo(request, status, { toTag: this.tagFor(request), headers });
    this.transmit(response, responseDestination(request, origin));
  }

  #open(request: SipRequest, origin: Origin, keys: Pick<ServerEntry, 'key' | 'merge'>): void {
    const { method } = request;
    const entry = new ServerEntry(this.#host, {
      ...keys,
      method,
      destination: responseDestination(request, origin),
      viaPort: request.via[0]?.port ?? SIP_PORT,
      timing: this.#timing,
      scheduler: this.#scheduler,
    });
    const transaction: ServerTransaction = {
      request,
      origin,
      respond: (response) => entry.respond(response, this.#textOf(response)),
    };
    entry.transaction = transaction;
    this.#servers.set(entry.key, entry);
    if (entry.merge !== null) this.#merging.set(entry.merge, entry.key);
    if (method === 'CANCEL') this.#cancel(transaction);
    else this.#user.onRequest(transaction);
  }

  #forget({ key, merge }: ServerEntry): void {
    this.#servers.delete(key);
    if (merge !== null && this.#merging.get(merge) === key) this.#merging.delete(merge);
  }

  #repeat(text: string, entry: ServerEntry): void {
    const bytes = Buffer.from(text);
    const parsed = parseMessage(bytes);
    // A header of the peer's may have grown beyond what we read.
    if (parsed.kind === 'message') this.#user.onTraffic('out', parsed.message);
    this.#respond(bytes, entry);
  }

  /** Sends a response on the request's connection; if that is closed, to the address in the Via (18.2.2). */
  #respond(bytes: Buffer, entry: ServerEntry): void {
    const { destination, viaPort: port } = entry;
    this.#put(bytes, destination, (error) => {
      if (error === null) return;
      if (destination.transport !== 'tcp' || port === destination.port) entry.failed();
      else {
        this.#put(bytes, { transport: 'tcp', address: destination.address, port }, (again) => {
          if (again !== null) entry.failed();
        });
      }
    });
  }

  /** Answers the CANCEL itself; the user agent then ends the INVITE (RFC 3261 section 9.2). */
  #cancel(transaction: ServerTransaction): void {
    const { request } = transaction;
    const invite = this.#servers.get(serverKey(request, 'INVITE'));
    transaction.respond(responseTo(request, 200, { toTag: this.tagFor(request) }));
    // A CANCEL after the final response changes nothing.
    if (invite?.transaction != null) this.#user.onCancel(invite.transaction);
  }
}

/** Whether copies of the request over several paths are one request. A CANCEL belongs to the path of its INVITE. */
const isMergeable = (request: SipRequest): boolean =>
  tagOf(request.to) === null && request.method !== 'CANCEL';
