import { abortedError, errorOf, unansweredError, type CallwrightError } from './error.ts';
import type { RequestOptions, Settings } from './options.ts';
import type { OperationRequest } from './request.ts';
import { isWorthRetrying, retryAfterMs, waitBefore, type Attempt } from './retry.ts';
import { sleepFor } from './sleep.ts';
import { VERSION } from './version.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;
const MAX_RETRY_AFTER_MS = 60_000;

/** Sends the request, and again while that is worth it. Returns the JSON body, or the Response of a stream or file. */
export async function send(
  settings: Settings,
  request: RequestOptions,
  { operation, path, body }: OperationRequest,
): Promise<unknown> {
  const { options } = settings;
  const url = `${settings.baseUrl}${path}`;
  const headers: Record<string, string> = {
    'user-agent': `callwright-sdk/${VERSION}`,
    ...options.headers,
    ...request.headers,
    'x-api-key': settings.apiKey,
  };
  if (typeof body === 'string') headers['content-type'] = 'application/json';
  if (operation.isIdempotent) headers['idempotency-key'] = request.idempotencyKey ?? crypto.randomUUID();
  const init: RequestInit = { method: operation.method, headers, ...(body === undefined ? {} : { body }) };
  const isRepeatable = operation.method === 'GET' || operation.isIdempotent;
  const maxRetries = request.maxRetries ?? options.maxRetries ?? MAX_RETRIES;
  const longestWaitMs = request.maxRetryAfterMs ?? options.maxRetryAfterMs ?? MAX_RETRY_AFTER_MS;
  const { signal } = request;
  for (let tries = 1; ; tries += 1) {
    const attempt = await tryOnce(settings, request, url, init, operation.isJson);
    if (attempt.kind === 'answer') {
      const { status, headers: received } = attempt.response;
      const info = { method: operation.method, url, status, headers: received };
      options.onResponse?.(info);
      request.onResponse?.(info);
      if (attempt.response.ok) return operation.isJson ? attempt.body : attempt.response;
    }
    throwIfAborted(url, signal);
    const error = failure(attempt, url);
    if (tries > maxRetries || !isWorthRetrying(attempt, isRepeatable)) throw error;
    const asked =
      attempt.kind === 'answer' ? retryAfterMs(attempt.response.headers.get('retry-after')) : null;
    if (asked !== null && asked > longestWaitMs) throw error;
    const waitMs = asked ?? waitBefore(tries, Math.random());
    const retry = {
      method: operation.method,
      url,
      attempt: tries,
      waitMs,
      status: error.status === 0 ? null : error.status,
    };
    options.onRetry?.(retry);
    request.onRetry?.(retry);
    try {
      await (options.sleep ?? sleepFor)(waitMs, signal);
    } catch (cause) {
      throw abortedError(url, cause);
    }
    throwIfAborted(url, signal);
  }
}

async function tryOnce(
  { options }: Settings,
  request: RequestOptions,
  url: string,
  init: RequestInit,
  isJson: boolean,
): Promise<Attempt> {
  const timeoutMs = request.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
  const timeout = new AbortController();
  const signal =
    request.signal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, request.signal]);
  const limit = (): ReturnType<typeof setTimeout> =>
    setTimeout(
      () => timeout.abort(new DOMException(`no answer within ${timeoutMs} ms`, 'TimeoutError')),
      timeoutMs,
    );
  let timer = limit();
  try {
    const response = await (options.fetch ?? fetch)(url, { ...init, signal });
    clearTimeout(timer);
    // A stream or a file may take as long as it takes: the caller reads it, and only its signal ends it.
    if (response.ok && !isJson)
      return { kind: 'answer', response, body: null, error: null, isRunning: false };
    timer = limit();
    if (response.ok) {
      const body: unknown = JSON.parse(await response.text());
      return { kind: 'answer', response, body, error: null, isRunning: false };
    }
    const error = await errorOf(response);
    const isRunning = response.status === 409 && error.code === 'REQUEST_IN_PROGRESS';
    return { kind: 'answer', response, body: null, error, isRunning };
  } catch (cause) {
    return { kind: 'none', cause: timeout.signal.aborted ? timeout.signal.reason : cause };
  } finally {
    clearTimeout(timer);
  }
}

function throwIfAborted(url: string, signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw abortedError(url, signal.reason);
}

const failure = (attempt: Attempt, url: string): CallwrightError =>
  attempt.kind === 'answer' && attempt.error !== null
    ? attempt.error
    : unansweredError(url, attempt.kind === 'none' ? attempt.cause : null);
