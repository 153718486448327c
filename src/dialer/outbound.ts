import type { AttemptRef } from '../store/calls/attempts.ts';
import { DIAL_PERMIT_MS, type PermitLimits } from '../domain/calls/attempt/dial.ts';
import type { Claimed } from '../scheduler/claimed.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { CallFailure, InviteGate, OutboundLeg, OutboundRequest } from '@callwright/sip';
import type { StreamRequest } from '../telephony/carriers/carrier-calls.ts';
import type { CallMedia, CallMediaEvents, RtpTerms, StreamKind } from '../workers/call-media.ts';
import { LiveCall, type CallDeps } from './call.ts';
import { AttemptJournal } from './journal.ts';
import { prepareCall, type PrepareDeps, type PreparedCall } from './prepare-call.ts';
import { newSessionId, renegotiation, rtpTerms, trunkMedia, type Renegotiation } from './trunk.ts';
import { transfersOf, type TransferDeps } from './warm-transfer.ts';

export interface DialDeps extends CallDeps, TransferDeps, PrepareDeps {
  allocate(callId: string, events: CallMediaEvents, kind: RtpTerms | StreamKind): Promise<CallMedia>;
}

export interface OutboundDeps extends DialDeps {
  readonly ringTimeoutMs: number;
  /** How long the release of an INVITE that was not sent waits for the database. Absent: a minute. */
  readonly releaseOutageMs?: number;
}

/** The guard's grace after the ring timeout: the SIP stack's CANCEL takes up to 32 s (64*T1). */
const CANCEL_MS = 40_000;
const RELEASE_OUTAGE_MS = 60_000;

/**
 * Places one claimed call: ports, tools, dial gate, INVITE, conversation, settlement. Resolves when it is settled or
 * released.
 */
export async function placeOutbound(deps: OutboundDeps, claimed: Claimed): Promise<void> {
  if (deps.live.has(claimed.callId)) return releaseBesideLive(deps, claimed);
  let leg: OutboundLeg | null = null;
  const call = new LiveCall(claimed, deps, (cause) => leg?.hangup(cause), true);
  const { journal } = call;
  const { callId } = claimed;
  const { releaseOutageMs = RELEASE_OUTAGE_MS } = deps;
  const rules = deps.signalling.mediaRules(claimed.trunkId);
  const { stream: carrier } = rules;
  const isStream = carrier !== undefined;

  let media: CallMedia;
  try {
    media = await deps.allocate(callId, call, isStream ? { carrier, isPlaced: true } : rtpTerms(rules));
  } catch (error) {
    deps.log.warn({ err: error, callId }, 'no media for a call; its claim is released');
    // If the release cannot be written, the attempt stays claimed and the reaper releases it.
    const released = await journal.release().catch((failed: unknown) => {
      deps.log.error({ err: failed, callId }, 'a claim could not be released; the reaper will release it');
      return null;
    });
    return call.released(released?.stored ?? null);
  }
  call.attach(media);
  const negotiation = isStream ? STREAMED : negotiate(deps, claimed, media);
  const prepared = await prepare(deps, claimed);
  if (!prepared.ready && prepared.log === 'no ears') {
    deps.log.info({ callId }, 'a call waits: every recogniser of this machine is in use');
    const released = await journal.release().catch(() => null);
    return call.released(released?.stored ?? null);
  }
  if (prepared.ready) call.tools.setTools(prepared.tools, prepared.handovers);
  if (call.isCut) {
    // The gate was not passed: no phone rang, so the call is queued for the next process, even if the stop made a tool fail.
    const released = await journal.release().catch(() => null);
    return call.released(released?.stored ?? null);
  }
  if (!prepared.ready) {
    call.notDialled(prepared.log);
    return call.done;
  }
  const { spec, tools } = prepared;
  const unsentAs = (failure: CallFailure['failure'], reason: string): CallFailure => ({
    failure,
    sipCode: null,
    reason,
    neverSent: true,
    at: deps.clock.now(),
  });
  if (call.isEnding) {
    call.failed(unsentAs('cancelled', 'ended before it rang'));
    return call.done;
  }
  const requestedAt = deps.clock.monotonic();
  const decision = await journal.dial(tools.log).catch((error: unknown): null => {
    deps.log.error({ err: error, callId }, 'an attempt could not be journalled; it is not dialled');
    return null;
  });
  if (decision === null) {
    // The commit may have happened, but no INVITE left: the call is queued again once the database is back.
    const released = await journal.release(tools.log, call.isCut ? 0 : releaseOutageMs).catch(() => null);
    return call.released(released?.stored ?? null);
  }
  if (!decision.go) return call.released(decision.stored ?? null);
  const permit = new DialPermit(journal, decision, requestedAt, deps);
  /** No INVITE left: the call is queued again, unless something else than a cut ended it meanwhile. */
  const unsent = async (failure: CallFailure): Promise<void> => {
    deps.log.warn({ callId, reason: failure.reason }, 'an INVITE was not sent');
    const isEnded = call.isEnding && !call.isCut;
    // The database may still be away, for which the gate came too late: a contact who was not rung stays in its campaign.
    const outageMs = call.isCut ? 0 : releaseOutageMs;
    const release = isEnded ? null : await journal.release(tools.log, outageMs).catch(() => null);
    if (release?.released === true) call.released(release.stored);
    else call.failed(failure);
  };
  if (call.isEnding || !permit.isOpen()) {
    await unsent(
      call.isCut
        ? unsentAs('cancelled', 'the service stops')
        : call.isEnding
          ? unsentAs('cancelled', 'ended before it rang')
          : unsentAs('failed', 'the journal took too long'),
    );
    return call.done;
  }
  call.prepare(spec);
  const { trunkId } = claimed;
  const { variables } = spec;
  call.tools.setTransfers(transfersOf(deps, { ref: claimed, trunkId, variables }, () => leg));
  let hasRung = false;
  const setMedia = (negotiated: NegotiatedMedia): void =>
    call.setMedia({ ...negotiated, signallingAddress: leg?.peerAddress ?? null });
  const { hold, ...renegotiated } = negotiation.renegotiation((negotiated) => call.setMedia(negotiated));
  if (!isStream) call.hold.setSession(hold, () => leg);
  call.setFarSide(() => leg);
  call.connecting(deps.ringTimeoutMs + CANCEL_MS);
  call.setTrace(() => (leg === null ? [] : deps.signalling.trace(leg.sipCallId)));
  try {
    leg = deps.signalling.call(
      {
        trunkId: claimed.trunkId,
        from: claimed.fromNumber,
        to: claimed.toNumber,
        displayName: claimed.numberDisplayName === '' ? null : claimed.numberDisplayName,
        sdpOffer: negotiation.offer,
        ringTimeoutMs: deps.ringTimeoutMs,
        ringUntil: permit.ringUntil,
        gate: permit,
        redirect: (to) => mayRedirect(deps, claimed, to),
        variables,
        attemptId: `${callId}-${claimed.attempt}`,
        ...(isStream ? { takeStream: (...stream) => media.connectWeb(...stream) } : {}),
      } satisfies OutboundRequest | StreamRequest,
      {
        onSent: () => permit.sent(),
        onRinging: ({ sipCode, earlySdp, at }) => {
          hasRung = true;
          call.ringing(at, sipCode);
          if (earlySdp !== null) negotiation.takeEarly(earlySdp, setMedia);
        },
        onAnswered: ({ sdp: answer, at }) => {
          const reason = negotiation.takeAnswer(answer, setMedia);
          if (reason !== null) {
            call.failed({ failure: 'failed', sipCode: 488, reason, neverSent: false, at });
            leg?.hangup('incompatible media');
            return;
          }
          call.answered(at, leg?.sipCallId ?? '', spec);
        },
        onFailed: (failure) => {
          void deps.pauses.note(claimed.trunkId, failure, hasRung);
          if (failure.tooLate === true || (failure.neverSent && call.isCut)) void unsent(failure);
          else call.failed(failure);
        },
        onEnded: ({ by, sipCode, at, bye }) => call.remoteEnded(by, sipCode, at, bye),
        ...renegotiated,
        onRefer: (refer) => call.referred(refer, (to) => mayRedirect(deps, claimed, to)),
        onDtmf: (digit, at) => call.onDtmf(digit, at),
      },
    );
  } catch (error) {
    // Another process provisioned the trunk after this one started.
    deps.log.error({ err: error, callId }, 'a call on an unknown trunk is not dialled');
    call.failed(unsentAs('failed', 'this process does not know the trunk'));
  }
  await call.done;
}

/** Whether the call may follow a redirect of its carrier, or a REFER of its far side, to `to`. Never rejects. */
export async function mayRedirect(
  deps: Pick<DialDeps, 'permitRedirect' | 'log'>,
  ref: AttemptRef & { readonly trunkId: string },
  to: string,
): Promise<boolean> {
  const { callId, trunkId } = ref;
  const permit = await deps.permitRedirect(ref, trunkId, to).catch((error: unknown) => {
    deps.log.error({ err: error, callId }, 'the dial gate of a redirect failed');
    return { go: false as const, reason: 'the dial gate is not available' };
  });
  if (!permit.go)
    deps.log.info(
      { callId, reason: permit.reason },
      'the call does not follow its far side to another target',
    );
  return permit.go;
}

/** How the media of a call is agreed with the far side. */
interface Negotiation {
  /** Empty: no SDP. */
  readonly offer: string;
  takeEarly(answer: string, set: SetMedia): void;
  /** Null, or why the answer is refused. */
  takeAnswer(answer: string, set: SetMedia): string | null;
  renegotiation(set: SetMedia): Renegotiation;
}
type SetMedia = (negotiated: NegotiatedMedia) => void;

/** The stream that the carrier opens is all there is to agree. */
const STREAMED: Negotiation = {
  offer: '',
  takeEarly: () => undefined,
  takeAnswer: () => null,
  renegotiation: () => ({
    onReoffer: () => null,
    onOfferRequest: () => null,
    onReofferAnswer: () => undefined,
    hold: { sees: () => undefined, offer: () => '', take: () => false },
  }),
};

/** Offer and answer over SIP. */
function negotiate(deps: OutboundDeps, claimed: Claimed, { port }: CallMedia): Negotiation {
  const address = deps.signalling.mediaAddress(claimed.trunkId);
  const ours = { address, port, sessionId: newSessionId(), version: 1 };
  const sdp = trunkMedia(deps, claimed);
  const offer = sdp.createOffer(ours);
  let hasEarly = false;
  const take = (answer: string, set: SetMedia): string | null => {
    const outcome = sdp.acceptAnswer(answer, offer);
    if (!outcome.accepted) return outcome.reason;
    set(outcome.media);
    return null;
  };
  return {
    offer,
    takeEarly: (answer, set) => {
      hasEarly = take(answer, set) === null || hasEarly;
    },
    takeAnswer: (answer, set) => {
      // A 200 may repeat the 183's body or carry none of its own (RFC 3261 section 13.2.1).
      if (answer === '') return hasEarly ? null : 'the answer has no SDP';
      return take(answer, set);
    },
    renegotiation: (set) => renegotiation(sdp, ours, offer, set),
  };
}

/**
 * Releases a claim of a call whose previous attempt is still live in this process, because its release was committed but the
 * answer was lost and the release is repeated. Ports, events and watchers of a call belong to one attempt at a time.
 */
async function releaseBesideLive(deps: OutboundDeps, claimed: Claimed): Promise<void> {
  const { callId } = claimed;
  deps.log.warn(
    { callId },
    'a claim is released: the previous attempt of the call is still live in this process',
  );
  await new AttemptJournal(claimed, deps, true).release().catch((error: unknown) => {
    deps.log.error({ err: error, callId }, 'a claim could not be released; the reaper will release it');
  });
}

function prepare(deps: PrepareDeps, claimed: Claimed): Promise<PreparedCall> {
  const { fromNumber: from, toNumber: to } = claimed;
  return prepareCall(deps, {
    ...claimed,
    direction: 'outbound',
    byStranger: false,
    config: claimed.versionConfig,
    variables: { callee_name: claimed.calleeName, mobile_number: to, ...claimed.args },
    from,
    to,
    callTime: claimed.callConfig?.callTime ?? null,
  });
}

/**
 * The dial permit of one attempt: the right to send one INVITE within `DIAL_PERMIT_MS`. The SIP stack checks it right
 * before each INVITE and requests a new one for an INVITE that leaves later or once more with credentials.
 */
export class DialPermit implements InviteGate {
  readonly #journal: Pick<AttemptJournal, 'redial' | 'sent' | 'callId'>;
  readonly #clock: Clock;
  readonly #log: Log;
  #limits: PermitLimits;
  /** Monotonic, read before the gate request: the lifetime includes the time that the gate takes. */
  #requestedAt: number;
  #isUsed = false;

  constructor(
    journal: Pick<AttemptJournal, 'redial' | 'sent' | 'callId'>,
    limits: PermitLimits,
    requestedAt: number,
    deps: { readonly clock: Clock; readonly log: Log },
  ) {
    this.#journal = journal;
    this.#limits = limits;
    this.#requestedAt = requestedAt;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  get ringUntil(): number | null {
    return this.#limits.ringUntil;
  }

  isOpen(): boolean {
    const { inviteUntil } = this.#limits;
    if (this.#isUsed || this.#clock.monotonic() - this.#requestedAt > DIAL_PERMIT_MS) return false;
    return inviteUntil === null || this.#clock.now() < inviteUntil;
  }

  async reopen(): Promise<boolean> {
    const requestedAt = this.#clock.monotonic();
    try {
      const decision = await this.#journal.redial();
      if (!decision.go) return false;
      this.#limits = decision;
      this.#requestedAt = requestedAt;
      this.#isUsed = false;
      return true;
    } catch (error) {
      const { callId } = this.#journal;
      this.#log.error({ err: error, callId }, 'the dial gate failed; the INVITE is not sent');
      return false;
    }
  }

  /** Uses the permit up: the INVITE has left. */
  sent(): void {
    this.#isUsed = true;
    this.#journal.sent();
  }
}
