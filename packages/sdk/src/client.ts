import { CallwrightError, errorOf } from './error.ts';
import { OPERATIONS, type Operations } from './operations.ts';
import { isWorthRetrying, waitBefore, type Attempt } from './retry.ts';

export interface ClientOptions {
  /** The service URL without `/api/v0`: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** The API key of the workspace. */
  readonly apiKey: string;
  /** Retries after the first attempt. Default 3. */
  readonly maxRetries?: number;
  /** Timeout of one attempt in ms. Default 30,000. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
  /** Sleeps between attempts; injectable for tests. */
  readonly sleep?: (ms: number) => Promise<void>;
}

export interface RequestOptions {
  /** The service executes a request once per key. Default: a new key per call, constant over its retries. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type Name = keyof Operations;
type Input<O extends Name> = Operations[O]['input'];
type Call<O extends Name> =
  object extends Input<O>
    ? (input?: Input<O>, options?: RequestOptions) => Promise<Operations[O]['answer']>
    : (input: Input<O>, options?: RequestOptions) => Promise<Operations[O]['answer']>;

/** One function per operation. Path, query and body fields are passed in one object, multipart bodies as `{ form }`. */
export type Client = { readonly [O in Name]: Call<O> };

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly hasBody: boolean;
  readonly isForm: boolean;
  readonly isJson: boolean;
  readonly isIdempotent: boolean;
}

const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A client of one workspace. Its functions throw CallwrightError. Idempotent requests are retried after 429, 5xx and
 * broken connections, with exponential backoff.
 */
export function createClient(options: ClientOptions): Client {
  const operations = Object.entries(OPERATIONS) as [string, Operation][];
  return Object.fromEntries(
    operations.map(([name, operation]) => [
      name,
      (input: Record<string, unknown> = {}, request: RequestOptions = {}) =>
        send(options, operation, input, request),
    ]),
  ) as unknown as Client;
}

/** Splits the input into path, query and body. */
function parts(operation: Operation, input: Record<string, unknown>): { path: string; body: unknown } {
  const left = new Map(Object.entries(input));
  const take = (name: string): unknown => {
    const value = left.get(name);
    left.delete(name);
    return value;
  };
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = take(name);
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a text of its own`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const name of operation.query) {
    const value = take(name);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      query.set(name, String(value));
    }
  }
  const search = query.toString();
  return {
    path: search === '' ? path : `${path}?${search}`,
    body: operation.isForm ? left.get('form') : Object.fromEntries(left),
  };
}

async function send(
  client: ClientOptions,
  operation: Operation,
  input: Record<string, unknown>,
  request: RequestOptions,
): Promise<unknown> {
  const { path, body } = parts(operation, input);
  const headers: Record<string, string> = { 'x-api-key': client.apiKey };
  if (operation.hasBody && !operation.isForm) headers['content-type'] = 'application/json';
  if (operation.isIdempotent) headers['idempotency-key'] = request.idempotencyKey ?? crypto.randomUUID();
  const payload = operation.isForm
    ? (body as FormData)
    : operation.hasBody
      ? JSON.stringify(body)
      : undefined;
  const isRepeatable = operation.method === 'GET' || operation.isIdempotent;
  for (let tries = 1; ; tries += 1) {
    const attempt = await tryOnce(client, request, `${client.baseUrl.replace(/\/+$/, '')}${path}`, {
      method: operation.method,
      headers,
      ...(payload === undefined ? {} : { body: payload }),
    });
    if (attempt.kind === 'answer' && attempt.response.ok) {
      return operation.isJson ? attempt.response.json() : attempt.response;
    }
    const isLast = tries > (client.maxRetries ?? 3) || request.signal?.aborted === true;
    if (isLast || !isWorthRetrying(attempt, isRepeatable)) throw await failure(attempt);
    const retryAfter = attempt.kind === 'answer' ? attempt.response.headers.get('retry-after') : null;
    if (attempt.kind === 'answer') await attempt.response.body?.cancel();
    await (client.sleep ?? sleepFor)(waitBefore(tries, retryAfter, Math.random()));
  }
}

async function tryOnce(
  client: ClientOptions,
  request: RequestOptions,
  url: string,
  init: RequestInit,
): Promise<Attempt> {
  const timeout = AbortSignal.timeout(client.timeoutMs ?? 30_000);
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
  try {
    const response = await (client.fetch ?? fetch)(url, { ...init, signal });
    const isRunning =
      response.status === 409 && (await errorOf(response.clone())).code === 'REQUEST_IN_PROGRESS';
    return { kind: 'answer', response, isRunning };
  } catch (cause) {
    return { kind: 'none', cause };
  }
}

async function failure(attempt: Attempt): Promise<CallwrightError> {
  if (attempt.kind === 'answer') return errorOf(attempt.response);
  return new CallwrightError(0, 'The service gave no answer', { cause: attempt.cause });
}
