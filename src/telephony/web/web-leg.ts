import type { WebSocket } from 'ws';
import type { Clock, Scheduler } from '../../shared/clock.ts';
import { Budget } from '../../shared/ingress/budget.ts';
import { Meter } from '../../shared/ingress/metered-socket.ts';
import { StepQueue } from '../../shared/ingress/step-queue.ts';
import type { DtmfDigit } from '@callwright/audio';
import type { MediaLeg, MediaSink, MediaStats, Wheel, WheelMember } from '@callwright/rtp';
import { CallSocket, refuseSocket } from './call-socket.ts';
import {
  parseClientMessage,
  type ClientMessage,
  WEB_FRAME_BYTES,
  WEB_FRAME_SAMPLES,
  WEB_RATE,
  type ServerMessage,
} from './messages.ts';

/** What happens to the connection of a browser call. */
export interface WebLegEvents {
  /** The browser is away, or back: the conversation waits meanwhile. */
  onAway(isAway: boolean): void;
  /** The caller hung up, or did not come back in time (`system`). Called once. */
  onLeft(by: 'caller' | 'system'): void;
  /** A connection was closed, because it sent more than its budget. */
  onRefused(): void;
}

const STEP_MS = 20;
/** A cut connection may come back for this long; before the first one it is the time to connect. */
const AWAY_STEPS = 5_000 / STEP_MS;
const PING_STEPS = 2_000 / STEP_MS;
/** A connection without any traffic for this long is cut: browsers answer pings by themselves. */
const SILENT_STEPS = 6_000 / STEP_MS;
/** Unsent audio beyond this is dropped instead of queued: 2 s. */
const MOST_UNSENT_BYTES = 100 * WEB_FRAME_BYTES;
/** Frames ahead of real time that are accepted, such as after a stall of the network; a browser's clock may be fast. */
const FRAMES = { messages: { burst: 100, perSecond: 51 } };
/** Keys and typed lines. A card number may come at once. */
const WORDS = { messages: { burst: 40, perSecond: 10 }, bytes: { burst: 24_576, perSecond: 2_048 } };
/** A typed line costs the conversation up to a few milliseconds: more of them wait for the next tick. */
const WORDS_A_TICK = 2;
/** A connection that was stalled for as long as one may be sends 300 frames at once. */
const PATIENCE = { drops: { burst: 300, perSecond: 5 }, reason: 'too many messages' };

/** The media of one browser call over a WebSocket, which may be replaced by another one while the call lasts. */
export class WebLeg implements MediaLeg, WheelMember {
  readonly sampleRate = WEB_RATE;
  /** It has no RTP port. */
  readonly port = 0;
  readonly #wheel: Wheel;
  readonly #clock: Clock;
  readonly #events: WebLegEvents;
  readonly #socket: CallSocket;
  readonly #words = new StepQueue<ClientMessage>(WORDS_A_TICK, (message) => this.#take(message));
  readonly #frame = new Int16Array(WEB_FRAME_SAMPLES);
  readonly #frameBytes = Buffer.from(this.#frame.buffer);
  readonly #out = new Int16Array(WEB_FRAME_SAMPLES);
  readonly #outBytes = new Uint8Array(this.#out.buffer);
  #sink: MediaSink | null = null;
  #wasConnected = false;
  #hasLeft = false;
  #isClosed = false;
  /** Steps without a connection, without traffic on it, and to the next ping. */
  #awaySteps = 0;
  #silentSteps = 0;
  #pingSteps = PING_STEPS;
  #sent = 0;
  #received = 0;

  constructor(options: {
    wheel: Wheel;
    clock: Clock;
    scheduler: Pick<Scheduler, 'after'>;
    events: WebLegEvents;
  }) {
    this.#wheel = options.wheel;
    this.#clock = options.clock;
    this.#events = options.events;
    const [frames, words] = [new Budget(FRAMES), new Budget(WORDS)];
    this.#socket = new CallSocket({
      clock: options.clock,
      scheduler: options.scheduler,
      meter: new Meter((isBinary) => (isBinary ? frames : words), PATIENCE),
      mostUnsentBytes: MOST_UNSENT_BYTES,
      onMessage: (data, isBinary) => this.#receive(data, isBinary),
      onDropped: (isLast) => {
        this.#silentSteps = 0;
        if (isLast) this.#events.onRefused();
      },
      onClose: (code) => this.#onClose(code),
    });
    this.#wheel.add(this);
  }

  start(sink: MediaSink): void {
    this.#sink = sink;
  }

  /** Carries the call on over this connection and ends an earlier one. `ready` is its first message. */
  attach(socket: WebSocket, ready: ServerMessage): void {
    if (this.#isClosed || this.#hasLeft) return refuseSocket(socket);
    this.#silentSteps = 0;
    this.#awaySteps = 0;
    const before = this.#socket.take(socket);
    before?.close(4001, 'replaced');
    socket.on('pong', () => {
      this.#silentSteps = 0;
    });
    this.tell(ready);
    if (this.#wasConnected && before === null) this.#events.onAway(false);
    this.#wasConnected = true;
    return undefined;
  }

  sendDtmf(digits: readonly DtmfDigit[]): void {
    this.tell({ type: 'keys', digits: digits.join('') });
  }

  flush(): void {
    this.tell({ type: 'clear' });
  }

  tell(message: ServerMessage): void {
    const { current: socket } = this.#socket;
    if (socket !== null && socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
  }

  onTick(at: number): void {
    this.#words.step();
    const { current: socket } = this.#socket;
    if (socket === null) {
      this.#awaySteps += 1;
      if (this.#awaySteps >= AWAY_STEPS) this.#left('system');
    } else this.#keepAlive(socket);
    if (!this.#wasConnected || this.#sink === null) return;
    if (this.#sink.fill(this.#out, at) && socket !== null) this.#send();
  }

  stats(): MediaStats {
    return this.#socket.stats({
      codec: 'L16',
      packetsSent: this.#sent,
      packetsReceived: this.#received,
      packetsLost: 0,
      packetsLate: 0,
    });
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#wheel.remove(this);
    this.#words.clear();
    this.#sink = null;
    this.#socket.close();
    return Promise.resolve();
  }

  #send(): void {
    const bytes = Buffer.allocUnsafe(WEB_FRAME_BYTES);
    bytes.set(this.#outBytes);
    if (this.#socket.send(bytes)) this.#sent += 1;
    else this.#socket.lostAudio();
  }

  #keepAlive(socket: WebSocket): void {
    this.#silentSteps += 1;
    if (this.#silentSteps >= SILENT_STEPS) {
      socket.terminate();
      return;
    }
    this.#pingSteps -= 1;
    if (this.#pingSteps > 0) return;
    this.#pingSteps = PING_STEPS;
    if (socket.readyState === socket.OPEN) socket.ping();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#silentSteps = 0;
    if (isBinary) {
      this.#audio(data, this.#clock.now());
      return;
    }
    const message = parseClientMessage(data);
    if (message === null) this.#socket.invalid();
    else this.#words.push(message);
  }

  #take(message: ClientMessage): void {
    const at = this.#clock.now();
    if (message.type === 'hangup') this.#left('caller');
    else if (message.type === 'dtmf') this.#sink?.onDtmf(message.digit, at);
    else this.#sink?.onText?.(message.text, at);
  }

  #audio(data: Buffer, at: number): void {
    if (data.length !== WEB_FRAME_BYTES) {
      this.#socket.invalid();
      return;
    }
    this.#frameBytes.set(data);
    const timestamp = this.#received * WEB_FRAME_SAMPLES;
    this.#received += 1;
    this.#sink?.onAudio(this.#frame, timestamp, false, at);
  }

  #onClose(code: number): void {
    // After the lines that came before it.
    if (code === 1000) this.#words.push({ type: 'hangup' });
    else if (!this.#hasLeft) this.#events.onAway(true);
  }

  #left(by: 'caller' | 'system'): void {
    if (this.#hasLeft || this.#isClosed) return;
    this.#hasLeft = true;
    this.#events.onLeft(by);
  }
}
