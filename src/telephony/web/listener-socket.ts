import type { WebSocket } from 'ws';
import type { Clock, Scheduler } from '../../shared/clock.ts';
import { Budget } from '../../shared/ingress/budget.ts';
import { Meter, receiveMetered } from '../../shared/ingress/metered-socket.ts';

/**
 * The protocol of listeners. Text from us: `ready`. Binary from us: 20 ms of interleaved PCM16, caller left, agent right. Binary
 * from a member who has taken the call over: 20 ms of their microphone as PCM16 at the same rate.
 */
export const LISTEN_PROTOCOL = 'callwright-listen.1';

/** A connection that does not take a second of audio misses frames; the call never waits for it. */
const MOST_UNSENT_BYTES = 64_000;
const STEPS_PER_SECOND = 50;
const PING_STEPS = 5 * STEPS_PER_SECOND;
/** Steps without a sign of life, or with every frame dropped, after which the connection is cut. */
const LOST_STEPS = 15 * STEPS_PER_SECOND;
/** It answers our pings, and says nothing unless it has taken the call over. */
const MESSAGES = { messages: { burst: 10, perSecond: 1 } };
const PATIENCE = { drops: { burst: 0, perSecond: 1 }, reason: 'a listener sends nothing' };
/** Frames of a microphone; a browser's clock may be fast. */
const FRAMES = { messages: { burst: 100, perSecond: 51 } };

/** What a listener's connection leads to. */
interface ListenerEvents {
  onLeft(): void;
  onRefused(): void;
  /** The member has taken the call over at some time: their audio is expected. */
  mayTalk(): boolean;
  /** 20 ms of the member's microphone. */
  onAudio(pcm: Int16Array): void;
}

/** The connection of one listener. Nothing that the page says reaches the call before the member has taken it over. */
export class ListenerSocket {
  readonly #socket: WebSocket;
  #silentSteps = 0;
  #droppedSteps = 0;

  constructor(
    socket: WebSocket,
    ready: { readonly call_id: string; readonly sample_rate: number },
    { clock, scheduler }: { readonly clock: Clock; readonly scheduler: Pick<Scheduler, 'after'> },
    events: ListenerEvents,
  ) {
    this.#socket = socket;
    socket.on('pong', () => {
      this.#silentSteps = 0;
    });
    const [budget, frames] = [new Budget(MESSAGES), new Budget(FRAMES)];
    const frameBytes = (ready.sample_rate / STEPS_PER_SECOND) * 2;
    receiveMetered(socket, {
      meter: new Meter((isBinary) => (isBinary && events.mayTalk() ? frames : budget), PATIENCE),
      scheduler,
      now: () => clock.monotonic(),
      onMessage: (data, isBinary) => {
        if (!isBinary || data.length !== frameBytes || !events.mayTalk()) return;
        // A copy: a message may begin at an odd byte of its buffer.
        events.onAudio(new Int16Array(Uint8Array.from(data).buffer));
      },
      onDropped: (isLast) => {
        if (isLast) events.onRefused();
      },
    });
    // `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => events.onLeft());
    socket.send(JSON.stringify({ type: 'ready', channels: 2, ...ready }));
  }

  send(stereo: Int16Array): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    this.#silentSteps += 1;
    if (this.#silentSteps >= LOST_STEPS || this.#droppedSteps >= LOST_STEPS) return socket.terminate();
    if (this.#silentSteps % PING_STEPS === 0) socket.ping();
    if (socket.bufferedAmount > MOST_UNSENT_BYTES) {
      this.#droppedSteps += 1;
      return undefined;
    }
    this.#droppedSteps = 0;
    socket.send(new Uint8Array(stereo.buffer, stereo.byteOffset, stereo.byteLength));
    return undefined;
  }

  close(): void {
    this.#socket.close(1000, 'ended');
  }

  /** The session that listens has ended, or lost its role: nothing is sent from here on, whether the page closes or not. */
  revoke(): void {
    this.#socket.close(1008, 'you may no longer listen');
  }
}
