import type { VendorSettings } from '../../shared/vendors.ts';
import { WireAudio } from '../stt/wire-audio.ts';
import { vendorFault, type VendorFault } from '../vendor/fault.ts';
import type { VendorReach } from '../vendor/reach.ts';
import { redact } from '../vendor/redact.ts';
import { VendorSocket } from '../vendor/socket.ts';
import type { S2sDialect, S2sNews, S2sTalk, S2sVendor } from './dialect.ts';

export interface S2sLimits {
  /** The address rules of a workspace's URL; absent: the operator's URL, which may be an inner one. */
  readonly reach?: VendorReach;
  readonly connectMs?: number;
  readonly greetingMs?: number;
}

/** Bytes that wait in this process before the vendor counts as stuck, and audio that waits for the connection. */
const MOST_BUFFERED = 262_144;
const MOST_WAITING = 100;
/** Messages in a row that cannot be read. */
const MOST_UNREADABLE = 3;

interface Listener {
  onNews(news: S2sNews): void;
  onFault(fault: VendorFault): void;
}

/** One call's connection to a vendor: the caller's audio up, news down. It connects at once. */
export class S2sConnection {
  readonly dialect: S2sDialect;
  readonly #vendor: string;
  readonly #apiKey: string | null;
  readonly #listener: Listener;
  readonly #socket: VendorSocket;
  readonly #audio: WireAudio;
  /** Messages until the vendor is ready; null: it is. */
  #waiting: string[] | null = [];
  #waitingAudio: string[] = [];
  #unreadable = 0;
  #isOver = false;

  constructor(
    vendor: S2sVendor,
    talk: S2sTalk,
    { apiKey }: Pick<VendorSettings, 'apiKey'>,
    { reach, ...limits }: S2sLimits,
    listener: Listener,
  ) {
    const dialect = vendor.connect(talk);
    this.dialect = dialect;
    this.#vendor = vendor.name;
    this.#apiKey = apiKey;
    this.#listener = listener;
    this.#audio = new WireAudio(talk.hearing.sampleRate, dialect.up);
    this.#socket = new VendorSocket({
      vendor: vendor.name,
      url: dialect.url,
      headers: dialect.headers,
      secrets: apiKey === null ? [] : [apiKey],
      ...(reach === undefined ? {} : { guard: reach.guard }),
      ...limits,
      onOpen: () => {
        for (const message of dialect.begin()) this.#socket.send(message);
      },
      onMessage: (message) => {
        this.#receive(message.toString('utf8'));
        return this.#waiting === null;
      },
      onFault: (fault) => this.#fail(fault),
    });
  }

  /** One frame of the caller. */
  audio(frame: Int16Array): void {
    this.#audio.push(frame, (chunk) => {
      const message = this.dialect.audio(chunk);
      if (this.#waiting === null) return this.#send(message);
      this.#waitingAudio = [...this.#waitingAudio, message].slice(-MOST_WAITING);
    });
  }

  send(messages: readonly string[]): void {
    if (this.#waiting === null) for (const message of messages) this.#send(message);
    else this.#waiting.push(...messages);
  }

  close(): void {
    this.#isOver = true;
    this.#socket.close();
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
      } else this.#listener.onNews(one);
    }
  }

  #ready(): void {
    const waiting = [...this.#waitingAudio, ...(this.#waiting ?? [])];
    this.#waiting = null;
    this.#waitingAudio = [];
    for (const message of waiting) this.#send(message);
    this.#listener.onNews({ type: 'ready' });
  }

  #fail(fault: VendorFault): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.onFault(fault);
  }
}
