import { type DtmfDigit, decodeUlawTo, encodeUlawTo } from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats, NegotiatedMedia } from '@callwright/rtp';
import type { VirtualTime } from './virtual-time.ts';

const FRAME = 160;
/** Interval between two keys: tone and pause. */
const KEY_MS = 180;

/** One end of a line without packets: frames are mu-law coded and arrive at the other end one frame later. */
export class VirtualLeg implements MediaLeg {
  readonly sampleRate = 8000;
  readonly port: number;
  readonly #time: VirtualTime;
  #other: VirtualLeg | null = null;
  #sink: MediaSink | null = null;
  #remove: (() => void) | null = null;
  readonly #arriving: Int16Array[] = [];
  readonly #wire = new Uint8Array(FRAME);
  #sent = 0;
  #received = 0;

  constructor(time: VirtualTime, port = 0) {
    this.#time = time;
    this.port = port;
  }

  /** Connects two ends. */
  static join(one: VirtualLeg, other: VirtualLeg): void {
    one.#other = other;
    other.#other = one;
  }

  update(_media: NegotiatedMedia): void {
    // The rig connects both ends, so negotiated media needs no action.
  }

  start(sink: MediaSink): void {
    this.#sink = sink;
    this.#remove ??= this.#time.onTick((at) => this.#tick(at));
  }

  sendDtmf(digits: readonly DtmfDigit[]): void {
    for (const [n, digit] of digits.entries()) {
      this.#time.after((n + 1) * KEY_MS, () => this.#other?.press(digit));
    }
  }

  stats(): MediaStats {
    return {
      codec: 'PCMU',
      packetsSent: this.#sent,
      packetsReceived: this.#received,
      packetsLost: 0,
      packetsLate: 0,
      duplicates: 0,
      concealedMs: 0,
      jitterMs: 0,
      roundTripMs: null,
      remoteLossFraction: null,
      remoteJitterMs: null,
      strayPackets: 0,
    };
  }

  close(): Promise<void> {
    this.#remove?.();
    this.#remove = null;
    this.#sink = null;
    return Promise.resolve();
  }

  /** Receives a key from the other end. */
  press(digit: DtmfDigit): void {
    this.#sink?.onDtmf(digit, this.#time.now());
  }

  signalKeysBy(): void {}

  sendInAudio(digits: readonly DtmfDigit[]): void {
    this.sendDtmf(digits);
  }

  signalledDigit(digit: DtmfDigit, at: number): void {
    this.#sink?.onDtmf(digit, at);
  }

  #tick(at: number): void {
    const frame = this.#arriving.shift();
    if (frame !== undefined) {
      this.#sink?.onAudio(frame, this.#received * FRAME, false, at);
      this.#received += 1;
    }
    const out = new Int16Array(FRAME);
    if (this.#sink?.fill(out, at) !== true) out.fill(0);
    this.#other?.arrive(out);
    this.#sent += 1;
  }

  /** Receives a frame from the other end. */
  arrive(sent: Int16Array): void {
    if (this.#sink === null) return;
    encodeUlawTo(this.#wire, 0, sent);
    const frame = new Int16Array(FRAME);
    decodeUlawTo(frame, this.#wire);
    this.#arriving.push(frame);
  }
}
