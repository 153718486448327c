import type { Person } from '../session/person.ts';
import type { Listeners } from '../session/taps.ts';
import type { Clock, Scheduler } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { adoptFramed } from '../telephony/carriers/audiosocket/framed-socket.ts';
import { audiosocket } from '../telephony/carriers/dialects/audiosocket.ts';
import type { StreamLeg } from '../telephony/carriers/stream-leg.ts';
import { adoptSocket, dropSocket, type WebSocketHandover } from '../telephony/web/handover.ts';
import { LISTEN_PROTOCOL, ListenerSocket } from '../telephony/web/listener-socket.ts';
import { WEB_CALL_PROTOCOL, WEB_RATE, type ServerMessage } from '../telephony/web/messages.ts';
import type { WebLeg } from '../telephony/web/web-leg.ts';
import type { SampleRate } from '@callwright/audio';
import type { MainThread } from './call-host.ts';

/** Carriers name no protocol. */
const NO_PROTOCOL = '';

/** What a listener needs of a call. */
interface HeardCall {
  readonly leg: { readonly sampleRate: SampleRate };
  readonly listeners: Listeners;
  readonly listening: Map<string, ListenerSocket>;
  readonly finishing: boolean;
  /** Null: not answered yet. */
  readonly person: Person | null;
}

/** Connections of browser calls and listeners, which the thread of the API hands over. */
export class WebConnections {
  readonly #log: Log;
  readonly #main: MainThread;
  readonly #time: { readonly clock: Clock; readonly scheduler: Scheduler };

  constructor(deps: {
    readonly log: Log;
    readonly main: MainThread;
    readonly clock: Clock;
    readonly scheduler: Scheduler;
  }) {
    this.#log = deps.log;
    this.#main = deps.main;
    this.#time = deps;
  }

  attach(callId: string, leg: WebLeg, socket: WebSocketHandover, resume: string): void {
    const ready: ServerMessage = { type: 'ready', call_id: callId, resume, sample_rate: WEB_RATE };
    try {
      adoptSocket(socket, WEB_CALL_PROTOCOL, (opened) => leg.attach(opened, ready));
    } catch (error) {
      // The leg ends the call unless another connection comes.
      this.#log.warn({ err: error, callId }, 'a connection of a browser call could not be taken over');
    }
  }

  /** The connection of a carrier for its call `carrierCallId`. */
  connect(callId: string, leg: StreamLeg, socket: WebSocketHandover, carrierCallId: string): void {
    try {
      if (socket.isAudioSocket === true)
        adoptFramed(socket, this.#time.scheduler, (opened) =>
          leg.connect(opened, carrierCallId, audiosocket),
        );
      else adoptSocket(socket, NO_PROTOCOL, (opened) => leg.connect(opened, carrierCallId));
    } catch (error) {
      // The leg ends the call when nothing connects.
      this.#log.warn({ err: error, callId }, 'the connection of a carrier could not be taken over');
    }
  }

  /** `name`: the member who listens. */
  listen(
    callId: string,
    call: HeardCall,
    { listenerId, name }: { readonly listenerId: string; readonly name: string },
    socket: WebSocketHandover,
  ): void {
    const ready = { call_id: callId, sample_rate: call.leg.sampleRate };
    try {
      adoptSocket(socket, LISTEN_PROTOCOL, (opened) => {
        const listening = new ListenerSocket(opened, ready, this.#time, {
          onLeft: () => {
            call.listeners.remove(listenerId);
            call.listening.delete(listenerId);
            call.person?.left(name);
            this.#main.of(callId).send.onListenerLeft(listenerId);
          },
          onRefused: () => this.#main.send.refused('listen'),
          mayTalk: () => call.person?.mayTalk(name) === true,
          onAudio: (pcm) => call.person?.speak(name, pcm),
        });
        call.listening.set(listenerId, listening);
        call.listeners.add(listenerId, listening);
        if (call.finishing) listening.close();
      });
    } catch (error) {
      this.#log.warn({ err: error, callId }, 'the connection of a listener could not be taken over');
      this.#main.of(callId).send.onListenerLeft(listenerId);
    }
  }

  /** The call ended before its listener came. */
  refuseListener(callId: string, listenerId: string, socket: WebSocketHandover): void {
    this.#endAtOnce(socket, LISTEN_PROTOCOL);
    this.#main.of(callId).send.onListenerLeft(listenerId);
  }

  /** The call ended before the connection of its browser, or carrier, came. */
  refuse(socket: WebSocketHandover): void {
    if (socket.isAudioSocket === true) dropSocket(socket);
    else this.#endAtOnce(socket, WEB_CALL_PROTOCOL);
  }

  #endAtOnce(socket: WebSocketHandover, protocol: string): void {
    try {
      adoptSocket(socket, protocol, (opened) => {
        opened.on('error', () => undefined);
        opened.close(1000, 'ended');
      });
    } catch {
      // The connection is gone.
    }
  }
}
