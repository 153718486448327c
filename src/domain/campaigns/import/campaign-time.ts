import { instantsOf } from '@callwright/language';

const LOCAL = /^(\d{2})\/(\d{2})\/(\d{4}), (\d{2}):(\d{2})$/;
const ISO = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?$/;

/** Why a text is no time of a campaign. */
export const TIME_RULE =
  'must be a date and time of the shape DD/MM/YYYY, HH:MM, or ISO 8601 with an offset, such as 2026-05-01T09:30:00-07:00';
export const OFFSET_RULE =
  'must be a date and time with an offset when it is ISO 8601, such as 2026-05-01T09:30:00-07:00: without one it names no instant';

/** Whether the text is an instant by itself; null: it is a local time, or none at all. */
export const hasOffset = (text: string): boolean => ISO.exec(text.trim())?.[1] !== undefined;
export const lacksOffset = (text: string): boolean => {
  const match = ISO.exec(text.trim());
  return match !== null && match[1] === undefined;
};

/**
 * Parses `DD/MM/YYYY, HH:MM` as local time of an IANA zone, or ISO 8601 with an offset; null for other text and
 * impossible dates. A local time inside a clock change forward is the instant of the change; an ambiguous one is the
 * earlier instant.
 */
export function campaignTime(text: string, zone: string): Date | null {
  return hasOffset(text) ? isoTime(text.trim()) : localTime(text.trim(), zone);
}

function isoTime(text: string): Date | null {
  const upper = text.toUpperCase().replace(' ', 'T');
  const plain = upper.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  const at = new Date(plain);
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 2000) return null;
  // Date reads the 30th of February as the 2nd of March.
  const [year = 0, month = 0, day = 0] = plain.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day ? at : null;
}

function localTime(text: string, zone: string): Date | null {
  const match = LOCAL.exec(text);
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
