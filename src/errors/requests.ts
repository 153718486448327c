import { ApiError, make } from './api-error.ts';

/** What a 429 counts, by the `limit_kind` of its answer. */
const LIMIT_KINDS = {
  read: 'requests that read',
  write: 'requests that change something',
  dial: 'requests that dial',
  probe: 'tests of vendors',
  wrong_keys: 'wrong keys from this address',
  documents: 'requests for documents from this address',
  uploads: 'uploads at once',
  at_once: 'slow requests of this workspace at once',
  browser_calls: 'browser calls and chats of this address or key',
  sign_in: 'attempts to sign in',
  bodies: 'large bodies at once without a key',
} as const;
type LimitKind = keyof typeof LIMIT_KINDS;

/** Errors of a request as such: its credentials, path, method, type, size and rate. */
export const requestErrors = {
  malformedJson: (
    why: string,
    place: { readonly line: number; readonly column: number; readonly byte: number } | null = null,
  ): ApiError =>
    new ApiError(
      400,
      'MALFORMED_JSON',
      `The request body is not valid JSON: ${why}${place === null ? '' : `, at line ${place.line}, column ${place.column} (byte ${place.byte})`}`,
      [],
      place === null ? {} : { position: { ...place } },
    ),
  malformedRequest: (why: string | null = null): ApiError =>
    new ApiError(400, 'MALFORMED_REQUEST', `The request could not be read${why === null ? '.' : `: ${why}`}`),
  /** `hint` names the header that the endpoint reads. */
  invalidCredentials: (hint: string | null = null): ApiError =>
    new ApiError(401, 'INVALID_CREDENTIALS', 'Invalid credentials', [], hint === null ? {} : { hint }),
  /** `meant` is the path of an endpoint that the request probably wanted. */
  routeNotFound: (meant: string | null = null): ApiError =>
    new ApiError(
      404,
      'ROUTE_NOT_FOUND',
      `There is no such endpoint${meant === null ? '' : `; did you mean ${meant}?`}`,
    ),
  requestTimeout: make(408, 'REQUEST_TIMEOUT', 'The request did not arrive in time'),
  headersTooLarge: make(431, 'HEADERS_TOO_LARGE', 'The headers of the request are too large: at most 16 kB'),
  methodNotAllowed: (method: string, allowed: readonly string[]): ApiError =>
    new ApiError(
      405,
      'METHOD_NOT_ALLOWED',
      `This path does not take ${method}; it takes ${allowed.join(', ')}`,
      [],
      { allow: [...allowed] },
    ),
  bodyTooLarge: (maxBytes: number): ApiError =>
    new ApiError(
      413,
      'BODY_TOO_LARGE',
      `The request body is too large: at most ${maxBytes.toLocaleString('en')} bytes`,
      [],
      { limit_bytes: maxBytes },
    ),
  unsupportedMediaType: (takes: readonly string[]): ApiError =>
    new ApiError(
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      `Content-Type must be ${takes.map((type) => (type === 'multipart/form-data' ? `${type} with its boundary, as the HTTP client sets it` : type)).join(' or ')}`,
    ),
  encodingNotSupported: (encoding: string): ApiError =>
    new ApiError(
      415,
      'ENCODING_NOT_SUPPORTED',
      `The body is compressed (${encoding.slice(0, 40)}); send it uncompressed, without Content-Encoding`,
    ),
  /** `limit` is the limit that was reached, in words that follow "at most". */
  rateLimited: (seconds: number, kind: LimitKind, limit: string | null = null): ApiError =>
    new ApiError(
      429,
      'RATE_LIMITED',
      `Too many ${LIMIT_KINDS[kind]}${limit === null ? '' : `: at most ${limit}`}; try again in ${seconds} s`,
      [],
      { limit_kind: kind },
      seconds,
    ),
} as const;
