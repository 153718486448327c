import { instantsOf, localTime } from '../calls/time-zone.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** A call further away was not meant. */
const FURTHEST_MS = 90 * DAY_MS;
/** Hours that parts of a day stand for. */
const PARTS: readonly (readonly [RegExp, number])[] = [
  [/\bmorning\b/, 10],
  [/\b(noon|midday|lunch ?time)\b/, 12],
  [/\bafternoon\b/, 15],
  [/\bevening\b/, 18],
  [/\b(night|tonight)\b/, 20],
  [/\bmidnight\b/, 24],
];
const PRESET_HOUR = 10;
const SOON_MS = 2 * HOUR_MS;
const ANY = /\b(any ?time|any ?day|whenever)\b/;
const TENS = 'twenty thirty forty fifty'.split(' ');
const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );

/**
 * When "tomorrow at 3 pm" is, as a caller in `zone` means it at `now`; epoch ms. An ISO 8601 time without an offset is
 * read in `zone` too. Null for what names no time to come. Pure.
 */
export function callbackTime(when: string, now: number, zone: string, language: string): number | null {
  const text = when.toLowerCase().normalize('NFC').slice(0, 200);
  const at = ISO.test(text) ? absolute(text, zone) : (fromNow(text, now) ?? onDay(text, now, zone, language));
  return at === null || at <= now || at - now > FURTHEST_MS ? null : at;
}

const ISO =
  /\b(\d{4})-(\d{2})-(\d{2})(?:[t ](\d{2}):(\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*(z|[+-]\d{2}:?\d{2})?(?!\d)/;

function absolute(text: string, zone: string): number | null {
  const match = ISO.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = String(PRESET_HOUR), minute = '0', offset] = match;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  if (new Date(local).getUTCDate() !== Number(day)) return null;
  if (offset === undefined) return first(zone, local);
  if (offset === 'z') return local;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  return local - (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

const first = (zone: string, local: number): number => instantsOf(zone, local)[0] ?? local;

const UNIT_MS: Readonly<Record<string, number>> = { min: 60_000, hour: HOUR_MS };
const AMOUNT = '(half an|a couple of|a few|an?|\\d{1,3}|(?:twenty|thirty|forty|fifty) [a-z]+|[a-z]+)';
const AFTER = new RegExp(
  `\\b(?:in|after)\\s+(?:about\\s+)?${AMOUNT}\\s+(min|hour)(?:ute)?s?\\b|\\b${AMOUNT}\\s+(min|hour)(?:ute)?s?\\s+(?:later|from now)\\b`,
);

/** "In two hours". */
function fromNow(text: string, now: number): number | null {
  const match = AFTER.exec(text);
  if (match === null) return null;
  const [, before, unitBefore, later, unitLater] = match;
  const amount = count(before ?? later ?? '');
  return amount === null ? null : now + amount * (UNIT_MS[unitBefore ?? unitLater ?? ''] ?? 0);
}

function count(word: string): number | null {
  if (word === 'a' || word === 'an') return 1;
  if (word === 'half an') return 0.5;
  if (word === 'a couple of') return 2;
  if (word === 'a few') return 3;
  if (/^\d+$/.test(word)) return Number(word);
  const [ten, unit] = word.split(' ');
  const tens = TENS.indexOf(ten ?? '');
  if (tens !== -1) return 20 + tens * 10 + (unit === undefined ? 0 : Math.max(0, NUMBERS.indexOf(unit)));
  const at = NUMBERS.indexOf(word);
  return at === -1 ? null : at;
}

function onDay(text: string, now: number, zone: string, language: string): number | null {
  const local = localTime(zone, now);
  const today = Math.floor(local / DAY_MS);
  const rest = { text };
  const day = dayOf(rest, today, language);
  const clock = clockOf(rest.text);
  if (day === null && clock === null) return ANY.test(text) ? now + SOON_MS : null;
  if (day === null || (day === today && clock === null)) {
    if (clock === null) return now + SOON_MS;
    const at = first(zone, today * DAY_MS + clock);
    return at > now ? at : first(zone, (today + 1) * DAY_MS + clock);
  }
  return first(zone, day * DAY_MS + (clock ?? PRESET_HOUR * HOUR_MS));
}

/** The day named, in days since the epoch; its words are taken out of the text. */
function dayOf(rest: { text: string }, today: number, language: string): number | null {
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const match = pattern.exec(rest.text);
    if (match !== null) rest.text = rest.text.replace(match[0], ' ');
    return match;
  };
  if (take(/\bday after tomorrow\b/)) return today + 2;
  if (take(/\btomorrow\b/)) return today + 1;
  if (take(/\btoday\b/) || /\btonight\b/.test(rest.text)) return today;
  const later = take(/\b(?:in|after)\s+(a couple of|a few|an?|\d{1,2}|[a-z]+)\s+(day|week)s?\b/);
  if (later !== null) {
    const amount = count(later[1] ?? '');
    return amount === null ? null : today + amount * (later[2] === 'week' ? 7 : 1);
  }
  const date = dateOf(take, today);
  if (date !== null) return date;
  for (const locale of new Set(['en', language])) {
    const weekday = weekdays(locale).findIndex((name) => rest.text.includes(name));
    if (weekday !== -1) {
      // 1970-01-01 was a Thursday; a day named today is the one a week away.
      const ahead = (weekday - ((today + 3) % 7) + 7) % 7;
      return today + (ahead === 0 ? 7 : ahead);
    }
  }
  return spanOf(take, today) ?? nearDay(rest.text, today, language);
}

/** A stretch of days, by the first that fits: a weekend that has begun is today's. */
function spanOf(take: (pattern: RegExp) => RegExpExecArray | null, today: number): number | null {
  // Monday is 0.
  const weekday = (today + 3) % 7;
  if (take(/\bnext week\b/)) return today + 7;
  if (take(/\bnext weekend\b/)) return today + 12 - weekday;
  if (take(/\bweekend\b/)) return today + Math.max(0, 5 - weekday);
  if (take(/\bend of (?:the|this) week\b/)) return today + Math.max(0, 4 - weekday);
  if (take(/\bthis week\b/)) return today + 1;
  const now = new Date(today * DAY_MS);
  const firstOf = (ahead: number): number =>
    Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead, 1) / DAY_MS;
  if (take(/\bnext month\b/)) return firstOf(1);
  return take(/\bend of (?:the|this) month\b/) ? firstOf(1) - 1 : null;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';

/** "March 5", "5th of March", "the 5th": the next one to come. */
function dateOf(take: (pattern: RegExp) => RegExpExecArray | null, today: number): number | null {
  const after = take(new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\b`));
  const before =
    after === null ? take(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\b`)) : null;
  const alone = after === null && before === null ? take(/\bthe (\d{1,2})(?:st|nd|rd|th)\b/) : null;
  const day = Number(after?.[2] ?? before?.[1] ?? alone?.[1] ?? Number.NaN);
  if (!(day >= 1 && day <= 31)) return null;
  const now = new Date(today * DAY_MS);
  const named = after?.[1] ?? before?.[2];
  for (let step = 0; step < 13; step++) {
    const month = named === undefined ? now.getUTCMonth() + step : MONTHS.indexOf(named) + 12 * step;
    const found = new Date(Date.UTC(now.getUTCFullYear(), month, day));
    const days = found.getTime() / DAY_MS;
    if (found.getUTCDate() === day && days >= today) return days;
  }
  return null;
}

/** Monday first. */
const weekdays = (locale: string): string[] =>
  Array.from({ length: 7 }, (_, at) =>
    new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
      .format(Date.UTC(2026, 0, 5 + at))
      .toLowerCase()
      .normalize('NFC'),
  );

/** "Tomorrow" in the call's own language. */
function nearDay(text: string, today: number, language: string): number | null {
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const days of [2, 1, 0]) {
    const name = near.format(days, 'day').toLowerCase().normalize('NFC');
    if (!/\d/.test(name) && text.includes(name)) return today + days;
  }
  return null;
}

/** The time of day named, in ms. */
function clockOf(text: string): number | null {
  const part = PARTS.find(([pattern]) => pattern.test(text));
  const worded = /\b(half past|quarter past|quarter to)\s+([a-z]+|\d{1,2})\b/.exec(text);
  if (worded !== null) {
    const hour = count(worded[2] ?? '');
    const minutes = worded[1] === 'half past' ? 30 : worded[1] === 'quarter past' ? 15 : -15;
    return hour === null ? null : (afternoon(hour, null, part?.[1]) * 60 + minutes) * 60_000;
  }
  const clock =
    /(?<![\d:])(\d{1,2})(?:[:.](\d{2}))?\s*(a\.?m\b|p\.?m\b)?(?![\d:])/.exec(text) ??
    new RegExp(`\\b(${NUMBERS.join('|')})()\\s*(a\\.?m\\b|p\\.?m\\b|o'? ?clock)`).exec(text);
  if (clock !== null) {
    const [hour, minute] = [count(clock[1] ?? ''), Number(clock[2] || 0)];
    if (hour === null || hour > 23 || minute > 59) return null;
    const half = /^[ap]/.exec(clock[3] ?? '')?.[0] ?? null;
    return (afternoon(hour, half, part?.[1]) * 60 + minute) * 60_000;
  }
  return part === undefined ? null : part[1] * HOUR_MS;
}

/** Nobody is called back at four in the night: a bare hour is one of the day. */
function afternoon(hour: number, half: string | null, part: number | undefined): number {
  if (half === 'a') return hour === 12 ? 0 : hour;
  if (half === 'p') return hour === 12 ? 12 : (hour % 12) + 12;
  if (hour > 12) return hour;
  if (part !== undefined) return hourOf(hour, part);
  return hour >= 1 && hour <= 7 ? hour + 12 : hour;
}

/** The hour of a part of the day; those after midnight are the night's that began before. */
function hourOf(hour: number, part: number): number {
  if (part < 12) return hour;
  if (part < 18) return hour <= 9 ? hour + 12 : hour;
  if (part >= 20 && (hour === 12 || hour <= 4)) return 24 + (hour % 12);
  return hour === 12 ? hour : hour + 12;
}
