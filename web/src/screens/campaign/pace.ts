import { LOCALE } from '../../words/language.ts';

/** How many contacts were finished at a time (epoch ms). */
export interface Sample {
  readonly at: number;
  readonly finished: number;
}

const MOST = 60;
/** Milliseconds: a shorter time tells the age of the page's first data rather than the pace. */
const SHORTEST = 60_000;

export const addSample = (known: readonly Sample[], sample: Sample): readonly Sample[] =>
  [...known, sample].slice(-MOST);

/** Finished contacts a minute and the time for the rest; null before a minute was seen, or without progress. */
export function paceOf(
  samples: readonly Sample[],
  rest: number,
): { readonly perMinute: number; readonly left: string } | null {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < SHORTEST) return null;
  const perMinute = ((last.finished - first.finished) / (last.at - first.at)) * 60_000;
  if (perMinute <= 0) return null;
  return { perMinute, left: timeLeft(rest / perMinute) };
}

const HOUR = 60;
const DAY = 24 * HOUR;

/** A number of minutes in the largest unit that says enough, in the words of the language. */
export function timeLeft(minutes: number, locale: string = LOCALE): string {
  const named = (count: number, unit: 'minute' | 'hour' | 'day'): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count);
  const whole = Math.ceil(minutes);
  if (whole < 2 * HOUR) return named(whole, 'minute');
  if (whole < 2 * DAY) return named(Math.round(whole / HOUR), 'hour');
  return named(Math.round(whole / DAY), 'day');
}

/**
 * Minutes until the campaign is done: until its expected end, which has the waits for retries and for the window in it.
 * Where that end is unknown, the time of calling alone.
 */
export function minutesLeft(endsAt: string | null, calling: number | null, now: number): number | null {
  if (endsAt === null) return calling;
  return Math.max(0, (Date.parse(endsAt) - now) / 60_000);
}
