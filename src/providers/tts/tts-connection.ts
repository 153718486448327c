import type { TtsEvent, TtsOptions } from '../ports/voice.ts';
import type { TtsMark } from '@callwright/turns';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { VendorSocket } from '../wire/socket.ts';
import type { TimedWord, TtsDialect, TtsVendorEvent, TtsVendor } from './dialect.ts';
import { SpeechDecoder } from './speech-decoder.ts';
import { SpokenWords } from './spoken-words.ts';

const KEEP_ALIVE_MS = 10_000;
/** An idle connection is closed after this time. */
const IDLE_MS = 120_000;
/** Unreadable messages in a row that end a connection which worked before. */
const MOST_UNREADABLE = 3;

/** Time limits for a silent vendor, and address rules. */
export interface TtsLimits {
  /** Absent: the operator's address, which may be internal. */
  readonly reach?: VendorReach;
  readonly connectMs?: number;
  readonly greetingMs?: number;
}

interface Sentence {
  readonly words: SpokenWords;
  readonly decoder: SpeechDecoder;
  /** Start within the context's audio; null: no audio has arrived. */
  startMs: number | null;
  readonly onEvent: (event: TtsEvent) => void;
}

interface Open {
  readonly sentences: Sentence[];
  audioMs: number;
}

const failed = (fault: VendorFault): TtsEvent => ({
  type: 'failed',
  message: fault.message,
  retryable: fault.retryable,
  fault,
});

/** One connection to a speech vendor, shared by the contexts of calls. A fault ends every context that it carries. */
export class TtsConnection {
  readonly key: string;
  readonly #vendor: TtsVendor;
  readonly #dialect: TtsDialect;
  readonly #sampleRate: TtsOptions['sampleRate'];
  readonly #socket: VendorSocket;
  readonly #onOver: () => void;
  readonly #open = new Map<string, Open>();
  /** Cancelled contexts that the vendor has not ended; they count against the limit. */
  readonly #ending = new Set<string>();
  readonly #keepAlive: NodeJS.Timeout;
  #waiting: string[] | null = [];
  #names = 0;
  #unreadable = 0;
  #hasRead = false;
  #idle: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(
    vendor: TtsVendor,
    options: TtsOptions,
    { apiKey, limits, onOver }: { apiKey: string | null; limits: TtsLimits; onOver: () => void },
  ) {
    this.key = vendor.key(options);
    this.#vendor = vendor;
    this.#sampleRate = options.sampleRate;
    this.#onOver = onOver;
    const dialect = vendor.connect(options);
    this.#dialect = dialect;
    const { connectMs, greetingMs, reach } = limits;
    this.#socket = new VendorSocket({
      vendor: vendor.name,
      url: dialect.url,
      headers: dialect.headers,
      secrets: apiKey === null ? [] : [apiKey],
      ...(reach === undefined ? {} : { guard: reach.guard }),
      ...(connectMs === undefined ? {} : { connectMs }),
      ...(dialect.greets ? (greetingMs === undefined ? {} : { greetingMs }) : { greetingMs: null }),
      closeFault: (code, reason) => dialect.closeFault?.(code, reason) ?? null,
      onOpen: () => {
        for (const message of dialect.begin?.() ?? []) this.#socket.send(message);
        if (!dialect.greets) this.#ready();
      },
      onMessage: (message) => {
        this.#receive(message);
        return this.#waiting === null;
      },
      onFault: (fault) => this.#fail(fault),
    });
    this.#keepAlive = setInterval(() => this.#keep(), KEEP_ALIVE_MS);
    this.#keepAlive.unref();
    this.#rest();
  }

  /** Whether another context fits. */
  get hasRoom(): boolean {
    return !this.#isOver && this.#open.size + this.#ending.size < this.#dialect.contexts;
  }

  /** Begins a context; returns its name. */
  begin(): string {
    const name = `c${++this.#names}`;
    this.#open.set(name, { sentences: [], audioMs: 0 });
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    return name;
  }

  /** Whether the context is still open. */
  say(name: string, text: string, options: TtsOptions, onEvent: (event: TtsEvent) => void): boolean {
    const context = this.#open.get(name);
    if (context === undefined) return false;
    context.sentences.push({
      words: new SpokenWords(text),
      decoder: new SpeechDecoder(this.#dialect.format, this.#sampleRate),
      startMs: null,
      onEvent,
    });
    const { name: vendor, model } = this.#vendor;
    onEvent({ type: 'usage', vendor, model, characters: Array.from(text).length });
    this.#send(this.#dialect.say(name, text, options));
    return true;
  }

  end(name: string): void {
    if (!this.#open.has(name)) return;
    this.#send(this.#dialect.end(name));
    if (this.#dialect.isOver?.(name) === true) this.#contextDone(name);
  }

  cancel(name: string): void {
    if (!this.#open.delete(name)) return;
    const messages = this.#dialect.cancel(name);
    if (messages === null) return this.close();
    this.#ending.add(name);
    this.#send(messages);
    if (this.#dialect.isOver?.(name) === true) this.#contextDone(name);
  }

  close(): void {
    if (this.#isOver) return;
    this.#end();
    this.#socket.close(...this.#dialect.bye);
  }

  #ready(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    for (const message of waiting) this.#socket.send(message);
  }

  #send(messages: readonly string[]): void {
    if (this.#waiting !== null) this.#waiting.push(...messages);
    else for (const message of messages) this.#socket.send(message);
  }

  #receive(message: string | Buffer): void {
    if (this.#isOver) return;
    let events: readonly TtsVendorEvent[];
    try {
      events = this.#dialect.receive(message);
    } catch {
      if (this.#hasRead && ++this.#unreadable < MOST_UNREADABLE) return;
      return this.#fault(vendorFault(this.#vendor.name, 'rejected', 'its messages cannot be read'));
    }
    this.#unreadable = 0;
    this.#hasRead = true;
    for (const one of events) {
      if (this.#isOver) return;
      this.#onEvent(one);
    }
  }

  #onEvent(event: TtsVendorEvent): void {
    switch (event.type) {
      case 'ready':
        return this.#ready();
      case 'alive':
        return;
      case 'audio':
        return this.#audio(event.context, event.bytes);
      case 'words':
        return this.#words(event.context, event.words);
      case 'sentence_done':
        return this.#sentenceDone(event.context);
      case 'context_done':
        return this.#contextDone(event.context);
      case 'fault':
        return event.context === null
          ? this.#fault(event.fault)
          : this.#contextFault(event.context, event.fault);
    }
  }

  #audio(name: string, bytes: Uint8Array): void {
    const context = this.#open.get(name);
    const sentence = context?.sentences[0];
    if (context === undefined || sentence === undefined) return;
    sentence.startMs ??= context.audioMs;
    const pcm = sentence.decoder.push(bytes);
    context.audioMs += (pcm.length * 1000) / this.#sampleRate;
    if (pcm.length > 0) sentence.onEvent({ type: 'audio', pcm });
  }

  /** One message may hold words of several sentences. */
  #words(name: string, words: readonly TimedWord[]): void {
    const context = this.#open.get(name);
    if (context === undefined) return;
    const left = [...words];
    for (const sentence of context.sentences) {
      const startMs = sentence.startMs ?? context.audioMs;
      const marks: TtsMark[] = [];
      for (let word = left[0]; word !== undefined && !sentence.words.isComplete; word = left[0]) {
        const mark = sentence.words.place(word);
        left.shift();
        if (mark !== null) marks.push({ ...mark, audioMs: Math.max(0, mark.audioMs - startMs) });
      }
      if (marks.length > 0) sentence.onEvent({ type: 'marks', marks });
      if (left.length === 0) return;
    }
  }

  #sentenceDone(name: string): void {
    const context = this.#open.get(name);
    const sentence = context?.sentences.shift();
    if (context === undefined || sentence === undefined) return;
    const pcm = sentence.decoder.end();
    context.audioMs += (pcm.length * 1000) / this.#sampleRate;
    if (pcm.length > 0) sentence.onEvent({ type: 'audio', pcm });
    sentence.onEvent({ type: 'done' });
  }

  #contextDone(name: string): void {
    while ((this.#open.get(name)?.sentences.length ?? 0) > 0) this.#sentenceDone(name);
    this.#open.delete(name);
    this.#ending.delete(name);
    this.#rest();
  }

  #contextFault(name: string, fault: VendorFault): void {
    const sentences = this.#open.get(name)?.sentences ?? [];
    this.#open.delete(name);
    this.#ending.delete(name);
    for (const { onEvent } of sentences) onEvent(failed(fault));
    this.#rest();
  }

  /** Closes the connection after a fault of the vendor. */
  #fault(fault: VendorFault): void {
    this.#socket.close();
    this.#fail(fault);
  }

  #fail(fault: VendorFault): void {
    if (this.#isOver) return;
    const sentences = [...this.#open.values()].flatMap((context) => context.sentences);
    this.#end();
    for (const { onEvent } of sentences) onEvent(failed(fault));
  }

  #keep(): void {
    if (this.#waiting !== null || this.#dialect.keepAlive === undefined) return;
    const idle = [...this.#open].filter(([, { sentences }]) => sentences.length === 0);
    for (const [name] of idle) this.#send(this.#dialect.keepAlive(name));
    if (this.#open.size === 0) this.#send(this.#dialect.keepAlive(null));
  }

  #rest(): void {
    if (this.#open.size > 0 || this.#isOver) return;
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), IDLE_MS);
    this.#idle.unref();
  }

  #end(): void {
    this.#isOver = true;
    clearInterval(this.#keepAlive);
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#open.clear();
    this.#ending.clear();
    this.#onOver();
  }
}
