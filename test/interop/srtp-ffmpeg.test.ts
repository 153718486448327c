import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { decodeUlawTo, encodeUlawTo } from '@callwright/audio';
import {
  masterBytes,
  SRTP_OVERHEAD_BYTES,
  SrtpReceiver,
  SrtpSender,
  type SrtpSuite,
  writeRtpHeader,
} from '@callwright/rtp';
import { likeness } from '../helpers/audio/line-audio.ts';
import { soundOf } from '../helpers/sip/line-phone.ts';
import { pcmOf, useMediaPeers } from '../helpers/sip/media-peers.ts';
import { freePort, until, whenReady, type PeerProcess } from '../helpers/sip/peer-process.ts';
import { isBound } from '../helpers/sip/sipp.ts';

const SUITES: readonly SrtpSuite[] = ['AES_CM_128_HMAC_SHA1_80', 'AES_CM_128_HMAC_SHA1_32'];
const FRAME = 160;
const HEADER = 12;
/** ffmpeg leaves this much of a packet for its tag. */
const FFMPEG_TAG = 14;
/** The sequence number rolls over in the middle of each sound. */
const FIRST = 65_536 - 60;

const peers = useMediaPeers('srtp-ffmpeg');
const ffmpeg = (...args: readonly (readonly string[])[]): PeerProcess =>
  peers.start('ffmpeg', ['-hide_banner', '-nostdin', '-y'], ...args);

it.each(SUITES)('ffmpeg plays what we send with %s', async (suite) => {
  const key = randomBytes(masterBytes(suite));
  const port = await freePort(2);
  await peers.writeSdp(`m=audio ${port} RTP/SAVP 0`, `a=crypto:1 ${suite} inline:${key.toString('base64')}`);
  const sound = soundOf(1, 3_000);
  const input = ['-protocol_whitelist', 'file,rtp,srtp,udp,crypto', '-i', 'call.sdp'];
  const peer = ffmpeg(input, ['-t', '2', '-f', 's16le', 'heard.raw']);
  await whenReady(peer, 'ffmpeg has bound its port', () => isBound(port, ['udp']));
  const socket = await peers.socket();
  const sender = new SrtpSender(suite, key);
  for (let n = 0; n < sound.length / FRAME; n += 1) {
    const packet = Buffer.alloc(HEADER + FRAME + SRTP_OVERHEAD_BYTES);
    writeRtpHeader(packet, 0, n === 0, (FIRST + n) & 0xffff, n * FRAME, 0x5eed_1234);
    encodeUlawTo(packet, HEADER, sound.subarray(n * FRAME, (n + 1) * FRAME));
    socket.send(packet, 0, sender.protectRtp(packet, HEADER + FRAME), port, '127.0.0.1');
    await sleep(5);
  }
  expect([await peer.exited(), peer.output()]).toEqual([0, expect.any(String)]);
  const heard = pcmOf(await readFile(join(peers.folder, 'heard.raw')));
  expect(heard.length).toBeGreaterThanOrEqual(16_000);
  expect(likeness(heard, sound).peak).toBeGreaterThan(0.9);
});

it.each(SUITES)('we play what ffmpeg sends with %s', async (suite) => {
  const key = randomBytes(masterBytes(suite));
  const sound = soundOf(2, 2_000);
  await writeFile(join(peers.folder, 'said.raw'), Buffer.from(sound.buffer));
  const socket = await peers.socket();
  const receiver = new SrtpReceiver(suite, key, 0);
  const heard: number[] = [];
  socket.on('message', (packet) => {
    const length = receiver.unprotectRtp(packet);
    if (length < 0) return;
    const frame = new Int16Array(length - HEADER);
    decodeUlawTo(frame, packet.subarray(HEADER, length));
    heard.push(...frame);
  });
  const input = ['-re', '-f', 's16le', '-ar', '8000', '-ac', '1', '-i', 'said.raw'];
  const peer = ffmpeg(
    [...input, '-c:a', 'pcm_mulaw'],
    ['-f', 'rtp', '-seq', String(FIRST), '-rtpflags', '+skip_rtcp'],
    ['-srtp_out_suite', suite, '-srtp_out_params', key.toString('base64')],
    [`srtp://127.0.0.1:${socket.address().port}?pkt_size=${HEADER + FRAME + FFMPEG_TAG}`],
  );
  expect([await peer.exited(), peer.output()]).toEqual([0, expect.any(String)]);
  await until(() => heard.length >= sound.length, 'every packet is decrypted');
  expect(heard).toHaveLength(sound.length);
  expect(likeness(sound, Int16Array.from(heard)).peak).toBeGreaterThan(0.9);
});
