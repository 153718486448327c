import type { VendorSettings } from '../../vendors/catalogue.ts';
import { WireAudio } from '../stt/wire-audio.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { redact } from '../wire/redact.ts';
import { VendorSocket } from '../wire/socket.ts';
import type { S2sDialect, S2sLineOfTalk, S2sNews, S2sTalk, S2sVendor } from './dialect.ts';

export interface S2sLimits {
  /** The address rules of a workspace's URL; absent: the operator's URL, which may be an inner one. */
  readonly reach?: VendorReach;
  readonly connectMs?: number;
  readonly greetingMs?: number;
}

/** Bytes that wait in this process before the vendor counts as stuck, and audio that waits for the connection. */
const MOST_BUFFERED = 262_144;
const MOST_WAITING = 250;
/** Messages of audio before our own start of speech that belong to it. */
const LEAD_IN = 10;
/** Messages in a row that cannot be read. */
const MOST_UNREADABLE = 3;
/** A vendor closes so when a connection has lasted long enough. */
const SESSION_OVER = new Set([1000, 1001, 1011]);

interface Listener {
  onNews(news: S2sNews): void;
  onFault(fault: VendorFault): void;
}

/** One call's connection to a vendor: the caller's audio up, news down. It connects at once. */
export class S2sConnection {
  readonly dialect: S2sDialect;
  readonly #vendor: string;
  readonly #apiKey: string | null;
  readonly #limits: S2sLimits;
  readonly #listener: Listener;
  #socket: VendorSocket;
  readonly #audio: WireAudio;
  /** Messages until the vendor is ready, those that come before them, and audio; null: it is ready. */
  #waiting: string[] | null = [];
  #first: readonly string[] = [];
  #waitingAudio: string[] = [];
  /** The newest audio, and that of the caller's open turn; null: the caller is silent. */
  #recent: readonly string[] = [];
  #utterance: string[] | null = null;
  /** The lines of a renewal whose vendor is to remember them; null: there is no such renewal under way. */
  #remembered: readonly S2sLineOfTalk[] | null = null;
  #hasServed = false;
  #unreadable = 0;
  #isOver = false;

  constructor(
    vendor: S2sVendor,
    talk: S2sTalk,
    { apiKey }: Pick<VendorSettings, 'apiKey'>,
    limits: S2sLimits,
    listener: Listener,
  ) {
    this.dialect = vendor.connect(talk);
    this.#vendor = vendor.name;
    this.#apiKey = apiKey;
    this.#limits = limits;
    this.#listener = listener;
    this.#audio = new WireAudio(talk.hearing.sampleRate, this.dialect.up);
    this.#socket = this.#connect();
  }

  /** One frame of the caller. */
  audio(frame: Int16Array): void {
    this.#audio.push(frame, (chunk) => {
      const message = this.dialect.audio(chunk);
      this.#recent = [...this.#recent.slice(1 - LEAD_IN), message];
      if (this.#utterance !== null && this.#utterance.length < MOST_WAITING) this.#utterance.push(message);
      if (this.#waiting === null) return this.#send(message);
      this.#waitingAudio = [...this.#waitingAudio, message].slice(-MOST_WAITING);
    });
  }

  /** The caller's turn is open, or over: the audio of an open one is heard again at a new connection. */
  keep(isOpen: boolean): void {
    if (isOpen) this.#utterance ??= [...this.#recent];
    else this.#utterance = null;
  }

  send(messages: readonly string[]): void {
    if (this.#waiting === null) for (const message of messages) this.#send(message);
    else this.#waiting.push(...messages);
  }

  /** Goes on at a new connection; what is sent meanwhile waits for it. `lines`: the conversation so far. */
  renew(lines: readonly S2sLineOfTalk[]): void {
    if (this.#isOver) return;
    const remembers = this.dialect.renew();
    this.#remembered = remembers ? lines : null;
    this.#first = remembers ? [] : this.dialect.retell(lines);
    if (this.#waiting === null) this.#waitingAudio = [...(this.#utterance ?? [])];
    this.#waiting = [];
    this.#reconnect();
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
  }

  #connect(): VendorSocket {
    const { reach, ...limits } = this.#limits;
    let closedWith = 0;
    const socket: VendorSocket = new VendorSocket({
      vendor: this.#vendor,
      url: this.dialect.url,
      headers: this.dialect.headers,
      secrets: this.#apiKey === null ? [] : [this.#apiKey],
      ...(reach === undefined ? {} : { guard: reach.guard }),
      ...limits,
      onOpen: () => {
        for (const message of this.dialect.begin()) socket.send(message);
      },
      onMessage: (message) => {
        if (socket === this.#socket) this.#receive(message.toString('utf8'));
        return this.#waiting === null;
      },
      closeFault: (code) => {
        closedWith = code;
        return null;
      },
      onFault: (fault) => {
        if (socket === this.#socket) this.#lost(fault, closedWith);
      },
    });
    return socket;
  }

  #reconnect(): void {
    const old = this.#socket;
    this.#hasServed = false;
    this.#socket = this.#connect();
    old.close();
  }

  #lost(fault: VendorFault, closedWith: number): void {
    if (this.#isOver) return;
    const lines = this.#remembered;
    if (lines !== null) {
      // The vendor does not take its own session up again: it is told what was said.
      this.#remembered = null;
      this.dialect.forgetSession();
      this.#first = this.dialect.retell(lines);
      return this.#reconnect();
    }
    if (this.#hasServed && SESSION_OVER.has(closedWith))
      return this.#listener.onNews({ type: 'leaving', ms: 0 });
    return this.#fail(fault);
  }

  #send(message: string): void {
    if (this.#socket.buffered <= MOST_BUFFERED) return this.#socket.send(message);
    this.#socket.close();
    this.#fail(vendorFault(this.#vendor, 'timeout', 'it does not read what is sent'));
  }

  #receive(message: string): void {
    let news: readonly S2sNews[];
    try {
      news = this.dialect.receive(message);
      this.#unreadable = 0;
    } catch {
      this.#unreadable += 1;
      if (this.#unreadable < MOST_UNREADABLE) return;
      this.#socket.close();
      return this.#fail(vendorFault(this.#vendor, 'rejected', 'its messages cannot be read'));
    }
    for (const one of news) {
      if (this.#isOver) return;
      if (one.type === 'ready') this.#ready();
      else if (one.type === 'send') this.send(one.messages);
      else if (one.type === 'fault') {
        this.#socket.close();
        this.#fail({ ...one.fault, message: redact(one.fault.message, [this.#apiKey]) });
      } else {
        this.#hasServed = this.#waiting === null;
        this.#listener.onNews(one);
      }
    }
  }

  #ready(): void {
    const waiting = [...this.#first, ...this.#waitingAudio, ...(this.#waiting ?? [])];
    this.#waiting = null;
    this.#waitingAudio = [];
    this.#first = [];
    this.#remembered = null;
    for (const message of waiting) this.#send(message);
    this.#listener.onNews({ type: 'ready' });
  }

  #fail(fault: VendorFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onFault(fault);
  }
}
