import { errors } from '../../errors.ts';
import { boundsOfDay, dayAt } from '@callwright/language';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses a date or time. A date is the whole day in `zone`, from `from` (inclusive) to `until` (exclusive); a time starts
 * at `from`, and `until` includes it. Throws 422 naming `field`.
 */
export function readMoment(field: string, text: string, zone = 'UTC'): { from: Date; until: Date } {
  const isDate = DATE.test(text);
  const at = isDate || TIME.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns 30 February into a day of March, so compare it with the input.
  const isReal = !Number.isNaN(at) && (!isDate || new Date(at).toISOString().startsWith(text));
  if (!isReal) throw errors.invalid(field, 'must be a date (YYYY-MM-DD) or an ISO 8601 time with offset');
  if (!isDate) return { from: new Date(at), until: new Date(at + 1) };
  const { from, until } = boundsOfDay(zone, text);
  return { from: new Date(from), until: new Date(until) };
}

/** The day `YYYY-MM-DD` of a date or time in a zone. Throws 422 naming `field`. */
export const readDay = (field: string, text: string, zone: string): string =>
  dayAt(zone, readMoment(field, text, zone).from.getTime());
