import { isIP } from 'node:net';
import type { Agent } from 'undici';
import type { AddressPurpose } from '../shared/address-rules.ts';
import { once } from '../shared/once.ts';
import {
  blockedDetail,
  isOtherPort,
  mayConnect,
  parseAllowList,
  portOf,
  workspacesOf,
  type AllowList,
} from './address-rules.ts';
import { checkedLookup } from './checked-lookup.ts';
import { requestOnce } from './one-request.ts';
import type { Lookup } from './resolve-host.ts';

export interface SafeRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** Covers the whole exchange: connecting, the request and the last byte of the response body. */
  readonly timeoutMs: number;
  /** Reads at most this much of the body; the response is then marked as truncated. */
  readonly maxBytes: number;
  /** How many redirects a GET may follow; each one passes the same address check. Default: 0. */
  readonly redirects?: number;
}

export type FetchFailure =
  | 'invalid_url'
  | 'blocked'
  | 'dns'
  | 'refused'
  | 'tls'
  | 'timeout'
  | 'invalid_request'
  | 'network';

export type SafeResponse =
  | {
      readonly ok: true;
      readonly status: number;
      readonly body: Buffer;
      readonly isTruncated: boolean;
      readonly contentType: string | null;
      /** The final URL after redirects. */
      readonly url: string;
    }
  /** `detail` may be shown to users: it never contains a resolved IP address. */
  | { readonly ok: false; readonly failure: FetchFailure; readonly detail: string };

/** A URL that passed the static check. Its host name is checked again on every connection. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly href: string;
}
/** Size of the cache of checked URLs: webhook receivers repeat. */
const CACHED_URLS = 1000;
const LONGEST_URL = 4096;

/** Limit for TCP connect and TLS handshake. */
const CONNECT_MS = 30_000;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The only way to fetch a URL that a user supplied (SSRF protection): http and https only, certificates verified,
 * redirects off by default. Internal addresses are refused as literals and again after name resolution at connect time,
 * which also defeats DNS rebinding.
 */
export class SafeFetcher {
  readonly #allow: AllowList;
  /** Fetchers of the workspaces that entries name, each with connections of its own. */
  readonly #own: ReadonlyMap<string, SafeFetcher>;
  readonly #undici = once(() => import('undici'));
  /** Null: no request yet. */
  #agent: Promise<Agent> | null = null;
  readonly #connectionsPerOrigin: number | null;
  readonly #lookup: Lookup | undefined;
  readonly #checked = new Map<string, Target | SafeResponse>();

  constructor(options: {
    /** SAFE_FETCH_ALLOW. */
    readonly allow: readonly string[];
    /** Only the entries for this purpose hold. */
    readonly purpose: AddressPurpose;
    /** The entries of this workspace hold, too. */
    readonly workspaceId?: string;
    readonly connectionsPerOrigin?: number;
    readonly lookup?: Lookup;
  }) {
    const { allow, purpose, workspaceId } = options;
    this.#allow = parseAllowList(allow, purpose, workspaceId);
    const named = workspaceId === undefined ? workspacesOf(allow, purpose) : [];
    this.#own = new Map(named.map((id) => [id, new SafeFetcher({ ...options, workspaceId: id })]));
    this.#lookup = options.lookup;
    // Unlimited: callers bound their own parallelism, and queueing here would eat into their timeouts.
    this.#connectionsPerOrigin = options.connectionsPerOrigin ?? null;
  }

  /** The fetcher for addresses that this workspace entered. */
  of(workspaceId: string): SafeFetcher {
    return this.#own.get(workspaceId) ?? this;
  }

  /** Loads the HTTP client and opens its agent, at the first request: a start does not wait for it. */
  load(): Promise<Agent> {
    return (this.#agent ??= this.#open());
  }

  async #open(): Promise<Agent> {
    const { Agent } = await this.#undici();
    return new Agent({
      connections: this.#connectionsPerOrigin,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 4000,
      connect: {
        timeout: CONNECT_MS,
        lookup: checkedLookup(this.#allow, this.#lookup),
      },
    });
  }

  /** Never rejects: every error becomes a `FetchFailure`. */
  async fetch(input: SafeRequest): Promise<SafeResponse> {
    try {
      const agent = await this.load();
      const startedAt = performance.now();
      let address = input.url;
      for (let left = input.method === 'GET' ? (input.redirects ?? 0) : 0; ; left -= 1) {
        const target = this.#check(address);
        if ('ok' in target) return target;
        const timeLeft = Math.max(0, input.timeoutMs - (performance.now() - startedAt));
        const isFollowed = (status: number, location: unknown): location is string =>
          left > 0 && REDIRECTS.has(status) && typeof location === 'string';
        const answer = await requestOnce(agent, target, input, timeLeft, (status, headers) =>
          isFollowed(status, headers.location) ? 0 : input.maxBytes,
        );
        const { location } = answer.headers;
        if (isFollowed(answer.status, location)) {
          if (!URL.canParse(location, target.href))
            return { ok: false, failure: 'invalid_url', detail: 'not a URL' };
          address = new URL(location, target.href).href;
          continue;
        }
        const { status, body, isTruncated } = answer;
        const type = answer.headers['content-type'];
        const contentType = typeof type === 'string' ? type : null;
        return { ok: true, status, body, isTruncated, contentType, url: target.href };
      }
    } catch (error) {
      return failureOf(error, blockedDetail(this.#allow.purpose));
    }
  }

  /**
   * The standard `fetch` under the same rules, for streamed responses: no redirects, at most `MAX_STREAM_BYTES` per
   * response. Rejects as `fetch` does.
   */
  readonly stream: typeof globalThis.fetch = async (input, init) => {
    const target = this.#check(input instanceof Request ? input.url : String(input));
    if ('ok' in target) throw new TypeError(target.ok ? 'not a URL' : target.detail);
    const { fetch } = await this.#undici();
    const dispatcher = await this.load();
    const options = { ...init, redirect: 'error', dispatcher } as Parameters<typeof fetch>[1];
    const answer = (await fetch(target.href, options)) as unknown as Response;
    if (answer.body === null) return answer;
    let left = MAX_STREAM_BYTES;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left < 0) controller.error(new TypeError('the answer is too large'));
        else controller.enqueue(chunk);
      },
    });
    return new Response(answer.body.pipeThrough(counted), {
      status: answer.status,
      statusText: answer.statusText,
      headers: [...answer.headers],
    });
  };

  async close(): Promise<void> {
    for (const own of this.#own.values()) await own.close();
    await (await this.#agent)?.destroy();
  }

  /** Static check of a URL, cached: it depends only on the text and the allow list. */
  #check(text: string): Target | SafeResponse {
    if (text.length > LONGEST_URL) return { ok: false, failure: 'invalid_url', detail: 'not a URL' };
    const known = this.#checked.get(text);
    if (known !== undefined) return known;
    const found = this.#examine(text);
    if (this.#checked.size >= CACHED_URLS) this.#checked.clear();
    this.#checked.set(text, found);
    return found;
  }

  #examine(text: string): Target | SafeResponse {
    if (!URL.canParse(text)) return { ok: false, failure: 'invalid_url', detail: 'not a URL' };
    const url = new URL(text);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      return { ok: false, failure: 'invalid_url', detail: 'neither http nor https' };
    }
    if (url.username !== '' || url.password !== '') {
      return { ok: false, failure: 'invalid_url', detail: 'credentials in the URL' };
    }
    // An IP literal needs no lookup, so the check at connect time would miss it.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = portOf(url);
    const isInner = isIP(host) !== 0 && !mayConnect(host, this.#allow, port);
    // The check at connect time does not know the port of a name.
    if (isInner || isOtherPort(host, this.#allow, port)) {
      return { ok: false, failure: 'blocked', detail: blockedDetail(this.#allow.purpose) };
    }
    return { origin: url.origin, path: url.pathname + url.search, href: url.href };
  }
}

const BY_CODE: Readonly<Record<string, FetchFailure>> = {
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ENODATA: 'dns',
  ETIMEOUT: 'dns',
  ESERVFAIL: 'dns',
  ECONNREFUSED: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_INVALID_ARG: 'invalid_request',
  ERR_INVALID_CHAR: 'invalid_request',
};

function failureOf(error: unknown, blocked: string): SafeResponse {
  const code = codeOf(error);
  if (code === 'DEADLINE') return { ok: false, failure: 'timeout', detail: 'no complete answer in time' };
  if (code === 'BLOCKED') return { ok: false, failure: 'blocked', detail: blocked };
  const failure = BY_CODE[code] ?? (/CERT|TLS|SSL|SIGNATURE/.test(code) ? 'tls' : 'network');
  return { ok: false, failure, detail: code === '' ? 'connection failed' : code };
}

/** The error code, searched in causes and in the AggregateError of a connection that tried several addresses. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : '';
}
