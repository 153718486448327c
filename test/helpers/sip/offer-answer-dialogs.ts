import * as fc from 'fast-check';
import {
  acceptAnswer,
  answerOffer,
  createOffer,
  type OutboundLeg,
  responseTo as respondTo,
  type SipMessage,
  type SipRequest,
} from '@callwright/sip';
import { CONTACT, dial, inDialog, SDP_TYPE, taken, US } from '../../../packages/sip/test/virtual-call.ts';
import { VirtualNetwork, type VirtualPeer } from '../../../packages/sip/test/virtual-network.ts';
import { renegotiation, type Renegotiation } from '../../../src/dialer/trunk.ts';
import type { CapturedMessage } from '../../../src/cli/pcap.ts';
import type { Described } from './offer-answer-rules.ts';

const SDP = { createOffer, acceptAnswer, answerOffer };
/** Our side of every dialog. */
export const OURS = { address: '192.0.2.1', port: 40_000, sessionId: 77, version: 1 };
const DIRECTIONS = ['sendrecv', 'sendonly', 'recvonly', 'inactive'] as const;

/** What the peer describes: the same lines as before, and video behind or before its audio once it has had it. */
interface Peer {
  readonly address: string;
  readonly port: number;
  readonly codecs: readonly string[];
  readonly events: '96' | '101' | null;
  readonly direction: (typeof DIRECTIONS)[number];
  readonly video: 'none' | 'first' | 'last';
}
const MAPS: Readonly<Record<string, string>> = { '0': 'PCMU/8000', '8': 'PCMA/8000', '18': 'G729/8000' };

/** The peer's description of `version`; `kinds` are the lines of the session so far, by type. */
export function describedBy(peer: Peer, version: number, kinds: readonly string[]): string {
  const formats = [...peer.codecs, ...(peer.events === null ? [] : [peer.events])];
  const audio = [
    `m=audio ${peer.port} RTP/AVP ${formats.join(' ')}`,
    ...peer.codecs.map((type) => `a=rtpmap:${type} ${MAPS[type]}`),
    ...(peer.events === null ? [] : [`a=rtpmap:${peer.events} telephone-event/8000`]),
    `a=${peer.direction}`,
  ];
  const video = ['m=video 5000 RTP/AVP 31', 'a=rtpmap:31 H261/90000'];
  return [
    'v=0',
    `o=peer 5 ${version} IN IP4 ${peer.address}`,
    's=-',
    `c=IN IP4 ${peer.address}`,
    't=0 0',
    ...kinds.flatMap((kind) => (kind === 'audio' ? audio : video)),
    '',
  ].join('\r\n');
}

const kindsOf = (sdp: string): string[] => [...sdp.matchAll(/^m=(\S+)/gm)].map(([, kind = '']) => kind);

/** An answer of the peer: our audio with the first codec that it has, every other line refused. */
const answeredBy = (peer: Peer, version: number, offer: string): string => {
  const offered = /^a=(sendrecv|sendonly|recvonly|inactive)/m.exec(offer)?.[1] ?? 'sendrecv';
  const direction = offered === 'sendrecv' ? peer.direction : 'inactive';
  const codecs = peer.codecs.filter((type) => type !== '18').slice(0, 1);
  const events = peer.events === null ? null : '101';
  const answer = describedBy({ ...peer, codecs, events, direction }, version, kindsOf(offer));
  return answer.replace(/^m=video 5000/gm, 'm=video 0');
};

interface Step {
  /** `hold` and `resume` are ours. */
  readonly how: 'INVITE' | 'UPDATE' | 'offerless' | 'hold' | 'resume';
  readonly peer: Peer;
}
const peers: fc.Arbitrary<Peer> = fc.record({
  address: fc.constantFrom('192.0.2.9', '192.0.2.10', '0.0.0.0'),
  port: fc.constantFrom(4000, 4002),
  codecs: fc.constantFrom(['0'], ['8'], ['0', '8'], ['8', '0'], ['18', '0']),
  events: fc.constantFrom('96', '101', null),
  direction: fc.constantFrom(...DIRECTIONS),
  video: fc.constantFrom('none', 'first', 'last'),
});
/** Dialogs of holds, codecs, addresses, lines and offers of either side. */
export const dialogs = fc.record({
  weCall: fc.boolean(),
  first: peers.map((peer) => ({ ...peer, address: '192.0.2.9' })),
  steps: fc.array(
    fc.record<Step>({ how: fc.constantFrom('INVITE', 'UPDATE', 'offerless', 'hold', 'resume'), peer: peers }),
    { minLength: 1, maxLength: 6 },
  ),
});

type Dialog = typeof dialogs extends fc.Arbitrary<infer T> ? T : never;

/** A dialog as it was played: its descriptions in order, and its messages on the wire. */
interface Played {
  readonly said: readonly Described[];
  readonly wire: readonly CapturedMessage[];
}

/** Plays a dialog over the virtual network. */
export function play({ weCall, first, steps }: Dialog): Played {
  const net = new VirtualNetwork();
  const wire: CapturedMessage[] = [];
  net.onSent = (bytes, from, at) =>
    wire.push({ at, direction: from === US ? 'out' : 'in', text: bytes.toString('utf8') });
  const said: Described[] = [];
  let version = 1;
  const us = (sdp: string, answers: string | null): void => void said.push({ by: 'us', sdp, answers });
  const them = (sdp: string, answers: string | null): void => void said.push({ by: 'peer', sdp, answers });
  const firstKinds =
    first.video === 'first' ? ['video', 'audio'] : first.video === 'last' ? ['audio', 'video'] : ['audio'];
  const rig = weCall ? called(first, net) : answered(describedBy(first, version, firstKinds), net);
  us(rig.ours, rig.theirs);
  if (rig.theirs === null) them(rig.answer, rig.ours);
  else said.unshift({ by: 'peer', sdp: rig.theirs, answers: null });

  for (const [index, { how, peer }] of steps.entries()) {
    const last = said.findLast(({ by }) => by === 'peer')?.sdp ?? '';
    const kinds = kindsOf(said.at(-1)?.sdp ?? last);
    if (how === 'offerless') {
      const offer = textOf(rig.send('INVITE', 20 + index, null));
      if (offer === null) throw new Error('the 200 has no offer');
      us(offer, null);
      const answer = answeredBy(peer, (version += 1), offer);
      them(answer, offer);
      rig.acknowledge(20 + index, answer);
      continue;
    }
    if (how === 'hold' || how === 'resume') {
      rig.hold(how === 'hold', (offer) => {
        const answer = answeredBy(peer, (version += 1), offer);
        us(offer, null);
        them(answer, offer);
        return answer;
      });
      continue;
    }
    const wanted = peer.video !== 'none' && !kinds.includes('video') ? [...kinds, 'video'] : kinds;
    const offer = describedBy(peer, (version += 1), wanted);
    const response = rig.send(how, 20 + index, offer);
    if (how === 'INVITE') rig.acknowledge(20 + index, null);
    const answer = textOf(response);
    if (answer === null) throw new Error(`an offer was refused:\n${offer}`);
    them(offer, null);
    us(answer, offer);
  }
  return { said, wire };
}

interface Rig {
  readonly ours: string;
  /** The offer that `ours` answers; null: ours is the offer, and `answer` the peer's. */
  readonly theirs: string | null;
  readonly answer: string;
  send(method: 'INVITE' | 'UPDATE', sequence: number, body: string | null): SipMessage;
  acknowledge(sequence: number, body: string | null): void;
  /** We put the peer on hold, or take it off. */
  hold(isHeld: boolean, answerTo: (offer: string) => string): void;
}

/** Sends our re-INVITE of a hold, or of its end, and the peer's answer. */
function holding(
  net: VirtualNetwork,
  peer: VirtualPeer,
  { hold: offers }: Pick<Renegotiation, 'hold'>,
  leg: Pick<OutboundLeg, 'reoffer'>,
): Rig['hold'] {
  return (isHeld, answerTo) => {
    const before = peer.received.length;
    let offer = '';
    leg.reoffer?.(
      () => (offer = offers.offer(isHeld)),
      (outcome) => {
        if (!('answer' in outcome) || !offers.take(outcome.answer, offer, isHeld))
          throw new Error(`a hold was refused:\n${offer}`);
      },
    );
    net.scheduler.advance(10);
    const invite = peer.received
      .slice(before)
      .find((m): m is SipRequest => m.kind === 'request' && m.method === 'INVITE');
    if (invite === undefined) throw new Error('no re-INVITE');
    const body = Buffer.from(answerTo(textOf(invite) ?? ''));
    peer.send(respondTo(invite, 200, { headers: [CONTACT, SDP_TYPE], body }), US);
    net.scheduler.advance(10);
  };
}

const textOf = ({ body }: SipMessage): string | null => (body.length === 0 ? null : body.toString('utf8'));

const responseTo = (received: readonly SipMessage[], method: string, sequence: number): SipMessage => {
  const found = received.find(
    (m) =>
      m.kind === 'response' && m.status === 200 && m.cseq.method === method && m.cseq.sequence === sequence,
  );
  if (found === undefined) throw new Error(`no 200 to ${method} ${sequence}`);
  return found;
};

/** We call; the peer answers as `first`. */
function called(first: Peer, net: VirtualNetwork): Rig {
  const ours = createOffer(OURS);
  const session = renegotiation(SDP, OURS, ours, () => undefined);
  const call = dial({ net, request: { sdpOffer: ours }, events: session });
  const invite = call.last('INVITE');
  const answer = answeredBy(first, 1, ours);
  call.answer(invite, 200, { sdp: answer });
  const send = (method: string, sequence: number, body: string | null): void => {
    const content = body === null ? {} : { headers: [SDP_TYPE], body };
    call.peer.send(inDialog(invite, method, sequence, content), US);
    call.net.scheduler.advance(10);
  };
  return {
    ours,
    theirs: null,
    answer,
    hold: holding(net, call.peer, session, call.leg),
    send(method, sequence, body) {
      send(method, sequence, body);
      return responseTo(call.peer.received, method, sequence);
    },
    acknowledge: (sequence, body) => send('ACK', sequence, body),
  };
}

/** The peer calls with `theirs`. */
function answered(theirs: string, net: VirtualNetwork): Rig {
  const outcome = answerOffer(theirs, OURS);
  if (!outcome.accepted) throw new Error(outcome.reason);
  const ours = outcome.answer;
  const events = renegotiation(SDP, OURS, ours, () => undefined);
  const call = taken((leg) => leg.answer(ours), { net, body: theirs, events });
  call.within('ACK');
  return {
    ours,
    theirs,
    answer: '',
    hold: (isHeld, answerTo) => holding(net, call.peer, events, call.legs[0] ?? {})(isHeld, answerTo),
    send(method, sequence, body) {
      call.within(method, { sequence, branch: `${method}${sequence}`, ...(body === null ? {} : { body }) });
      return responseTo(call.peer.received, method, sequence);
    },
    acknowledge: (sequence, body) =>
      call.within('ACK', { sequence, branch: `ACK${sequence}`, ...(body === null ? {} : { body }) }),
  };
}
