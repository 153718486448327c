import {
  CODECS,
  InboundStream,
  MAX_RTP_BYTES,
  type NegotiatedMedia,
  codecByName,
  createRtcpSession,
  createRtpView,
  jitterMs,
  looksLikeRtcp,
  parseRtcp,
  parseRtp,
  receiveRtcp,
  takeReport,
  writeRtcp,
  writeRtpHeader,
} from '@callwright/rtp';
import { acceptAnswer, answerOffer, createOffer, parseSdp } from '@callwright/sip';
import { mappedAddress } from '../../../src/telephony/stun.ts';
import type { Dice } from '../dice.ts';
import { mutateBytes, mutateText, tokens } from '../mutate.ts';
import { must, type Target } from '../target.ts';
import { opus } from './opus.ts';
import { srtp } from './srtp.ts';

const OURS = { address: '192.0.2.1', port: 4000, sessionId: 1 };
const OFFER = createOffer({ ...OURS, version: 1 });
const SECURE_OFFER = createOffer({ ...OURS, version: 1, srtp: 'required' });
const CRYPTO = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const head = ['v=0', 'o=them 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0'];
const sdp = (...lines: readonly string[]): string => [...head, ...lines, ''].join('\r\n');
const DESCRIPTIONS: readonly string[] = [
  OFFER,
  sdp('m=audio 30000 RTP/AVP 0 8 101', 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-15', 'a=ptime:60'),
  sdp('m=audio 30000 RTP/AVP 8 96', 'c=IN IP6 2001:db8::1', 'a=rtpmap:96 telephone-event/8000', 'a=sendonly'),
  sdp('m=audio 30000/2 RTP/AVP 96', 'a=rtpmap:96 PCMU/8000', 'a=rtcp:30001 IN IP4 192.0.2.8', 'a=rtcp-mux'),
  sdp('m=video 0 RTP/AVP 31', 'm=audio 0 RTP/AVP 0', 'm=audio 30002 RTP/SAVP 0', 'm=audio 30004 RTP/AVP 0 8'),
  sdp('m=audio 30000 RTP/AVP 0', `${CRYPTO}|2^20|1:4`, 'm=audio 30002 RTP/SAVP 8', CRYPTO),
  sdp(
    'a=inactive',
    'b=AS:64',
    'm=image 30006 udptl t38',
    'm=audio 30008 RTP/AVP 9 18 0',
    'a=rtpmap:9 G722/8000',
  ),
];
const SDP_TOKENS = tokens(
  '\r\n¦\n¦\r¦=¦ ¦:¦/¦m=audio 1 RTP/AVP 0\r\n¦m=audio 0 RTP/AVP 8\r\n¦m=video 1 RTP/AVP 31\r\n',
  'c=IN IP4 0\r\n¦c=IN IP4 0.0.0.0\r\n¦c=IN IP6 ::\r\n¦c=IN IP4 224.0.0.1/127\r\n¦a=sendonly\r\n',
  'a=inactive\r\n¦a=rtcp-mux\r\n¦a=rtcp:1\r\n¦a=ptime:0\r\n¦a=rtpmap:0 PCMA/8000\r\n',
  'a=fmtp:101 0-99\r\n¦a=rtpmap:101 telephone-event/8000\r\n¦RTP/SAVP¦RTP/AVPF¦ 0 8',
  `o=- 1 2 IN IP4 h\r\n¦v=1\r\n¦${CRYPTO}\r\n¦|1:4¦|2^31¦ UNENCRYPTED_SRTP¦RTP/SAVP¦AEAD_AES_128_GCM`,
);

/** The media lines as they stand in the text. */
const mediaLines = (text: string): string[][] =>
  text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith('m='))
    .map((line) => line.slice(2).trim().split(/ +/));

/** Media types and protocols have no case. */
const same = (a: string | undefined, b: string | undefined): boolean => a?.toLowerCase() === b?.toLowerCase();

const sdpTarget: Target = {
  name: 'sdp',
  nightly: 5_000,
  make: (dice) => Buffer.from(mutateText(dice.pick(DESCRIPTIONS), SDP_TOKENS, DESCRIPTIONS, dice)),
  run(input) {
    const text = input.toString('utf8');
    const parsed = parseSdp(text);
    const accepted = acceptAnswer(text, OFFER);
    if (accepted.accepted) mustBeUsable(accepted.media);
    const encrypted = acceptAnswer(text, SECURE_OFFER);
    if (encrypted.accepted) must(encrypted.media.srtp !== undefined, 'an answer without SRTP is accepted');
    const secure = answerOffer(text, { ...OURS, srtp: 'required' });
    if (secure.accepted) must(secure.media.srtp !== undefined, 'an offer without SRTP is accepted');
    const outcome = answerOffer(text, OURS);
    if (!outcome.accepted) return;
    must(parsed.ok, 'an offer that does not parse is accepted');
    mustBeUsable(outcome.media);
    const answer = parseSdp(outcome.answer);
    must(answer.ok, 'our answer does not parse');
    const [offered, answered] = [mediaLines(text), mediaLines(outcome.answer)];
    must(offered.length === answered.length, 'the answer has another number of media lines than the offer');
    must(
      answered.filter(([, port]) => Number(port) > 0).length === 1,
      'the answer has not one usable media line',
    );
    for (const [at, [kind, port, protocol, ...formats]] of answered.entries()) {
      const theirs = offered[at] ?? [];
      must(
        same(kind, theirs[0]) && same(protocol, theirs[2]),
        'the answer has another kind of media than the offer',
      );
      if (Number(port) === 0) continue;
      must(Number.parseInt(theirs[1] ?? '', 10) > 0, 'the answer uses a media line that the offer disabled');
      must(
        formats.every((format) => theirs.slice(3).some((other) => Number(other) === Number(format))),
        `the answer has formats that the offer lacks: ${formats.join(' ')}`,
      );
    }
  },
};

function mustBeUsable({
  remotePort,
  remoteRtcpPort,
  codec,
  dtmfPayloadType,
  ptimeMs,
}: NegotiatedMedia): void {
  const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;
  must(
    isPort(remotePort) && isPort(remoteRtcpPort),
    `media to port ${remotePort}, RTCP to ${remoteRtcpPort}`,
  );
  must(
    CODECS.some(({ name }) => name === codec.name),
    `codec ${codec.name}`,
  );
  must(ptimeMs > 0 && ptimeMs <= 1000, `packets of ${ptimeMs} ms`);
  must(
    dtmfPayloadType === null || (dtmfPayloadType >= 0 && dtmfPayloadType < 128),
    `DTMF as ${dtmfPayloadType}`,
  );
}

const MEDIA: NegotiatedMedia = {
  remoteAddress: '192.0.2.9',
  remotePort: 4000,
  remoteRtcpPort: 4001,
  rtcpMux: false,
  codec: { name: 'PCMU', payloadType: 0, clockRate: 8000 },
  dtmfPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
};
const LENGTH_BYTES = 2;
const FRAME = 160;
/** Concealed frames that one packet may cause. */
const MOST_CONCEALED = 20;

function packet(dice: Dice, at: number, timestamp: number): Buffer {
  if (dice.chance(0.05))
    return Buffer.concat([Buffer.from([0x80 | dice.below(64)]), dice.bytes(dice.below(64))]);
  const type = dice.pick([0, 0, 0, 0, 8, 101, 13, dice.below(128)]);
  const length = type === 101 ? dice.pick([4, 4, 3, 0]) : dice.pick([160, 160, 160, 80, 240, 1, 0, 1460]);
  const bytes = Buffer.alloc(12 + length, dice.below(256));
  const sequence =
    (at + (dice.chance(0.2) ? dice.from(-5, 5) : 0) + (dice.chance(0.02) ? 40_000 : 0)) & 0xffff;
  const clock = (timestamp + (dice.chance(0.05) ? dice.pick([0x7fffffff, -8000, 1]) : 0)) >>> 0;
  writeRtpHeader(bytes, type, dice.chance(0.1), sequence, clock, dice.chance(0.03) ? 2 : 1);
  if (type === 101 && length === 4) bytes.set([dice.below(20), dice.pick([0x0a, 0x8a, 0xff]), 0, 160], 12);
  return dice.chance(0.15) ? mutateBytes(bytes, [bytes], dice) : bytes;
}

const rtp: Target = {
  name: 'rtp',
  nightly: 5_000,
  make(dice) {
    const first = dice.pick([0, 65_530, dice.below(65_536)]);
    const packets = Array.from({ length: dice.from(1, 30) }, (_, at) =>
      packet(dice, first + at, 160 * at + (first > 65_000 ? 0xfffffb00 : 0)),
    );
    return Buffer.concat(
      packets.flatMap((bytes) => {
        const length = Buffer.alloc(LENGTH_BYTES);
        length.writeUInt16BE(Math.min(bytes.length, 0xffff));
        return [length, bytes];
      }),
    );
  },
  run(input) {
    let [heard, concealed, most, packets, digits, events] = [0, 0, 0, 0, 0, 0];
    const stream = new InboundStream({
      onFrame: (pcm, _timestamp, isConcealed) => {
        must(pcm.length === FRAME, `a frame of ${pcm.length} samples`);
        if (isConcealed) concealed += 1;
        else heard += 1;
      },
      onDigit: () => (digits += 1),
    });
    stream.setMedia(MEDIA);
    const view = createRtpView();
    const codec = codecByName('PCMU');
    for (let at = 0, now = 1; at + LENGTH_BYTES <= input.length; now += 20) {
      const length = input.readUInt16BE(at);
      const bytes = input.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
      at += LENGTH_BYTES + length;
      looksLikeRtcp(bytes);
      if (!parseRtp(bytes, view)) continue;
      must(
        view.payloadStart >= 12 && view.payloadStart <= view.payloadEnd && view.payloadEnd <= bytes.length,
        `payload ${view.payloadStart} to ${view.payloadEnd} of ${bytes.length} bytes`,
      );
      must(bytes.length <= MAX_RTP_BYTES, 'a packet longer than a frame is accepted');
      if (!stream.knows(view.payloadType)) continue;
      packets += 1;
      // A packet may begin and end within a frame, whose rest is concealed.
      most += 1 + Math.ceil(codec.ticksOf(bytes.subarray(view.payloadStart, view.payloadEnd)) / FRAME);
      if (view.payloadType === 101) events += 1;
      stream.receive(bytes, view, now, 1_000_000 + now);
    }
    must(heard <= most, `${heard} frames with sound, at most ${most} were sent`);
    must(concealed <= packets * MOST_CONCEALED, `${concealed} concealed frames for ${packets} packets`);
    must(digits <= events, `${digits} digits of ${events} event packets`);
    const report = takeReport(stream.reception);
    must(report.fractionLost >= 0 && report.fractionLost <= 255, `fraction lost ${report.fractionLost}`);
    must(Number.isFinite(jitterMs(stream.reception)) && jitterMs(stream.reception) >= 0, 'jitter');
  },
};

const REPORT = {
  ssrc: 5,
  fractionLost: 3,
  cumulativeLost: 7,
  highestSequence: 70_000,
  jitter: 11,
  lastSenderReport: 0x12345678,
  delaySinceSenderReport: 65_536,
};
const COMPOUND = writeRtcp({
  ssrc: 1,
  cname: 'callwright',
  sender: {
    ntp: { seconds: 3_900_000_000, fraction: 7 },
    rtpTimestamp: 160,
    packetCount: 1,
    octetCount: 160,
  },
  block: REPORT,
  bye: true,
});
const RTCP_CORPUS = [
  COMPOUND,
  writeRtcp({ ssrc: 1, cname: 'c', sender: null, block: REPORT, bye: false }),
  Buffer.concat([COMPOUND, Buffer.from([0x80, 204, 0, 2, 0, 0, 0, 1, 65, 66, 67, 68])]),
  Buffer.from([0x81, 205, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 0, 0]),
];

const rtcp: Target = {
  name: 'rtcp',
  nightly: 5_000,
  make: (dice) =>
    dice.chance(0.1) ? dice.bytes(dice.below(200)) : mutateBytes(dice.pick(RTCP_CORPUS), RTCP_CORPUS, dice),
  run(input) {
    const packets = parseRtcp(input);
    must((packets?.length ?? 0) * 4 <= input.length, `${packets?.length} packets in ${input.length} bytes`);
    const session = createRtcpSession(1, 'x');
    receiveRtcp(session, input, 8000, 5);
    for (const [name, value] of Object.entries(session)) {
      must(typeof value !== 'number' || !Number.isNaN(value), `${name} is not a number`);
    }
  },
};

const TRANSACTION = Buffer.from('b7e7a701bc34d686fa87dfae', 'hex');
const STUN_CORPUS = [
  // RFC 5769, section 2.2: the sample IPv4 response.
  '0101003c2112a442b7e7a701bc34d686fa87dfae8022000b7465737420766563746f7220' +
    '002000080001a147e112a643000800142b91f599fd9e90c38c7489f92af9ba53f06be7d780280004c07d4c96',
  '0101000c2112a442b7e7a701bc34d686fa87dfae000100080001a147c0000201',
  '010100182112a442b7e7a701bc34d686fa87dfae00200014000213880113a9faa5d3f179bc25f4b5bed2b9d9',
].map((hex) => Buffer.from(hex, 'hex'));

const stun: Target = {
  name: 'stun',
  nightly: 5_000,
  make: (dice) => mutateBytes(dice.pick(STUN_CORPUS), STUN_CORPUS, dice),
  run(input) {
    const address = mappedAddress(input, TRANSACTION);
    must(address === null || /^(?:\d{1,3}\.){3}\d{1,3}$/.test(address), `address ${address}`);
    must(
      address === null || input.subarray(8, 20).equals(TRANSACTION),
      'a response of another transaction counts',
    );
  },
};

export const MEDIA_TARGETS: readonly Target[] = [sdpTarget, rtp, opus, rtcp, srtp, stun];
