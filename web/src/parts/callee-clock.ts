import { readerZone } from './time-zones.ts';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

/** `America/New_York` as "New York". */
export const placeOf = (zone: string): string =>
  /^(?:Etc\/)?(?:UTC|GMT)$/.test(zone) ? 'UTC' : (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY = { ...TIME, weekday: 'short', day: 'numeric', month: 'short' } as const;
const dayIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone }).format(at);

/** The time on the clock of a zone. */
export const clockIn = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat(LOCALE, { ...TIME, timeZone }).format(at);

/** A later time on that clock, with its day where that is not today there. */
export const laterIn = (timeZone: string, at: number, now: number): string =>
  dayIn(timeZone, at) === dayIn(timeZone, now)
    ? clockIn(timeZone, at)
    : new Intl.DateTimeFormat(LOCALE, { ...DAY, timeZone }).format(at);

/** The calling window for one callee, as the service answers it. */
export interface CalleeWindow {
  readonly timezone: string;
  readonly callee_timezone: string | null;
  readonly callee_timezones: readonly string[];
  readonly is_open: boolean;
  readonly opens_at: string | null;
  readonly closes_at: string | null;
}

/** What time it is at the callee, and whether a call would leave now. */
export function windowSentences(window: CalleeWindow, now: number): { clock: string; window: string } {
  const zone = window.callee_timezone ?? window.timezone;
  const place = placeOf(zone);
  const clock =
    window.callee_timezone === null
      ? t('The number is of no country; at the assistant, in {place}, it is {time}.', {
          place,
          time: clockIn(zone, now),
        })
      : window.callee_timezones.length > 1
        ? t('The number may be in several time zones. In {place} it is {time}.', {
            place,
            time: clockIn(zone, now),
          })
        : t('In {place} it is {time}.', { place, time: clockIn(zone, now) });
  return { clock, window: windowSentence(window, zone, now) };
}

function windowSentence(
  { is_open: isOpen, opens_at: opens, closes_at: closes }: CalleeWindow,
  zone: string,
  now: number,
) {
  if (isOpen) {
    return closes === null
      ? t('The assistant may call at any time.')
      : t('The assistant may call until {time} there.', { time: laterIn(zone, Date.parse(closes), now) });
  }
  if (opens === null) return t('The calling hours of the assistant never open for this number.');
  const at = Date.parse(opens);
  const own = readerZone();
  const there = laterIn(zone, at, now);
  const here = laterIn(own, at, now);
  const note = here === there ? '' : ` (${t('{time} for you', { time: here })})`;
  return t('The call waits until {there} there{note}: it is outside the calling hours of the assistant.', {
    there,
    note,
  });
}
