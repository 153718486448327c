import { pino, type DestinationStream, type Logger } from 'pino';
import { safeError } from './safe-error.ts';

export type Log = Logger;

/**
 * JSON log lines. Messages are static; values are fields. Phone numbers, names and transcripts are never logged, and
 * errors are logged without the values they quote (`safeError`).
 */
export function createLog(options: {
  level: string;
  pretty: boolean;
  /** Absent: standard output. */
  destination?: DestinationStream;
}): Log {
  const settings = {
    level: options.level,
    base: null,
    serializers: { err: (error: unknown) => safeError(error) },
    redact: {
      paths: [
        'req.headers["x-api-key"]',
        'req.headers.authorization',
        'req.headers.cookie',
        'headers',
        'password',
        'api_key',
        'apiKey',
        'authorization',
        '*.password',
        '*.api_key',
        '*.apiKey',
        '*.authorization',
      ],
      censor: '[redacted]',
    },
    ...(options.pretty
      ? {
          transport: {
            target: 'pino-pretty',
            options: { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' },
          },
        }
      : {}),
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}

/** A log that writes nothing, for tests and for threads that report through the main thread. */
export const silentLog: Log = pino({ level: 'silent' });
