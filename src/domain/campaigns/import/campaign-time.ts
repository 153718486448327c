import { instantsOf } from '../../../shared/time-zone.ts';

const SHAPE = /^(\d{2})\/(\d{2})\/(\d{4}), (\d{2}):(\d{2})$/;

/**
 * Parses `DD/MM/YYYY, HH:MM` as local time of an IANA zone; null for other text and impossible dates. A local time
 * inside a clock change forward is the instant of the change; an ambiguous one is the earlier instant.
 */
export function campaignTime(text: string, zone: string): Date | null {
  const match = SHAPE.exec(text.trim());
  if (match === null) return null;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = match.slice(1).map(Number);
  const local = Date.UTC(year, month - 1, day, hour, minute);
  const read = new Date(local);
  const isReal =
    year >= 2000 &&
    read.getUTCFullYear() === year &&
    read.getUTCMonth() === month - 1 &&
    read.getUTCDate() === day &&
    hour < 24 &&
    minute < 60;
  if (!isReal) return null;
  const [instant] = instantsOf(zone, local);
  return instant === undefined ? null : new Date(instant);
}
