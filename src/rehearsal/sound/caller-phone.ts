import { mixInto, mixLoop, type Loop } from '@callwright/audio';
import {
  closeSocket,
  createRtpView,
  InboundStream,
  type MediaSink,
  type NegotiatedMedia,
  OutboundStream,
  parseRtp,
  type PortPair,
  type PortPool,
  type Wheel,
  type WheelMember,
} from '@callwright/rtp';
import type { Clock } from '../../shared/clock.ts';
import { draw } from '../draw.ts';
import type { CallerPersona } from '../scenario/document.ts';
import { lineNoise } from './line-noise.ts';

const ADDRESS = '127.0.0.1';
const FRAME_SAMPLES = 160;
/** Packets that a bad line loses, where the scenario does not say. */
const BAD_LINE_LOSS = 0.02;
/** From the loudspeaker to the microphone and through the phone: 60 ms. */
const ECHO_FRAMES = 3;

interface PhoneDeps {
  readonly ports: PortPool;
  readonly wheel: Wheel;
  readonly clock: Clock;
  readonly seed: number;
  readonly persona: Pick<CallerPersona, 'noise' | 'line'>;
  /** The caller's words, 20 ms; false: it says nothing. */
  readonly speak: (out: Int16Array) => boolean;
}

/** The phone of a simulated caller: RTP on loopback with the noise, echo, loss and jitter of its persona. */
export class CallerPhone implements MediaSink, WheelMember {
  readonly port: number;
  readonly #deps: PhoneDeps;
  readonly #sockets: PortPair;
  readonly #outbound: OutboundStream;
  readonly #noise: Loop | null;
  readonly #loss: number;
  readonly #jitterMs: number;
  /** Null: nothing comes back. */
  readonly #echo: { readonly gain: number; readonly inbound: InboundStream } | null;
  readonly #played: Int16Array[] = [];
  readonly #delayed = new Set<NodeJS.Timeout>();
  #packets = 0;
  #media: NegotiatedMedia | null = null;

  static async open(deps: PhoneDeps): Promise<CallerPhone> {
    return new CallerPhone(deps, await deps.ports.open(ADDRESS));
  }

  private constructor(deps: PhoneDeps, sockets: PortPair) {
    const { seed, persona } = deps;
    const { line = {}, noise = 'quiet' } = persona;
    this.#deps = deps;
    this.#sockets = sockets;
    this.port = sockets.port;
    this.#noise = lineNoise(noise, seed);
    this.#loss = line.loss ?? (noise === 'bad_line' ? BAD_LINE_LOSS : 0);
    this.#jitterMs = line.jitter_ms ?? 0;
    const { echo_db: echoDb } = line;
    this.#echo =
      echoDb === undefined
        ? null
        : {
            gain: 10 ** (echoDb / 20),
            inbound: new InboundStream({
              onFrame: (pcm) => this.onAudio(pcm),
              onDigit: () => undefined,
            }),
          };
    this.#outbound = new OutboundStream({
      ssrc: Math.floor(draw(seed, 'ssrc') * 4_294_967_296),
      sequence: 1,
      timestamp: 0,
      send: (packet, length) => this.#send(packet, length),
    });
    sockets.rtp.on('message', (bytes) => this.#received(bytes));
    // A closed port of the far side is the end of the call, which the signalling reports.
    for (const socket of [sockets.rtp, sockets.rtcp]) socket.on('error', () => undefined);
  }

  /** Sends and receives from now on. */
  start(media: NegotiatedMedia): void {
    this.#media = media;
    this.#outbound.setMedia(media);
    this.#echo?.inbound.setMedia(media);
    this.#deps.wheel.add(this);
  }

  onTick(at: number, skipped: number): void {
    this.#echo?.inbound.tick(at);
    this.#outbound.tick(this, true, skipped, at);
  }

  onAudio(pcm: Int16Array): void {
    this.#played.push(pcm.slice());
  }

  fill(out: Int16Array): boolean {
    const speaks = this.#deps.speak(out);
    if (this.#echo === null && this.#noise === null) return speaks;
    if (!speaks) out.fill(0);
    if (this.#noise !== null) mixLoop(out, this.#noise, 1);
    if (this.#echo !== null) {
      const echo = this.#played.length >= ECHO_FRAMES ? this.#played.shift() : undefined;
      if (echo !== undefined) mixInto(out, echo.subarray(0, FRAME_SAMPLES), this.#echo.gain);
    }
    return true;
  }

  onDtmf(): void {
    // A caller in rehearsal takes no keys from the agent.
  }

  onMediaTimeout(): void {
    // The signalling reports the end of the call.
  }

  async close(): Promise<void> {
    const { wheel, ports } = this.#deps;
    wheel.remove(this);
    for (const timer of this.#delayed) clearTimeout(timer);
    this.#media = null;
    await Promise.all([closeSocket(this.#sockets.rtp), closeSocket(this.#sockets.rtcp)]);
    ports.release(this.port);
  }

  #received(bytes: Buffer): void {
    if (this.#echo === null || this.#media === null) return;
    const view = createRtpView();
    const { clock } = this.#deps;
    if (parseRtp(bytes, view)) this.#echo.inbound.receive(bytes, view, clock.monotonic(), clock.now());
  }

  #send(packet: Buffer, length: number): void {
    const { seed } = this.#deps;
    const media = this.#media;
    this.#packets += 1;
    if (media === null || (this.#loss > 0 && draw(seed, 'packet', this.#packets) < this.#loss)) return;
    if (this.#jitterMs === 0) {
      this.#sockets.rtp.send(packet, 0, length, media.remotePort, media.remoteAddress);
      return;
    }
    const late = Buffer.from(packet.subarray(0, length));
    const timer = setTimeout(
      () => {
        this.#delayed.delete(timer);
        this.#sockets.rtp.send(late, 0, length, media.remotePort, media.remoteAddress);
      },
      draw(seed, 'jitter', this.#packets) * this.#jitterMs,
    );
    this.#delayed.add(timer);
  }
}
