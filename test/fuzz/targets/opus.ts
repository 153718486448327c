import { createRtpView, InboundStream, Opus, parseRtp, writeRtpHeader } from '@callwright/rtp';
import { createEncoder } from 'libopus-wasm';
import type { Dice } from '../dice.ts';
import { mutateBytes } from '../mutate.ts';
import { must, type Target } from '../target.ts';

const RATE = 16_000;
const FRAME = RATE / 50;
const TICKS_PER_MS = 48;
const LONGEST = (RATE / 1000) * 120;
const HEADER = 12;
const TYPE = 111;
const LENGTH_BYTES = 2;
/** Concealed frames that one packet may cause: 60 ms, and the time of the packet itself. */
const MOST_CONCEALED = 10;
/** Lengths at the limits of frames and of packets. */
const LENGTHS = [0, 1, 2, 3, 10, 60, 251, 252, 253, 1_275, 1_276, 1_277, 1_460, 3_000];

/** Packets of an encoder in each mode and duration. */
async function realPackets(): Promise<readonly Buffer[]> {
  const packets: Buffer[] = [];
  for (const bitrate of [8_000, 16_000, 32_000, 96_000])
    for (const ms of [2.5, 5, 10, 20, 40, 60]) {
      const size = 48 * ms;
      const encoder = await createEncoder({ sampleRate: 48_000, channels: 1, bitrate, fec: true });
      for (let n = 0; n < 3; n++) {
        const pcm = Int16Array.from({ length: size }, (_, i) => 9_000 * Math.sin((n * size + i) / (20 + n)));
        packets.push(Buffer.from(encoder.encode(pcm, { frameSize: size })));
      }
      encoder.free();
    }
  return packets;
}

const corpus: readonly Buffer[] = [
  ...(await realPackets()),
  Buffer.from([0x7f, 0x82, 1]),
  Buffer.from([0x0b, 0xc2, 255, 255, 3, 2, 1, 1]),
];

/** A payload of any configuration: each mode, bandwidth, frame size, channels and count of frames. */
function payload(dice: Dice): Buffer {
  const real = dice.pick(corpus);
  if (dice.chance(0.4)) return real;
  if (dice.chance(0.5)) return mutateBytes(real, corpus, dice);
  const made = dice.bytes(dice.chance(0.9) ? dice.below(80) : dice.pick(LENGTHS));
  if (made.length > 1)
    made.writeUInt8(dice.pick([made.readUInt8(1), dice.below(8), 0x80 | dice.below(8)]), 1);
  return made;
}

/** One input: packets with their length before them, each with a lost, late, repeated or jumping number now and then. */
function make(dice: Dice): Buffer {
  let timestamp = dice.pick([0, 0xffff_f000]);
  return Buffer.concat(
    Array.from({ length: dice.from(1, 12) }, (_, n) => {
      const body = payload(dice);
      const bytes = Buffer.concat([Buffer.alloc(HEADER), body]);
      const sequence = (65_530 + n + (dice.chance(0.15) ? dice.from(-3, 3) : 0)) & 0xffff;
      timestamp += TICKS_PER_MS * dice.pick([20, 20, 10, 40, 60, 120]);
      if (dice.chance(0.03)) timestamp += dice.pick([0x7fff_ffff, -48_000]);
      writeRtpHeader(bytes, TYPE, n === 0, sequence, timestamp >>> 0, dice.chance(0.02) ? 2 : 1);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(bytes.length);
      return Buffer.concat([length, bytes]);
    }),
  );
}

interface Growing {
  grow: (this: Growing, pages: number) => number;
}
/** Pages of WebAssembly memory that the library took since the start: otherwise not seen from outside. */
let pages = 0;
const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Growing } } })
  .WebAssembly.Memory;
const { grow } = prototype;
prototype.grow = function (more) {
  pages += more;
  return grow.call(this, more);
};
/** Of all inputs: the first decoders may need more than the library begins with. */
const MOST_PAGES = 64;
let taken = 0;

function* packetsIn(input: Buffer): Generator<Buffer> {
  for (let at = 0; at + LENGTH_BYTES <= input.length;) {
    const length = input.readUInt16BE(at);
    at += LENGTH_BYTES;
    yield input.subarray(at, at + length);
    at += length;
  }
}

async function run(input: Buffer): Promise<void> {
  const [opus, alone] = [await Opus.open(RATE), await Opus.open(RATE)];
  const pcm = new Int16Array(RATE);
  let [heard, concealed, most, packets] = [0, 0, 0, 0];
  const stream = new InboundStream(
    {
      onFrame: (frame, _place, isConcealed) => {
        must(frame.length === FRAME, `a frame of ${frame.length} samples`);
        if (isConcealed) concealed += 1;
        else heard += 1;
      },
      onDigit: () => must(false, 'a key without telephone events'),
    },
    RATE,
    opus,
  );
  stream.setMedia({
    remoteAddress: '192.0.2.9',
    remotePort: 4000,
    remoteRtcpPort: 4001,
    rtcpMux: false,
    codec: { name: 'OPUS', payloadType: TYPE, clockRate: 48_000 },
    dtmfPayloadType: 101,
    dtmfClockRate: 48_000,
    ptimeMs: 20,
    direction: 'sendrecv',
  });
  const view = createRtpView();
  const pagesBefore = pages;
  let now = 1;
  for (const bytes of packetsIn(input)) {
    now += 20;
    stream.tick(now);
    if (!parseRtp(bytes, view)) continue;
    const body = bytes.subarray(view.payloadStart, view.payloadEnd);
    const made = body.length === 0 ? 0 : alone.decode(pcm, body);
    must(made <= LONGEST, `a packet of ${made} samples`);
    most += 1 + Math.ceil(made / FRAME);
    if (!stream.knows(view.payloadType)) continue;
    packets += 1;
    stream.receive(bytes, view, now, now);
  }
  must(heard <= most, `${heard} frames with sound, at most ${most} were sent`);
  must(concealed <= packets * MOST_CONCEALED, `${concealed} concealed frames for ${packets} packets`);
  // Whatever came before, the decoder plays on.
  const [whole] = corpus;
  must(whole !== undefined && alone.decode(pcm, whole) > 0, 'the decoder plays no more');
  opus.close();
  alone.close();
  taken += pages - pagesBefore;
  must(taken <= MOST_PAGES, `the library took ${taken} more pages of 64 KiB`);
}

export const opus: Target = { name: 'opus', nightly: 1_000, make, run };
