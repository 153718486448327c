import { systemScheduler, type Scheduler } from '../../shared/clock.ts';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import type { BrainContext, ModelUsage } from '../ports/model.ts';
import type { HistoryItem } from '@callwright/turns';
import type { SttOptions } from '../ports/recogniser.ts';
import type { TtsOptions } from '../ports/voice.ts';
import { SpeechDecoder } from '../tts/speech-decoder.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import { S2sConnection, type S2sLimits } from './connection.ts';
import type { S2sNews, S2sTalk, S2sVendor } from './dialect.ts';
import { Leaving } from './leaving.ts';
import { S2sMemory, type Found } from './memory.ts';
import { S2sReply, type S2sStream } from './reply.ts';
import { RunningStreams } from './running.ts';
import { TokenUse } from './token-use.ts';

/** A reply of the vendor's own accord is of the present turn this long. */
const FRESH_MS = 3_000;

export interface S2sDeps {
  readonly limits?: S2sLimits;
  readonly scheduler?: Scheduler;
  /** Replaces the connection, for tests. */
  readonly connect?: (...args: ConstructorParameters<typeof S2sConnection>) => S2sLine;
}

/** What a call uses of its connection. */
export type S2sLine = Pick<S2sConnection, 'dialect' | 'audio' | 'keep' | 'send' | 'renew' | 'close'>;

type HearingNews = Extract<S2sNews, { type: 'speech' | 'turn_ended' | 'nothing' | 'words' | 'alive' }>;

/**
 * One call at a speech-to-speech vendor. It hears, thinks and speaks by one connection, which the three ports of the call
 * share (hearing.ts, brain.ts, voice.ts). A fault ends all three at once, for the rest of the call; a connection that the
 * vendor ends because of its age is replaced.
 */
export class S2sCall {
  readonly vendor: S2sVendor;
  fault: VendorFault | null = null;
  onHeard: (news: HearingNews) => void = () => undefined;
  /** Listens for the fault. */
  readonly onFault = new Set<(fault: VendorFault) => void>();
  readonly #settings: VendorSettings;
  readonly #limits: S2sLimits;
  readonly #scheduler: Scheduler;
  readonly #connect: NonNullable<S2sDeps['connect']>;
  #context: BrainContext | null = null;
  #hearing: Omit<SttOptions, 'onEvent'> | null = null;
  #voice: TtsOptions | null = null;
  /** The conversation that the connection is for. */
  #talk: S2sTalk | null = null;
  #isAnswered = false;
  #connection: S2sLine | null = null;
  #memory: S2sMemory | null = null;
  readonly #running: RunningStreams;
  readonly #use = new TokenUse();
  #names = 0;
  /** A reply that came without being asked for, until somebody asks. */
  #unasked: S2sReply | null = null;
  #callerSpeaks = false;
  readonly #leaving: Leaving;
  #isClosed = false;

  constructor(vendor: S2sVendor, settings: VendorSettings, deps: S2sDeps = {}) {
    this.vendor = vendor;
    this.#settings = settings;
    this.#limits = deps.limits ?? {};
    this.#scheduler = deps.scheduler ?? systemScheduler;
    this.#connect = deps.connect ?? ((...args) => new S2sConnection(...args));
    this.#running = new RunningStreams(this.#scheduler, (what) =>
      this.giveUp(vendorFault(vendor.name, 'timeout', what)),
    );
    this.#leaving = new Leaving(
      this.#scheduler,
      () => !this.#callerSpeaks && this.#running.isEmpty && this.#memory?.waitsForTools !== true,
      () => this.#renew(),
    );
  }

  /** Connects while the call rings. A fault meanwhile is reported, and the answered call connects again. */
  ring(talk: S2sTalk): void {
    if (this.#connection === null && !this.#isClosed) this.#begin(talk);
  }

  /** The answered call has its connection once it knows its brain, its hearing and its voice. */
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
    if (this.#isAnswered || this.fault !== null || this.#isClosed) return;
    this.#isAnswered = true;
    const talk = { context, hearing, voice };
    if (this.#connection !== null && JSON.stringify(talk) === JSON.stringify(this.#talk)) return;
    this.#connection?.close();
    this.#begin(talk);
  }

  #begin(talk: S2sTalk): void {
    this.#talk = talk;
    const connection = this.#connect(this.vendor, talk, this.#settings, this.#limits, {
      onNews: (news) => {
        if (connection === this.#connection) this.#onNews(news);
      },
      onFault: (fault) => {
        if (connection === this.#connection) this.giveUp(fault);
      },
    });
    this.#connection = connection;
    this.#memory = new S2sMemory(connection.dialect, talk.hearing.sampleRate);
  }

  audio(frame: Int16Array): void {
    this.#connection?.audio(frame);
  }

  /** The caller's turn is open, or over. */
  callerSpeaks(speaks: boolean): void {
    this.#callerSpeaks = speaks;
    this.#connection?.keep(speaks);
    this.#leaving.ifQuiet();
  }

  /** Ends the caller's turn; false: the vendor cannot be told to. */
  endTurn(): boolean {
    const messages = this.#connection?.dialect.endTurn() ?? [];
    this.#connection?.send(messages);
    return messages.length > 0;
  }

  /** The reply to the conversation so far; null: there is no connection. `meter` takes what it cost. */
  ask(history: readonly HistoryItem[], meter?: (usage: ModelUsage) => void): S2sReply | null {
    const [connection, memory] = [this.#connection, this.#memory];
    if (connection === null || memory === null || this.fault !== null) return null;
    connection.send(memory.learn(history));
    const cue = S2sMemory.cueOf(history);
    const last = history.at(-1);
    const isAnswered = cue === 'caller' && !(last?.role === 'caller' && last.by !== 'speech');
    const unasked = isAnswered ? this.#freshReply() : null;
    this.#unasked = null;
    const reply = unasked ?? this.#askFor(connection, `r${++this.#names}`, cue);
    this.#use.of(reply.name, meter);
    return reply;
  }

  #askFor(connection: S2sLine, name: string, cue: Parameters<S2sLine['dialect']['reply']>[1]): S2sReply {
    const ask = (): readonly string[] => connection.dialect.reply(name, cue);
    const reply = this.#newReply(name, ask);
    connection.send(ask());
    return reply;
  }

  /** Has a line read aloud; false: there is no connection. */
  say(text: string, stream: S2sStream): (() => void) | null {
    const connection = this.#connection;
    if (connection === null || this.fault !== null) return null;
    const name = `s${++this.#names}`;
    const ask = (): readonly string[] => connection.dialect.say(name, text);
    this.#run(name, stream, ask);
    connection.send(ask());
    return () => this.#stop(name);
  }

  /** The agent does not speak the reply, or no more of it. */
  drop(reply: S2sReply): void {
    reply.isDropped = true;
    this.#stop(reply.name);
  }

  /** The audio of these words of a reply, from where they begin. */
  find(text: string): Found | null {
    return this.#memory?.find(text) ?? null;
  }

  /** Ends the use of the vendor in this call; while it rings, only of this connection. */
  giveUp(fault: VendorFault): void {
    if (this.fault !== null || this.#isClosed) return;
    if (this.#isAnswered) this.fault = fault;
    this.#leaving.stay();
    this.#connection?.close();
    if (!this.#isAnswered) this.#connection = null;
    for (const { stream } of this.#running.takeAll()) stream.fail(fault);
    for (const listener of this.onFault) listener(fault);
  }

  close(): void {
    this.#isClosed = true;
    this.#leaving.stay();
    this.#running.takeAll();
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
        this.#unasked = this.#newReply(news.reply, null);
        return;
      case 'audio': {
        const running = this.#running.goOn(news.reply);
        running?.stream.audio(running.decoder.push(news.bytes));
        return;
      }
      case 'text':
        this.#running.goOn(news.reply)?.stream.text(news.text);
        return;
      case 'tool':
        this.#running.goOn(news.reply)?.stream.tool(news.id, news.name, news.args);
        return;
      case 'done':
        this.#over(news);
        return this.#leaving.ifQuiet();
      case 'used':
        return this.#use.add(news.reply, news.usage);
      case 'leaving':
        return this.#leaving.within(news.ms);
      case 'ready':
      case 'send':
      case 'fault':
        return;
      default:
        return news satisfies never;
    }
  }

  #over({ reply, isWhole }: Extract<S2sNews, { type: 'done' }>): void {
    const running = this.#running.take(reply);
    if (running === null) return;
    running.stream.audio(running.decoder.end());
    // A reply that the vendor stopped is as long as it is: the agent says what there is of it.
    if (isWhole || running.hasBegun || this.#unasked?.name === reply) return running.stream.done();
    return running.stream.fail(vendorFault(this.vendor.name, 'lost', 'the reply is broken off'));
  }

  /** Another connection takes the conversation over. */
  #renew(): void {
    const [connection, memory] = [this.#connection, this.#memory];
    if (connection === null || memory === null || this.fault !== null || this.#isClosed) return;
    const { over, ask } = this.#running.move();
    connection.renew(memory.lines());
    for (const { stream, decoder, hasBegun } of over) {
      stream.audio(decoder.end());
      if (hasBegun) stream.done();
      else stream.fail(vendorFault(this.vendor.name, 'lost', 'the connection ended before the reply'));
    }
    connection.send(ask());
  }

  #freshReply(): S2sReply | null {
    const reply = this.#unasked;
    return reply !== null && this.#scheduler.now() - reply.beganAt <= FRESH_MS ? reply : null;
  }

  #newReply(name: string, ask: (() => readonly string[]) | null): S2sReply {
    const reply = new S2sReply(name, this.#sampleRate, this.#scheduler.now());
    this.#memory?.add(reply);
    this.#run(name, reply, ask);
    return reply;
  }

  #run(name: string, stream: S2sStream, ask: (() => readonly string[]) | null): void {
    const { dialect } = this.#connection ?? {};
    if (dialect === undefined) return;
    this.#running.begin(name, stream, new SpeechDecoder(dialect.down, this.#sampleRate), ask);
  }

  get #sampleRate() {
    return this.#talk?.hearing.sampleRate ?? 8000;
  }

  #stop(name: string): void {
    if (this.#running.take(name) === null) return;
    if (this.#connection !== null) this.#connection.send(this.#connection.dialect.cancel(name));
  }
}
