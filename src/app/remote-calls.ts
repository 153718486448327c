import type { MessagePort } from 'node:worker_threads';
import type { CallLink, CallReport, WebCallLink } from './call-link.ts';
import type { Answer, FromControl, Request, ToControl, WatchedEvent } from './control-protocol.ts';

/** A thread of calls that does not answer by then is stalled: hangups and live views take the way over the database. */
const ANSWER_MS = 2_000;

type Send = (message: FromControl, transfer?: readonly MessagePort[]) => void;

interface Pending {
  resolve(answer: Answer): void;
}

/** The calls of the process as the control thread reaches them: by messages to their thread. */
export class RemoteCalls implements CallLink {
  readonly #send: Send;
  readonly #pending = new Map<number, Pending>();
  readonly #watchers = new Map<number, (event: WatchedEvent) => void>();
  #lastId = 0;

  constructor(send: Send) {
    this.#send = send;
  }

  readonly wake = (): void => this.#send({ type: 'wake' });

  readonly connectSpeech: CallLink['connectSpeech'] = (port) => this.#send({ type: 'speech', port }, [port]);

  async hangup(workspaceId: string, callId: string): Promise<boolean> {
    const answer = await this.#request({ type: 'hangup', workspaceId, callId }).catch(() => null);
    return answer?.type === 'done' && answer.done;
  }

  readonly watch: CallLink['watch'] = async (workspaceId, callId, watcher) => {
    const watchId = (this.#lastId += 1);
    this.#watchers.set(watchId, watcher);
    const answer = await this.#request({ type: 'watch', watchId, workspaceId, callId }).catch(() => null);
    const stop = (): void => {
      if (this.#watchers.delete(watchId)) this.#send({ type: 'unwatch', watchId });
    };
    if (answer?.type === 'done' && answer.done) return stop;
    stop();
    return null;
  };

  readonly web: WebCallLink = {
    open: async (connect) => {
      const answer = await this.#request({ type: 'web_open', connect });
      if (answer.type !== 'web') throw new Error('the thread of the calls answered something else');
      return answer.connected;
    },
    connect: (callId, socket) => this.#send({ type: 'web_socket', callId, socket }),
    openListener: async (connect) => {
      const answer = await this.#request({ type: 'listen_open', connect });
      if (answer.type !== 'listen') throw new Error('the thread of the calls answered something else');
      return answer.opened;
    },
    listen: (listenerId, socket) => this.#send({ type: 'listen_socket', listenerId, socket }),
  };

  async report(): Promise<CallReport> {
    const answer = await this.#request({ type: 'report' });
    if (answer.type !== 'report') throw new Error('the thread of the calls answered something else');
    return answer.report;
  }

  /** An answer or an event from the thread of the calls. */
  receive(message: Extract<ToControl, { type: 'answer' | 'event' }>): void {
    if (message.type === 'event') {
      this.#watchers.get(message.watchId)?.(message.event);
      return;
    }
    this.#pending.get(message.requestId)?.resolve(message.answer);
  }

  /** Rejects when no answer comes in time. */
  #request(request: Request): Promise<Answer> {
    const requestId = (this.#lastId += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const timer = setTimeout(() => {
      reject(new Error('the thread of the calls does not respond'));
    }, ANSWER_MS);
    this.#pending.set(requestId, { resolve });
    this.#send({ type: 'request', requestId, request });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#pending.delete(requestId);
    });
  }
}
