import { FAKE_CODECS } from './codecs.ts';
import { TWILIO_WIRE, type FakeEvent, type FakeMessage, type FakeStreamIds, type FakeWire } from './wire.ts';

/** How the carrier delivers; a change applies to the next step. */
export interface FakeStreamSettings {
  /** Audio in one message, ms: 20 or 100. */
  chunkMs: number;
  /** Each message waits up to so long, ms; their order stays. */
  jitterMs: number;
  /** Every so many messages of audio, one goes behind the next; 0: never. */
  swapEvery: number;
  /** Sends each message of audio twice. */
  duplicates: boolean;
}

export const FAKE_STREAM_SETTINGS: FakeStreamSettings = {
  chunkMs: 20,
  jitterMs: 0,
  swapEvery: 0,
  duplicates: false,
};

const STEP_MS = 20;
const SAMPLES_PER_MS = 8;
const STEP = STEP_MS * SAMPLES_PER_MS;

/** What the carrier plays to the caller, oldest first. */
type Queued = { readonly pcm: Int16Array } | { readonly mark: string };

/**
 * One call at Twilio Media Streams, or a carrier with another `wire`, as the carrier plays it: sends the caller's audio, plays what it receives by a clock
 * of 20 ms, and returns marks when they are reached or cleared. It has no timers: `step` is its clock.
 */
export class FakeTwilioStream {
  readonly settings: FakeStreamSettings;
  /** What the caller heard, in frames of 20 ms; null: silence. */
  readonly heard: (Int16Array | null)[] = [];
  /** Errors of the carrier's catalogue, such as 31924 for a message that is none. */
  readonly errors: number[] = [];
  /** Audio that was dropped by `clear`, ms. */
  clearedMs = 0;
  readonly #ids: FakeStreamIds;
  readonly #wire: FakeWire;
  readonly #send: (message: string | Buffer) => void;
  readonly #random: () => number;
  readonly #onEnd: () => void;
  #queue: Queued[] = [];
  #speech: Int16Array = new Int16Array(0);
  #held: { readonly due: number; readonly message: string | Buffer }[] = [];
  #swapped: string | Buffer | null = null;
  #sequence = 0;
  #chunk = 0;
  #sentMs = 0;
  #pendingMs = 0;

  constructor(options: {
    readonly callSid: string;
    readonly accountSid: string;
    readonly send: (message: string | Buffer) => void;
    /** The service ends the call by a message. */
    readonly onEnd?: () => void;
    readonly settings?: Partial<FakeStreamSettings>;
    /** Absent: that of Twilio. */
    readonly wire?: FakeWire;
    /** From 0 to 1, for the jitter. */
    readonly random?: () => number;
  }) {
    const { callSid, accountSid } = options;
    this.#ids = { callId: callSid, account: accountSid, streamId: `MZ${callSid.slice(2)}` };
    this.#wire = options.wire ?? TWILIO_WIRE;
    this.#send = options.send;
    this.#onEnd = options.onEnd ?? (() => undefined);
    this.#random = options.random ?? Math.random;
    this.settings = { ...FAKE_STREAM_SETTINGS, ...options.settings };
  }

  /** Begins the stream: `connected` and `start`. */
  open(): void {
    for (const event of this.#wire.begin(this.#ids)) this.#event(event);
  }

  /** The caller says this next; PCM at 8 kHz. */
  say(pcm: Int16Array): void {
    const speech = new Int16Array(this.#speech.length + pcm.length);
    speech.set(this.#speech);
    speech.set(pcm, this.#speech.length);
    this.#speech = speech;
  }

  /** The caller presses a key, which some carriers do not report. */
  press(digit: string): void {
    const twilio = { event: 'dtmf', rest: { dtmf: { track: 'inbound_track', digit } } };
    const event = this.#wire.key === undefined ? twilio : this.#wire.key(digit);
    if (event !== null) this.#event(event);
  }

  /** The caller hangs up. */
  hangUp(): void {
    const stop = this.#wire.stop(this.#ids);
    if (stop !== null) this.#event(stop);
  }

  /** Audio that waits to be played, ms. */
  get queuedMs(): number {
    return this.#queue.reduce((ms, item) => ms + ('pcm' in item ? item.pcm.length / SAMPLES_PER_MS : 0), 0);
  }

  /** Takes a message of the service; a Buffer is a binary one. */
  receive(message: string | Buffer): void {
    const command =
      typeof message === 'string'
        ? (this.#wire.readPlain?.(message) ?? this.#wire.read(JSON.parse(message) as FakeMessage, this.#ids))
        : ({ type: 'audio', bytes: message } as const);
    if (command.type === 'error') this.errors.push(command.code);
    else if (command.type === 'audio')
      this.#queue.push({ pcm: FAKE_CODECS[this.#wire.plays ?? 'ulaw'].decode(command.bytes) });
    else if (command.type === 'clear') this.#clear();
    else if (command.type === 'end') this.#onEnd();
    else if (command.type === 'mark') {
      this.#queue.push({ mark: command.name });
      this.#returnMarks();
    }
  }

  /** 20 ms pass; `at` in ms. */
  step(at: number): void {
    this.#play();
    this.#pendingMs += STEP_MS;
    if (this.#pendingMs >= this.settings.chunkMs) {
      this.#deliver(this.#nextMedia(this.#pendingMs), at);
      this.#pendingMs = 0;
    }
    while ((this.#held[0]?.due ?? Infinity) <= at) this.#send(this.#held.shift()?.message ?? '');
  }

  #clear(): void {
    this.clearedMs += this.queuedMs;
    const marks = this.#queue.filter((item) => 'mark' in item);
    this.#queue = marks;
    this.#returnMarks();
    if (this.#wire.cleared !== null) this.#event({ event: this.#wire.cleared, rest: {} });
  }

  #play(): void {
    const pcm = new Int16Array(STEP);
    let filled = 0;
    while (filled < STEP) {
      this.#returnMarks();
      const first = this.#queue[0];
      if (first === undefined || !('pcm' in first)) break;
      const part = first.pcm.subarray(0, STEP - filled);
      pcm.set(part, filled);
      filled += part.length;
      if (part.length === first.pcm.length) this.#queue.shift();
      else this.#queue[0] = { pcm: first.pcm.subarray(part.length) };
    }
    this.#returnMarks();
    this.heard.push(filled === 0 ? null : pcm);
  }

  #returnMarks(): void {
    for (;;) {
      const first = this.#queue[0];
      if (first === undefined || !('mark' in first)) return;
      this.#queue.shift();
      const event = this.#wire.mark(first.mark);
      if (event !== null) this.#event(event);
    }
  }

  #nextMedia(ms: number): string | Buffer {
    const pcm = new Int16Array(ms * SAMPLES_PER_MS);
    pcm.set(this.#speech.subarray(0, pcm.length));
    this.#speech = this.#speech.subarray(pcm.length);
    this.#chunk += 1;
    const bytes = FAKE_CODECS[this.#wire.sends ?? 'ulaw'].encode(pcm);
    const media = this.#wire.media?.(bytes, this.#chunk, this.#sentMs) ?? this.#media(bytes);
    this.#sentMs += ms;
    return Buffer.isBuffer(media) ? media : this.#text(media);
  }

  #media(bytes: Buffer): FakeEvent {
    const media = {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String(this.#sentMs),
      payload: bytes.toString('base64'),
    };
    return { event: 'media', rest: { media } };
  }

  #deliver(message: string | Buffer, at: number): void {
    const { jitterMs, swapEvery, duplicates } = this.settings;
    // Binary messages have no numbers: the connection keeps their order, and none comes twice.
    const isNumbered = typeof message === 'string';
    if (isNumbered && swapEvery > 0 && this.#chunk % swapEvery === 0 && this.#swapped === null) {
      this.#swapped = message;
      return;
    }
    const before = this.#held.at(-1)?.due ?? 0;
    const due = Math.max(before, at + jitterMs * this.#random());
    const again = isNumbered && duplicates ? [message] : [];
    const messages = [message, ...(this.#swapped === null ? [] : [this.#swapped]), ...again];
    this.#swapped = null;
    this.#held.push(...messages.map((one) => ({ due, message: one })));
  }

  #event(event: FakeEvent): void {
    this.#send(this.#text(event));
  }

  #text(event: FakeEvent): string {
    this.#sequence += 1;
    if (this.#wire.text !== undefined) return this.#wire.text(event, this.#sequence, this.#ids);
    const common = this.#wire.common(this.#ids);
    return JSON.stringify({
      event: event.event,
      sequenceNumber: String(this.#sequence),
      ...common,
      ...event.rest,
    });
  }
}
