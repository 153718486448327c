import { decodeUlawTo, encodeUlawTo, ULAW_SILENCE } from '@callwright/audio';
import type { MediaSink, Wheel, WheelMember } from '@callwright/rtp';
import { FakeCarrierApi, fakeCarrierAccount, fakeTrunkSettings } from '@callwright/stand-ins';
import { WebSocket } from 'ws';

/** A frame of the bench's callers, who speak at 8 kHz. */
const FRAME = 160;
const ACCOUNT = fakeCarrierAccount('twilio');
export const STREAM_NUMBER = '+14155550200';
export const STREAM_TRUNK = {
  name: 'stream',
  kind: 'twilio',
  uri: 'https://api.twilio.com',
  ...fakeTrunkSettings(ACCOUNT),
};
/** The service takes so many upgrades of one address at once, and two a second after that. */
const AT_ONCE = 38;
const PAUSE_MS = 520;

/** The carrier's side of a call over Twilio Media Streams: plays a frame every 20 ms, and returns marks as they are reached. */
export class StreamLine implements WheelMember {
  readonly #socket: WebSocket;
  readonly #sink: MediaSink;
  readonly #wheel: Wheel;
  readonly #out = new Int16Array(FRAME);
  readonly #in = new Int16Array(FRAME);
  readonly #bytes = Buffer.alloc(FRAME, ULAW_SILENCE);
  readonly #streamSid: string;
  #queue: (Buffer | string)[] = [];
  #sent = 0;
  #played = 0;

  private constructor(socket: WebSocket, callSid: string, sink: MediaSink, wheel: Wheel) {
    this.#socket = socket;
    this.#sink = sink;
    this.#wheel = wheel;
    this.#streamSid = `MZ${callSid.slice(2)}`;
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString('utf8'))));
    const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
    this.#send({ event: 'start', start: { streamSid: this.#streamSid, callSid, mediaFormat } });
    wheel.add(this);
  }

  /** The nth caller calls the number of the trunk with this webhook. */
  static async open(webhook: string, n: number, sink: MediaSink, wheel: Wheel): Promise<StreamLine> {
    if (n >= AT_ONCE) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const api = new FakeCarrierApi(ACCOUNT);
    const call = api.newCaller(`+1415556${String(1000 + n)}`, STREAM_NUMBER);
    const address = (await api.announce(call, webhook)) ?? '';
    const socket = new WebSocket(address, { perMessageDeflate: false, headers: api.upgradeHeaders(address) });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve());
      socket.once('error', reject);
    });
    return new StreamLine(socket, call.callId, sink, wheel);
  }

  onTick(at: number): void {
    if (!this.#sink.fill(this.#out, at)) this.#out.fill(0);
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    encodeUlawTo(this.#bytes, 0, this.#out);
    this.#sent += 1;
    const payload = this.#bytes.toString('base64');
    const media = {
      track: 'inbound',
      chunk: String(this.#sent),
      timestamp: String(this.#sent * 20),
      payload,
    };
    this.#send({ event: 'media', media });
    this.#play();
  }

  close(): void {
    this.#wheel.remove(this);
    this.#socket.close(1000);
  }

  #play(): void {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (typeof next === 'string') {
        this.#send({ event: 'mark', mark: { name: next } });
        continue;
      }
      decodeUlawTo(this.#in, next);
      this.#sink.onAudio(this.#in, this.#played * FRAME, false, Date.now());
      this.#played += 1;
      return;
    }
  }

  #take(message: any): void {
    if (message.event === 'media') {
      const bytes = Buffer.from(message.media.payload, 'base64');
      for (let at = 0; at + FRAME <= bytes.length; at += FRAME)
        this.#queue.push(bytes.subarray(at, at + FRAME));
    } else if (message.event === 'mark') this.#queue.push(message.mark.name);
    else if (message.event === 'clear') {
      const marks = this.#queue.filter((item) => typeof item === 'string');
      this.#queue = [];
      for (const name of marks) this.#send({ event: 'mark', mark: { name } });
    }
  }

  #send(message: object): void {
    this.#socket.send(JSON.stringify({ ...message, streamSid: this.#streamSid }));
  }
}
