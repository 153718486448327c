import { errors } from '../../errors.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;

/**
 * Parses a date or time. A date is the whole UTC day, from `from` (inclusive) to `until` (exclusive); a time starts
 * at `from`, and `until` includes it. Throws 422 naming `field`.
 */
export function readMoment(field: string, text: string): { from: Date; until: Date } {
  const isDate = DATE.test(text);
  const at = isDate || TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into a day of March, so compare it with the input.
  const isReal = !Number.isNaN(at) && (!isDate || new Date(at).toISOString().startsWith(text));
  if (!isReal) throw errors.invalid(field, 'must be a date (YYYY-MM-DD) or an ISO 8601 time with offset');
  return { from: new Date(at), until: new Date(at + (isDate ? DAY_MS : 1)) };
}

/** The UTC day `YYYY-MM-DD` of a date or time. Throws 422 naming `field`. */
export const readDay = (field: string, text: string): string =>
  readMoment(field, text).from.toISOString().slice(0, 10);
