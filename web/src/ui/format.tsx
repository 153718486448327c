import type { ReactNode } from 'react';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

const EXACT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const BRIEF = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const THIS_YEAR = new Intl.DateTimeFormat(LOCALE, BRIEF);
const OTHER_YEAR = new Intl.DateTimeFormat(LOCALE, { ...BRIEF, year: 'numeric' });
const ZONE = new Intl.DateTimeFormat(LOCALE, { timeZoneName: 'short' });
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });

const zoneOf = (date: Date): string =>
  ZONE.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';

/**
 * A time in the reader's zone, which it names; the tip of the shell has it in other zones, too. Lists leave out seconds
 * and this year.
 */
export function Time({
  iso,
  isBrief = false,
  zone,
}: {
  iso: string | null | undefined;
  isBrief?: boolean;
  /** The zone of the assistant that it is about. */
  zone?: string | undefined;
}): ReactNode {
  if (iso === null || iso === undefined) return <span className="text-muted">–</span>;
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  const format = !isBrief ? EXACT : isThisYear ? THIS_YEAR : OTHER_YEAR;
  return (
    // Where it wraps, the zone gets a line of its own.
    <time dateTime={iso} data-zone={zone} className={isBrief ? 'whitespace-nowrap' : ''}>
      <span className={isBrief ? 'whitespace-nowrap' : ''}>{format.format(date)}</span>{' '}
      <span className={`text-muted ${isBrief ? 'whitespace-nowrap' : ''}`}>{zoneOf(date)}</span>
    </time>
  );
}

/** A time in the reader's zone as plain text, where no element may stand, such as in a choice. */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  return `${OTHER_YEAR.format(date)} ${zoneOf(date)}`;
}

const TENTHS = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
/** Seconds that stand below each other. */
export const formatTenths = (value: number): string => TENTHS.format(value);
export const formatNumber = (value: number): string => NUMBER.format(value);
/** `1 call`, `2 calls`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${t(count === 1 ? one : many)}`;

/** Whole seconds as m:ss, as players count them. */
export function formatSeconds(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '–';
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** `NO_ANSWER` as "No answer". */
export function formatCode(code: string | null | undefined): string {
  if (code === null || code === undefined || code === '') return '–';
  const words = code.toLowerCase().replaceAll('_', ' ');
  return t(words.charAt(0).toUpperCase() + words.slice(1));
}

/** The direction of an assistant: which calls it takes. */
export const formatDirection = (type: string): string =>
  type === 'outbound_inbound' ? t('Both directions') : type === 'whatsapp' ? 'WhatsApp' : formatCode(type);

const LANGUAGES = new Intl.DisplayNames(LOCALE, { type: 'language', style: 'short' });
/**
 * `en-US` as "US English" and `en-IN` as "English (India)", short enough for a line on a phone; the tag where the browser
 * does not know it. The interface writes Odia as `od`, whose standard code is `or`.
 */
export function formatLanguage(tag: string): string {
  try {
    return LANGUAGES.of(tag.replace(/^od(?=-|$)/, 'or')) ?? tag;
  } catch {
    return tag;
  }
}
