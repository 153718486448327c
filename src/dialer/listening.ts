import { beginListening, endListening, type ListeningDeps } from '../domain/calls/listening.ts';
import type { WebRefusal } from '../domain/web-calls/take-web-call.ts';
import type { ListenerRow } from '../store/calls/listeners.ts';
import type { WebSocketHandover } from '../telephony/web/handover.ts';
import type { LiveCalls } from './live-calls.ts';
import type { WebConnect } from './web-call.ts';

/** Listeners of one call at a time. */
const MOST_LISTENERS = 3;
/** Its connection was accepted, but the socket did not arrive here. */
const CONNECT_MS = 10_000;

interface Current {
  readonly listener: ListenerRow;
  /** Null: the call's worker has the connection. */
  lapse: NodeJS.Timeout | null;
}

interface Deps extends ListeningDeps {
  readonly live: LiveCalls;
  /** Closes a connection whose call is over. */
  readonly drop: (socket: WebSocketHandover) => void;
}

export type ListenOpened = { readonly listenerId: string } | WebRefusal;

/** Who listens to the live calls of this process. The audio goes from the call's worker to the listener directly. */
export class Listening {
  readonly #deps: Deps;
  readonly #current = new Map<string, Current>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Decides on a connection; when it is accepted, `connect` follows with its socket. */
  async open(request: WebConnect): Promise<ListenOpened> {
    const begun = await beginListening(this.#deps, request, ({ callId }) => this.#refusal(callId));
    if ('refuse' in begun) return begun;
    const lapse = setTimeout(() => this.left(begun.id), CONNECT_MS);
    this.#current.set(begun.id, { listener: begun, lapse });
    return { listenerId: begun.id };
  }

  connect(listenerId: string, socket: WebSocketHandover): void {
    const current = this.#current.get(listenerId);
    if (current === undefined) return this.#deps.drop(socket);
    if (current.lapse !== null) clearTimeout(current.lapse);
    current.lapse = null;
    const { callId, listener } = current.listener;
    if (!this.#deps.live.listen(callId, listenerId, socket)) {
      this.#deps.drop(socket);
      return this.left(listenerId);
    }
    this.#deps.live.publish(callId, {
      type: 'notice',
      code: 'LISTENING',
      message: `${listener} listens to the call`,
    });
    return undefined;
  }

  /** A listener left, or the call ended. */
  left(listenerId: string): void {
    const current = this.#current.get(listenerId);
    if (current === undefined) return;
    this.#current.delete(listenerId);
    if (current.lapse !== null) clearTimeout(current.lapse);
    const { listener } = current;
    this.#deps.live.publish(listener.callId, {
      type: 'notice',
      code: 'LISTENING_ENDED',
      message: `${listener.listener} stopped listening to the call`,
    });
    endListening(this.#deps, listener, this.#deps.clock.now()).catch((error: unknown) => {
      this.#deps.log.error({ err: error, callId: listener.callId }, 'the end of a listener was not stored');
    });
  }

  /** The call is over in this process. */
  ended(callId: string): void {
    for (const [id, { listener }] of this.#current) if (listener.callId === callId) this.left(id);
  }

  #refusal(callId: string): WebRefusal | null {
    if (!this.#deps.live.has(callId))
      return { refuse: 404, reason: 'the call has ended, or another process carries it' };
    const others = [...this.#current.values()].filter(({ listener }) => listener.callId === callId);
    return others.length < MOST_LISTENERS
      ? null
      : { refuse: 429, reason: `at most ${MOST_LISTENERS} listen to a call at a time` };
  }
}
