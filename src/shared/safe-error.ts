/** Digits that may be somebody's number. */
const NUMBER = /\+?\d{8,15}(?!\d)/g;
/** What stands before the host of an address, and what follows its path. */
const USER_INFO = /(\w:\/\/)[^\s/@"']+@/g;
const QUERY = /(\w:\/\/[^\s?"']*)\?[^\s"')]*/g;
const MOST_CAUSES = 3;

export interface SafeError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: SafeError;
}

/** Text of an error without numbers, passwords in addresses and their queries. */
export const safeText = (text: string): string =>
  text
    .replaceAll(USER_INFO, '$1***@')
    .replaceAll(QUERY, '$1?***')
    .replaceAll(NUMBER, (number) => `${number.slice(0, 2)}***`);

/** A database's message and details quote the values it refused. */
const isOfDatabase = (error: Error): boolean => 'severity' in error && 'routine' in error;

/** What the program's log says of an error: where it came from and what kind it is, nothing of what it was about. */
export function safeError(error: unknown, depth = 0): SafeError {
  if (!(error instanceof Error)) return { type: typeof error, message: safeText(String(error)) };
  const fields = error as Error & { code?: unknown; table?: unknown; constraint?: unknown };
  const names = [fields.table, fields.constraint].filter((name) => typeof name === 'string').join(' ');
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: isOfDatabase(error)
      ? `the database refused it${names === '' ? '' : `: ${names}`}`
      : safeText(error.message),
    ...(typeof fields.code === 'string' || typeof fields.code === 'number'
      ? { code: String(fields.code) }
      : {}),
    ...(frames.length === 0 ? {} : { stack: frames.slice(0, 15).join('\n') }),
    ...(error.cause === undefined || depth >= MOST_CAUSES
      ? {}
      : { cause: safeError(error.cause, depth + 1) }),
  };
}
