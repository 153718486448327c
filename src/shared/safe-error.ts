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

/** A parser quotes what it was given, which may be what somebody said. */
const isOfParser = (error: Error): boolean => error instanceof SyntaxError || error.name === 'SyntaxError';

function messageOf(error: Error): string {
  if (isOfParser(error)) return 'text that does not parse';
  if (!isOfDatabase(error)) return safeText(error.message);
  const { table, constraint } = error as Error & { table?: unknown; constraint?: unknown };
  const names = [table, constraint].filter((name) => typeof name === 'string').join(' ');
  return `the database refused it${names === '' ? '' : `: ${names}`}`;
}

/** What the program's log says of an error: where it came from and what kind it is, nothing of what it was about. */
export function safeError(error: unknown, depth = 0): SafeError {
  if (!(error instanceof Error)) return { type: typeof error, message: safeText(String(error)) };
  const { code } = error as Error & { code?: unknown };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: messageOf(error),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(frames.length === 0 ? {} : { stack: frames.slice(0, 15).join('\n') }),
    ...(error.cause === undefined || depth >= MOST_CAUSES
      ? {}
      : { cause: safeError(error.cause, depth + 1) }),
  };
}
