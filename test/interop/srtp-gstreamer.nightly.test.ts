import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  masterBytes,
  SRTP_OVERHEAD_BYTES,
  SrtpReceiver,
  SrtpSender,
  type SrtpSuite,
  writeRtpHeader,
} from '@callwright/rtp';
import { useMediaPeers } from '../helpers/sip/media-peers.ts';
import { freePort, until, whenReady, type PeerProcess } from '../helpers/sip/peer-process.ts';
import { isBound } from '../helpers/sip/sipp.ts';

const SSRC = 0x5eed_1234;
const HEADER = 12;
const PAYLOAD = 160;
const ROLLOVER = 65_536;
/** What gstreamer calls the suites. */
const SUITES = {
  AES_CM_128_HMAC_SHA1_80: { cipher: 'aes-128-icm', auth: 'hmac-sha1-80' },
  AES_CM_128_HMAC_SHA1_32: { cipher: 'aes-128-icm', auth: 'hmac-sha1-32' },
  AEAD_AES_128_GCM: { cipher: 'aes-128-gcm', auth: 'null' },
} as const;

const peers = useMediaPeers('srtp-gstreamer');
const gstreamer = (...elements: readonly (readonly string[])[]): PeerProcess =>
  peers.start('gst-launch-1.0', ['-q'], ...elements);

// RTCP has a full tag in every suite (RFC 4568 section 6.2.2).
const rtcpAuth = (auth: string): string => (auth === 'null' ? 'null' : 'hmac-sha1-80');

it.each([
  ['AES_CM_128_HMAC_SHA1_80', ROLLOVER + 500, 0],
  ['AES_CM_128_HMAC_SHA1_32', 1_000, ROLLOVER - 500],
  ['AEAD_AES_128_GCM', 1_000, ROLLOVER - 500],
] as const)(
  'gstreamer decrypts our %s: each of %i packets from sequence number %i on, over the rollover',
  async (suite: SrtpSuite, count, first) => {
    const file = join(peers.folder, 'payload');
    const port = await freePort();
    const key = randomBytes(masterBytes(suite));
    const { cipher, auth } = SUITES[suite];
    const caps = [
      'application/x-srtp',
      'media=(string)audio',
      'encoding-name=(string)PCMU',
      'payload=(int)0',
      'clock-rate=(int)8000',
      `ssrc=(uint)${SSRC}`,
      `srtp-key=(buffer)${key.toString('hex')}`,
      `srtp-cipher=(string)${cipher}`,
      `srtp-auth=(string)${auth}`,
      `srtcp-cipher=(string)${cipher}`,
      `srtcp-auth=(string)${rtcpAuth(auth)}`,
      'roc=(uint)0',
    ].join(', ');
    const peer = gstreamer(
      ['udpsrc', 'address=127.0.0.1', `port=${port}`, `caps=${caps}`],
      ['!', 'srtpdec', '!', 'rtppcmudepay'],
      ['!', 'filesink', `location=${file}`, 'buffer-mode=unbuffered', 'sync=false'],
    );
    await whenReady(peer, 'gstreamer has bound its port', () => isBound(port, ['udp']));
    const socket = await peers.socket();
    const sender = new SrtpSender(suite, key);
    const written = async (): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;
    for (let n = 0; n < count; n += 1) {
      const packet = Buffer.alloc(HEADER + PAYLOAD + SRTP_OVERHEAD_BYTES, n & 0xff);
      writeRtpHeader(packet, 0, n === 0, (first + n) & 0xffff, n * PAYLOAD, SSRC);
      packet.writeUInt32BE(n, HEADER);
      const length = sender.protectRtp(packet, HEADER + PAYLOAD);
      socket.send(packet, 0, length, port, '127.0.0.1');
      // No more than the socket's buffer holds.
      if (n % 100 === 99 || n === count - 1)
        await until(
          async () => (await written()) >= (n + 1) * PAYLOAD,
          `gstreamer has packet ${n}: ${peer.output()}`,
        );
    }
    const payload = await readFile(file);
    expect(payload).toHaveLength(count * PAYLOAD);
    const numbers = Array.from({ length: count }, (_, n) => payload.readUInt32BE(n * PAYLOAD));
    expect(numbers).toEqual(numbers.map((_, n) => n));
  },
);

it.each(Object.keys(SUITES) as SrtpSuite[])(
  'we decrypt the %s of gstreamer over the rollover, and take no packet twice',
  async (suite) => {
    const count = 200;
    const key = randomBytes(masterBytes(suite));
    const { cipher, auth } = SUITES[suite];
    const socket = await peers.socket();
    const receiver = new SrtpReceiver(suite, key, 0);
    const sequences: number[] = [];
    let repeated = 0;
    socket.on('message', (packet) => {
      const copy = Buffer.from(packet);
      const length = receiver.unprotectRtp(packet);
      if (length === HEADER + PAYLOAD) sequences.push(packet.readUInt16BE(2));
      if (receiver.unprotectRtp(copy) >= 0) repeated += 1;
    });
    const first = ROLLOVER - 100;
    gstreamer(
      ['audiotestsrc', `num-buffers=${count}`, `samplesperbuffer=${PAYLOAD}`],
      ['!', 'audio/x-raw,rate=8000,channels=1', '!', 'mulawenc'],
      [
        '!',
        'rtppcmupay',
        'min-ptime=20000000',
        'max-ptime=20000000',
        `seqnum-offset=${first}`,
        `ssrc=${SSRC}`,
      ],
      ['!', 'srtpenc', `key=${key.toString('hex')}`, `rtp-cipher=${cipher}`, `rtp-auth=${auth}`],
      [`rtcp-cipher=${cipher}`, `rtcp-auth=${rtcpAuth(auth)}`],
      ['!', 'udpsink', 'host=127.0.0.1', `port=${socket.address().port}`, 'sync=false'],
    );
    await until(() => sequences.length >= count, 'every packet is decrypted');
    expect(sequences).toEqual(Array.from({ length: count }, (_, n) => (first + n) & 0xffff));
    expect(repeated).toBe(0);
  },
);
