import type { VendorSettings } from '../../vendors/catalogue.ts';
import { FRAME_MS } from '@callwright/audio';
import type { Expected } from '@callwright/turns';
import type { SttEvent, SttOptions, SttProvider, SttSession } from '../ports/recogniser.ts';
import type { AudioUse } from '../../voice/measures.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { redact } from '../wire/redact.ts';
import { VendorSocket } from '../wire/socket.ts';
import type { SttDialect, SttVendorEvent, SttVendor, WireMessage } from './dialect.ts';
import { WireAudio } from './wire-audio.ts';

/** Longest audio kept until the connection is ready; older audio is dropped. */
const WAITING_MS = 6_000;
const ANSWER_MS = 1_000;
const STALL_MS = 2_000;
/** At the answer time limit, a vendor that reports its position may lag this far behind the end of speech. */
const LAG_MS = 500;
/** Audio faster than real time, such as a voice note, extends the time limits. */
const LIVE_SPEED = 1.5;
/** Shorter speech may be noise to the vendor. */
const SURE_SPEECH_MS = 300;
/** Speech this long must yield a partial, and then a final, within these fractions of the answer time limit. */
const LONG_SPEECH_MS = 700;
const FIRST_WORDS = 0.7;
const LAST_WORDS = 1.3;
const LATE_ANSWER_MS = 200;
/** Send buffer above which a vendor counts as stuck. */
const LARGEST_BACKLOG = 262_144;

/** Time limits for a silent vendor, and address rules. */
export interface SocketLimits {
  /** Absent: the operator's address, which may be internal. */
  readonly reach?: VendorReach;
  readonly connectMs?: number;
  readonly greetingMs?: number;
  /** From the end of speech to an answer. */
  readonly answerMs?: number;
  /** Silence of a vendor that always answers, during speech. */
  readonly stallMs?: number;
}

/** A recogniser over WebSocket: one connection a session. A lost connection ends the session with `failed`. */
export function createSocketStt(
  vendor: SttVendor,
  settings: Pick<VendorSettings, 'apiKey'>,
  limits: SocketLimits = {},
): SttProvider {
  return {
    name: vendor.name,
    understands: (language) => vendor.understands(language),
    open: (options) => new SocketSession(vendor, vendor.connect(options), options, settings.apiKey, limits),
    close: () => Promise.resolve(),
  };
}

/** A speech segment of our own gate, on the clock of this process. */
interface Speech {
  readonly since: number;
  readonly endedAt: number;
  readonly spokeMs: number;
  /** Audio sent at its end, ms. */
  readonly sentMs: number;
}

class SocketSession implements SttSession {
  readonly #vendor: string;
  readonly #apiKey: string | null;
  readonly #dialect: SttDialect;
  readonly #audio: WireAudio;
  readonly #socket: VendorSocket;
  readonly #answerMs: number;
  readonly #stallMs: number;
  readonly #emit: (event: SttEvent) => void;
  /** Messages until the connection is ready. */
  #waiting: { readonly message: WireMessage; readonly audioMs: number }[] | null = [];
  #waitingMs = 0;
  /** Audio dropped from `#waiting`, ms; the vendor's audio time starts after it. */
  #droppedMs = 0;
  #isClosed = false;
  /** Start of the open speech segment: on the clock of this process, and as reported. */
  #speechAt: number | null = null;
  #speechSince = 0;
  /** Speech segment that ends after this much silence; null: none. */
  #ending: { readonly since: number; readonly spokeMs: number; leftMs: number } | null = null;
  /** Long speeches in a row without a word. */
  #wordless = 0;
  /** Times of the last message since the connection was ready, of the last words, and of the readiness. */
  #heardAt = 0;
  #wordsAt = 0;
  #readyAt = 0;
  #answerTimer: NodeJS.Timeout | null = null;
  #frameAt = 0;
  /** Last partial emitted, to drop repeats. */
  #partial: string | null = null;
  /** Audio sent, ms, and the position that the vendor reported; null: it reports none. */
  #sentMs = 0;
  #answeredMs: number | null = null;
  #frameClock = performance.now();

  constructor(
    vendor: SttVendor,
    dialect: SttDialect,
    options: SttOptions,
    apiKey: string | null,
    limits: SocketLimits,
  ) {
    this.#vendor = vendor.name;
    this.#apiKey = apiKey;
    this.#dialect = dialect;
    this.#emit = (event) => options.onEvent(event);
    this.#audio = new WireAudio(options.sampleRate, dialect.format);
    const { connectMs, greetingMs } = limits;
    this.#answerMs = limits.answerMs ?? ANSWER_MS;
    this.#stallMs = limits.stallMs ?? STALL_MS;
    this.#socket = new VendorSocket({
      vendor: vendor.name,
      url: dialect.url,
      headers: dialect.headers,
      secrets: apiKey === null ? [] : [apiKey],
      ...(limits.reach === undefined ? {} : { guard: limits.reach.guard }),
      ...(connectMs === undefined ? {} : { connectMs }),
      ...(dialect.greets ? (greetingMs === undefined ? {} : { greetingMs }) : { greetingMs: null }),
      closeFault: (code, reason) => dialect.closeFault?.(code, reason) ?? null,
      onOpen: () => {
        for (const message of this.#dialect.begin?.() ?? []) this.#socket.send(message);
        if (!this.#dialect.greets) this.#ready();
      },
      onMessage: (message) => {
        this.#receive(message);
        return this.#waiting === null;
      },
      onFault: (fault) => this.#fail(fault),
    });
  }

  write(frame: Int16Array, at: number): void {
    if (this.#isClosed) return;
    this.#frameAt = at;
    this.#frameClock = performance.now();
    this.#audio.push(frame, (chunk) => this.#send(this.#dialect.audio(chunk), this.#dialect.format.chunkMs));
    if (this.#ending !== null && (this.#ending.leftMs -= FRAME_MS) <= 0) this.#endSpeech(this.#ending);
    this.#watch();
  }

  speechStarted(at: number): void {
    // The pause was too short to end the utterance.
    this.#speechAt = this.#ending?.since ?? performance.now();
    if (this.#ending === null) this.#speechSince = at;
    this.#ending = null;
    for (const message of this.#dialect.speechStarted?.() ?? []) this.#send(message);
  }

  speechEnded(at: number): void {
    const since = this.#speechAt;
    this.#speechAt = null;
    if (this.#isClosed || since === null) return;
    const ending = { since, spokeMs: at - this.#speechSince, leftMs: this.#dialect.endMs ?? 0 };
    if (ending.leftMs > 0) this.#ending = ending;
    else this.#endSpeech(ending);
  }

  #endSpeech({ since, spokeMs }: { readonly since: number; readonly spokeMs: number }): void {
    this.#ending = null;
    if (this.#dialect.speechEnded !== undefined) {
      this.#audio.flush((chunk) => this.#send(this.#dialect.audio(chunk), this.#dialect.format.chunkMs));
      for (const message of this.#dialect.speechEnded()) this.#send(message);
    }
    this.#expectAnswer({ since, endedAt: performance.now(), spokeMs, sentMs: this.#sentMs });
  }

  expect(expected: Expected | null): void {
    for (const message of this.#dialect.expect?.(expected) ?? []) this.#send(message);
  }

  usage(): readonly AudioUse[] {
    return [{ vendor: this.#vendor, model: this.#dialect.model, audioMs: this.#sentMs }];
  }

  close(): void {
    if (this.#isClosed) return;
    this.#end();
    this.#socket.close(...this.#dialect.end);
  }

  /** Ends the session of a vendor that does not answer speech. */
  #expectAnswer(speech: Speech): void {
    const { since, endedAt, spokeMs, sentMs } = speech;
    const detail = `no answer ${this.#answerMs} ms after the speech`;
    switch (this.#dialect.answers) {
      case 'after-speech':
        return this.#after(this.#answerMs, () => {
          if (this.#heardAt < endedAt) this.#timeOut(detail);
        });
      case 'always':
        if (spokeMs < SURE_SPEECH_MS) return;
        return this.#after(this.#answerMs, () => {
          const isLive = spokeMs < LIVE_SPEED * (endedAt - since);
          const isBehind = isLive && this.#answeredMs !== null && this.#answeredMs + LAG_MS < sentMs;
          if (this.#heardAt < since || isBehind) return this.#timeOut(detail);
          if (this.#heardAt >= endedAt) return;
          if (this.#partial !== null) this.#timeOut(detail);
          else this.#expectWords(speech);
        });
      case 'sometimes':
        return this.#after(FIRST_WORDS * this.#answerMs, () => {
          this.#expectWords(speech);
          this.#afterSilence((LAST_WORDS - FIRST_WORDS) * this.#answerMs, sentMs, () => {
            if (this.#partial !== null && this.#heardAt < endedAt) this.#timeOut('words without an end');
          });
        });
    }
  }

  /**
   * Long speech without a word may be noise. A connection that had produced words reconnects and re-hears the speech; a new
   * one without words fails, at once if the vendor did not greet.
   */
  #expectWords({ since, spokeMs }: Speech): void {
    if (this.#wordsAt >= since) {
      this.#wordless = 0;
      return;
    }
    if (spokeMs < LONG_SPEECH_MS || this.#isClosed) return;
    this.#wordless += 1;
    const detail = 'no word of long speech';
    if (this.#wordsAt > 0) this.#lose(detail);
    else if (this.#wordless > (this.#dialect.greets ? 1 : 0)) this.#timeOut(detail);
  }

  /** Fails as retryable. */
  #lose(detail: string): void {
    this.#fail(vendorFault(this.#vendor, 'lost', detail));
  }

  #after(ms: number, check: () => void): void {
    if (this.#isClosed) return;
    if (this.#answerTimer !== null) clearTimeout(this.#answerTimer);
    this.#answerTimer = setTimeout(check, ms);
    this.#answerTimer.unref();
  }

  /**
   * As `#after`, but not before the vendor was sent so much silence as its time limit: it ends utterances by silence, which a
   * busy machine sends late. After a late timer its answer may wait in the socket: once more.
   */
  #afterSilence(ms: number, sentMs: number, check: () => void): void {
    const dueAt = performance.now() + ms;
    this.#after(ms, () => {
      const missingMs = LAST_WORDS * this.#answerMs - (this.#sentMs - sentMs);
      const lateMs = performance.now() - dueAt;
      if (missingMs >= FRAME_MS && this.#waiting === null) this.#afterSilence(missingMs, sentMs, check);
      else if (lateMs > FRAME_MS) this.#after(LATE_ANSWER_MS, check);
      else check();
    });
  }

  #ready(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#readyAt = performance.now();
    for (const { message } of waiting) this.#socket.send(message);
    this.#sentMs += this.#waitingMs;
  }

  /** Sends, or buffers until ready; `audioMs`: length of the audio in the message. */
  #send(message: WireMessage, audioMs = 0): void {
    if (this.#waiting === null) {
      this.#sentMs += audioMs;
      return this.#socket.send(message);
    }
    this.#waiting.push({ message, audioMs });
    this.#waitingMs += audioMs;
    if (this.#waitingMs <= WAITING_MS) return;
    const [oldest] = this.#waiting.splice(
      this.#waiting.findIndex((one) => one.audioMs > 0),
      1,
    );
    this.#waitingMs -= oldest?.audioMs ?? 0;
    this.#droppedMs += oldest?.audioMs ?? 0;
  }

  /** Fails a connection that accepts no data, or answers nothing during speech. */
  #watch(): void {
    if (this.#waiting !== null) return;
    if (this.#socket.buffered > LARGEST_BACKLOG) return this.#timeOut('it reads no audio');
    if (this.#speechAt === null || this.#dialect.answers !== 'always') return;
    if (performance.now() - Math.max(this.#speechAt, this.#heardAt, this.#readyAt) > this.#stallMs) {
      this.#timeOut(`no message for ${this.#stallMs} ms of speech`);
    }
  }

  #receive(message: string | Buffer): void {
    if (this.#isClosed) return;
    let events: readonly SttVendorEvent[];
    try {
      events = this.#dialect.receive(typeof message === 'string' ? message : message.toString('utf8'));
    } catch {
      // Unreadable messages do not count as an answer.
      return;
    }
    if (this.#waiting === null) this.#heardAt = performance.now();
    for (const one of events) {
      if (this.#isClosed) return;
      if ('audioMs' in one && one.audioMs !== null && one.audioMs !== undefined)
        this.#answeredMs = one.audioMs;
      if (one.type === 'ready') this.#ready();
      else if (one.type === 'fault') this.#fail(this.#redacted(one.fault));
      else if (one.type !== 'alive' && this.#isNew(one)) this.#emit(this.#timed(one));
    }
  }

  /** Whether the event differs from the last one: vendors repeat unchanged partials. */
  #isNew(event: SttVendorEvent): boolean {
    if (event.type !== 'resumed') this.#wordsAt = this.#heardAt;
    const partial = event.type === 'partial' ? `${event.turn ?? ''} ${event.text}` : null;
    const isSame = partial !== null && partial === this.#partial;
    this.#partial = partial;
    return !isSame;
  }

  #timed(event: Exclude<SttVendorEvent, { type: 'ready' | 'alive' | 'fault' }>): SttEvent {
    const at = this.#frameAt + Math.round(performance.now() - this.#frameClock);
    if (!('text' in event)) return { ...event, at };
    const { audioMs, words } = event;
    const shift = this.#droppedMs;
    return {
      ...event,
      at,
      audioMs: audioMs === null ? null : audioMs + shift,
      ...(words === undefined || shift === 0
        ? {}
        : { words: words.map((w) => ({ ...w, startMs: w.startMs + shift, endMs: w.endMs + shift })) }),
    };
  }

  /** A message of the vendor may quote the key. */
  #redacted(fault: VendorFault): VendorFault {
    return { ...fault, message: redact(fault.message, [this.#apiKey]) };
  }

  #timeOut(detail: string): void {
    this.#socket.close();
    this.#fail(vendorFault(this.#vendor, 'timeout', detail));
  }

  #fail(fault: VendorFault): void {
    if (this.#isClosed) return;
    this.#end();
    this.#socket.close();
    const at = this.#frameAt + Math.round(performance.now() - this.#frameClock);
    const { message, retryable } = fault;
    this.#emit({ type: 'failed', message, retryable, at, fault });
  }

  #end(): void {
    this.#isClosed = true;
    if (this.#answerTimer !== null) clearTimeout(this.#answerTimer);
  }
}
