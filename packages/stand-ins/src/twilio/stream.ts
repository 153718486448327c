import { ULAW_SILENCE, decodeUlawTo, encodeUlawTo } from '@callwright/audio';
import { TWILIO_WIRE, type FakeMessage, type FakeStreamIds, type FakeWire } from './wire.ts';

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
type Queued = { readonly ulaw: Buffer } | { readonly mark: string };

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
  readonly #send: (text: string) => void;
  readonly #random: () => number;
  #queue: Queued[] = [];
  #speech = Buffer.alloc(0);
  #held: { readonly due: number; readonly text: string }[] = [];
  #swapped: string | null = null;
  #sequence = 0;
  #chunk = 0;
  #sentMs = 0;
  #pendingMs = 0;

  constructor(options: {
    readonly callSid: string;
    readonly accountSid: string;
    readonly send: (text: string) => void;
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
    this.#random = options.random ?? Math.random;
    this.settings = { ...FAKE_STREAM_SETTINGS, ...options.settings };
  }

  /** Begins the stream: `connected` and `start`. */
  open(): void {
    for (const { event, rest } of this.#wire.begin(this.#ids)) this.#event(event, rest);
  }

  /** The caller says this next; PCM at 8 kHz. */
  say(pcm: Int16Array): void {
    const ulaw = Buffer.alloc(pcm.length);
    encodeUlawTo(ulaw, 0, pcm);
    this.#speech = Buffer.concat([this.#speech, ulaw]);
  }

  press(digit: string): void {
    this.#event('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  /** The caller hangs up. */
  hangUp(): void {
    const stop = this.#wire.stop(this.#ids);
    if (stop !== null) this.#event(stop.event, stop.rest);
  }

  /** Audio that waits to be played, ms. */
  get queuedMs(): number {
    return this.#queue.reduce((ms, item) => ms + ('ulaw' in item ? item.ulaw.length / SAMPLES_PER_MS : 0), 0);
  }

  /** Takes a message of the service. */
  receive(text: string): void {
    const command = this.#wire.read(JSON.parse(text) as FakeMessage, this.#ids);
    if (command.type === 'error') this.errors.push(command.code);
    else if (command.type === 'audio') this.#queue.push({ ulaw: command.ulaw });
    else if (command.type === 'clear') this.#clear();
    else {
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
    while ((this.#held[0]?.due ?? Infinity) <= at) this.#send(this.#held.shift()?.text ?? '');
  }

  #clear(): void {
    this.clearedMs += this.queuedMs;
    const marks = this.#queue.filter((item) => 'mark' in item);
    this.#queue = marks;
    this.#returnMarks();
    if (this.#wire.cleared !== null) this.#event(this.#wire.cleared, {});
  }

  #play(): void {
    let missing = STEP;
    const parts: Buffer[] = [];
    while (missing > 0) {
      this.#returnMarks();
      const first = this.#queue[0];
      if (first === undefined || !('ulaw' in first)) break;
      const part = first.ulaw.subarray(0, missing);
      parts.push(part);
      missing -= part.length;
      if (part.length === first.ulaw.length) this.#queue.shift();
      else this.#queue[0] = { ulaw: first.ulaw.subarray(part.length) };
    }
    this.#returnMarks();
    if (parts.length === 0) {
      this.heard.push(null);
      return;
    }
    const pcm = new Int16Array(STEP);
    decodeUlawTo(pcm, Buffer.concat([...parts, Buffer.alloc(missing, ULAW_SILENCE)]));
    this.heard.push(pcm);
  }

  #returnMarks(): void {
    for (;;) {
      const first = this.#queue[0];
      if (first === undefined || !('mark' in first)) return;
      this.#queue.shift();
      const { event, rest } = this.#wire.mark(first.mark);
      this.#event(event, rest);
    }
  }

  #nextMedia(ms: number): string {
    const length = ms * SAMPLES_PER_MS;
    const ulaw = Buffer.alloc(length, ULAW_SILENCE);
    this.#speech.copy(ulaw, 0, 0, length);
    this.#speech = this.#speech.subarray(length);
    this.#chunk += 1;
    const media = {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String(this.#sentMs),
      payload: ulaw.toString('base64'),
    };
    this.#sentMs += ms;
    return this.#text('media', { media });
  }

  #deliver(text: string, at: number): void {
    const { jitterMs, swapEvery, duplicates } = this.settings;
    if (swapEvery > 0 && this.#chunk % swapEvery === 0 && this.#swapped === null) {
      this.#swapped = text;
      return;
    }
    const before = this.#held.at(-1)?.due ?? 0;
    const due = Math.max(before, at + jitterMs * this.#random());
    const texts = [text, ...(this.#swapped === null ? [] : [this.#swapped]), ...(duplicates ? [text] : [])];
    this.#swapped = null;
    this.#held.push(...texts.map((one) => ({ due, text: one })));
  }

  #event(event: string, rest: object): void {
    this.#send(this.#text(event, rest));
  }

  #text(event: string, rest: object): string {
    this.#sequence += 1;
    const common = this.#wire.common(this.#ids);
    return JSON.stringify({ event, sequenceNumber: String(this.#sequence), ...common, ...rest });
  }
}
