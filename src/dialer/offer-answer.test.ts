import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptAnswer, answerOffer, createOffer, type SipMessage } from '@callwright/sip';
import { dial, inDialog, SDP_TYPE, taken, US } from '../../packages/sip/test/virtual-call.ts';
import { type Described, violations } from '../../test/helpers/sip/offer-answer-rules.ts';
import { renegotiation } from './trunk.ts';

const SDP = { createOffer, acceptAnswer, answerOffer };
const OURS = { address: '192.0.2.1', port: 40_000, sessionId: 77, version: 1 };
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
function describedBy(peer: Peer, version: number, kinds: readonly string[]): string {
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
  readonly how: 'INVITE' | 'UPDATE' | 'offerless';
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
const dialogs = fc.record({
  weCall: fc.boolean(),
  first: peers.map((peer) => ({ ...peer, address: '192.0.2.9' })),
  steps: fc.array(fc.record<Step>({ how: fc.constantFrom('INVITE', 'UPDATE', 'offerless'), peer: peers }), {
    minLength: 1,
    maxLength: 6,
  }),
});

/** Plays a dialog over the virtual network, and returns its descriptions in order. */
function play({
  weCall,
  first,
  steps,
}: {
  weCall: boolean;
  first: Peer;
  steps: readonly Step[];
}): Described[] {
  const said: Described[] = [];
  let version = 1;
  const us = (sdp: string, answers: string | null): void => void said.push({ by: 'us', sdp, answers });
  const them = (sdp: string, answers: string | null): void => void said.push({ by: 'peer', sdp, answers });
  const firstKinds =
    first.video === 'first' ? ['video', 'audio'] : first.video === 'last' ? ['audio', 'video'] : ['audio'];
  const rig = weCall ? called(first) : answered(describedBy(first, version, firstKinds));
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
    const wanted = peer.video !== 'none' && !kinds.includes('video') ? [...kinds, 'video'] : kinds;
    const offer = describedBy(peer, (version += 1), wanted);
    const response = rig.send(how, 20 + index, offer);
    if (how === 'INVITE') rig.acknowledge(20 + index, null);
    const answer = textOf(response);
    if (answer === null) throw new Error(`an offer was refused:\n${offer}`);
    them(offer, null);
    us(answer, offer);
  }
  return said;
}

interface Rig {
  readonly ours: string;
  /** The offer that `ours` answers; null: ours is the offer, and `answer` the peer's. */
  readonly theirs: string | null;
  readonly answer: string;
  send(method: 'INVITE' | 'UPDATE', sequence: number, body: string | null): SipMessage;
  acknowledge(sequence: number, body: string | null): void;
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
function called(first: Peer): Rig {
  const ours = createOffer(OURS);
  const call = dial({ request: { sdpOffer: ours }, events: renegotiation(SDP, OURS, ours, () => undefined) });
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
    send(method, sequence, body) {
      send(method, sequence, body);
      return responseTo(call.peer.received, method, sequence);
    },
    acknowledge: (sequence, body) => send('ACK', sequence, body),
  };
}

/** The peer calls with `theirs`. */
function answered(theirs: string): Rig {
  const outcome = answerOffer(theirs, OURS);
  if (!outcome.accepted) throw new Error(outcome.reason);
  const ours = outcome.answer;
  const events = renegotiation(SDP, OURS, ours, () => undefined);
  const call = taken((leg) => leg.answer(ours), { body: theirs, events });
  call.within('ACK');
  return {
    ours,
    theirs,
    answer: '',
    send(method, sequence, body) {
      call.within(method, { sequence, branch: `${method}${sequence}`, ...(body === null ? {} : { body }) });
      return responseTo(call.peer.received, method, sequence);
    },
    acknowledge: (sequence, body) =>
      call.within('ACK', { sequence, branch: `ACK${sequence}`, ...(body === null ? {} : { body }) }),
  };
}

describe('the offer/answer model (RFC 3264)', () => {
  it('has no violation in 200 dialogs of holds, codecs, addresses, lines and offers of either side', () => {
    fc.assert(
      fc.property(dialogs, (dialog) => {
        const said = play(dialog);
        expect(violations(said, 'us')).toEqual([]);
        // The generator keeps the rules, too.
        expect(violations(said, 'peer')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is held by a checker that sees each violation', () => {
    const offer = createOffer(OURS);
    const theirs = describedBy(
      { address: '192.0.2.9', port: 4000, codecs: ['0'], events: null, direction: 'sendonly', video: 'none' },
      1,
      ['audio', 'video'],
    );
    const answer = (sdp: string): string[] => violations([{ by: 'us', sdp, answers: theirs }], 'us');
    const good = answerOffer(theirs, OURS);
    const sdp = good.accepted ? good.answer : '';
    expect(answer(sdp)).toEqual([]);
    expect(answer(sdp.replace('recvonly', 'sendrecv'))).toEqual(['sendrecv answers sendonly']);
    expect(answer(sdp.replace(/m=video.*\r\n/, ''))).toEqual(['1 lines answer 2']);
    expect(answer(sdp.replace('RTP/AVP 0', 'RTP/AVP 8'))).toEqual([
      'line 0 has formats that were not offered',
    ]);
    const later = (next: string): string[] =>
      violations(
        [offer, next].map((one) => ({ by: 'us', sdp: one, answers: null })),
        'us',
      );
    expect(later(offer)).toEqual([]);
    expect(later(offer.replace('sendrecv', 'inactive'))).toEqual(['the version of o= rises by 0']);
    expect(later(offer.replace(' 77 1 ', ' 78 2 '))).toEqual(['o= names another session']);
    expect(later(offer.replace(/m=audio[^]*/, '').replace(' 77 1 ', ' 77 2 '))).toEqual([
      'a line of the session is gone',
    ]);
  });
});
