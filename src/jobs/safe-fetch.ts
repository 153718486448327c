import { isIP } from 'node:net';
import { Agent, fetch as undiciFetch } from 'undici';
import { isAllowedHost, mayConnect, parseAllowList, type AllowList } from './address-rules.ts';
import { requestOnce } from './one-request.ts';
import { hostLookup, type Lookup } from './resolve-host.ts';

export interface SafeRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** From the first packet to the last byte of the answer's body. */
  readonly timeoutMs: number;
  /** How much of the body is read; more is left unread. */
  readonly maxBytes: number;
  /** How many redirects a GET may follow, each checked like the first address. Absent: none. */
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
      /** The address that answered. */
      readonly url: string;
    }
  /** `detail` is safe to show: it names no address that the name resolved to. */
  | { readonly ok: false; readonly failure: FetchFailure; readonly detail: string };

/** An address that may be asked; a name in it is checked each time a connection is made. */
interface Target {
  readonly origin: string;
  readonly path: string;
  readonly href: string;
}
/** So many addresses are kept with what they were found to be: receivers are asked again and again. */
const REMEMBERED = 1000;
const LONGEST_URL = 4096;

/** No request may take longer than this to have its connection. */
const CONNECT_MS = 30_000;
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

class BlockedError extends Error {
  readonly code = 'BLOCKED';
}

/**
 * The one way to fetch what a user named: http and https only, certificates verified, inner addresses refused both as
 * literals and as what a name resolves to at the moment of connecting, no redirects followed unless asked for.
 */
export class SafeFetcher {
  readonly #allow: AllowList;
  readonly #agent: Agent;
  readonly #checked = new Map<string, Target | SafeResponse>();

  constructor(options: {
    /** SAFE_FETCH_ALLOW. */
    readonly allow: readonly string[];
    readonly connectionsPerOrigin?: number;
    readonly lookup?: Lookup;
  }) {
    this.#allow = parseAllowList(options.allow);
    const resolve: Lookup = options.lookup ?? hostLookup();
    this.#agent = new Agent({
      // As many as are asked for: who asks says how much at once, and a place in a queue would cost time.
      connections: options.connectionsPerOrigin ?? null,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 4000,
      connect: {
        timeout: CONNECT_MS,
        lookup: (host, lookupOptions, done) => {
          resolve(host, { all: true }, (error, addresses) => {
            if (error !== null) return done(error, '', 4);
            const allowed =
              addresses.length > 0 &&
              (isAllowedHost(host, this.#allow) ||
                addresses.every(({ address }) => mayConnect(address, this.#allow)));
            if (!allowed) return done(new BlockedError('address not allowed'), '', 4);
            const [first] = addresses;
            if (lookupOptions.all === true) return done(null, addresses);
            return done(null, first?.address ?? '', first?.family ?? 4);
          });
        },
      },
    });
  }

  /** Never throws: whatever goes wrong is a failure of its kind. */
  async fetch(input: SafeRequest): Promise<SafeResponse> {
    const startedAt = performance.now();
    try {
      let address = input.url;
      for (let left = input.method === 'GET' ? (input.redirects ?? 0) : 0; ; left -= 1) {
        const target = this.#check(address);
        if ('ok' in target) return target;
        const timeLeft = Math.max(0, input.timeoutMs - (performance.now() - startedAt));
        const isFollowed = (status: number, location: unknown): location is string =>
          left > 0 && REDIRECTS.has(status) && typeof location === 'string';
        const answer = await requestOnce(this.#agent, target, input, timeLeft, (status, headers) =>
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
      return failureOf(error);
    }
  }

  /**
   * `fetch` under the same rules, for protocols whose answer is a stream: no redirects, and no more than
   * `MAX_STREAM_BYTES` of one answer. Rejects as `fetch` does.
   */
  readonly stream: typeof globalThis.fetch = async (input, init) => {
    const target = this.#check(input instanceof Request ? input.url : String(input));
    if ('ok' in target) throw new TypeError(target.ok ? 'not a URL' : target.detail);
    const options = { ...init, redirect: 'error', dispatcher: this.#agent } as Parameters<
      typeof undiciFetch
    >[1];
    const answer = (await undiciFetch(target.href, options)) as unknown as Response;
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
    await this.#agent.destroy();
  }

  /** What an address is depends on its text and the allow-list alone. */
  #check(text: string): Target | SafeResponse {
    if (text.length > LONGEST_URL) return { ok: false, failure: 'invalid_url', detail: 'not a URL' };
    const known = this.#checked.get(text);
    if (known !== undefined) return known;
    const found = this.#examine(text);
    if (this.#checked.size >= REMEMBERED) this.#checked.clear();
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
    // An address needs no lookup, so the check at connect time never sees it.
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !isAllowedHost(host, this.#allow) && !mayConnect(host, this.#allow)) {
      return { ok: false, failure: 'blocked', detail: 'address not allowed' };
    }
    return { origin: url.origin, path: url.pathname + url.search, href: url.href };
  }
}

const BY_CODE: Readonly<Record<string, FetchFailure>> = {
  BLOCKED: 'blocked',
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

function failureOf(error: unknown): SafeResponse {
  const code = codeOf(error);
  if (code === 'DEADLINE') return { ok: false, failure: 'timeout', detail: 'no complete answer in time' };
  const failure = BY_CODE[code] ?? (/CERT|TLS|SSL|SIGNATURE/.test(code) ? 'tls' : 'network');
  return { ok: false, failure, detail: code === '' ? 'connection failed' : code };
}

/** The code of an error or of the first one inside it: several addresses tried give an aggregate. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return 'cause' in error ? codeOf(error.cause) : '';
}
