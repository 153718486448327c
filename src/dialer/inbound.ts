import type { IncomingCall } from '../domain/calls/take-inbound.ts';
import { newId } from '../shared/ids.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import type { NegotiatedMedia } from '@callwright/rtp';
import type { ByeHeaders, CallFailure, InboundLeg } from '@callwright/sip';
import { LiveCall } from './call.ts';
import { announcedCall } from './announcement.ts';
import type { Side } from './call-machine.ts';
import type { AnsweredInbound } from './inbound-outage.ts';
import { mayRedirect, type DialDeps } from './outbound.ts';
import { discard, NO_EARS, prepareCall } from './prepare-call.ts';
import {
  inboundMedia,
  newSessionId,
  renegotiation,
  rtpTerms,
  trunkMedia,
  type Renegotiation,
} from './trunk.ts';
import { transfersOf } from './warm-transfer.ts';

export interface InboundDeps extends DialDeps {
  take(incoming: IncomingCall): Promise<AnsweredInbound>;
  /** What a caller hears while no recogniser is free, unless the agent has another line; null or absent: busy. */
  readonly busyLine?: string | null;
}

/** An end that the signalling reported before the call had a `LiveCall`. */
interface Early {
  over: { by: Side; sipCode: number | null; at: number } | null;
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
  let onOver: () => void = () => undefined;
  let onPermit: (to: string) => Promise<boolean> = () => Promise.resolve(false);
  const ended = (by: Side, sipCode: number | null, at: number, bye?: ByeHeaders): void => {
    early.over ??= { by, sipCode, at };
    onOver();
    call?.remoteEnded(by, sipCode, at, bye);
  };
  leg.listen({
    onAnswered: ({ sdp, at }) => onSdp(sdp, at),
    onAcknowledged: ({ at }) => onAcknowledged(at),
    onFailed: ({ sipCode, at }) => ended('caller', sipCode, at),
    onEnded: ({ by, sipCode, at, bye }) => ended(by, sipCode, at, bye),
    onReoffer: (offer) => session?.onReoffer(offer) ?? null,
    onOfferRequest: () => session?.onOfferRequest() ?? null,
    onReofferAnswer: (answer) => session?.onReofferAnswer(answer),
    onRefer: async (refer) => (await call?.referred(refer, (to) => onPermit(to))) ?? false,
    onDtmf: (digit, at) => call?.onDtmf(digit, at),
  });

  const decision = await deps
    .take({
      callId: newId(),
      trunkIds: leg.trunkIds,
      from: leg.from,
      to: leg.to,
      displayName: leg.displayName,
      headers: leg.headers,
      sipCallId: leg.sipCallId,
      fromTag: leg.fromTag,
    })
    .catch((error: unknown): AnsweredInbound => {
      deps.log.error({ err: error }, 'an inbound call could not be stored; it is refused');
      return { refuse: 503, reason: 'the database is away' };
    });
  if ('refuse' in decision) {
    deps.log.info({ sipCode: decision.refuse, reason: decision.reason }, 'an inbound call is refused');
    if (early.over === null) leg.reject(decision.refuse);
    const stored = await decision.storedLater;
    if (stored != null) new LiveCall(stored, deps, () => undefined).failed(refusalNow(deps, decision));
    return;
  }
  const { taken } = decision;
  const live = new LiveCall(taken, deps, (cause) => leg.hangup(cause));
  if ('store' in decision) {
    live.journal.storeFirst(() => decision.store());
    onOver = () => decision.over();
  }
  call = live;
  onPermit = (to) => mayRedirect(deps, taken, to);
  live.setTrace(() => deps.signalling.trace(leg.sipCallId));
  live.setFarSide(() => leg);
  const refuse = (sipCode: number, reason: string): void => {
    // Settle first: the leg reports its own refusal as the end of the call, and the first cause wins.
    live.failed(refusalNow(deps, { refuse: sipCode, reason }));
    if (early.over === null) leg.reject(sipCode);
  };
  if (early.over !== null) return ended(early.over.by, early.over.sipCode, early.over.at);

  leg.ringing();
  live.ringing(deps.clock.now(), 180);
  const source = preparation(deps, taken, decision);
  const incoming = {
    ...taken,
    direction: 'inbound' as const,
    byStranger: true,
    config: taken.versionConfig,
    variables: taken.args,
    from: taken.args['mobile_number'] ?? leg.from,
    to: leg.to,
    agentId: null,
    callTime: null,
  };
  const preparing = prepareCall(source, incoming);
  const rules = deps.signalling.mediaRules(taken.trunkId);
  let port: number;
  try {
    const media = await deps.allocate(taken.callId, live, rtpTerms(rules));
    live.attach(media);
    port = media.port;
  } catch (error) {
    deps.log.warn({ err: error, callId: taken.callId }, 'no media for an inbound call');
    refuse(503, 'no media is free');
    return discard(preparing);
  }
  const heard = await preparing;
  const busyLine = taken.versionConfig.agentConfig.stt?.busyLine ?? deps.busyLine ?? null;
  const isUnheard = !heard.ready && heard.log === 'no ears';
  const announced = isUnheard && busyLine !== null ? await announcedCall(source, incoming, busyLine) : null;
  if (live.isOver) return discard(preparing);
  const prepared = announced ?? heard;
  if (!prepared.ready && prepared.log === 'no ears') return refuse(486, NO_EARS);
  if (!prepared.ready) {
    live.notDialled(prepared.log);
    leg.reject(480);
    return undefined;
  }
  const { spec } = prepared;
  if (prepared.tools === null)
    deps.log.info({ callId: taken.callId }, 'every recogniser of this machine is in use: a caller hears so');
  else live.tools.setTools(prepared.tools, prepared.handovers);

  const ours = {
    address: deps.signalling.mediaAddress(taken.trunkId),
    port,
    sessionId: newSessionId(),
    version: 1,
  };
  const sdp = trunkMedia(deps, taken);
  live.prepare(spec);
  const { variables } = spec;
  live.tools.setTransfers(transfersOf(deps, { ref: taken, trunkId: taken.trunkId, variables }, () => leg));
  const setMedia = (media: NegotiatedMedia): void =>
    live.setMedia(inboundMedia(media, leg.peerAddress, (address) => rules.owns(address)));
  const begin = (media: NegotiatedMedia, at: number): void => {
    setMedia(media);
    live.answered(at, leg.sipCallId, spec);
  };
  // The SIP stack ends a call whose 200 is never acknowledged; the guard backs it up.
  live.connecting(60_000);
  if (leg.sdpOffer === null) {
    const offer = sdp.createOffer(ours);
    session = renegotiation(sdp, ours, offer, setMedia);
    live.hold.setSession(session.hold, () => leg);
    onSdp = (answer, at) => {
      const outcome = answer === null ? null : sdp.acceptAnswer(answer, offer);
      if (outcome?.accepted === true) return begin(outcome.media, at);
      refuse(488, outcome?.reason ?? 'the answer has no SDP');
      return leg.hangup('incompatible media');
    };
    leg.answer(offer, variables);
    return undefined;
  }
  const outcome = sdp.answerOffer(leg.sdpOffer, ours);
  if (!outcome.accepted) return refuse(outcome.refuse, outcome.reason);
  // A caller with preconditions may send another offer before its ACK.
  let agreed = outcome.media;
  let isAcknowledged = false;
  session = renegotiation(sdp, ours, outcome.answer, (media) => {
    agreed = media;
    if (isAcknowledged) setMedia(media);
  });
  live.hold.setSession(session.hold, () => leg);
  onAcknowledged = (at) => {
    isAcknowledged = true;
    begin(agreed, at);
  };
  leg.answer(outcome.answer, variables);
  return undefined;
}

const refusalNow = (
  { clock }: Pick<InboundDeps, 'clock'>,
  { refuse: sipCode, reason }: { readonly refuse: number; readonly reason: string },
): CallFailure => ({ failure: 'failed', sipCode, reason, neverSent: false, at: clock.now() });

/** Knowledge and providers: read for a call that is stored and kept for the next one, or those of the last call. */
function preparation(
  deps: InboundDeps,
  { workspaceId, versionConfig }: { readonly workspaceId: string; readonly versionConfig: VersionConfig },
  decision: Exclude<AnsweredInbound, { readonly refuse: number }>,
): InboundDeps {
  if ('store' in decision) {
    const { knowledge, providers } = decision.prepared;
    return {
      ...deps,
      knowledge: () => Promise.resolve(knowledge),
      providers: () => Promise.resolve(providers),
    };
  }
  const knowledge = deps.knowledge(workspaceId, versionConfig);
  const providers = deps.providers(workspaceId, versionConfig);
  Promise.all([knowledge, providers]).then(
    ([known, chosen]) => decision.keep({ knowledge: known, providers: chosen }),
    // The preparation of the call answers for the failure.
    () => undefined,
  );
  return { ...deps, knowledge: () => knowledge, providers: () => providers };
}
