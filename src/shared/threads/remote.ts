import { Kind, type Message, type Port } from './messages.ts';
import { transfersOf } from './moved.ts';
import { NoAnswer, remoteError, wireError } from './remote-error.ts';

type Answers = (...args: never[]) => Promise<unknown>;

/** The methods of an interface that have no result: their messages have no answer and allocate no promise. */
export type Sends<Api> = {
  readonly [Name in keyof Api as Api[Name] extends Answers ? never : Name]: Api[Name];
};

/** The methods of an interface that return a promise: it settles once, at the latest when the other thread ends. */
export type Calls<Api> = {
  readonly [Name in keyof Api as Api[Name] extends Answers ? Name : never]: Api[Name];
};

/** How a thread implements its interface: it may return a result at once, and a call that may be aborted has a signal. */
export type Serves<Api> = {
  [Name in keyof Api]: Api[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: [...Args, signal?: AbortSignal]) => Result | Promise<Result>
    : Api[Name];
};

/** When a caller stops waiting; the other thread's handler gets an aborted signal. */
export interface Limits {
  readonly withinMs?: number;
  /** What the error of a call that was not answered within `withinMs` says. */
  readonly silence?: string;
  readonly signal?: AbortSignal;
}

/** Another thread's interface. `Part`: the interface of its parts, such as one call of a worker. */
export interface Remote<Api, Part = never> {
  readonly send: Sends<Api>;
  readonly call: Calls<Api>;
  calls(limits: Limits): Calls<Api>;
  /** The part of this name; what is sent to a part that is gone is dropped, and a call is rejected. */
  of(name: string): Pick<Remote<Part>, 'send' | 'call'>;
}

export interface Served<Api, Part = never> {
  readonly api: Serves<Api>;
  part?(name: string): Serves<Part> | undefined;
}

/** One end of a port: `remote` reaches the other end. */
export interface Link<Api, Part, Mine, MyPart> {
  readonly remote: Remote<Api, Part>;
  /** Answers the other end's messages, also those that came before. */
  serve(served: Served<Mine, MyPart>): void;
  /** Rejects every call without an answer, and those that follow; later messages of the other end are ignored. */
  readonly close: (reason: Error) => void;
  /** Answers as soon as the other thread reads its messages. */
  ping(answered: () => void): void;
}

type Handler = (...args: unknown[]) => unknown;
type Handlers = Readonly<Record<string, Handler>>;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Connects this end of a port. A message is the name of a method with its arguments, so that a new message is one line of
 * an interface and the method that implements it. Messages of the other end wait until `serve` is called.
 */
export function link<
  Api extends object,
  Part extends object = never,
  Mine extends object = object,
  MyPart extends object = never,
>(port: Port): Link<Api, Part, Mine, MyPart> {
  const ends = new Ends(port);
  const remoteOf = <T>(name: string | null) => ({
    send: methods((method) => ends.sender(name, method)) as Sends<T>,
    call: methods((method) => ends.caller(name, method, null)) as Calls<T>,
  });
  return {
    remote: {
      ...remoteOf<Api>(null),
      calls: (limits) => methods((method) => ends.caller(null, method, limits)) as Calls<Api>,
      of: (name) => remoteOf<Part>(name),
    },
    serve: (served) => ends.serve(served),
    close: (reason) => ends.close(reason),
    ping: (answered) => ends.ping(answered),
  };
}

/** An object that makes each of its methods at its first use. */
function methods(make: (name: string) => Handler): object {
  const maker = new Proxy(
    {},
    {
      get(_target, name) {
        // A promise that resolves with the object must not take it for another promise.
        if (typeof name !== 'string' || name === 'then') return undefined;
        const method = make(name);
        Object.defineProperty(made, name, { value: method });
        return method;
      },
    },
  );
  const made = Object.create(maker) as object;
  return made;
}

class Ends {
  readonly #port: Port;
  #served: Served<object, object> | null = null;
  readonly #pending = new Map<number, Pending>();
  /** Calls of the other end that it may abort. */
  readonly #running = new Map<number, AbortController>();
  readonly #pings: (() => void)[] = [];
  #lastId = 0;
  #closed: Error | null = null;

  constructor(port: Port) {
    this.#port = port;
  }

  serve(served: Served<object, object>): void {
    this.#served = served;
    this.#port.on('message', (message) => {
      if (this.#closed === null) this.#receive(message as Message);
    });
  }

  sender(part: string | null, method: string): Handler {
    return (...args) => {
      if (this.#closed === null) this.#port.postMessage([Kind.send, part, method, args], transfersOf(args));
    };
  }

  caller(part: string | null, method: string, limits: Limits | null): Handler {
    const kind = limits === null ? Kind.call : Kind.abortable;
    return (...args) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      if (this.#closed !== null) {
        reject(this.#closed);
        return promise;
      }
      const id = ++this.#lastId;
      const pending = limits === null ? { resolve, reject } : this.#limited(id, limits, { resolve, reject });
      this.#pending.set(id, pending);
      try {
        limits?.signal?.throwIfAborted();
        this.#port.postMessage([kind, part, method, args, id], transfersOf(args));
      } catch (error) {
        this.#settle(id)?.reject(error as Error);
      }
      return promise;
    };
  }

  close(reason: Error): void {
    if (this.#closed !== null) return;
    this.#closed = reason;
    const lost = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of lost) reject(reason);
    for (const controller of this.#running.values()) controller.abort(reason);
    this.#running.clear();
  }

  ping(answered: () => void): void {
    if (this.#closed !== null) return;
    this.#pings.push(answered);
    this.#port.postMessage([Kind.ping]);
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  /** Rejects the call at its limit, and has the other end abort it. */
  #limited(id: number, { withinMs, silence, signal }: Limits, { resolve, reject }: Pending): Pending {
    const stop = (error: Error): void => {
      const pending = this.#settle(id);
      if (pending === undefined) return;
      pending.reject(error);
      this.#port.postMessage([Kind.abort, id]);
    };
    const onAbort = (): void => stop(signal?.reason as Error);
    const timer =
      withinMs === undefined
        ? null
        : setTimeout(() => stop(new NoAnswer(silence ?? `no answer within ${withinMs} ms`)), withinMs);
    timer?.unref();
    signal?.addEventListener('abort', onAbort);
    const ended = (): void => {
      if (timer !== null) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    return {
      resolve: (result) => {
        ended();
        resolve(result);
      },
      reject: (error) => {
        ended();
        reject(error);
      },
    };
  }

  #receive(message: Message): void {
    switch (message[0]) {
      case Kind.send:
        this.#handlers(message[1])?.[message[2]]?.(...message[3]);
        return;
      case Kind.call:
        this.#answer(message[4], message[1], message[2], message[3]);
        return;
      case Kind.abortable: {
        const controller = new AbortController();
        this.#running.set(message[4], controller);
        this.#answer(message[4], message[1], message[2], [...message[3], controller.signal]);
        return;
      }
      case Kind.result:
        this.#settle(message[1])?.resolve(message[2]);
        return;
      case Kind.error:
        this.#settle(message[1])?.reject(remoteError(message[2]));
        return;
      case Kind.abort:
        this.#running.get(message[1])?.abort();
        this.#running.delete(message[1]);
        return;
      case Kind.ping:
        this.#port.postMessage([Kind.pong]);
        return;
      case Kind.pong:
        this.#pings.shift()?.();
        return;
      default:
        message satisfies never;
    }
  }

  #handlers(part: string | null): Handlers | undefined {
    const handlers = part === null ? this.#served?.api : this.#served?.part?.(part);
    return handlers as Handlers | undefined;
  }

  #answer(id: number, part: string | null, method: string, args: readonly unknown[]): void {
    try {
      const handlers = this.#handlers(part);
      if (handlers === undefined) throw new Error(`${part ?? 'it'} is gone`);
      const handler = handlers[method];
      if (handler === undefined) throw new Error(`there is no method ${method}`);
      const result = Reflect.apply(handler, handlers, args);
      if (result instanceof Promise) {
        result.then(
          (value: unknown) => this.#reply(id, value),
          (error: unknown) => this.#fail(id, error),
        );
      } else this.#reply(id, result);
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #reply(id: number, result: unknown): void {
    this.#running.delete(id);
    if (this.#closed !== null) return;
    try {
      this.#port.postMessage([Kind.result, id, result], transfersOf([result]));
    } catch (error) {
      this.#fail(id, error);
    }
  }

  #fail(id: number, error: unknown): void {
    this.#running.delete(id);
    if (this.#closed === null) this.#port.postMessage([Kind.error, id, wireError(error)]);
  }
}
