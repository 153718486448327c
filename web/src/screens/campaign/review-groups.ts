import type { Answer } from '../../api/client.ts';
import { clockIn, laterIn, placeOf } from '../../parts/callee-clock.ts';
import { readerZone } from '../../parts/time-zones.ts';
import { t } from '../../words/words.ts';

export type Preview = Answer<'previewCampaign'>;

/** People whose phones would ring early or late on their clock. */
export const nightContacts = ({ zones }: Preview): number =>
  zones.reduce((sum, zone) => sum + (zone.is_night ? zone.contacts : 0), 0);

/** People who share a clock and a fate. */
export interface Group {
  readonly place: string;
  readonly clock: string;
  readonly contacts: number;
  readonly isNight: boolean;
  readonly isOpen: boolean;
  readonly what: string;
}

/** The zones of a preview in words; several zones with the same places are one row of the service. */
export function groupsOf(
  { zones, starts_at: startsAt, calling_window: window }: Preview,
  now: number,
): Group[] {
  const at = Date.parse(startsAt);
  const isNow = at <= now + 60_000;
  return zones.map((zone): Group => {
    const [first = window.timezone, ...others] = zone.timezones;
    const opens = zone.opens_at === null ? null : Date.parse(zone.opens_at);
    return {
      place: zone.timezones.length === 0 ? t('Numbers of no country') : placesOf(first, others),
      clock: clockIn(first, at),
      contacts: zone.contacts,
      isNight: zone.is_night,
      isOpen: zone.is_open,
      what: zone.is_open
        ? isNow
          ? t('Called now')
          : t('Called at the start')
        : opens === null
          ? t('Never called: the hours never open for them')
          : t('Wait until {first}{first2}', {
              first: laterIn(first, opens, at),
              first2: forReader(first, opens, at),
            }),
    };
  });
}

function forReader(zone: string, opens: number, at: number): string {
  const here = laterIn(readerZone(), opens, at);
  return here === laterIn(zone, opens, at) ? '' : ` (${t('{time} for you', { time: here })})`;
}

function placesOf(first: string, others: readonly string[]): string {
  const place = placeOf(first);
  const [other] = others;
  if (other === undefined) return place;
  return others.length === 1
    ? t('{place} or {other}', { place, other: placeOf(other) })
    : t('{place} or {count} other zones', { place, count: others.length });
}
