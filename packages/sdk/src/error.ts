export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A refused request, or one without a complete response: `status` is 0 then, and `cause` has the reason. */
export class CallwrightError extends Error {
  readonly status: number;
  /** The error code, such as `VALIDATION_FAILED`. */
  readonly code: string | null;
  /** The invalid fields of a 422. */
  readonly fields: readonly FieldProblem[];
  /** The request id, for the operator. */
  readonly requestId: string | null;
  /** The response body, if it is JSON. */
  readonly body: unknown;
  /** The headers of the response, such as RateLimit and Retry-After; null without a response. */
  readonly headers: Headers | null;

  constructor(
    status: number,
    message: string,
    facts: {
      code?: string | null;
      fields?: readonly FieldProblem[];
      requestId?: string | null;
      body?: unknown;
      headers?: Headers;
      cause?: unknown;
    } = {},
  ) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'CallwrightError';
    this.status = status;
    this.code = facts.code ?? null;
    this.fields = facts.fields ?? [];
    this.requestId = facts.requestId ?? null;
    this.body = facts.body;
    this.headers = facts.headers ?? null;
  }
}

/** The error of a failed response. */
export async function errorOf(response: Response): Promise<CallwrightError> {
  const text = await response.text().catch(() => '');
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = parsed as Record<string, unknown>;
  } catch {
    // The body is not JSON, for example from a proxy, so the message is the status.
  }
  const textOf = (key: string): string | null => (typeof body[key] === 'string' ? body[key] : null);
  return new CallwrightError(
    response.status,
    textOf('message') ?? textOf('error') ?? `The service answered ${response.status}`,
    {
      code: textOf('code'),
      fields: Array.isArray(body['errors']) ? (body['errors'] as FieldProblem[]) : [],
      requestId: textOf('request_id') ?? response.headers.get('x-request-id'),
      body,
      headers: response.headers,
    },
  );
}

/** The caller's signal ended the request. */
export const abortedError = (url: string, reason: unknown): CallwrightError =>
  new CallwrightError(0, `The request to ${addressOf(url)} was aborted`, { cause: reason });

/** The service did not answer, or its answer broke off. */
export const unansweredError = (url: string, cause: unknown): CallwrightError =>
  new CallwrightError(0, `No complete answer from ${addressOf(url)}: ${reasonOf(cause)}`, { cause });

/** Without its query, which may hold telephone numbers. */
const addressOf = (url: string): string => url.split('?', 1)[0] ?? url;

/** `fetch` wraps the system's error, whose code (`ECONNREFUSED`) says more than its message (`fetch failed`). */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const inner: unknown = cause.cause;
  const code = codeOf(inner) ?? codeOf(cause);
  return code ?? (inner instanceof Error && inner.message !== '' ? inner.message : cause.message);
}

function codeOf(error: unknown): string | null {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}
