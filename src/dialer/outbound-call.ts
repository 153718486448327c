import type { CallFailure, OutboundLeg } from '../telephony/leg.ts';
import type { CallTools, PreparedTools } from '../domain/tools/call-tools.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { CallMedia, CallMediaEvents } from '../workers/call-media.ts';
import type { CallSpec } from '../workers/protocol.ts';
import type { AttemptRef } from '../store/attempts.ts';
import type { CallDeps } from './call-deps.ts';
import { DialGate } from './invite-gate.ts';
import { LiveCall } from './live-call.ts';
import { reofferAnswerer, sessionIdOf } from './sdp-session.ts';
import { coldTransfer } from './transfer-call.ts';
import { WarmTransfer, type WarmDeps } from './warm-transfer.ts';

export interface DialDeps extends CallDeps, WarmDeps {
  allocate(callId: string, events: CallMediaEvents): Promise<CallMedia>;
}

export interface OutboundAttempt extends AttemptRef {
  readonly trunkId: string;
  readonly from: string;
  readonly to: string;
  readonly displayName: string | null;
  readonly ringTimeoutMs: number;
  readonly spec: CallSpec;
  /** What the agent may look up, where that has to be read first; it never fails. */
  readonly knowledge?: Promise<readonly KnowledgeItem[]>;
  /** What has to be asked and made ready before anybody is rung; absent: nothing. */
  readonly prepare?: () => Promise<PreparedTools>;
}

/**
 * Places one claimed attempt: ports, journal, INVITE, conversation, settlement. Resolves when it is settled
 * or given back.
 */
export async function placeOutbound(deps: DialDeps, attempt: OutboundAttempt): Promise<void> {
  let leg: OutboundLeg | null = null;
  const wish = { isWanted: true };
  const call = new LiveCall(attempt, deps, (cause) => {
    wish.isWanted = false;
    leg?.hangup(cause);
  });

  let media: CallMedia;
  try {
    media = await deps.allocate(attempt.callId, call);
  } catch (error) {
    deps.log.warn({ err: error, callId: attempt.callId }, 'no media for a call; it is given back');
    // Where that cannot be written the attempt stays claimed, for the reaper.
    await deps.attempts.release(attempt).catch((failed: unknown) => {
      deps.log.error({ err: failed, callId: attempt.callId }, 'a call could not be given back yet');
    });
    return call.givenBack();
  }
  call.attach(media);
  const ours = {
    address: deps.mediaAddress,
    port: media.port,
    sessionId: sessionIdOf(deps.clock.now()),
    version: 1,
  };
  const offer = deps.sdp.createOffer(ours);
  const prepared = (await attempt.prepare?.()) ?? null;
  if (prepared?.ready === false) {
    call.notDialled(prepared.log);
    return call.done;
  }
  if (prepared !== null) call.useTools(prepared.tools);
  const spec = withTools(await specOf(attempt), prepared?.tools ?? null);
  if (!wish.isWanted) {
    const at = deps.clock.now();
    call.failed({ failure: 'cancelled', sipCode: null, reason: 'ended before it rang', neverSent: true, at });
    return call.done;
  }
  let gate: DialGate | null = null;
  try {
    gate = await DialGate.ask(deps, attempt);
  } catch (error) {
    // The attempt stays claimed without a dialling time: the reaper queues it again.
    deps.log.error(
      { err: error, callId: attempt.callId },
      'an attempt could not be journalled; it is not dialled',
    );
  }
  if (gate === null) return call.givenBack();
  /** What was not sent in time is made again later, unless nobody wants it any more. */
  const late = async (failure: CallFailure): Promise<void> => {
    deps.log.warn({ callId: attempt.callId }, 'an INVITE could not leave in time; it is not sent');
    if (wish.isWanted && (await deps.attempts.unsent(attempt).catch(() => false))) call.givenBack();
    else call.failed(failure);
  };
  if (!gate.isOpen()) {
    const [failure, reason] = ['failed', 'the journal took too long'] as const;
    await late({ failure, sipCode: null, reason, neverSent: true, at: deps.clock.now() });
    return call.done;
  }
  call.prepare(spec);
  call.useTransfer({
    cold: (tool) => coldTransfer(leg, tool),
    warm: (order) => new WarmTransfer(deps, { ...order, ref: attempt, trunkId: attempt.trunkId }),
  });
  let answeredMedia = false;
  const takeAnswer = (sdpText: string): boolean => {
    const outcome = deps.sdp.acceptAnswer(sdpText, offer);
    if (!outcome.accepted) return false;
    call.setMedia(outcome.media);
    return true;
  };
  // A call that never gets a final answer is cancelled by the stack; this is the net below it.
  call.guard(attempt.ringTimeoutMs + 40_000);
  leg = deps.signalling.call(
    {
      trunkId: attempt.trunkId,
      from: attempt.from,
      to: attempt.to,
      displayName: attempt.displayName,
      sdpOffer: offer,
      ringTimeoutMs: attempt.ringTimeoutMs,
      ringUntil: gate.ringUntil,
      gate,
      attemptId: `${attempt.callId}-${attempt.attempt}`,
    },
    {
      onSent: () => gate.sent(),
      onRinging: ({ sipCode, earlySdp, at }) => {
        call.ringing(at, sipCode);
        if (earlySdp !== null) answeredMedia = takeAnswer(earlySdp) || answeredMedia;
      },
      onAnswered: ({ sdp, at }) => {
        // A 200 may repeat the 183's body or carry none of its own (RFC 3261 section 13.2.1).
        if (sdp === '' ? !answeredMedia : !takeAnswer(sdp)) {
          leg?.hangup('incompatible media');
          call.failed({
            failure: 'failed',
            sipCode: 488,
            reason: 'the answer has no audio we can speak',
            neverSent: false,
            at,
          });
          return;
        }
        call.answered(at, leg?.sipCallId ?? '', spec);
      },
      onFailed: (failure) => (failure.tooLate === true ? void late(failure) : call.failed(failure)),
      onEnded: ({ by, sipCode, at }) => call.remoteEnded(by, sipCode, at),
      onReoffer: reofferAnswerer(deps.sdp, ours, offer, (negotiated) => call.setMedia(negotiated)),
      onDtmf: (digit, at) => call.remoteDtmf(digit, at),
    },
  );
  await call.done;
}

const specOf = async ({ spec, knowledge }: OutboundAttempt): Promise<CallSpec> =>
  knowledge === undefined ? spec : { ...spec, knowledge: await knowledge };

/** The call as it is after its first tools: with what they learnt, and with those it may use. */
export const withTools = (spec: CallSpec, tools: CallTools | null): CallSpec =>
  tools === null
    ? spec
    : {
        ...spec,
        variables: { ...spec.variables, ...tools.learnt },
        tools: tools.specs,
        toolLog: tools.log,
      };
