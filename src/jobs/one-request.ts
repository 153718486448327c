import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isTruncated: boolean;
}

/** The answer was not complete in time. */
export class DeadlineError extends Error {
  readonly code = 'DEADLINE';
}
/** The rest of an answer is not wanted. */
class EnoughError extends Error {}

/**
 * One request and its answer's first bytes, as many as `wanted` says once status and headers are there; what is more
 * is left unread and its connection closed. Rejects with what went wrong; at the deadline at once, also while a
 * connection is being made.
 */
export function requestOnce(
  agent: Dispatcher,
  target: { readonly origin: string; readonly path: string },
  input: {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | Buffer | null;
  },
  timeoutMs: number,
  wanted: (status: number, headers: IncomingHttpHeaders) => number,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let room = 0;
    const chunks: Buffer[] = [];

    const late = (): void => fail(new DeadlineError('no complete answer in time'));
    // What came in time while this process was busy is heard first: the loop tells of times before it reads.
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    const settle = (): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      return true;
    };
    const fail = (error: Error): void => {
      if (!settle()) return;
      controller?.abort(error);
      reject(error);
    };
    const done = (isTruncated: boolean): void => {
      if (!settle()) return;
      if (isTruncated) controller?.abort(new EnoughError('the rest is not wanted'));
      resolve({
        status,
        headers,
        body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
        isTruncated,
      });
    };

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(begun) {
        controller = begun;
        // The time was over before there was a connection: nothing is sent on it.
        if (isOver) begun.abort(new DeadlineError('no connection in time'));
      },
      onResponseStart(_, code, received) {
        // What comes before the answer proper (103 Early Hints) is none.
        if (code < 200) return;
        status = code;
        headers = received;
        room = wanted(code, received);
        if (room === 0) done(true);
      },
      onResponseData(_, chunk) {
        if (isOver) return;
        chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
        if (chunk.length > room) done(true);
        else room -= chunk.length;
      },
      onResponseEnd: () => done(false),
      onResponseError: (_, error) => fail(error),
    };
    try {
      agent.dispatch(
        {
          origin: target.origin,
          path: target.path,
          method: input.method,
          headers: input.headers,
          body: input.body,
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        handler,
      );
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}
