/** What an attempt got, for logs and metrics of the caller. */
export interface ResponseInfo {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** Among them RateLimit, Retry-After, Idempotency-Replayed and x-request-id. */
  readonly headers: Headers;
}

export interface RetryInfo {
  readonly method: string;
  readonly url: string;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  /** Null: there was no response. */
  readonly status: number | null;
}

interface Common {
  /** Retries after the first attempt. Default 3. */
  readonly maxRetries?: number | undefined;
  /** Longest wait for the response of one attempt, and again for its JSON body, in ms. Streams have no limit. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** A longer Retry-After fails at once instead of waiting, in ms. Default 60,000. */
  readonly maxRetryAfterMs?: number | undefined;
  /** Headers of every request, beside those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** Called before the client waits for a retry. */
  readonly onRetry?: ((retry: RetryInfo) => void) | undefined;
}

export interface ClientOptions extends Common {
  /** The service URL, with or without `/api/v0`. Default: the environment's CALLWRIGHT_URL. */
  readonly baseUrl?: string | undefined;
  /** The API key of the workspace. Default: the environment's CALLWRIGHT_API_KEY. */
  readonly apiKey?: string | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Sleeps between attempts; rejects when the signal aborts. Injectable for tests. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

export interface RequestOptions extends Common {
  /** The service executes a request once per key. Default: a new key per call, constant over its retries. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the request, its wait for a retry, and the stream that it returned. */
  readonly signal?: AbortSignal | undefined;
}

/** The options with every default in place. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly options: ClientOptions;
}

const BASE_PATH = '/api/v0';

/** Throws TypeError when the address or the key is missing or no address. */
export function settingsOf(options: ClientOptions): Settings {
  const baseUrl = options.baseUrl ?? environment('CALLWRIGHT_URL');
  const apiKey = options.apiKey ?? environment('CALLWRIGHT_API_KEY');
  if (apiKey === undefined || apiKey === '') {
    throw new TypeError('apiKey is missing: pass it, or set CALLWRIGHT_API_KEY');
  }
  if (baseUrl === undefined || !/^https?:\/\//.test(baseUrl)) {
    throw new TypeError('baseUrl must be the http(s) address of the service: pass it, or set CALLWRIGHT_URL');
  }
  return { baseUrl: originOf(baseUrl), apiKey, options };
}

/** The address without trailing slashes and without the path of the API, which every operation brings. */
function originOf(baseUrl: string): string {
  let end = baseUrl.length;
  while (baseUrl[end - 1] === '/') end -= 1;
  const address = baseUrl.slice(0, end);
  return address.endsWith(BASE_PATH) ? address.slice(0, -BASE_PATH.length) : address;
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
