import type { VersionConfig } from '../domain/agents/agent-version.ts';
import type { InboundDecision, IncomingCall } from '../domain/calls/take-inbound.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { InboundLeg } from '@callwright/sip';
import type { NegotiatedMedia } from '@callwright/rtp';
import { callSpec, type SpecDeps, INBOUND_BUDGET_MS, type PrepareTools } from './prepare-call.ts';
import { LiveCall } from './call.ts';
import { withTools, type DialDeps } from './outbound.ts';
import { renegotiation, sessionIdOf, type Renegotiation, inboundMedia, trunkMedia } from './trunk.ts';
import { coldTransfer } from './transfer.ts';
import { WarmTransfer } from './warm-transfer.ts';

export interface InboundDeps extends DialDeps {
  readonly spec: SpecDeps;
  take(incoming: IncomingCall): Promise<InboundDecision>;
  /** The knowledge of the agent's version; never rejects. */
  knowledge(workspaceId: string, config: VersionConfig): Promise<readonly KnowledgeItem[]>;
  /** The providers that agent and workspace chose; never rejects. */
  providers(workspaceId: string, config: VersionConfig): Promise<CallProviders>;
  readonly prepare: PrepareTools;
}

/** An end that the signalling reported before the call had a `LiveCall`. */
interface Early {
  over: { by: 'caller' | 'agent' | 'system'; sipCode: number | null; at: number } | null;
}

/**
 * Answers an inbound call: first its row in the database, then ports, then the 200. Every failure before the 200 is
 * refused with a SIP status.
 */
export async function takeInboundCall(deps: InboundDeps, leg: InboundLeg): Promise<void> {
  const early: Early = { over: null };
  let call: LiveCall | null = null;
  let onSdp: (sdp: string | null, at: number) => void = () => undefined;
  let onAcknowledged: (at: number) => void = () => undefined;
  let session: Renegotiation | null = null;
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
    onAcknowledged: ({ at }) => onAcknowledged(at),
    onFailed: ({ sipCode, at }) => ended('caller', sipCode, at),
    onEnded: ({ by, sipCode, at }) => ended(by, sipCode, at),
    onReoffer: (offer) => session?.onReoffer(offer) ?? null,
    onOfferRequest: () => session?.onOfferRequest() ?? null,
    onReofferAnswer: (answer) => session?.onReofferAnswer(answer),
    onDtmf: (digit, at) => call?.remoteDtmf(digit, at),
  });

  const decision = await deps
    .take({
      trunkIds: leg.trunkIds,
      from: leg.from,
      to: leg.to,
      displayName: leg.displayName,
      sipCallId: leg.sipCallId,
    })
    .catch((error: unknown): InboundDecision => {
      deps.log.error({ err: error }, 'an inbound call could not be stored; it is refused');
      return { refuse: 503, reason: 'the database is away' };
    });
  if ('refuse' in decision) {
    deps.log.info({ sipCode: decision.refuse, reason: decision.reason }, 'an inbound call is refused');
    if (early.over === null) leg.reject(decision.refuse);
    return;
  }
  const { taken } = decision;
  const live = new LiveCall(taken, deps, (cause) => leg.hangup(cause));
  call = live;
  live.setTrace(() => deps.signalling.trace(leg.sipCallId));
  const refuse = (sipCode: number, reason: string): void => {
    // Settle first: the leg reports its own refusal as the end of the call, and the first cause wins.
    live.failed({ failure: 'failed', sipCode, reason, neverSent: false, at: deps.clock.now() });
    if (early.over === null) leg.reject(sipCode);
  };
  if (early.over !== null) return ended(early.over.by, early.over.sipCode, early.over.at);

  leg.ringing();
  live.ringing(deps.clock.now(), 180);
  const reading = deps.knowledge(taken.workspaceId, taken.versionConfig);
  const choosing = deps.providers(taken.workspaceId, taken.versionConfig);
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
    deps.log.warn({ err: error, callId: taken.callId }, 'no media for an inbound call');
    return refuse(503, 'no media is free');
  }
  const [knowledge, prepared, providers] = await Promise.all([reading, preparing, choosing]);
  if (early.over !== null) {
    if (prepared.ready) await prepared.tools.close();
    return undefined;
  }
  if (!prepared.ready) {
    live.notDialled(prepared.log);
    leg.reject(480);
    return undefined;
  }
  live.tools.setTools(prepared.tools);

  const ours = {
    address: deps.signalling.mediaAddress(taken.trunkId),
    port,
    sessionId: sessionIdOf(deps.clock.now()),
    version: 1,
  };
  const sdp = trunkMedia(deps, taken);
  const spec = withTools(
    callSpec(deps.spec, {
      ...taken,
      direction: 'inbound',
      config: taken.versionConfig,
      variables: taken.args,
      knowledge,
      providers,
    }),
    prepared.tools,
  );
  live.prepare(spec);
  live.tools.setTransfers({
    cold: (tool) => coldTransfer(deps, { ref: taken, trunkId: taken.trunkId, leg }, tool),
    warm: (order) => new WarmTransfer(deps, { ...order, ref: taken, trunkId: taken.trunkId }),
  });
  const setMedia = (media: NegotiatedMedia): void => live.setMedia(inboundMedia(media, leg.peerAddress));
  const begin = (media: NegotiatedMedia, at: number): void => {
    setMedia(media);
    live.answered(at, leg.sipCallId, spec);
  };
  // The SIP stack ends a call whose 200 is never acknowledged; the guard backs it up.
  live.guard(60_000);
  if (leg.sdpOffer === null) {
    const offer = sdp.createOffer(ours);
    session = renegotiation(sdp, ours, offer, setMedia);
    onSdp = (answer, at) => {
      const outcome = answer === null ? null : sdp.acceptAnswer(answer, offer);
      if (outcome?.accepted === true) return begin(outcome.media, at);
      leg.hangup('incompatible media');
      return refuse(488, outcome?.reason ?? 'the answer has no SDP');
    };
    leg.answer(offer);
    return undefined;
  }
  const outcome = sdp.answerOffer(leg.sdpOffer, ours);
  if (!outcome.accepted) return refuse(outcome.refuse, outcome.reason);
  session = renegotiation(sdp, ours, outcome.answer, setMedia);
  onAcknowledged = (at) => begin(outcome.media, at);
  leg.answer(outcome.answer);
  return undefined;
}
