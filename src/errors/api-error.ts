export interface FieldProblem {
  /** Full path of the field, `call_config.call_time.timezone`. */
  readonly field: string;
  /** The broken rule, worded to follow the path: `must be a string`. */
  readonly message: string;
}

/** An error that the API answers: status, code and message (interface, Errors). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  /** Further keys of the response body. */
  readonly details: Readonly<Record<string, unknown>>;
  /** The response's Retry-After in seconds; null: none. */
  readonly retryAfter: number | null;
  constructor(
    status: number,
    code: string,
    message: string,
    fields: readonly FieldProblem[] = [],
    details: Readonly<Record<string, unknown>> = {},
    retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** An error without details. */
export const make = (status: number, code: string, message: string) => (): ApiError =>
  new ApiError(status, code, message);
