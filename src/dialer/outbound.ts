import type { CallFailure, InviteGate, OutboundLeg } from '@callwright/sip';
import type { CallTools, PreparedTools } from '../domain/tools/call-tools.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { CallMedia, CallMediaEvents } from '../workers/call-media.ts';
import type { CallSpec } from '../workers/protocol.ts';
import type { AttemptRef } from '../store/calls/attempts.ts';
import { withProviders } from './prepare-call.ts';
import { LiveCall, type CallDeps } from './call.ts';
import { renegotiation, sessionIdOf, trunkMedia } from './trunk.ts';
import { coldTransfer } from './transfer.ts';
import { WarmTransfer, type TransferDeps } from './warm-transfer.ts';
import { DIAL_PERMIT_MS, type PermitLimits } from '../domain/calls/attempt/dial.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { AttemptJournal } from './journal.ts';

export interface DialDeps extends CallDeps, TransferDeps {
  allocate(callId: string, events: CallMediaEvents): Promise<CallMedia>;
}

export interface OutboundAttempt extends AttemptRef {
  readonly trunkId: string;
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  readonly ringTimeoutMs: number;
  readonly spec: CallSpec;
  /** The agent's knowledge, read meanwhile; never rejects. */
  readonly knowledge?: Promise<readonly KnowledgeItem[]>;
  /** The providers that agent and workspace chose, read meanwhile; never rejects. */
  readonly providers?: Promise<CallProviders>;
  /** Runs pre-call tools and opens on-call tools before the dial; absent: none. */
  readonly prepare?: () => Promise<PreparedTools>;
}

/**
 * Places one claimed attempt: ports, tools, dial gate, INVITE, conversation, settlement. Resolves when it is settled or
 * released.
 */
export async function placeOutbound(deps: DialDeps, attempt: OutboundAttempt): Promise<void> {
  let leg: OutboundLeg | null = null;
  const hungUp = new AbortController();
  const call = new LiveCall(attempt, deps, (cause) => {
    hungUp.abort();
    leg?.hangup(cause);
  });
  const { journal } = call;
  const { callId } = attempt;

  let media: CallMedia;
  try {
    media = await deps.allocate(callId, call);
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
  const ours = {
    address: deps.signalling.mediaAddress(attempt.trunkId),
    port: media.port,
    sessionId: sessionIdOf(deps.clock.now()),
    version: 1,
  };
  const sdp = trunkMedia(deps, attempt);
  const offer = sdp.createOffer(ours);
  const prepared = (await attempt.prepare?.()) ?? null;
  if (prepared?.ready === false) {
    call.notDialled(prepared.log);
    return call.done;
  }
  if (prepared !== null) call.tools.setTools(prepared.tools);
  const toolLog = prepared?.tools.log ?? [];
  const spec = withTools(await specOf(attempt), prepared?.tools ?? null);
  if (call.isCut) {
    // The gate was not passed: no phone rang, so the call is queued for the next process.
    const released = await journal.release().catch(() => null);
    return call.released(released?.stored ?? null);
  }
  if (hungUp.signal.aborted) {
    const at = deps.clock.now();
    call.failed({ failure: 'cancelled', sipCode: null, reason: 'ended before it rang', neverSent: true, at });
    return call.done;
  }
  const requestedAt = deps.clock.monotonic();
  const decision = await journal.dial(toolLog).catch((error: unknown): null => {
    // The commit may have happened: a claim without a journalled dial is released by the reaper, one with it is settled.
    deps.log.error({ err: error, callId }, 'an attempt could not be journalled; it is not dialled');
    return null;
  });
  if (decision?.go !== true) return call.released(decision?.stored ?? null);
  const permit = new DialPermit(journal, decision, requestedAt, deps);
  /** No INVITE left: the call is queued again, unless somebody hung it up meanwhile. */
  const unsent = async (failure: CallFailure): Promise<void> => {
    deps.log.warn({ callId, reason: failure.reason }, 'an INVITE was not sent');
    const isEnded = hungUp.signal.aborted && !call.isCut;
    const release = isEnded ? null : await journal.releaseUnsent(toolLog).catch(() => null);
    if (release?.released === true) call.released(release.stored);
    else call.failed(failure);
  };
  if (!permit.isOpen()) {
    const [failure, reason] = ['failed', 'the journal took too long'] as const;
    await unsent({ failure, sipCode: null, reason, neverSent: true, at: deps.clock.now() });
    return call.done;
  }
  if (call.isCut) {
    const [failure, reason] = ['cancelled', 'the service stops'] as const;
    await unsent({ failure, sipCode: null, reason, neverSent: true, at: deps.clock.now() });
    return call.done;
  }
  call.prepare(spec);
  call.tools.setTransfers({
    cold: (tool) => coldTransfer(deps, { ref: attempt, trunkId: attempt.trunkId, leg }, tool),
    warm: (order) => new WarmTransfer(deps, { ...order, ref: attempt, trunkId: attempt.trunkId }),
  });
  let answeredMedia = false;
  let hasRung = false;
  /** Null, or why the answer is refused. */
  const takeAnswer = (sdpText: string): string | null => {
    const outcome = sdp.acceptAnswer(sdpText, offer);
    if (!outcome.accepted) return outcome.reason;
    call.setMedia({ ...outcome.media, signallingAddress: leg?.peerAddress ?? null });
    return null;
  };
  // The SIP stack cancels a call without a final response; the guard backs it up.
  call.guard(attempt.ringTimeoutMs + 40_000);
  call.setTrace(() => (leg === null ? [] : deps.signalling.trace(leg.sipCallId)));
  try {
    leg = deps.signalling.call(
      {
        trunkId: attempt.trunkId,
        from: attempt.from,
        to: attempt.to,
        displayName: attempt.displayName,
        sdpOffer: offer,
        ringTimeoutMs: attempt.ringTimeoutMs,
        ringUntil: permit.ringUntil,
        gate: permit,
        attemptId: `${callId}-${attempt.attempt}`,
      },
      {
        onSent: () => permit.sent(),
        onRinging: ({ sipCode, earlySdp, at }) => {
          hasRung = true;
          call.ringing(at, sipCode);
          if (earlySdp !== null) answeredMedia = takeAnswer(earlySdp) === null || answeredMedia;
        },
        onAnswered: ({ sdp: answer, at }) => {
          // A 200 may repeat the 183's body or carry none of its own (RFC 3261 section 13.2.1).
          const withoutBody = answeredMedia ? null : 'the answer has no SDP';
          const refusal = answer === '' ? withoutBody : takeAnswer(answer);
          if (refusal !== null) {
            leg?.hangup('incompatible media');
            call.failed({
              failure: 'failed',
              sipCode: 488,
              reason: refusal,
              neverSent: false,
              at,
            });
            return;
          }
          call.answered(at, leg?.sipCallId ?? '', spec);
        },
        onFailed: (failure) => {
          void deps.pauses.note(attempt.trunkId, failure, hasRung);
          if (failure.tooLate === true || (failure.neverSent && call.isCut)) void unsent(failure);
          else call.failed(failure);
        },
        onEnded: ({ by, sipCode, at }) => call.remoteEnded(by, sipCode, at),
        ...renegotiation(sdp, ours, offer, (negotiated) => call.setMedia(negotiated)),
        onDtmf: (digit, at) => call.remoteDtmf(digit, at),
      },
    );
  } catch (error) {
    // Another process provisioned the trunk after this one started.
    deps.log.error({ err: error, callId }, 'a call on an unknown trunk is not dialled');
    const [failure, reason] = ['failed', 'this process does not know the trunk'] as const;
    call.failed({ failure, sipCode: null, reason, neverSent: true, at: deps.clock.now() });
  }
  await call.done;
}

async function specOf({ spec, knowledge, providers }: OutboundAttempt): Promise<CallSpec> {
  const known = knowledge === undefined ? spec : { ...spec, knowledge: await knowledge };
  return providers === undefined ? known : withProviders(known, await providers);
}

/** Adds the variables that pre-call tools set, the on-call tools and the tool log. */
export const withTools = (spec: CallSpec, tools: CallTools | null): CallSpec =>
  tools === null
    ? spec
    : {
        ...spec,
        variables: { ...spec.variables, ...tools.learnt },
        tools: tools.specs,
        toolLog: tools.log,
      };

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
