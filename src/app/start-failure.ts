/** A start that failed for a reason the operator can mend; the message names the setting to look at. */
export class StartFailure extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StartFailure';
  }
}

/** What went wrong in a few words; a failed attempt at several addresses has its words inside. */
function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return wordsOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** The database that `DATABASE_URL` names, without its user and password. */
export function databaseFailure(databaseUrl: string, error: unknown): StartFailure {
  const { host, pathname } = new URL(databaseUrl);
  return new StartFailure(`DATABASE_URL: ${host}${pathname} cannot be used: ${wordsOf(error)}`, error);
}

/** What binding the address of two settings may fail with; any other error comes back as it is. */
export function listenFailure(
  settings: { port: string; host: string },
  at: { port: number; host: string },
  error: unknown,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `${settings.port} ${at.port} on ${at.host} is in use by another program`,
        error,
      );
    case 'EACCES':
      return new StartFailure(
        `${settings.port} ${at.port} on ${at.host} may not be used by this user`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFailure(`${settings.host} ${at.host} is not an address of this machine`, error);
    default:
      return error;
  }
}
