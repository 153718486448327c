import { randomToken } from '../../shared/ids.ts';
import type { Log } from '../../shared/log.ts';
import {
  type CallTrunk,
  EMPTY_BODY,
  type Endpoint,
  Exchange,
  type LocalPoint,
  type Peer,
  type SipRequest,
  type SipResponse,
  USER_AGENT,
  contactUri,
  escapeUser,
  formatAddress,
  header,
  headerLines,
  parseAddressList,
} from '@callwright/sip';
import type { Scheduler } from '../../shared/clock.ts';
import { grantedTo, withLine } from './binding.ts';
import { isRegistered, newRegistration, type RegistrationEvent, stepRegistration } from './registration.ts';

/** A connection that closes after each REGISTER must not cause a flood of them. */
const RENEW_MS = 5_000;
const MAX_ROUTES = 10;

/** Keeps one account registered; removes the registration on stop. */
export class Registrar {
  readonly #endpoint: Endpoint;
  readonly #scheduler: Scheduler;
  readonly #trunk: CallTrunk;
  readonly #username: string;
  readonly #line: string;
  readonly #log: Log;
  readonly #addresses: () => Promise<readonly Peer[]>;
  readonly #callId = randomToken(20);
  readonly #fromTag = randomToken(12);
  #sequence = 0;
  /** Contact URI of the last REGISTER. */
  #contact = '';
  #state = newRegistration;
  #exchange: Exchange | null = null;
  #cancelWait: () => void = () => {};
  #unregistered: () => void = () => {};
  #stopping: Promise<void> | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  /** The registrar answered the last REGISTER with a refusal. */
  #wasRefused = false;
  #refusal: number | null = null;
  #serviceRoute: readonly string[] = [];
  #cancelRenewal: () => void = () => {};
  constructor(options: {
    endpoint: Endpoint;
    scheduler: Scheduler;
    trunk: CallTrunk;
    username: string;
    /** The `line` of its Contact. */
    line: string;
    log: Log;
    /** Where REGISTER goes, in order. Never rejects. */
    addresses: () => Promise<readonly Peer[]>;
  }) {
    this.#endpoint = options.endpoint;
    this.#scheduler = options.scheduler;
    this.#trunk = options.trunk;
    this.#username = options.username;
    this.#line = options.line;
    this.#log = options.log;
    this.#addresses = options.addresses;
  }
  get registered(): boolean {
    return isRegistered(this.#state);
  }
  start(): void {
    this.#dispatch({ kind: 'start' });
  }
  /**
   * Registers anew, because the path to us or our address changed; at the earliest five seconds after the last REGISTER.
   * An account that the registrar refused waits as before, so that it is not locked.
   */
  renew(): void {
    if (this.#stopping !== null) return;
    const ms = Math.max(0, this.#sentAt + RENEW_MS - this.#scheduler.now());
    this.#cancelRenewal();
    this.#cancelRenewal = this.#scheduler.after(ms, () => {
      const isLost = this.#state.name === 'waiting' && !this.#wasRefused;
      if (this.#state.name !== 'registered' && !isLost) return;
      this.#cancelWait();
      this.#dispatch({ kind: 'due' });
    });
  }
  /** Status with which the registrar refused the last REGISTER; null: it took it, gave no answer, or none ended yet. */
  get refusal(): number | null {
    return this.#refusal;
  }
  /** Route of the account's calls, as the registrar gave it with the last 200 (RFC 3608); empty: none. */
  get serviceRoute(): readonly string[] {
    return this.#serviceRoute;
  }
  /** Un-registers; resolves when that transaction ends. */
  stop(): Promise<void> {
    this.#stopping ??= new Promise<void>((resolve) => {
      this.#cancelRenewal();
      this.#unregistered = resolve;
      this.#dispatch({ kind: 'stop' });
      if (this.#state.name === 'unregistered') resolve();
    });
    return this.#stopping;
  }

  #dispatch(event: RegistrationEvent): void {
    const { state, effects } = stepRegistration(this.#state, event);
    this.#state = state;
    for (const effect of effects) {
      if (effect.kind === 'register') this.#register(effect.expiresSeconds);
      else this.#cancelWait();
      if (effect.kind === 'wait') {
        this.#cancelWait = this.#scheduler.after(effect.ms, () => this.#dispatch({ kind: 'due' }));
      }
    }
    if (state.name === 'unregistered') this.#unregistered();
  }

  #register(expiresSeconds: number): void {
    this.#exchange?.abandon();
    this.#sentAt = this.#scheduler.now();
    void this.#addresses().then((peers) => this.#send(peers, expiresSeconds));
  }

  #send(peers: readonly Peer[], expiresSeconds: number): void {
    if (peers.length === 0) {
      this.#failed(null, null);
      return;
    }
    this.#exchange = new Exchange(this.#endpoint, {
      build: (local, peer) => this.#build(local, peer, expiresSeconds),
      peers,
      tcp: null,
      authenticator: this.#trunk.authenticator,
      onPeerFailed: (peer) => this.#trunk.demote(peer),
      onPeerSilent: (peer) => this.#trunk.suspect(peer),
      wanted: () => true,
      user: {
        onProvisional: () => {},
        onFinal: (response) => this.#answered(response, expiresSeconds),
        onFailure: () => this.#failed(null, null),
      },
    });
    this.#exchange.start();
  }

  /**
   * One instance for all processes, so that the process that takes an account over replaces the binding of the last one. An
   * un-REGISTER goes without it: a registrar that finds bindings by instance would remove that of the process that has the
   * account by now.
   */
  get #instance(): string {
    return `;+sip.instance="<urn:uuid:${this.#trunk.id}>"`;
  }

  #build(local: LocalPoint, peer: Peer, expiresSeconds: number): SipRequest {
    const account = `sip:${escapeUser(this.#username)}@${this.#trunk.rules?.fromDomain ?? this.#trunk.host}`;
    const uri = withLine(contactUri(this.#trunk.contactUser, local, peer), this.#line);
    this.#contact = uri;
    return {
      kind: 'request',
      method: 'REGISTER',
      uri: `sip:${this.#trunk.domain}`,
      via: [],
      from: { displayName: null, uri: account, params: new Map([['tag', this.#fromTag]]) },
      to: { displayName: null, uri: account, params: new Map() },
      callId: this.#callId,
      cseq: { sequence: ++this.#sequence, method: 'REGISTER' },
      headers: [
        ...(this.#trunk.rules?.route === undefined
          ? []
          : [{ name: 'route', value: this.#trunk.rules.route }]),
        { name: 'max-forwards', value: '70' },
        {
          name: 'contact',
          value: `<${uri}>;expires=${expiresSeconds}${expiresSeconds > 0 ? this.#instance : ''}`,
        },
        { name: 'expires', value: String(expiresSeconds) },
        // A strict registrar refuses a REGISTER whose proxy adds Path, unless we know it (RFC 3327).
        { name: 'supported', value: 'path' },
        USER_AGENT,
      ],
      body: EMPTY_BODY,
    };
  }

  #answered(response: SipResponse, requestedSeconds: number): void {
    const { status } = response;
    const seconds = (name: string): number | null => {
      const digits = header(response, name)?.match(/^\s*(\d{1,9})/)?.[1];
      return digits === undefined ? null : Number(digits);
    };
    if (requestedSeconds === 0) this.#dispatch({ kind: 'unregisterDone' });
    else if (status < 300) {
      const grantedSeconds = grantedTo(this.#contact, response) ?? seconds('expires') ?? requestedSeconds;
      this.#log.debug({ trunk: this.#trunk.id, seconds: grantedSeconds }, 'Trunk registered');
      this.#refusal = null;
      this.#serviceRoute = serviceRouteOf(response);
      this.#dispatch({ kind: 'accepted', grantedSeconds, jitter: Math.random() });
    } else if (status === 423) {
      this.#dispatch({ kind: 'tooBrief', minSeconds: seconds('min-expires') ?? 0, jitter: Math.random() });
    } else this.#failed(status, seconds('retry-after'));
  }

  #failed(status: number | null, retryAfterSeconds: number | null): void {
    this.#wasRefused = status !== null;
    this.#serviceRoute = [];
    this.#refusal = status;
    if (this.#state.name === 'unregistering') this.#dispatch({ kind: 'unregisterDone' });
    else {
      this.#log.warn({ trunk: this.#trunk.name, trunkId: this.#trunk.id, status }, 'Trunk not registered');
      this.#dispatch({ kind: 'failed', status, retryAfterSeconds, jitter: Math.random() });
    }
  }
}

/** A value that does not parse would send the calls to nobody, so a faulty list counts as none. */
const serviceRouteOf = (response: SipResponse): readonly string[] =>
  (parseAddressList(headerLines(response, 'service-route')) ?? []).slice(0, MAX_ROUTES).map(formatAddress);
