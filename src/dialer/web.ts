import type { WebRefusal } from '../domain/calls/web-refusal.ts';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingCall, InboundDecision } from '../domain/calls/take-inbound.ts';
import type { AnnouncedCall } from '../domain/trunks/stream-tickets.ts';
import type { StreamUpgrade } from '../shared/carrier-status.ts';
import type { TakenWebCall } from '../domain/web-calls/take-web-call.ts';
import { isUuid, newId, sha256 } from '../shared/ids.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { CallMedia, CallMediaEvents, StreamKind } from '../workers/call-media.ts';
import {
  discard,
  INBOUND_BUDGET_MS,
  NO_EARS,
  prepareCall,
  type PrepareDeps,
  type UnpreparedCall,
} from './prepare-call.ts';
import { LiveCall, type CallDeps } from './call.ts';
import type { OutboundLeg } from '@callwright/sip';
import type { CallSignalling } from '../telephony/call-signalling.ts';
import type { Transfers } from './tool-use.ts';
import { transfersOf, type TransferDeps } from './warm-transfer.ts';

export interface WebCallDeps extends CallDeps, PrepareDeps, TransferDeps {
  /** Transfers a call over the WebSocket of a carrier. */
  transferStream: CallSignalling['transferStream'];
  take(request: WebConnect): Promise<{ readonly taken: TakenWebCall } | WebRefusal>;
  /** Accepts a call that came over the WebSocket of a carrier. */
  takeInbound(incoming: IncomingCall): Promise<InboundDecision>;
  /** Opens the call's leg on a worker. Rejects when no worker is free. */
  allocate(callId: string, events: CallMediaEvents, kind: 'web' | StreamKind): Promise<CallMedia>;
  /** True while the process takes no new calls. */
  isDraining(): boolean;
  /** Closes a connection whose call is over. */
  readonly drop: (socket: WebSocketHandover) => void;
}

/** A page's request to connect: with the token of a new call, or with the one that resumes its cut call. */
export interface WebConnect {
  readonly token: string;
  readonly origin: string | null;
}
/** The connection of a carrier: for a call that it announced, or by the token of one that it places for us. */
export type CarrierConnect =
  | { readonly announced: AnnouncedCall }
  | { readonly placed: string; readonly upgrade: StreamUpgrade };
export type WebConnected = { readonly callId: string } | WebRefusal;

/** Its connection was accepted, but the upgrade did not arrive here: the leg has its own, shorter limit. */
const CONNECT_MS = 15_000;
const RESUME = /^([0-9a-f-]{36})\.([\w-]{32})$/;

interface Connection {
  readonly origin: string | null;
  /** SHA-256 of the token that resumes the call; null: it cannot be resumed. */
  resumeHash: string | null;
  /** The same token, until a connection is handed over; of a carrier's call the carrier's id of the call. */
  resume: string;
  /** The first connection was handed over. */
  readonly connected: PromiseWithResolvers<void>;
  /** Absent: the call cannot be transferred. */
  readonly transfers?: Transfers;
  /** Resolves with the call's media; null: it has none. */
  readonly media: Promise<CallMedia | null>;
}

/**
 * The calls of this process over WebSockets: takes new ones of browsers and carriers, and lets a cut one of a browser be
 * resumed by a token of a single use.
 */
export class WebCalls {
  readonly #deps: WebCallDeps;
  readonly #calls = new Map<string, Connection>();

  constructor(deps: WebCallDeps) {
    this.#deps = deps;
  }

  /** Decides on a connection; when it is accepted, `connect` follows with its socket. */
  async open(request: WebConnect | { readonly announced: AnnouncedCall }): Promise<WebConnected> {
    if ('announced' in request) return this.#openCarrier(request.announced);
    const resumed = RESUME.exec(request.token);
    if (resumed !== null) return this.#resume(resumed[1] ?? '', request);
    if (this.#deps.isDraining()) return { refuse: 503, reason: 'this process is about to stop' };
    const decision = await this.#deps.take(request).catch((error: unknown): WebRefusal => {
      this.#deps.log.error({ err: error }, 'a browser call could not be stored; it is refused');
      return { refuse: 503, reason: 'the database is away' };
    });
    if ('refuse' in decision) {
      this.#deps.log.info({ status: decision.refuse, reason: decision.reason }, 'a browser call is refused');
      return decision;
    }
    const { taken } = decision;
    this.#begin(taken, { origin: request.origin, ...resumption(taken.callId) }, 'web', {
      direction: 'webcall',
      from: '',
      to: '',
    });
    return { callId: taken.callId };
  }

  async #openCarrier({ trunkId, kind, carrierCallId, ...call }: AnnouncedCall): Promise<WebConnected> {
    if (this.#deps.isDraining()) return { refuse: 503, reason: 'this process is about to stop' };
    const sipCallId = `${kind}:${carrierCallId}`;
    const incoming = { ...call, callId: newId(), trunkIds: [trunkId], sipCallId };
    const decision = await this.#deps.takeInbound(incoming).catch((error: unknown): InboundDecision => {
      this.#deps.log.error({ err: error }, 'a call of a carrier could not be stored; it is refused');
      return { refuse: 503, reason: 'the database is away' };
    });
    if ('refuse' in decision) {
      const { refuse, reason } = decision;
      this.#deps.log.info({ status: refuse, reason }, 'a call of a carrier is refused');
      return { refuse: HTTP_STATUS[refuse], reason };
    }
    const { taken } = decision;
    const known = { origin: null, resume: carrierCallId, resumeHash: null };
    const refer: OutboundLeg['refer'] = (target, timeoutMs) =>
      this.#deps.transferStream(trunkId, carrierCallId, {
        target,
        callerId: call.to,
        ringSeconds: Math.ceil(timeoutMs / 1_000),
      });
    const order = { ref: taken, trunkId, variables: taken.args };
    const transfers = transfersOf(this.#deps, order, () => ({ refer }));
    this.#begin(
      { ...taken, byStranger: true },
      { ...known, transfers },
      { carrier: kind, isPlaced: false },
      {
        direction: 'inbound',
        from: taken.args['mobile_number'] ?? call.from,
        to: call.to,
      },
    );
    return { callId: taken.callId };
  }

  /** Hands the accepted connection over to the worker of its call. */
  connect(callId: string, socket: WebSocketHandover): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return this.#deps.drop(socket);
    const { resume } = call;
    void call.media.then((media) => {
      if (media === null) this.#deps.drop(socket);
      else media.connectWeb(socket, resume);
      call.connected.resolve();
    });
    return undefined;
  }

  #resume(callId: string, { token, origin }: WebConnect): WebConnected {
    const call = isUuid(callId) ? this.#calls.get(callId) : undefined;
    if (call?.resumeHash == null) return { refuse: 404, reason: 'the call is over' };
    if (!timingSafeEqual(Buffer.from(call.resumeHash), Buffer.from(sha256(token)))) {
      return { refuse: 401, reason: 'the token is unknown, used or expired' };
    }
    if (origin !== call.origin)
      return { refuse: 403, reason: 'the token belongs to a page of another origin' };
    Object.assign(call, resumption(callId));
    return { callId };
  }

  #begin(
    taken: TakenWebCall,
    known: Pick<Connection, 'origin' | 'resume' | 'resumeHash' | 'transfers'>,
    kind: 'web' | StreamKind,
    facts: CallFacts,
  ): void {
    const { callId } = taken;
    // The worker closes the connection of an answered call itself.
    const live: LiveCall = new LiveCall(taken, this.#deps, () => {
      if (!live.isAnswered) live.onLeft('system', this.#deps.clock.now());
    });
    const media = this.#deps.allocate(callId, live, kind).then(
      (allocated) => {
        live.attach(allocated);
        if (live.isOver) allocated.release();
        return allocated;
      },
      (error: unknown) => {
        this.#deps.log.warn({ err: error, callId }, 'no media for a call over a WebSocket');
        return null;
      },
    );
    const connected = Promise.withResolvers<void>();
    const call = { ...known, media, connected };
    this.#calls.set(callId, call);
    live.connecting(CONNECT_MS + INBOUND_BUDGET_MS);
    void live.done.then(() => this.#calls.delete(callId));
    void this.#answer(taken, live, call, facts);
  }

  /** Prepares the conversation and begins it: the agent speaks once connection and tools are ready. */
  async #answer(taken: TakenWebCall, live: LiveCall, call: Connection, facts: CallFacts): Promise<void> {
    const preparing = prepareCall(this.#deps, {
      ...taken,
      ...facts,
      config: taken.versionConfig,
      variables: taken.args,
      agentId: null,
      callTime: null,
    });
    const [media, prepared] = await Promise.all([call.media, preparing]);
    const fail = (reason: string): void =>
      live.failed({ failure: 'failed', sipCode: null, reason, neverSent: false, at: this.#deps.clock.now() });
    if (media === null) {
      fail('no media is free');
      return discard(preparing);
    }
    if (!prepared.ready && prepared.log === 'no ears') return fail(NO_EARS);
    if (!prepared.ready) return live.notDialled(prepared.log);
    if (live.isOver) return discard(preparing);
    const { spec, tools, handovers } = prepared;
    live.tools.setTools(tools, handovers);
    if (call.transfers !== undefined) live.tools.setTransfers(call.transfers);
    live.prepare(spec);
    await call.connected.promise;
    live.answered(this.#deps.clock.now(), taken.callId, spec);
  }
}

/** Of the call, for its tools. */
type CallFacts = Pick<UnpreparedCall, 'direction' | 'from' | 'to'>;

/** Of a WebSocket, by the SIP status of the refusal. */
const HTTP_STATUS = { 404: 404, 480: 503, 482: 503, 486: 429, 503: 503 } as const;

/** A fresh token that resumes the call. */
function resumption(callId: string): Pick<Connection, 'resume' | 'resumeHash'> {
  const resume = `${callId}.${randomBytes(24).toString('base64url')}`;
  return { resume, resumeHash: sha256(resume) };
}
