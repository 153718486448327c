import { pino, type Logger } from 'pino';
import { safeError } from './safe-error.ts';

export type Log = Logger;

/**
 * JSON log lines. Messages are static; values are fields. Numbers, names and transcripts never go into a
 * message; errors are logged without the values they are about (`safeError`).
 */
export function createLog(options: { level: string; pretty: boolean }): Log {
  return pino({
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
  });
}

/** A log that writes nothing: for tests and threads that report through their owner. */
export const silentLog: Log = pino({ level: 'silent' });
