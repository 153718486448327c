import type { ReactNode } from 'react';
import { isValidZone } from '@callwright/language';
import { TextField } from '../ui/controls.tsx';
import { readerZone } from './time-zones.ts';
import { WindowBar } from './window-bar.tsx';
import {
  minuteOf,
  nextClockChanges,
  readerAhead,
  timeOf,
  type ClockChange,
  type Part,
} from './window-hours.ts';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

const OWN_ZONE = readerZone();
const DAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'long' });

/** What is wrong with a time zone, by the rule of the interface; undefined: nothing. */
export const zoneProblem = (zone: string): string | undefined =>
  isValidZone(zone.trim())
    ? undefined
    : t(
        'Must be a zone such as Asia/Kolkata, or EST, MST, HST, GMT or UTC. IST, PST and CST are several zones.',
      );

/** What is wrong with a time of a window; undefined: nothing. */
export const timeProblem = (time: string): string | undefined =>
  minuteOf(time) === null ? t('Must be a time of the day, such as 09:00.') : undefined;

/** The start and end of a calling window: two times, and the day as a bar on both clocks. */
export function WindowField({
  labels,
  start,
  end,
  zone,
  slots = null,
  isByCallee = false,
  readOnly = false,
  errors = {},
  onChange,
}: {
  labels: readonly [start: string, end: string];
  start: string;
  end: string;
  zone: string;
  /** Several windows a day that apply instead. */
  slots?: readonly { readonly start: string; readonly end: string }[] | null;
  /** The window is read on the clock of each called number. */
  isByCallee?: boolean;
  readOnly?: boolean;
  errors?: { readonly start?: string | undefined; readonly end?: string | undefined };
  onChange: (change: { readonly start?: string; readonly end?: string }) => void;
}): ReactNode {
  const windows = (slots ?? [{ start, end }]).flatMap((slot): readonly Part[] => {
    const [from, until] = [minuteOf(slot.start), minuteOf(slot.end)];
    return from === null || until === null ? [] : [{ start: from, end: until }];
  });
  const now = Date.now();
  const isKnown = isValidZone(zone);
  const ahead = isByCallee ? null : readerAhead(windows, zone, now);
  const time = (name: 'start' | 'end', label: string): ReactNode => (
    <TextField
      label={label}
      type="time"
      required
      readOnly={readOnly}
      value={name === 'start' ? start : end}
      error={errors[name] ?? timeProblem(name === 'start' ? start : end)}
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-2 gap-3">
        {time('start', labels[0])}
        {time('end', labels[1])}
      </div>
      <WindowBar
        windows={windows}
        zone={isByCallee ? t('The clock of each called number') : zone}
        ahead={ahead}
        onDrag={
          readOnly || slots !== null
            ? undefined
            : (to) => onChange({ start: timeOf(to.start), end: timeOf(to.end) })
        }
      />
      <div className="flex flex-col gap-1 text-sm text-muted">
        <p>{windowNote(start, end, slots !== null)}</p>
        {ahead === null ? null : (
          <p>
            {t('On your clock ({zone}): {hours}.', {
              zone: OWN_ZONE,
              hours: windows
                .map(({ start: from, end: to }) =>
                  t('{from} to {to}', { from: timeOf(from + ahead), to: timeOf(to + ahead) }),
                )
                .join(', '),
            })}
          </p>
        )}
        {isByCallee || !isKnown
          ? null
          : nextClockChanges([zone, ...(ahead === null ? [] : [OWN_ZONE])], now).map((change) => (
              <p key={change.zone}>{changeNote(change, zone)}</p>
            ))}
      </div>
    </div>
  );
}

function windowNote(start: string, end: string, isReplaced: boolean): string {
  if (isReplaced) return t('Several windows a day are set. New times replace them.');
  if (start === end) return t('Equal times mean the whole day.');
  return start > end
    ? t('The window crosses midnight and belongs to the day on which it begins.')
    : t('The same on every open day.');
}

/** That the clocks of the window's zone or of the reader change soon. */
function changeNote({ zone, at, minutes }: ClockChange, windowZone: string): string {
  const what =
    zone === windowZone
      ? t('the window keeps its times there, so it moves on other clocks')
      : t('the window moves on your clock');
  const values = { zone, minutes: Math.abs(minutes), day: DAY.format(at), what };
  return minutes < 0
    ? t('The clocks of {zone} go back by {minutes} minutes on {day}: {what}.', values)
    : t('The clocks of {zone} go forward by {minutes} minutes on {day}: {what}.', values);
}
