import type { SipMessage, SipRequest, SipResponse } from './message.ts';
import type { Scheduler } from './ports.ts';
import { createServerRun, type ServerActions, type ServerRun } from './transaction/run.ts';
import type { Timing, UserEvent } from './transaction/types.ts';
import type { ServerTransaction } from './transaction-user.ts';
import { isReliable, type Origin } from './transport.ts';

/** The endpoint as its server transactions call it. */
export interface ServerHost {
  /** Sends a response for the first time. */
  send(response: SipMessage, entry: ServerEntry): void;
  repeat(text: string, entry: ServerEntry): void;
  acknowledged(ack: SipRequest): void;
  /** The transaction has ended. */
  forget(entry: ServerEntry): void;
}

interface Options {
  readonly method: string;
  /** Under which the endpoint finds the transaction, and copies of its request; null: copies are requests of their own. */
  readonly key: string;
  readonly merge: string | null;
  /** Where responses go, and the port of the Via for one whose connection is closed. */
  readonly destination: Origin;
  readonly viaPort: number;
  readonly timing: Timing;
  readonly scheduler: Scheduler;
}

/** A server transaction. It stays for up to 32 s after the final response, so it holds no more than repetitions need. */
export class ServerEntry implements ServerActions {
  readonly key: string;
  readonly merge: string | null;
  readonly destination: Origin;
  readonly viaPort: number;
  /** Null after the final response, so that the request is free. */
  transaction: ServerTransaction | null = null;
  readonly #host: ServerHost;
  readonly #run: ServerRun;
  constructor(host: ServerHost, { method, key, merge, destination, viaPort, timing, scheduler }: Options) {
    this.key = key;
    this.merge = merge;
    this.destination = destination;
    this.viaPort = viaPort;
    this.#host = host;
    const reliable = isReliable(destination);
    this.#run = createServerRun({ method, reliable, timing, scheduler, actions: this });
  }

  /** A response of the TU, and its text. */
  respond(response: SipResponse, text: string): void {
    if (response.status >= 200) this.transaction = null;
    this.#run.dispatch({ kind: 'respond', response, text });
  }
  /** The request came again, or the ACK of an INVITE. */
  receive(request: SipRequest): void {
    this.#run.dispatch({ kind: 'request', request });
  }
  /** The network did not take a response. */
  failed(): void {
    this.#run.dispatch({ kind: 'transportError' });
  }
  stop(): void {
    this.#run.stop();
  }

  send(message: SipMessage): void {
    this.#host.send(message, this);
  }
  repeat(text: string): void {
    this.#host.repeat(text, this);
  }
  toUser(event: UserEvent): void {
    if (event.kind === 'ack') this.#host.acknowledged(event.request);
  }
  ended(): void {
    this.#host.forget(this);
  }
}
