import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import { WindowField } from '../../parts/window-field.tsx';
import { isOwnWindow, type Draft, type Window } from './draft.ts';
import { t } from '../../words/words.ts';

/** When the campaign calls or writes, and how often it tries again. */
export function TimesCard({
  draft,
  window,
  isWritten,
  errors,
  onChange,
}: {
  draft: Draft;
  /** The calling window of the assistant. */
  window: Window;
  /** It sends messages, which are neither busy nor unanswered. */
  isWritten: boolean;
  errors: ReadonlyMap<string, string>;
  onChange: (change: Partial<Draft>) => void;
}): ReactNode {
  const field = (name: keyof Draft, label: string, wire: string, more: object): ReactNode => (
    <TextField
      label={label}
      value={String(draft[name])}
      error={errors.get(wire)}
      onChange={(event) => onChange({ [name]: event.target.value })}
      {...more}
    />
  );
  const minutes = { type: 'number', min: 0, max: 10_080, step: 1, required: true };
  return (
    <Card title={isWritten ? t('When it writes') : t('When it calls')}>
      <p className="mb-4 text-muted">
        {t('{useCalleeTimezone}{timezone}, the zone of the assistant.', {
          useCalleeTimezone: window.use_callee_timezone
            ? `${t('The calling hours hold on the clock of each called number; all other times are in')} `
            : `${t('All times are in')} `,
          timezone: window.timezone,
        })}
      </p>
      <WindowField
        labels={isWritten ? ['Messages from', 'Messages until'] : ['Calls from', 'Calls until']}
        start={draft.windowStart}
        end={draft.windowEnd}
        zone={window.timezone}
        slots={isOwnWindow(draft, window) ? null : window.slots}
        isByCallee={window.use_callee_timezone}
        errors={{
          start: errors.get('call_config.call_time.call_start_time'),
          end: errors.get('call_config.call_time.call_end_time'),
        }}
        onChange={({ start, end }) =>
          onChange({
            ...(start === undefined ? {} : { windowStart: start }),
            ...(end === undefined ? {} : { windowEnd: end }),
          })
        }
      />
      <div className="mt-5 grid gap-4 sm:grid-cols-2">
        {field(
          'startAt',
          isWritten ? t('First message not before') : t('First call not before'),
          'campaign_start_time',
          {
            type: 'datetime-local',
            hint: t('Empty: as soon as you start it.'),
          },
        )}
        {field('endAt', isWritten ? t('No message after') : t('No call after'), 'campaign_end_time', {
          type: 'datetime-local',
          hint: t('Empty: until every contact is finished.'),
        })}
        {field('retries', 'Retries of each contact', 'call_config.call_retry_config.retry_count', {
          type: 'number',
          min: 0,
          max: 10,
          step: 1,
          required: true,
        })}
        {isWritten
          ? null
          : field(
              'notPicked',
              'Minutes until a retry when nobody answers',
              'call_config.call_retry_config.retry_not_picked',
              minutes,
            )}
        {isWritten
          ? null
          : field(
              'busy',
              'Minutes until a retry when busy',
              'call_config.call_retry_config.retry_busy',
              minutes,
            )}
        {field(
          'failed',
          isWritten
            ? t('Minutes until a retry when sending fails')
            : t('Minutes until a retry when the call fails'),
          'call_config.call_retry_config.retry_failed',
          minutes,
        )}
      </div>
    </Card>
  );
}
