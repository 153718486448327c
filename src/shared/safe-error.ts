/** Digits that may be a phone number. */
const NUMBER = /\+?\d{8,15}(?!\d)/g;
/** Credentials and query string of a URL. */
const USER_INFO = /(\w:\/\/)[^\s/@"']+@/g;
const URL_TEXT = /\w:\/\/[^\s"']*/g;
const MOST_CAUSES = 3;

export interface SafeError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
  readonly cause?: SafeError;
}

/** Error text without phone numbers, URL credentials and query strings. */
export const safeText = (text: string): string =>
  text
    .replaceAll(USER_INFO, '$1***@')
    .replaceAll(URL_TEXT, (url) => url.replace(/\?[^)]*/, '?***'))
    .replaceAll(NUMBER, (number) => `${number.slice(0, 2)}***`);

/** PostgreSQL messages and details quote the rejected values. */
const isOfDatabase = (error: Error): boolean => 'severity' in error && 'routine' in error;

/** Parser messages quote their input, which may be speech of a caller. */
const isOfParser = (error: Error): boolean => error instanceof SyntaxError || error.name === 'SyntaxError';

function messageOf(error: Error): string {
  if (isOfParser(error)) return 'text that does not parse';
  if (!isOfDatabase(error)) return safeText(error.message);
  const { table, constraint } = error as Error & { table?: unknown; constraint?: unknown };
  const names = [table, constraint].filter((name) => typeof name === 'string').join(' ');
  return `the database refused it${names === '' ? '' : `: ${names}`}`;
}

/** The loggable part of an error: its kind and stack, without quoted data. */
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
