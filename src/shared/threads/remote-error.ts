/** An error of another thread's method: class instances do not survive a message, but `name` and `code` do. */
export class RemoteError extends Error {
  readonly code: string | undefined;

  constructor({ name, message, code, stack }: WireError) {
    super(message);
    this.name = name;
    this.code = code;
    if (stack !== undefined) this.stack = stack;
  }
}

/** The other thread did not answer a call in time. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export interface WireError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

export function wireError(error: unknown): WireError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name,
    message,
    ...(stack === undefined ? {} : { stack }),
    ...(typeof code === 'string' ? { code } : {}),
  };
}

export const remoteError = (error: WireError): RemoteError => new RemoteError(error);
