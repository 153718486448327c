import type { CarrierStatus } from '../shared/carrier-status.ts';
import type { DialOrder } from '../shared/carrier-documents.ts';
import { isCarrierKind, type CarrierKind } from '../shared/carrier-kinds.ts';
import type { ReferOutcome } from '@callwright/sip';
import type { CarrierCalls } from './carriers/carrier-calls.ts';
import type { CarrierTrunk } from './carriers/carrier-trunk.ts';
import type { MediaRules, SipSignalling } from './signalling.ts';
import type { Trunk } from './trunks/trunk.ts';
import type { WebSocketHandover } from './web/handover.ts';

export type AnyTrunk = Trunk | CarrierTrunk;

/** SIP and the APIs of carriers as one signalling plane. */
export interface CallSignalling extends Omit<SipSignalling, 'setTrunks'> {
  setTrunks(trunks: readonly AnyTrunk[]): void;
  /** A report of a carrier on a call that it places; false: another process has the call. */
  carrierStatus(status: CarrierStatus): boolean;
  /** The attempt whose stream the token opens, once; a text: why the upgrade is refused; null: none. */
  openStream: CarrierCalls['openStream'];
  /** Hands over the connection of an opened stream; false: it belongs to no call that a carrier placed. */
  connectStream(attemptId: string, socket: WebSocketHandover): boolean;
  /** Connects the far side of a call over a stream with another party. Never rejects. */
  transferStream(trunkId: string, carrierCallId: string, to: DialOrder): Promise<ReferOutcome>;
}

const streamRules = (stream: CarrierKind): MediaRules => ({
  stream,
  srtp: 'off',
  ranges: [],
  takes: () => false,
  owns: () => false,
});

export const isCarrierTrunk = (trunk: AnyTrunk): trunk is CarrierTrunk =>
  'kind' in trunk && isCarrierKind(trunk.kind);

/** Routes each call by the kind of its trunk. */
export function callSignalling(sip: SipSignalling, carriers: CarrierCalls): CallSignalling {
  return {
    ...sip,
    setTrunks(trunks) {
      carriers.setTrunks(trunks.filter(isCarrierTrunk));
      sip.setTrunks(trunks.filter((trunk): trunk is Trunk => !isCarrierTrunk(trunk)));
    },
    call(request, events) {
      const isStream = 'takeStream' in request;
      if (isStream !== (carriers.kindOf(request.trunkId) !== null))
        throw new Error('Call on an unknown trunk');
      return isStream ? carriers.call(request, events) : sip.call(request, events);
    },
    mediaRules(trunkId) {
      const kind = carriers.kindOf(trunkId);
      return kind === null ? sip.mediaRules(trunkId) : streamRules(kind);
    },
    trace: (sipCallId) => carriers.trace(sipCallId) ?? sip.trace(sipCallId),
    health() {
      const health = sip.health();
      const accounts = carriers.health().map(({ id, name, isWorking, fault }) => ({
        id,
        name,
        reachable: isWorking,
        registered: null,
        refusal: null,
        gateways: [],
        fault,
      }));
      return { ...health, trunks: [...health.trunks, ...accounts] };
    },
    checkTrunk: (name) => carriers.check(name) || sip.checkTrunk(name),
    hangUpAll() {
      carriers.hangUpAll();
      sip.hangUpAll();
    },
    carrierStatus: (status) => carriers.status(status),
    openStream: (token, upgrade) => carriers.openStream(token, upgrade),
    connectStream: (attemptId, socket) => carriers.connect(attemptId, socket),
    transferStream: (trunkId, carrierCallId, to) => carriers.transfer(trunkId, carrierCallId, to),
  };
}
