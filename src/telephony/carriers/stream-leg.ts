import { rms, type DtmfDigit } from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats, Wheel, WheelMember } from '@callwright/rtp';
import type { Clock, Scheduler } from '../../shared/clock.ts';
import { Budget } from '../../shared/ingress/budget.ts';
import type { MessageSocket } from '../../shared/ingress/message-socket.ts';
import { Meter } from '../../shared/ingress/metered-socket.ts';
import { CallSocket, refuseSocket } from '../web/call-socket.ts';
import { CODECS, type AudioFormat } from './audio-format.ts';
import { ChunkOrder } from './chunk-order.ts';
import { DIALECTS } from './dialects/dialect.ts';
import type { Dialect, StreamEvent } from './dialects/messages.ts';
import { FIRST_LEAD_MS, LEAD_MS, PlayOut } from './play-out.ts';
import type { CarrierKind } from '../../shared/carrier-kinds.ts';
import { keyTones } from './key-tones.ts';

/** What happens to the connection of a carrier. */
export interface StreamLegEvents {
  /** The caller hung up, or the carrier's connection was cut or never came (`system`). Called once. */
  onLeft(by: 'caller' | 'system'): void;
  /** The connection was closed, because it sent more than its budget. */
  onRefused(): void;
}

/** Codes of a closing handshake: normal, the far side goes, and none. */
const HUNG_UP: ReadonlySet<number> = new Set([1000, 1001, 1005]);
const STEP_MS = 20;
const FRAME = 160;
const MARK_STEPS = 1_000 / STEP_MS;
/** The carrier has so long to connect and to begin the stream. */
const START_STEPS = 10_000 / STEP_MS;
/** Carriers send audio without a pause: a connection without any for this long is cut. */
const SILENT_STEPS = 6_000 / STEP_MS;
/** Messages have 20 ms of audio in some 600 bytes; a stall of the network delivers those of several seconds at once. */
const MESSAGES = { messages: { burst: 400, perSecond: 60 }, bytes: { burst: 400_000, perSecond: 48_000 } };
const PATIENCE = { drops: { burst: 300, perSecond: 5 }, reason: 'too many messages' };
/** Frames of speech below this are a pause between words. */
const PAUSE_RMS = 60;
/** Unsent bytes beyond which audio is dropped instead of queued: some 2 s. */
const MOST_UNSENT_BYTES = 40_000;

/** The media of one call over the connection of a carrier, at 8 kHz. A connection that is cut ends the call: none follows. */
export class StreamLeg implements MediaLeg, WheelMember {
  readonly sampleRate = 8_000;
  /** It has no RTP port. */
  readonly port = 0;
  readonly #wheel: Wheel;
  readonly #clock: Clock;
  readonly #events: StreamLegEvents;
  #dialect: Dialect;
  readonly #isPlaced: boolean;
  readonly #socket: CallSocket<MessageSocket>;
  /** The carrier's call to which the stream has to belong; empty: any. */
  #carrierCallId = '';
  readonly #order = new ChunkOrder();
  readonly #playOut = new PlayOut();
  readonly #frame = new Int16Array(FRAME);
  readonly #out = new Int16Array(FRAME);
  readonly #keys: Int16Array[] = [];
  /** Audio of the caller that fills no frame yet, and its format. */
  #rest: Buffer = Buffer.alloc(0);
  #format: AudioFormat = 'ulaw';
  /** Samples of the agent that fill no message yet. */
  #waiting: Int16Array = new Int16Array(0);
  #streamId: string | null = null;
  #sink: MediaSink | null = null;
  #hasLeft = false;
  #isClosed = false;
  #startSteps = 0;
  #silentSteps = 0;
  #markSteps = 0;
  /** The agent was heard since the carrier had nothing left to play. */
  #hasSounded = false;
  #chunks = 0;
  #sent = 0;
  #received = 0;
  #frames = 0;

  constructor(options: {
    wheel: Wheel;
    clock: Clock;
    scheduler: Pick<Scheduler, 'after'>;
    events: StreamLegEvents;
    carrier: CarrierKind;
    /** The carrier connects when the callee answers: the dialer has the limit. Absent: it connects at once. */
    isPlaced?: boolean;
  }) {
    this.#wheel = options.wheel;
    this.#clock = options.clock;
    this.#events = options.events;
    this.#dialect = DIALECTS[options.carrier];
    this.#isPlaced = options.isPlaced ?? false;
    const budget = new Budget(MESSAGES);
    this.#socket = new CallSocket({
      clock: options.clock,
      scheduler: options.scheduler,
      meter: new Meter(() => budget, PATIENCE),
      mostUnsentBytes: MOST_UNSENT_BYTES,
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onDropped: (isLast) => {
        if (isLast) this.#events.onRefused();
      },
      // Some carriers say nothing else when the caller hangs up.
      onClose: (code) => this.#left(HUNG_UP.has(code) ? 'caller' : 'system'),
    });
    this.#wheel.add(this);
  }

  start(sink: MediaSink): void {
    this.#sink = sink;
  }

  /**
   * Carries the call over this connection, if it is the stream of the carrier's call `carrierCallId`; empty: of any call.
   * `dialect`: of the connection, where the carrier has several.
   */
  connect(socket: MessageSocket, carrierCallId: string, dialect = this.#dialect): void {
    if (this.#isClosed || this.#hasLeft || this.#socket.current !== null) return refuseSocket(socket);
    this.#carrierCallId = carrierCallId;
    this.#dialect = dialect;
    this.#socket.take(socket);
    return undefined;
  }

  /** Plays the tones of the keys: the protocol has no message for them. */
  sendDtmf(digits: readonly DtmfDigit[]): void {
    this.#keys.push(...keyTones(digits, this.sampleRate, FRAME));
  }

  flush(): void {
    const streamId = this.#streamId;
    if (streamId === null) return;
    this.#waiting = new Int16Array(0);
    const clear = this.#dialect.clear(streamId);
    if (clear === null) return;
    this.#socket.send(clear);
    this.#playOut.cleared(this.#clock.now());
  }

  unplayedMs(): number {
    return this.#playOut.unplayedMs(this.#clock.now()) + msOf(this.#waiting);
  }

  onTick(at: number): void {
    const streamId = this.#streamId;
    if (streamId === null) {
      if (this.#isPlaced && this.#socket.current === null) return;
      this.#startSteps += 1;
      if (this.#startSteps >= START_STEPS) this.#left('system');
      return;
    }
    this.#silentSteps += 1;
    if (this.#silentSteps >= SILENT_STEPS) {
      this.#socket.current?.terminate();
      return;
    }
    if (this.#sink === null) return;
    const isSpeaking = this.#sink.fill(this.#out, at);
    const key = this.#keys.shift();
    if (key !== undefined) this.#out.set(key);
    if (isSpeaking || key !== undefined) this.#play(streamId, at);
    else this.#rests(streamId, at);
  }

  stats(): MediaStats {
    return this.#socket.stats({
      codec: CODECS[this.#format].name,
      packetsSent: this.#sent,
      packetsReceived: this.#received,
      packetsLost: this.#order.lost,
      packetsLate: this.#order.late,
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#wheel.remove(this);
    this.#sink = null;
    if (this.#streamId !== null && this.#dialect.end !== null)
      this.#socket.send(this.#dialect.end(this.#streamId));
    this.#socket.close();
    this.#streamId = null;
    return Promise.resolve();
  }

  #play(streamId: string, at: number): void {
    const { chunkMs, leadMs = LEAD_MS } = this.#dialect;
    const isDry = this.#waiting.length === 0 && this.#playOut.isDry(at);
    const isPause = rms(this.#out) < PAUSE_RMS;
    const aheadMs = this.#playOut.aheadMs(at) + msOf(this.#waiting);
    // Pauses between words are longer by a frame each until the carrier has the whole lead to play.
    const grows = isPause && this.#hasSounded && aheadMs < leadMs + chunkMs - STEP_MS;
    this.#hasSounded = !isPause || (this.#hasSounded && !isDry);
    // The first message has a whole chunk and a lead, so that the carrier plays until the next one is full.
    const lead = isDry ? samplesOf(FIRST_LEAD_MS + chunkMs - STEP_MS) : grows ? FRAME : 0;
    const pcm = new Int16Array(this.#waiting.length + lead + FRAME);
    pcm.set(this.#waiting);
    pcm.set(this.#out, pcm.length - FRAME);
    this.#waiting = pcm;
    if (pcm.length < samplesOf(chunkMs)) return;
    this.#sendWaiting(streamId, at);
    if (this.#markSteps >= MARK_STEPS) this.#mark(streamId);
  }

  /** Nothing more to say now: what waits goes, filled with silence, and a mark behind it. */
  #rests(streamId: string, at: number): void {
    if (this.#waiting.length > 0) {
      const pcm = new Int16Array(samplesOf(this.#dialect.chunkMs));
      pcm.set(this.#waiting);
      this.#waiting = pcm;
      this.#sendWaiting(streamId, at);
    }
    if (this.#markSteps > 0) this.#mark(streamId);
  }

  #sendWaiting(streamId: string, at: number): void {
    const pcm = this.#waiting;
    this.#waiting = new Int16Array(0);
    this.#chunks += 1;
    const bytes = CODECS[this.#dialect.format].encode(pcm);
    if (!this.#socket.send(this.#dialect.media(streamId, bytes, this.#chunks))) {
      this.#socket.lostAudio();
      return;
    }
    this.#sent += 1;
    this.#playOut.sent(msOf(pcm), at);
    this.#markSteps += pcm.length / FRAME;
  }

  /** Once a second of speech, and at its end. */
  #mark(streamId: string): void {
    this.#markSteps = 0;
    if (this.#dialect.mark !== null) this.#socket.send(this.#dialect.mark(streamId, this.#playOut.mark()));
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#silentSteps = 0;
    const event = this.#dialect.parse(data, isBinary);
    if (event === null) this.#socket.invalid();
    else this.#take(event, this.#clock.now());
  }

  #take(event: StreamEvent, at: number): void {
    if (event.type === 'started') this.#begin(event);
    else if (event.type === 'stopped') this.#left('caller');
    else if (event.type === 'failed') this.#left('system');
    else if (this.#streamId === null) return;
    else if (event.type === 'key') this.#sink?.onDtmf(event.digit, at);
    else if (event.type === 'marked') this.#playOut.marked(event.name, at);
    else if (event.type === 'audio') {
      this.#received += 1;
      const due = event.chunk === null ? [event.bytes] : this.#order.push(event.chunk, event.bytes);
      for (const bytes of due) this.#hear(bytes, at);
    }
  }

  #begin({ streamId, callId, format }: Extract<StreamEvent, { type: 'started' }>): void {
    const known = this.#carrierCallId;
    if (known !== '' && callId !== null && callId !== known)
      return this.#socket.current?.close(1008, 'the stream of another call');
    this.#streamId ??= streamId;
    this.#format = format;
    return undefined;
  }

  #hear(bytes: Buffer, at: number): void {
    const codec = CODECS[this.#format];
    const audio = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const step = FRAME * codec.bytesPerSample;
    let place = 0;
    for (; place + step <= audio.length; place += step) {
      codec.decode(this.#frame, audio.subarray(place, place + step));
      const timestamp = this.#frames * FRAME;
      this.#frames += 1;
      this.#sink?.onAudio(this.#frame, timestamp, false, at);
    }
    this.#rest = audio.subarray(place);
  }

  #left(by: 'caller' | 'system'): void {
    if (this.#hasLeft || this.#isClosed) return;
    this.#hasLeft = true;
    this.#events.onLeft(by);
  }
}

const samplesOf = (ms: number): number => (ms * FRAME) / STEP_MS;
const msOf = (pcm: Int16Array): number => (pcm.length * STEP_MS) / FRAME;
