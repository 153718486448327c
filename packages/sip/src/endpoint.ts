import { hash, randomBytes } from 'node:crypto';
import { randomToken } from './random-token.ts';
import type { Log, Scheduler } from './ports.ts';
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
import { createClientRun, createServerRun, type ClientRun, type ServerRun } from './transaction/run.ts';
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
import { writeMessage, writeRefusal } from './write.ts';

/** Cap on live server transactions; above it the endpoint answers 503. */
const MAX_SERVER_TRANSACTIONS = 20_000;
/** Part of the cap that only in-dialog requests and CANCEL may use, so that live calls can end under overload. */
const RESERVED_FOR_DIALOGS = 0.1;

interface ServerEntry {
  /** Null after the final response: the entry stays for up to 32 s, and the request is free. */
  transaction: ServerTransaction | null;
  readonly run: ServerRun;
}

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
    const sent = (error: Error | null): void => {
      if (error !== null) this.#log.debug({ err: error, transport: to.transport }, 'SIP message not sent');
      done(error);
    };
    this.#transports.send(this.#bytesOf(message), to, sent, mayLeave);
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
    for (const { run } of this.#servers.values()) run.stop();
  }

  #bytesOf(message: SipMessage): Buffer {
    if (this.#written?.message !== message) this.#written = { message, bytes: writeMessage(message) };
    return this.#written.bytes;
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
    const entry = this.#servers.get(serverKey(request));
    if (entry !== undefined) {
      entry.run.dispatch({ kind: 'request', request });
      return;
    }
    if (request.method === 'ACK') {
      this.#user.onTraffic('in', request);
      this.#user.onAck(request);
      return;
    }
    const screening = this.#user.screen(request, origin);
    if (screening === 'drop') return;
    this.#user.onTraffic('in', request);
    if (request.method === 'CANCEL' && !this.#servers.has(serverKey(request, 'INVITE'))) {
      if (this.#user.mayRefuse(origin)) this.#refuse(request, origin, 481);
    } else if (screening !== 'accept') this.#refuse(request, origin, screening.status, screening.headers);
    else if (this.#isMerged(request)) this.#refuse(request, origin, 482);
    else if (this.#isFull(request)) {
      this.#refuse(request, origin, 503, [{ name: 'retry-after', value: '10' }]);
    } else this.#open(request, origin);
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

  /** Section 8.2.2.2. A request of ours that a proxy routes back to us is a spiral, not a loop. */
  #isMerged(request: SipRequest): boolean {
    return isMergeable(request) && this.#merging.has(mergeKey(request));
  }

  #open(request: SipRequest, origin: Origin): void {
    const { method } = request;
    const key = serverKey(request);
    const merge = isMergeable(request) ? mergeKey(request) : null;
    if (merge !== null) this.#merging.set(merge, key);
    const viaPort = request.via[0]?.port ?? SIP_PORT;
    const run = this.#run({ method, key, merge, destination: responseDestination(request, origin), viaPort });
    const entry: ServerEntry = { transaction: null, run };
    const transaction: ServerTransaction = {
      request,
      origin,
      respond: (response) => {
        if (response.status >= 200) entry.transaction = null;
        run.dispatch({ kind: 'respond', response });
      },
    };
    entry.transaction = transaction;
    this.#servers.set(key, entry);
    if (method === 'CANCEL') this.#cancel(transaction);
    else this.#user.onRequest(transaction);
  }

  /** Apart from `#open`, so that what the machine calls does not hold the request. */
  #run(options: {
    readonly method: string;
    readonly key: string;
    readonly merge: string | null;
    readonly destination: Origin;
    readonly viaPort: number;
  }): ServerRun {
    const { method, key, merge, destination, viaPort } = options;
    const failed = (): void => run.dispatch({ kind: 'transportError' });
    const run = createServerRun({
      method,
      reliable: isReliable(destination),
      timing: this.#timing,
      scheduler: this.#scheduler,
      actions: {
        send: (message) => this.#respond(message, destination, viaPort, failed),
        toUser: (event) => {
          if (event.kind === 'ack') this.#user.onAck(event.request);
        },
        ended: () => {
          this.#servers.delete(key);
          if (merge !== null && this.#merging.get(merge) === key) this.#merging.delete(merge);
        },
      },
    });
    return run;
  }

  /** Sends a response on the request's connection; if that is closed, to the address in the Via (18.2.2). */
  #respond(message: SipMessage, destination: Origin, port: number, failed: () => void): void {
    this.transmit(message, destination, (error) => {
      if (error === null) return;
      if (destination.transport !== 'tcp' || port === destination.port) failed();
      else {
        this.transmit(message, { transport: 'tcp', address: destination.address, port }, (again) => {
          if (again !== null) failed();
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
