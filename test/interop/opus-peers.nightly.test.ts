import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  createRtpView,
  InboundStream,
  type NegotiatedMedia,
  Opus,
  OutboundStream,
  parseRtp,
} from '@callwright/rtp';
import { likeness, voice } from '../../packages/rtp/test/voice.ts';
import { pcmOf, useMediaPeers } from '../helpers/sip/media-peers.ts';
import { freePort, until, whenReady } from '../helpers/sip/peer-process.ts';
import { isBound } from '../helpers/sip/sipp.ts';

const RATE = 16_000;
const FRAME = RATE / 50;
const SAID_MS = 3_000;
const MEDIA: NegotiatedMedia = {
  remoteAddress: '127.0.0.1',
  remotePort: 0,
  remoteRtcpPort: 0,
  rtcpMux: true,
  codec: { name: 'OPUS', payloadType: 97, clockRate: 48_000, opus: { usesFec: true } },
  dtmfPayloadType: null,
  ptimeMs: 20,
  direction: 'sendrecv',
};

const peers = useMediaPeers('opus-peers');

/** What we hear of the packets at a socket; `isLost` names those that the network loses. */
async function hearing(isLost: (packet: number) => boolean = () => false) {
  const socket = await peers.socket();
  const opus = await Opus.open(RATE);
  peers.later(() => opus.close());
  const heard: number[] = [];
  const lengths = new Set<number>();
  let concealed = 0;
  const onFrame = (frame: Int16Array, _place: number, isConcealed: boolean): void => {
    heard.push(...frame);
    if (isConcealed) concealed += 1;
  };
  const inbound = new InboundStream({ onFrame, onDigit: () => {} }, RATE, opus);
  inbound.setMedia(MEDIA);
  const view = createRtpView();
  let count = 0;
  let stamps: { readonly first: number; last: number } | null = null;
  socket.on('message', (bytes) => {
    if (!parseRtp(bytes, view) || view.payloadType !== MEDIA.codec.payloadType) return;
    if (stamps !== null) lengths.add(((view.timestamp - stamps.last) >>> 0) / 48);
    stamps = { first: stamps?.first ?? view.timestamp, last: view.timestamp };
    // By the clock of the packets: a busy machine makes none late.
    const at = ((view.timestamp - stamps.first) >>> 0) / 48;
    if (!isLost(count++)) inbound.receive(bytes, view, at, at);
  });
  return {
    port: socket.address().port,
    heard: () => Int16Array.from(heard),
    samples: () => heard.length,
    lengths: () => [...lengths],
    concealed: () => concealed,
  };
}

async function saidFile(): Promise<{ said: Int16Array; file: string }> {
  const said = voice(SAID_MS);
  const file = join(peers.folder, 'said.raw');
  await writeFile(file, Buffer.from(said.buffer));
  return { said, file };
}

/** The last packets of a sound may stay in the peer's encoder. */
const MOST = (SAID_MS - 300) * (RATE / 1000);

it.each([10, 20, 40, 60, 120])('packets of %i ms of ffmpeg are heard whole', async (ms) => {
  const { said, file } = await saidFile();
  const ears = await hearing();
  const ffmpeg = peers.start(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-re', '-f', 's16le', '-ar', String(RATE), '-ac', '1', '-i', file],
    ['-c:a', 'libopus', '-application', 'audio', '-b:a', '24k', '-frame_duration', String(ms)],
    ['-f', 'rtp', '-payload_type', '97', '-rtpflags', '+skip_rtcp', `rtp://127.0.0.1:${ears.port}`],
  );
  expect([await ffmpeg.exited(), ffmpeg.output()]).toEqual([0, expect.any(String)]);
  await until(() => ears.samples() >= MOST, 'the sound is heard');
  expect([ears.lengths(), ears.concealed()]).toEqual([[ms], 0]);
  expect(likeness(said, ears.heard())).toBeGreaterThan(0.9);
});

it.each([20, 40, 60])('packets of %i ms of gstreamer are heard where every eighth is lost', async (ms) => {
  const { said, file } = await saidFile();
  const ears = await hearing((packet) => packet % 8 === 7);
  const gstreamer = peers.start(
    'gst-launch-1.0',
    ['-q', 'filesrc', `location=${file}`],
    ['!', 'rawaudioparse', 'pcm-format=s16le', `sample-rate=${RATE}`, 'num-channels=1'],
    ['!', 'opusenc', `frame-size=${ms}`, 'bitrate=32000'],
    ['inband-fec=true', 'packet-loss-percentage=20'],
    ['!', 'rtpopuspay', 'pt=97', '!', 'udpsink', 'host=127.0.0.1', `port=${ears.port}`],
  );
  expect([await gstreamer.exited(), gstreamer.output()]).toEqual([0, expect.any(String)]);
  await until(() => ears.samples() >= MOST - FRAME * 20, 'the sound is heard');
  // The first packet is shorter in its timestamps: gstreamer takes the encoder's delay off.
  expect(ears.lengths().at(-1)).toBe(ms);
  expect(ears.concealed()).toBeGreaterThan(0);
  expect(likeness(said, ears.heard())).toBeGreaterThan(0.9);
});

it('ffmpeg plays the Opus that we send', async () => {
  const port = await freePort(2);
  await peers.writeSdp(`m=audio ${port} RTP/AVP 97`, 'a=rtpmap:97 opus/48000/2');
  const ffmpeg = peers.start(
    'ffmpeg',
    ['-hide_banner', '-nostdin', '-y', '-protocol_whitelist', 'file,rtp,udp', '-i', 'call.sdp'],
    ['-t', '2', '-ac', '1', '-ar', String(RATE), '-f', 's16le', 'heard.raw'],
  );
  await whenReady(ffmpeg, 'ffmpeg has bound its port', () => isBound(port, ['udp']));
  const socket = await peers.socket();
  const opus = await Opus.open(RATE);
  peers.later(() => opus.close());
  const outbound = new OutboundStream({
    ssrc: 0x5eed_1234,
    sequence: 65_500,
    timestamp: 1_000,
    rate: RATE,
    opus,
    send: (packet, length) => socket.send(Buffer.from(packet.subarray(0, length)), port, '127.0.0.1'),
  });
  outbound.setMedia(MEDIA);
  const said = voice(SAID_MS + 1_000);
  for (let from = 0; from + FRAME <= said.length; from += FRAME) {
    const fill = (out: Int16Array): boolean => (out.set(said.subarray(from, from + FRAME)), true);
    outbound.tick({ fill, onAudio: () => {}, onDtmf: () => {}, onMediaTimeout: () => {} }, true, 0, 0);
    await sleep(5);
  }
  expect([await ffmpeg.exited(), ffmpeg.output()]).toEqual([0, expect.any(String)]);
  const heard = pcmOf(await readFile(join(peers.folder, 'heard.raw')));
  expect(heard.length).toBeGreaterThanOrEqual(2 * RATE);
  expect(likeness(said, heard)).toBeGreaterThan(0.9);
});
