import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly isTruncated: boolean;
}

/** The response was not complete within the timeout. */
export class DeadlineError extends Error {
  readonly code = 'DEADLINE';
}
/** Aborts the connection after `maxBytes` of the body. */
class EnoughError extends Error {}

/**
 * Sends one request and reads up to `bodyLimit(status, headers)` bytes of the response body; a longer body closes the
 * connection unread. Rejects on any error, and with a DeadlineError after `timeoutMs` even during connection setup.
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
  bodyLimit: (status: number, headers: IncomingHttpHeaders) => number,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let bytesLeft = 0;
    const chunks: Buffer[] = [];

    const late = (): void => fail(new DeadlineError('no complete answer in time'));
    // Node runs timers before I/O. After a busy spell, setImmediate lets a response that arrived in time win.
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
        // The deadline passed while connecting: send nothing.
        if (isOver) begun.abort(new DeadlineError('no connection in time'));
      },
      onResponseStart(_, code, received) {
        // 1xx (103 Early Hints) precedes the actual response.
        if (code < 200) return;
        status = code;
        headers = received;
        bytesLeft = bodyLimit(code, received);
        if (bytesLeft === 0) done(true);
      },
      onResponseData(_, chunk) {
        if (isOver) return;
        chunks.push(chunk.length > bytesLeft ? chunk.subarray(0, bytesLeft) : chunk);
        if (chunk.length > bytesLeft) done(true);
        else bytesLeft -= chunk.length;
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
