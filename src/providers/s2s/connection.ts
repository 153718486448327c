import type { VendorSettings } from '../../vendors/catalogue.ts';
import { WireAudio } from '../stt/wire-audio.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import type { VendorReach } from '../wire/reach.ts';
import { redact } from '../wire/redact.ts';
import { VendorSocket } from '../wire/socket.ts';
import type { S2sDialect, S2sUtterance, S2sEvent, S2sConversation, S2sVendor } from './dialect.ts';

export interface S2sLimits {
  /** Address rules for a workspace's URL; absent: the operator's URL, which may be internal. */
  readonly reach?: VendorReach;
  readonly connectMs?: number;
  readonly greetingMs?: number;
}

/** Send buffer in bytes above which the vendor counts as stuck, and audio messages kept until it is ready. */
const MOST_BUFFERED = 262_144;
const MOST_WAITING = 250;
/** Audio messages before our own start of speech that belong to the utterance. */
const LEAD_IN = 10;
/** Unreadable messages in a row that end the connection. */
const MOST_UNREADABLE = 3;
/** Close codes of a vendor that limits the age of a connection. */
const SESSION_OVER = new Set([1000, 1001, 1011]);

interface Listener {
  onEvent(event: S2sEvent): void;
  onFault(fault: VendorFault): void;
}

/** One call's connection to a vendor: sends the caller's audio, receives events. Connects in the constructor. */
export class S2sConnection {
  readonly dialect: S2sDialect;
  readonly #vendor: string;
  readonly #apiKey: string | null;
  readonly #limits: S2sLimits;
  readonly #listener: Listener;
  #socket: VendorSocket;
  readonly #audio: WireAudio;
  /** Messages held back until the vendor is ready (null: ready), the ones sent before them, and audio. */
  #waiting: string[] | null = [];
  #first: readonly string[] = [];
  #waitingAudio: string[] = [];
  /** The latest audio, and the audio of the caller's open turn; null: no open turn. */
  #recent: readonly string[] = [];
  #utterance: string[] | null = null;
  /** Utterances to replay if the vendor refuses to resume its session; null: no resumption is pending. */
  #remembered: readonly S2sUtterance[] | null = null;
  #hasServed = false;
  #unreadable = 0;
  #isOver = false;

  constructor(
    vendor: S2sVendor,
    conversation: S2sConversation,
    { apiKey }: Pick<VendorSettings, 'apiKey'>,
    limits: S2sLimits,
    listener: Listener,
  ) {
    this.dialect = vendor.connect(conversation);
    this.#vendor = vendor.name;
    this.#apiKey = apiKey;
    this.#limits = limits;
    this.#listener = listener;
    this.#audio = new WireAudio(conversation.hearing.sampleRate, this.dialect.up);
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

  /** Opens or closes the caller's turn; a new connection re-hears the audio of an open one. */
  keep(isOpen: boolean): void {
    if (isOpen) this.#utterance ??= [...this.#recent];
    else this.#utterance = null;
  }

  send(messages: readonly string[]): void {
    if (this.#waiting === null) for (const message of messages) this.#send(message);
    else this.#waiting.push(...messages);
  }

  /** Continues at a new connection; messages sent meanwhile are held back. `lines`: the conversation so far. */
  renew(lines: readonly S2sUtterance[]): void {
    if (this.#isOver) return;
    const remembers = this.dialect.renew();
    this.#remembered = remembers ? lines : null;
    this.#first = remembers ? [] : this.dialect.replay(lines);
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
      // The vendor refuses to resume its session: replay the utterances into a new one.
      this.#remembered = null;
      this.dialect.dropSession();
      this.#first = this.dialect.replay(lines);
      return this.#reconnect();
    }
    if (this.#hasServed && SESSION_OVER.has(closedWith))
      return this.#listener.onEvent({ type: 'going_away', ms: 0 });
    return this.#fail(fault);
  }

  #send(message: string): void {
    if (this.#socket.buffered <= MOST_BUFFERED) return this.#socket.send(message);
    this.#socket.close();
    this.#fail(vendorFault(this.#vendor, 'timeout', 'it does not read what is sent'));
  }

  #receive(message: string): void {
    let events: readonly S2sEvent[];
    try {
      events = this.dialect.receive(message);
      this.#unreadable = 0;
    } catch {
      this.#unreadable += 1;
      if (this.#unreadable < MOST_UNREADABLE) return;
      this.#socket.close();
      return this.#fail(vendorFault(this.#vendor, 'rejected', 'its messages cannot be read'));
    }
    for (const event of events) {
      if (this.#isOver) return;
      if (event.type === 'ready') this.#ready();
      else if (event.type === 'send') this.send(event.messages);
      else if (event.type === 'fault') {
        this.#socket.close();
        this.#fail({ ...event.fault, message: redact(event.fault.message, [this.#apiKey]) });
      } else {
        this.#hasServed = this.#waiting === null;
        this.#listener.onEvent(event);
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
    this.#listener.onEvent({ type: 'ready' });
  }

  #fail(fault: VendorFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onFault(fault);
  }
}
