import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { Draft } from './draft.ts';

/** When the campaign calls or writes, and how often it tries again. */
export function TimesCard({
  draft,
  zone,
  isWritten,
  errors,
  onChange,
}: {
  draft: Draft;
  zone: string;
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
    <Card title={isWritten ? 'When it writes' : 'When it calls'}>
      <p className="mb-4 text-muted">Times are those of {zone}, the zone of the assistant.</p>
      <div className="grid gap-4 sm:grid-cols-2">
        {field(
          'windowStart',
          isWritten ? 'Messages from' : 'Calls from',
          'call_config.call_time.call_start_time',
          {
            type: 'time',
            required: true,
          },
        )}
        {field(
          'windowEnd',
          isWritten ? 'Messages until' : 'Calls until',
          'call_config.call_time.call_end_time',
          {
            type: 'time',
            required: true,
            hint: draft.windowStart === draft.windowEnd ? 'Equal times mean the whole day.' : undefined,
          },
        )}
        {field(
          'startAt',
          isWritten ? 'First message not before' : 'First call not before',
          'campaign_start_time',
          {
            type: 'datetime-local',
            hint: 'Empty: as soon as you start it.',
          },
        )}
        {field('endAt', isWritten ? 'No message after' : 'No call after', 'campaign_end_time', {
          type: 'datetime-local',
          hint: 'Empty: until every contact is finished.',
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
            ? 'Minutes until a retry when sending fails'
            : 'Minutes until a retry when the call fails',
          'call_config.call_retry_config.retry_failed',
          minutes,
        )}
      </div>
    </Card>
  );
}
