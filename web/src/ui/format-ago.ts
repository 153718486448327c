import { LOCALE } from '../words/language.ts';

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];
const UNITS = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const CLOCK = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

const startOfDay = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A past moment: "now", "5 min. ago", "Today 14:03", "Yesterday 09:15", else its day and clock. */
export function formatAgo(atMs: number, nowMs: number): string {
  const past = nowMs - atMs;
  if (past < MINUTE_MS) return UNITS.format(0, 'second');
  if (past < HOUR_MS) return UNITS.format(-Math.floor(past / MINUTE_MS), 'minute');
  const days = Math.round((startOfDay(nowMs) - startOfDay(atMs)) / DAY_MS);
  if (days > 1) return DAY.format(atMs);
  return `${capital(UNITS.format(days === 0 ? 0 : -1, 'day'))} ${CLOCK.format(atMs)}`;
}
