import { atCallRate } from './microphone.ts';

/** What the service answers to a page that wants to listen. */
export interface OpenedListening {
  readonly token: string;
  readonly ws_url: string;
}
/** How loud each side of a packet is, 0 to 1. */
export interface Levels {
  readonly caller: number;
  readonly agent: number;
}
export type ListeningState = 'connecting' | 'live' | 'ended';

const PROTOCOL = 'callwright-listen.1';
/** Audio waits this long before it sounds, so that late packets leave no gap. */
const LEAD_SECONDS = 0.12;
/** More audio than this in waiting is dropped: the listener would lag behind the call. */
const MOST_WAITING_SECONDS = 0.6;
const FULL_SCALE = 32_768;

/** The quietest level that shows, in decibels below full scale. */
const FLOOR_DB = -54;

/** The loudness of both sides of interleaved samples: the caller on the left. Silence is 0, full scale 1. */
export function levelsOf(stereo: Int16Array): Levels {
  const level = (side: 0 | 1): number => {
    let sum = 0;
    for (let n = side; n < stereo.length; n += 2) sum += ((stereo[n] ?? 0) / FULL_SCALE) ** 2;
    const rms = Math.sqrt(sum / Math.max(1, stereo.length / 2));
    return rms === 0 ? 0 : Math.min(1, Math.max(0, 1 - (20 * Math.log10(rms)) / FLOOR_DB));
  };
  return { caller: level(0), agent: level(1) };
}

/**
 * Plays a live call: the caller on the left, the assistant on the right. What the page sends is heard once its member has taken
 * the call over.
 */
export class Listening {
  readonly #onState: (state: ListeningState) => void;
  readonly #onLevels: (levels: Levels) => void;
  readonly #context = new AudioContext({ latencyHint: 'interactive' });
  #socket: WebSocket | null = null;
  #rate = 0;
  #nextAt = 0;
  #isEnded = false;
  #hearsOwnSide = true;

  constructor(onState: (state: ListeningState) => void, onLevels: (levels: Levels) => void) {
    this.#onState = onState;
    this.#onLevels = onLevels;
  }

  /** Rejects when the service refuses. */
  async start(open: () => Promise<OpenedListening>): Promise<void> {
    this.#onState('connecting');
    try {
      await this.#context.resume();
      const { token, ws_url: url } = await open();
      if (this.#isEnded) return;
      const socket = new WebSocket(url, [PROTOCOL, `token.${token}`]);
      socket.binaryType = 'arraybuffer';
      socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => this.#take(data));
      socket.addEventListener('close', () => this.stop());
      this.#socket = socket;
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  /** Whether the assistant's side sounds: whoever talks in its place would hear themselves. */
  hearOwnSide(isHeard: boolean): void {
    this.#hearsOwnSide = isHeard;
  }

  /** 20 ms of a microphone, 16 kHz. */
  send(pcm: Int16Array<ArrayBuffer>): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN && this.#rate > 0) socket.send(atCallRate(pcm, this.#rate));
  }

  stop(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#socket?.close(1000);
    void this.#context.close();
    this.#onState('ended');
  }

  #take(data: string | ArrayBuffer): void {
    if (typeof data === 'string') {
      const message = JSON.parse(data) as { type: string; sample_rate: number };
      if (message.type !== 'ready') return;
      this.#rate = message.sample_rate;
      this.#onState('live');
    } else if (this.#rate > 0) {
      const stereo = new Int16Array(data);
      this.#onLevels(levelsOf(stereo));
      this.#play(stereo);
    }
  }

  /** One packet of interleaved samples. */
  #play(stereo: Int16Array): void {
    const now = this.#context.currentTime;
    if (this.#nextAt < now) this.#nextAt = now + LEAD_SECONDS;
    if (this.#nextAt > now + MOST_WAITING_SECONDS) return;
    const length = stereo.length / 2;
    const buffer = this.#context.createBuffer(2, length, this.#rate);
    for (const side of this.#hearsOwnSide ? [0, 1] : [0]) {
      const samples = buffer.getChannelData(side);
      for (let n = 0; n < length; n += 1) samples[n] = (stereo[2 * n + side] ?? 0) / FULL_SCALE;
    }
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.#context.destination);
    source.start(this.#nextAt);
    this.#nextAt += buffer.duration;
  }
}
