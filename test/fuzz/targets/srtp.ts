import {
  masterBytes,
  SrtpReceiver,
  SrtpSender,
  SRTP_OVERHEAD_BYTES,
  writeRtcp,
  writeRtpHeader,
} from '@callwright/rtp';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const SUITES = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32', 'AEAD_AES_128_GCM'] as const;
const masterOf = (suite: (typeof SUITES)[number]): Uint8Array => new Uint8Array(masterBytes(suite)).fill(9);

const report = writeRtcp({ ssrc: 1, cname: 'callwright', sender: null, block: null, bye: false });
const packets = SUITES.map((suite) => {
  const sender = new SrtpSender(suite, masterOf(suite));
  const rtp = [65_534, 65_535, 0, 1].map((sequence) => {
    const bytes = Buffer.alloc(172 + SRTP_OVERHEAD_BYTES, sequence);
    writeRtpHeader(bytes, 0, false, sequence, sequence * 160, 1);
    return bytes.subarray(0, sender.protectRtp(bytes, 172));
  });
  const rtcp = Buffer.concat([report, Buffer.alloc(SRTP_OVERHEAD_BYTES)]);
  return { suite, genuine: [...rtp, rtcp.subarray(0, sender.protectRtcp(rtcp, report.length))] };
});
const CORPUS = packets.flatMap(({ genuine }, place) =>
  genuine.map((packet) => Buffer.concat([Buffer.from([place]), packet])),
);

/** The first byte chooses the suite; a packet that is not one of the sender's must be refused. */
export const srtp: Target = {
  name: 'srtp',
  make: (dice) => mutateBytes(dice.pick(CORPUS), CORPUS, dice),
  run(input) {
    const { suite, genuine } = packets[(input[0] ?? 0) % packets.length] as (typeof packets)[number];
    const bytes = input.subarray(1);
    const isGenuine = genuine.some((packet) => packet.equals(bytes));
    const receiver = new SrtpReceiver(suite, masterOf(suite));
    const [rtp, rtcp] = [
      receiver.unprotectRtp(Buffer.from(bytes)),
      receiver.unprotectRtcp(Buffer.from(bytes)),
    ];
    must(
      isGenuine === (rtp >= 0 || rtcp >= 0),
      `RTP ${rtp}, RTCP ${rtcp} of ${bytes.length} bytes with ${suite}`,
    );
  },
};
