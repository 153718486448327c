import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { InboundDecision, IncomingCall } from '../domain/calls/take-inbound.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { InboundLeg } from '../telephony/leg.ts';
import type { NegotiatedMedia } from '../telephony/media.ts';
import { callSpec, type SpecDeps } from './call-spec.ts';
import { LiveCall } from './live-call.ts';
import { withTools, type DialDeps } from './outbound-call.ts';
import { reofferAnswerer, sessionIdOf } from './sdp-session.ts';
import { INBOUND_BUDGET_MS, type PrepareTools } from './tool-preparer.ts';
import { coldTransfer } from './transfer-call.ts';
import { WarmTransfer } from './warm-transfer.ts';

export interface InboundDeps extends DialDeps {
  readonly spec: SpecDeps;
  take(incoming: IncomingCall): Promise<InboundDecision>;
  /** What the agent's version may look up; never fails. */
  knowledge(workspaceId: string, config: VersionConfig): Promise<readonly KnowledgeItem[]>;
  readonly prepare: PrepareTools;
}

/** What the signalling reported before the call was ours to act on. */
interface Early {
  over: { by: 'caller' | 'agent' | 'system'; sipCode: number | null; at: number } | null;
}

/**
 * Answers a call that comes in: the database knows it first, then ports, then 200. Whatever fails is refused
 * with a status the caller's side understands.
 */
export async function takeInboundCall(deps: InboundDeps, leg: InboundLeg): Promise<void> {
  const early: Early = { over: null };
  let call: LiveCall | null = null;
  let onSdp: (sdp: string | null, at: number) => void = () => undefined;
  let onReoffer: (offer: string) => string | null = () => null;
  const ended = (by: 'caller' | 'agent' | 'system', sipCode: number | null, at: number): void => {
    early.over ??= { by, sipCode, at };
    if (call === null) return;
    if (call.isAnswered) call.remoteEnded(by, sipCode, at);
    else {
      call.failed({ failure: 'cancelled', sipCode, reason: 'the caller gave up', neverSent: false, at });
    }
  };
  leg.listen({
    onAnswered: ({ sdp, at }) => onSdp(sdp, at),
    onFailed: ({ sipCode, at }) => ended('caller', sipCode, at),
    onEnded: ({ by, sipCode, at }) => ended(by, sipCode, at),
    onReoffer: (offer) => onReoffer(offer),
    onDtmf: (digit, at) => call?.remoteDtmf(digit, at),
  });

  const decision = await deps
    .take({
      trunkId: leg.trunkId,
      from: leg.from,
      to: leg.to,
      displayName: leg.displayName,
      sipCallId: leg.sipCallId,
    })
    .catch((error: unknown): InboundDecision => {
      deps.log.error({ err: error }, 'an incoming call could not be stored and is refused');
      return { refuse: 503, reason: 'the database is away' };
    });
  if ('refuse' in decision) {
    deps.log.info({ sipCode: decision.refuse, reason: decision.reason }, 'an incoming call is refused');
    if (early.over === null) leg.reject(decision.refuse);
    return;
  }
  const { taken } = decision;
  const live = new LiveCall(taken, deps, (cause) => leg.hangup(cause));
  call = live;
  const refuse = (sipCode: number, reason: string): void => {
    // Settled first: the leg reports its own refusal as the end of the call.
    live.failed({ failure: 'failed', sipCode, reason, neverSent: false, at: deps.clock.now() });
    if (early.over === null) leg.reject(sipCode);
  };
  if (early.over !== null) return ended(early.over.by, early.over.sipCode, early.over.at);

  leg.ringing();
  live.ringing(deps.clock.now(), 180);
  const reading = deps.knowledge(taken.workspaceId, taken.versionConfig);
  const preparing = deps.prepare({
    ...taken,
    config: taken.versionConfig,
    variables: taken.args,
    direction: 'inbound',
    from: taken.args['mobile_number'] ?? leg.from,
    to: leg.to,
    agentId: null,
    callTime: null,
    budgetMs: INBOUND_BUDGET_MS,
  });
  let port: number;
  try {
    const media = await deps.allocate(taken.callId, live);
    live.attach(media);
    port = media.port;
  } catch (error) {
    deps.log.warn({ err: error, callId: taken.callId }, 'no media for an incoming call');
    return refuse(503, 'no media is free');
  }
  const [knowledge, prepared] = await Promise.all([reading, preparing]);
  if (early.over !== null) {
    if (prepared.ready) await prepared.tools.close();
    return undefined;
  }
  if (!prepared.ready) {
    live.notDialled(prepared.log);
    leg.reject(480);
    return undefined;
  }
  live.useTools(prepared.tools);

  const ours = { address: deps.mediaAddress, port, sessionId: sessionIdOf(deps.clock.now()), version: 1 };
  const spec = withTools(
    callSpec(deps.spec, {
      ...taken,
      direction: 'inbound',
      config: taken.versionConfig,
      variables: taken.args,
      knowledge,
    }),
    prepared.tools,
  );
  live.prepare(spec);
  live.useTransfer({
    cold: (tool) => coldTransfer(leg, tool),
    warm: (order) => new WarmTransfer(deps, { ...order, ref: taken, trunkId: leg.trunkId }),
  });
  const begin = (media: NegotiatedMedia, at: number): void => {
    live.setMedia(media);
    live.answered(at, leg.sipCallId, spec);
  };
  // A far side that never acknowledges is ended by the stack; this is the net below it.
  live.guard(60_000);
  if (leg.sdpOffer === null) {
    const offer = deps.sdp.createOffer(ours);
    onReoffer = reofferAnswerer(deps.sdp, ours, offer, (negotiated) => live.setMedia(negotiated));
    onSdp = (sdp, at) => {
      const outcome = sdp === null ? null : deps.sdp.acceptAnswer(sdp, offer);
      if (outcome?.accepted === true) return begin(outcome.media, at);
      leg.hangup('incompatible media');
      return refuse(488, 'no audio both sides speak');
    };
    leg.answer(offer);
    return undefined;
  }
  const outcome = deps.sdp.answerOffer(leg.sdpOffer, ours);
  if (!outcome.accepted) return refuse(outcome.refuse, outcome.reason);
  onReoffer = reofferAnswerer(deps.sdp, ours, outcome.answer, (negotiated) => live.setMedia(negotiated));
  leg.answer(outcome.answer);
  begin(outcome.media, deps.clock.now());
  return undefined;
}
