import { errors } from '../errors.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;

/**
 * A query's date or time. A date means the whole UTC day: it begins at `from` and ends before `until`; a time is
 * both, `until` counting it in. Throws 422 naming `field`.
 */
export function readMoment(field: string, text: string): { from: Date; until: Date } {
  const isDate = DATE.test(text);
  const at = isDate || TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse rolls 30 February over into March: the day must read back as written.
  const isReal = !Number.isNaN(at) && (!isDate || new Date(at).toISOString().startsWith(text));
  if (!isReal) throw errors.invalid(field, 'must be a date (YYYY-MM-DD) or an ISO 8601 time with offset');
  return { from: new Date(at), until: new Date(at + (isDate ? DAY_MS : 1)) };
}

/** A query's date or time as the UTC day it lies on, `YYYY-MM-DD`. Throws 422 naming `field`. */
export const readDay = (field: string, text: string): string =>
  readMoment(field, text).from.toISOString().slice(0, 10);
