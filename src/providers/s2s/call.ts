import { systemScheduler, type Scheduler } from '../../shared/clock.ts';
import type { VendorSettings } from '../../vendors/catalogue.ts';
import type { BrainContext, ModelUsage } from '../ports/model.ts';
import type { HistoryItem } from '@callwright/turns';
import type { SttOptions } from '../ports/recogniser.ts';
import type { TtsOptions } from '../ports/voice.ts';
import { SpeechDecoder } from '../tts/speech-decoder.ts';
import { vendorFault, type VendorFault } from '../wire/fault.ts';
import { S2sConnection, type S2sLimits } from './connection.ts';
import type { S2sEvent, S2sConversation, S2sVendor } from './dialect.ts';
import { Migration } from './migration.ts';
import { HistorySync, type Found } from './history-sync.ts';
import { S2sReply, type S2sStream } from './reply.ts';
import { RunningStreams } from './running.ts';
import { TokenUse } from './token-use.ts';

/** An unsolicited vendor reply counts for the current turn for this long. */
const FRESH_MS = 3_000;

export interface S2sDeps {
  readonly limits?: S2sLimits;
  readonly scheduler?: Scheduler;
  /** Replaces the connection, for tests. */
  readonly connect?: (...args: ConstructorParameters<typeof S2sConnection>) => S2sLink;
}

/** The part of a connection that a call uses. */
export type S2sLink = Pick<S2sConnection, 'dialect' | 'audio' | 'keep' | 'send' | 'renew' | 'close'>;

type HearingEvent = Extract<S2sEvent, { type: 'speech' | 'turn_ended' | 'nothing' | 'words' | 'alive' }>;

/**
 * One call at a speech-to-speech vendor. The three ports of the call (hearing.ts, brain.ts, voice.ts) share one
 * connection. A fault ends all three for the rest of the call; when the vendor limits the age of a connection, the call
 * migrates to a new one.
 */
export class S2sCall {
  readonly vendor: S2sVendor;
  fault: VendorFault | null = null;
  onHeard: (event: HearingEvent) => void = () => undefined;
  /** Called with the fault that ends the use of the vendor. */
  readonly onFault = new Set<(fault: VendorFault) => void>();
  readonly #settings: VendorSettings;
  readonly #limits: S2sLimits;
  readonly #scheduler: Scheduler;
  readonly #connect: NonNullable<S2sDeps['connect']>;
  #context: BrainContext | null = null;
  #hearing: Omit<SttOptions, 'onEvent'> | null = null;
  #voice: TtsOptions | null = null;
  /** The conversation that the connection was opened for. */
  #conversation: S2sConversation | null = null;
  #isAnswered = false;
  #connection: S2sLink | null = null;
  #history: HistorySync | null = null;
  readonly #running: RunningStreams;
  readonly #use = new TokenUse();
  #names = 0;
  /** Unsolicited reply, kept until the session requests one. */
  #unsolicited: S2sReply | null = null;
  #callerSpeaks = false;
  readonly #migration: Migration;
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
    this.#migration = new Migration(
      this.#scheduler,
      () => !this.#callerSpeaks && this.#running.isEmpty && this.#history?.waitsForTools !== true,
      () => this.#renew(),
    );
  }

  /** Connects while the call rings. After a fault while ringing, the answered call connects again. */
  ring(conversation: S2sConversation): void {
    if (this.#connection === null && !this.#isClosed) this.#begin(conversation);
  }

  /** Connects once context, recogniser and voice options are all set. */
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
    const conversation = { context, hearing, voice };
    if (this.#connection !== null && JSON.stringify(conversation) === JSON.stringify(this.#conversation))
      return;
    this.#connection?.close();
    this.#begin(conversation);
  }

  #begin(conversation: S2sConversation): void {
    this.#conversation = conversation;
    const connection = this.#connect(this.vendor, conversation, this.#settings, this.#limits, {
      onEvent: (event) => {
        if (connection === this.#connection) this.#onEvent(event);
      },
      onFault: (fault) => {
        if (connection === this.#connection) this.giveUp(fault);
      },
    });
    this.#connection = connection;
    this.#history = new HistorySync(connection.dialect, conversation.hearing.sampleRate);
  }

  audio(frame: Int16Array): void {
    this.#connection?.audio(frame);
  }

  /** Opens or closes the caller's turn. */
  callerSpeaks(speaks: boolean): void {
    this.#callerSpeaks = speaks;
    this.#connection?.keep(speaks);
    this.#migration.ifIdle();
  }

  /** Ends the caller's turn; false: the vendor has no message for it. */
  endTurn(): boolean {
    const messages = this.#connection?.dialect.endTurn() ?? [];
    this.#connection?.send(messages);
    return messages.length > 0;
  }

  /** Requests a reply to the conversation so far; null without a connection. `meter` receives its token use. */
  requestReply(history: readonly HistoryItem[], meter?: (usage: ModelUsage) => void): S2sReply | null {
    const connection = this.#connection;
    if (connection === null || this.#history === null || this.fault !== null) return null;
    connection.send(this.#history.sync(history));
    const cause = HistorySync.causeOf(history);
    const last = history.at(-1);
    const isAnswered = cause === 'caller' && !(last?.role === 'caller' && last.by !== 'speech');
    const unsolicited = isAnswered ? this.#freshReply() : null;
    this.#unsolicited = null;
    const reply = unsolicited ?? this.#request(connection, `r${++this.#names}`, cause);
    this.#use.of(reply.name, meter);
    return reply;
  }

  #request(connection: S2sLink, name: string, cause: Parameters<S2sLink['dialect']['reply']>[1]): S2sReply {
    const request = (): readonly string[] => connection.dialect.reply(name, cause);
    const reply = this.#newReply(name, request);
    connection.send(request());
    return reply;
  }

  /** Asks the vendor to speak `text`; null without a connection. Returns the function that cancels it. */
  say(text: string, stream: S2sStream): (() => void) | null {
    const connection = this.#connection;
    if (connection === null || this.fault !== null) return null;
    const name = `s${++this.#names}`;
    const request = (): readonly string[] => connection.dialect.say(name, text);
    this.#run(name, stream, request);
    connection.send(request());
    return () => this.#stop(name);
  }

  /** Cancels the reply, or the rest of it. */
  drop(reply: S2sReply): void {
    reply.isDropped = true;
    this.#stop(reply.name);
  }

  /** Finds the audio of these words of a reply. */
  find(text: string): Found | null {
    return this.#history?.find(text) ?? null;
  }

  /** Ends the use of the vendor for the rest of the call; while ringing, closes this connection only. */
  giveUp(fault: VendorFault): void {
    if (this.fault !== null || this.#isClosed) return;
    if (this.#isAnswered) this.fault = fault;
    this.#migration.cancel();
    this.#connection?.close();
    if (!this.#isAnswered) this.#connection = null;
    for (const { stream } of this.#running.takeAll()) stream.fail(fault);
    for (const listener of this.onFault) listener(fault);
  }

  close(): void {
    this.#isClosed = true;
    this.#migration.cancel();
    this.#running.takeAll();
    this.#connection?.close();
  }

  #onEvent(event: S2sEvent): void {
    // Any reply event proves that the vendor is alive.
    if ('reply' in event) this.onHeard({ type: 'alive' });
    switch (event.type) {
      case 'speech':
      case 'turn_ended':
      case 'nothing':
      case 'words':
      case 'alive':
        return this.onHeard(event);
      case 'began':
        this.#unsolicited = this.#newReply(event.reply, null);
        return;
      case 'audio': {
        const running = this.#running.received(event.reply);
        running?.stream.audio(running.decoder.push(event.bytes));
        return;
      }
      case 'text':
        this.#running.received(event.reply)?.stream.text(event.text);
        return;
      case 'tool':
        this.#running.received(event.reply)?.stream.tool(event.id, event.name, event.args);
        return;
      case 'done':
        this.#over(event);
        return this.#migration.ifIdle();
      case 'used':
        return this.#use.add(event.reply, event.usage);
      case 'going_away':
        return this.#migration.before(event.ms);
      case 'ready':
      case 'send':
      case 'fault':
        return;
      default:
        return event satisfies never;
    }
  }

  #over({ reply, isWhole }: Extract<S2sEvent, { type: 'done' }>): void {
    const running = this.#running.take(reply);
    if (running === null) return;
    running.stream.audio(running.decoder.end());
    // Keep a reply that the vendor cut off: the agent speaks the part received.
    if (isWhole || running.hasBegun || this.#unsolicited?.name === reply) return running.stream.done();
    return running.stream.fail(vendorFault(this.vendor.name, 'lost', 'the reply is broken off'));
  }

  /** Migrates the conversation to a new connection. */
  #renew(): void {
    const [connection, history] = [this.#connection, this.#history];
    if (connection === null || history === null || this.fault !== null || this.#isClosed) return;
    const { over, request } = this.#running.move();
    connection.renew(history.lines());
    for (const { stream, decoder, hasBegun } of over) {
      stream.audio(decoder.end());
      if (hasBegun) stream.done();
      else stream.fail(vendorFault(this.vendor.name, 'lost', 'the connection ended before the reply'));
    }
    connection.send(request());
  }

  #freshReply(): S2sReply | null {
    const reply = this.#unsolicited;
    return reply !== null && this.#scheduler.now() - reply.beganAt <= FRESH_MS ? reply : null;
  }

  #newReply(name: string, request: (() => readonly string[]) | null): S2sReply {
    const reply = new S2sReply(name, this.#sampleRate, this.#scheduler.now());
    this.#history?.add(reply);
    this.#run(name, reply, request);
    return reply;
  }

  #run(name: string, stream: S2sStream, request: (() => readonly string[]) | null): void {
    const { dialect } = this.#connection ?? {};
    if (dialect === undefined) return;
    this.#running.begin(name, stream, new SpeechDecoder(dialect.down, this.#sampleRate), request);
  }

  get #sampleRate() {
    return this.#conversation?.hearing.sampleRate ?? 8000;
  }

  #stop(name: string): void {
    if (this.#running.take(name) === null) return;
    if (this.#connection !== null) this.#connection.send(this.#connection.dialect.cancel(name));
  }
}
