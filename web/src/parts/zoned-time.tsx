import type { ReactNode } from 'react';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

const SHAPE = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;
const OWN = new Intl.DateTimeFormat(LOCALE, SHAPE);
const formats = new Map<string, Intl.DateTimeFormat>([['', OWN]]);

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(LOCALE, { ...SHAPE, timeZone: zone });
  formats.set(zone, made);
  return made;
}

/**
 * A time on the clock of a zone, which it names, and below it on the reader's where that shows another one. In lists the
 * tip of the shell has the other clock.
 */
export function ZonedTime({
  iso,
  zone,
  isBrief = false,
}: {
  iso: string | null;
  zone: string;
  isBrief?: boolean;
}): ReactNode {
  if (iso === null) return <span className="text-muted">–</span>;
  const date = new Date(iso);
  const there = formatOf(zone).format(date);
  const here = OWN.format(date);
  return (
    <time dateTime={iso} data-zone={zone} className={isBrief ? 'whitespace-nowrap' : ''}>
      {there}
      {isBrief || here === there ? null : (
        <span className="block text-sm font-normal text-muted">{t('{time} for you', { time: here })}</span>
      )}
    </time>
  );
}
