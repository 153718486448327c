/** Every error the API answers, by name: status, message, code (interface, Errors). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly { field: string; message: string }[];
  constructor(
    status: number,
    code: string,
    message: string,
    fields: readonly { field: string; message: string }[] = [],
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

const make = (status: number, code: string, message: string) => (): ApiError =>
  new ApiError(status, code, message);

export const errors = {
  invalidCredentials: make(401, 'INVALID_CREDENTIALS', 'Invalid credentials'),
  insufficientBalance: make(
    402,
    'INSUFFICIENT_BALANCE',
    'Your current balance is insufficient to initiate this call!',
  ),
  testNumber: make(
    400,
    'TEST_NUMBER',
    'Default numbers are for testing only. Please provide a real phone number.',
  ),
  callNotFound: make(404, 'CALL_NOT_FOUND', 'Call not found'),
  agentNotFound: make(404, 'AGENT_NOT_FOUND', 'Agent not found'),
  bothCallerSources: make(422, 'VALIDATION_FAILED', 'Provide either from_number_id or from_number, not both'),
  unexpected: make(500, 'UNEXPECTED', 'An unexpected error occurred. Please try again later.'),
  /** A field is missing or failed validation; `message` starts with the field's full path. */
  invalid: (field: string, rule: string): ApiError =>
    new ApiError(422, 'VALIDATION_FAILED', `${field} ${rule}`, [{ field, message: rule }]),
} as const;
