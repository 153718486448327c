import type { VendorSettings } from '../../shared/vendors.ts';
import type { BrainContext, HistoryItem, SttOptions, TtsOptions } from '../../voice/ports.ts';
import { SpeechDecoder } from '../tts/speech-decoder.ts';
import { afterReal, type After } from '../vendor/after.ts';
import { vendorFault, type VendorFault } from '../vendor/fault.ts';
import { S2sConnection, type S2sLimits } from './connection.ts';
import type { S2sNews, S2sVendor } from './dialect.ts';
import { S2sMemory } from './memory.ts';
import type { Piece } from './piece.ts';
import { S2sReply, type S2sStream } from './reply.ts';

/** Limits of a vendor to the beginning of a reply, and to its next message. */
const FIRST_NEWS_MS = 1_300;
const NEXT_NEWS_MS = 2_000;
/** A reply of the vendor's own accord is of the present turn this long. */
const FRESH_MS = 3_000;

export interface S2sDeps {
  readonly limits?: S2sLimits;
  readonly after?: After;
  readonly now?: () => number;
  /** Replaces the connection, for tests. */
  readonly connect?: (...args: ConstructorParameters<typeof S2sConnection>) => S2sLine;
}

/** What a call uses of its connection. */
export type S2sLine = Pick<S2sConnection, 'dialect' | 'audio' | 'send' | 'close'>;

type HearingNews = Extract<S2sNews, { type: 'speech' | 'turn_ended' | 'nothing' | 'words' | 'alive' }>;

interface Running {
  readonly stream: S2sStream;
  readonly decoder: SpeechDecoder;
  cancelWatch: () => void;
}

/**
 * One call at a speech-to-speech vendor. It hears, thinks and speaks by one connection, which the three ports of the call
 * share (hearing.ts, brain.ts, voice.ts). A fault ends all three at once, for the rest of the call.
 */
export class S2sCall {
  readonly vendor: S2sVendor;
  fault: VendorFault | null = null;
  onHeard: (news: HearingNews) => void = () => undefined;
  /** Listens for the fault. */
  readonly onFault = new Set<(fault: VendorFault) => void>();
  readonly #settings: VendorSettings;
  readonly #limits: S2sLimits;
  readonly #after: After;
  readonly #now: () => number;
  readonly #connect: NonNullable<S2sDeps['connect']>;
  #context: BrainContext | null = null;
  #hearing: Omit<SttOptions, 'onEvent'> | null = null;
  #voice: TtsOptions | null = null;
  #connection: S2sLine | null = null;
  #memory: S2sMemory | null = null;
  readonly #running = new Map<string, Running>();
  #names = 0;
  /** A reply that came without being asked for, until somebody asks. */
  #unasked: S2sReply | null = null;
  #isClosed = false;

  constructor(vendor: S2sVendor, settings: VendorSettings, deps: S2sDeps = {}) {
    this.vendor = vendor;
    this.#settings = settings;
    this.#limits = deps.limits ?? {};
    this.#after = deps.after ?? afterReal;
    this.#now = deps.now ?? (() => performance.now());
    this.#connect = deps.connect ?? ((...args) => new S2sConnection(...args));
  }

  /** The call connects once it knows its brain, its hearing and its voice. */
  open(part: {
    readonly context?: BrainContext;
    readonly hearing?: Omit<SttOptions, 'onEvent'>;
    readonly voice?: TtsOptions;
  }): void {
    this.#context = part.context ?? this.#context;
    this.#hearing = part.hearing ?? this.#hearing;
    this.#voice = part.voice ?? this.#voice;
    const [context, hearing, voice] = [this.#context, this.#hearing, this.#voice];
    if (context === null || hearing === null || voice === null) return;
    if (this.#connection !== null || this.fault !== null || this.#isClosed) return;
    this.#connection = this.#connect(this.vendor, { context, hearing, voice }, this.#settings, this.#limits, {
      onNews: (news) => this.#onNews(news),
      onFault: (fault) => this.giveUp(fault),
    });
    this.#memory = new S2sMemory(this.#connection.dialect, hearing.sampleRate);
  }

  audio(frame: Int16Array): void {
    this.#connection?.audio(frame);
  }

  /** Ends the caller's turn; false: the vendor cannot be told to. */
  endTurn(): boolean {
    const messages = this.#connection?.dialect.endTurn() ?? [];
    this.#connection?.send(messages);
    return messages.length > 0;
  }

  /** The reply to the conversation so far; null: there is no connection. */
  ask(history: readonly HistoryItem[]): S2sReply | null {
    const [connection, memory] = [this.#connection, this.#memory];
    if (connection === null || memory === null || this.fault !== null) return null;
    connection.send(memory.learn(history));
    const cue = S2sMemory.cueOf(history);
    const last = history.at(-1);
    const isAnswered = cue === 'caller' && !(last?.role === 'caller' && last.by !== 'speech');
    const unasked = isAnswered ? this.#freshReply() : null;
    this.#unasked = null;
    if (unasked !== null) return unasked;
    const reply = this.#newReply(`r${++this.#names}`);
    connection.send(connection.dialect.reply(reply.name, cue));
    return reply;
  }

  /** Has a line read aloud; false: there is no connection. */
  say(text: string, stream: S2sStream): (() => void) | null {
    const connection = this.#connection;
    if (connection === null || this.fault !== null) return null;
    const name = `s${++this.#names}`;
    this.#run(name, stream);
    connection.send(connection.dialect.say(name, text));
    return () => this.#stop(name);
  }

  /** The agent does not speak the reply, or no more of it. */
  drop(reply: S2sReply): void {
    reply.isDropped = true;
    this.#stop(reply.name);
  }

  /** The audio of these words of a reply, from where they begin. */
  find(text: string): { readonly piece: Piece; readonly share: number } | null {
    const pieces = this.#memory?.replies.flatMap((reply) => reply.pieces) ?? [];
    const next = pieces.find((piece) => !piece.isTaken && piece.text === text);
    if (next !== undefined) return { piece: next, share: 0 };
    const resumed = pieces.findLast((piece) => piece.isTaken && piece.text.endsWith(text));
    if (resumed === undefined) return null;
    return { piece: resumed, share: (resumed.text.length - text.length) / resumed.text.length };
  }

  /** Ends the use of the vendor in this call. */
  giveUp(fault: VendorFault): void {
    if (this.fault !== null || this.#isClosed) return;
    this.fault = fault;
    this.#connection?.close();
    for (const { stream, cancelWatch } of this.#running.values()) {
      cancelWatch();
      stream.fail(fault);
    }
    this.#running.clear();
    for (const listener of this.onFault) listener(fault);
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancelWatch } of this.#running.values()) cancelWatch();
    this.#running.clear();
    this.#connection?.close();
  }

  #onNews(news: S2sNews): void {
    // A vendor that speaks is there, too.
    if ('reply' in news) this.onHeard({ type: 'alive' });
    switch (news.type) {
      case 'speech':
      case 'turn_ended':
      case 'nothing':
      case 'words':
      case 'alive':
        return this.onHeard(news);
      case 'began':
        this.#unasked = this.#newReply(news.reply);
        return;
      case 'audio': {
        const running = this.#awaken(news.reply);
        running?.stream.audio(running.decoder.push(news.bytes));
        return;
      }
      case 'text':
        this.#awaken(news.reply)?.stream.text(news.text);
        return;
      case 'tool':
        this.#awaken(news.reply)?.stream.tool(news.id, news.name, news.args);
        return;
      case 'done':
        return this.#over(news);
      case 'ready':
      case 'send':
      case 'fault':
        return;
      default:
        return news satisfies never;
    }
  }

  #over({ reply, isWhole, usage }: Extract<S2sNews, { type: 'done' }>): void {
    const running = this.#running.get(reply);
    if (running === undefined) return;
    this.#running.delete(reply);
    running.cancelWatch();
    running.stream.audio(running.decoder.end());
    // A reply that the vendor stopped is as long as it is: the agent says what there is of it.
    if (isWhole || this.#unasked?.name === reply || this.#hasBegun(reply)) return running.stream.done(usage);
    return running.stream.fail(vendorFault(this.vendor.name, 'lost', 'the reply is broken off'));
  }

  #hasBegun(name: string): boolean {
    return this.#memory?.replies.find((reply) => reply.name === name)?.hasBegun === true;
  }

  #freshReply(): S2sReply | null {
    const reply = this.#unasked;
    return reply !== null && this.#now() - reply.beganAt <= FRESH_MS ? reply : null;
  }

  #newReply(name: string): S2sReply {
    const reply = new S2sReply(name, this.#hearing?.sampleRate ?? 8000, this.#now());
    this.#memory?.add(reply);
    this.#run(name, reply);
    return reply;
  }

  #run(name: string, stream: S2sStream): void {
    const { dialect } = this.#connection ?? {};
    if (dialect === undefined) return;
    const decoder = new SpeechDecoder(dialect.down, this.#hearing?.sampleRate ?? 8000);
    const running = { stream, decoder, cancelWatch: () => undefined };
    this.#running.set(name, running);
    this.#watch(running, FIRST_NEWS_MS, 'no reply');
  }

  /** A reply goes on. */
  #awaken(name: string): Running | null {
    const running = this.#running.get(name);
    if (running === undefined) return null;
    this.#watch(running, NEXT_NEWS_MS, 'it fell silent in a reply');
    return running;
  }

  #watch(running: Running, ms: number, what: string): void {
    running.cancelWatch();
    running.cancelWatch = this.#after(ms, () =>
      this.giveUp(vendorFault(this.vendor.name, 'timeout', `${what} for ${ms} ms`)),
    );
  }

  #stop(name: string): void {
    const running = this.#running.get(name);
    if (running === undefined) return;
    this.#running.delete(name);
    running.cancelWatch();
    if (this.#connection !== null) this.#connection.send(this.#connection.dialect.cancel(name));
  }
}
