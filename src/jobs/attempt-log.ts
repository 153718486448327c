import { isAscii } from 'node:buffer';
import type { JsonObject } from '../store/schema.ts';
import type { SafeResponse } from './safe-fetch.ts';

/** Attempts that ended without a request. */
export type AttemptFailure =
  /** The processes that made it died, time and again. */
  | 'interrupted'
  /** A fault of ours. */
  | 'broken_off'
  | 'too_large';

const DETAILS: Readonly<Record<AttemptFailure, string>> = {
  interrupted: 'the processes that sent it ended first',
  broken_off: 'the attempt broke off in this service',
  too_large: 'the event is too large to be sent',
};
/** How much of an answer's body the log keeps. */
const BODY_BYTES = 1024;

/** What the delivery log keeps of one attempt. */
export function attemptLog(
  attempt: number,
  startedAt: number,
  endedAt: number,
  outcome: SafeResponse | AttemptFailure,
): JsonObject {
  const log = { attempt, at: new Date(startedAt).toISOString(), duration_ms: endedAt - startedAt };
  if (typeof outcome === 'string') {
    return { ...log, status: null, body: null, error: outcome, detail: DETAILS[outcome] };
  }
  if (!outcome.ok)
    return { ...log, status: null, body: null, error: outcome.failure, detail: outcome.detail };
  return { ...log, status: outcome.status, body: excerpt(outcome.body), error: null, detail: null };
}

/** The beginning of an answer as text that can be stored: NUL has no place in it. */
function excerpt(body: Buffer): string | null {
  if (body.length === 0) return null;
  const beginning = body.subarray(0, BODY_BYTES);
  const text = isAscii(beginning)
    ? beginning.toString('latin1')
    : new TextDecoder().decode(beginning, { stream: true });
  return text.replaceAll('\0', '\u{fffd}');
}
