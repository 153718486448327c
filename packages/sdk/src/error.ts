export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** A request that was refused, or that got no answer: then `status` is 0 and `cause` says why. */
export class CallwrightError extends Error {
  readonly status: number;
  /** The service's name of the error, `VALIDATION_FAILED`. */
  readonly code: string | null;
  /** Every field at fault of a 422. */
  readonly fields: readonly FieldProblem[];
  /** Quote it when asking the operator. */
  readonly requestId: string | null;
  /** The whole body, where it was JSON. */
  readonly body: unknown;

  constructor(
    status: number,
    message: string,
    facts: {
      code?: string | null;
      fields?: readonly FieldProblem[];
      requestId?: string | null;
      body?: unknown;
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
  }
}

/** The error a failed answer stands for. */
export async function errorOf(response: Response): Promise<CallwrightError> {
  const text = await response.text().catch(() => '');
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null) body = parsed as Record<string, unknown>;
  } catch {
    // A proxy's page, or nothing: the status has to do.
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
    },
  );
}
