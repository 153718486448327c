import { createSocket, type Socket } from 'node:dgram';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  type MediaSink,
  type NegotiatedMedia,
  PortPool,
  RtpLeg,
  Wheel,
  writeRtpHeader,
} from '@callwright/rtp';
import type { DtmfDigit } from '@callwright/audio';

/** Address of all legs and sockets. */
export const ADDRESS = '127.0.0.1';

/** A sink that plays a tone and records received audio. */
export class ToneSink implements MediaSink {
  readonly heard: number[] = [];
  readonly places: number[] = [];
  readonly digits: DtmfDigit[] = [];
  concealed = 0;
  timeouts = 0;
  readonly #hz: number;
  #sample = 0;
  constructor(hz: number) {
    this.#hz = hz;
  }
  onAudio(pcm: Int16Array, timestamp: number, concealed: boolean): void {
    this.places.push(timestamp);
    if (concealed) this.concealed += 1;
    for (const sample of pcm) this.heard.push(sample);
  }
  fill(out: Int16Array): boolean {
    if (this.#hz === 0) return false;
    for (let i = 0; i < out.length; i++) {
      out[i] = Math.round(8000 * Math.sin((2 * Math.PI * this.#hz * this.#sample++) / 8000));
    }
    return true;
  }
  onDtmf(digit: DtmfDigit): void {
    this.digits.push(digit);
  }
  onMediaTimeout(): void {
    this.timeouts += 1;
  }
}

/** Median power share at `hz` over 50 ms pieces, 1 for a pure tone; a stall of the machine affects one piece only. */
export function toneShare(samples: readonly number[], hz: number): number {
  const shares = Array.from({ length: Math.floor(samples.length / 400) }, (_, i) =>
    shareOfPiece(samples.slice(i * 400, (i + 1) * 400), hz),
  );
  return shares.sort((a, b) => a - b)[Math.floor(shares.length / 2)] ?? 0;
}

/** True for complete frames in increasing order; a stall may drop frames but never splits or repeats one. */
export const inOrder = (places: readonly number[]): boolean =>
  places.every((place, i) => i === 0 || (place > (places[i - 1] as number) && place % 160 === 0));

function shareOfPiece(samples: readonly number[], hz: number): number {
  let re = 0;
  let im = 0;
  let power = 0;
  for (const [i, sample] of samples.entries()) {
    re += sample * Math.cos((2 * Math.PI * hz * i) / 8000);
    im += sample * Math.sin((2 * Math.PI * hz * i) / 8000);
    power += sample * sample;
  }
  return power === 0 ? 0 : (2 * (re * re + im * im)) / (samples.length * power);
}

export const media = (remotePort: number, more: Partial<NegotiatedMedia> = {}): NegotiatedMedia => ({
  remoteAddress: ADDRESS,
  remotePort,
  remoteRtcpPort: remotePort + 1,
  rtcpMux: false,
  codec: { name: 'PCMU', payloadType: 0, clockRate: 8000 },
  dtmfPayloadType: 101,
  ptimeMs: 20,
  direction: 'sendrecv',
  ...more,
});

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export async function until(done: () => boolean, limitMs = 90_000): Promise<void> {
  for (let waited = 0; !done() && waited < limitMs; waited += 10) await sleep(10);
}

const closers: (() => Promise<void> | void)[] = [];
/** Registers a clean-up for `closeLegs`. */
export const closeLater = (close: () => Promise<void> | void): void => void closers.push(close);
/** Runs the registered clean-ups in reverse order. */
export async function closeLegs(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close();
}

const clock = systemClock;
export function bench() {
  const wheel = new Wheel({ clock });
  const ports = new PortPool({ clock, range: null });
  wheel.start();
  closers.push(() => wheel.stop());
  return {
    ports,
    open: async (mediaTimeoutMs = 20_000): Promise<RtpLeg> => {
      const leg = await RtpLeg.open({
        ports,
        address: ADDRESS,
        wheel,
        clock,
        log: silentLog,
        mediaTimeoutMs,
      });
      closers.push(() => leg.close());
      return leg;
    },
  };
}

export async function bindSocket(): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => {
    socket.bind(0, ADDRESS, resolve);
  });
  let open = true;
  closers.push(() => {
    if (open) socket.close();
    open = false;
  });
  return { socket, port: socket.address().port };
}

/** One RTP packet of 20 ms, `fill` in every payload byte. */
export function rtp(sequence: number, options: { ssrc?: number; type?: number; fill?: number } = {}): Buffer {
  const packet = Buffer.alloc(12 + 160, options.fill ?? 0xff);
  writeRtpHeader(packet, options.type ?? 0, false, sequence, sequence * 160, options.ssrc ?? 7);
  return packet;
}
