import type { ReactNode } from 'react';
import { CheckField, TextField } from '../../ui/controls.tsx';
import { timeProblem, WindowField, zoneProblem } from '../../parts/window-field.tsx';
import type { Version, VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const DAYS = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const;
type Day = keyof typeof DAYS;
const ALL_DAYS = Object.keys(DAYS) as Day[];

const draftOf = ({ call_config: config }: Version) => ({
  start: config.call_time.call_start_time,
  end: config.call_time.call_end_time,
  zone: config.call_time.timezone,
  days: (config.call_time.days ?? ALL_DAYS) as readonly Day[],
  calleeZone: config.call_time.use_callee_timezone,
  longest: String(config.max_call_length),
  warning: String(config.idle_timeout_warning),
  idle: String(config.idle_timeout_end),
});
type Draft = ReturnType<typeof draftOf>;
type Text = Exclude<keyof Draft, 'days' | 'calleeZone'>;

/** When the assistant may call, and how long a call may last. */
export function CallsCard(target: VersionProps): ReactNode {
  const { mayEdit, version } = target;
  const form = useDraft(draftOf(version), 'Calls');
  const { draft, set } = form;
  const stored = draftOf(version);
  const { slots } = version.call_config.call_time;
  const isLate = Number(draft.warning) >= Number(draft.idle);
  // A start or end that is sent replaces stored slots, so only changed times are sent.
  const isStoredWindow = draft.start === stored.start && draft.end === stored.end;
  const wrongZone = zoneProblem(draft.zone);
  const times = {
    ...(isStoredWindow ? {} : { call_start_time: draft.start, call_end_time: draft.end }),
    timezone: draft.zone,
    days: draft.days.length === ALL_DAYS.length ? null : ALL_DAYS.filter((day) => draft.days.includes(day)),
    use_callee_timezone: draft.calleeZone,
  };
  const field = (name: Text, label: string, more: object = {}): ReactNode => (
    <TextField
      label={label}
      value={draft[name]}
      readOnly={!mayEdit}
      required
      onChange={(event) => set({ [name]: event.target.value })}
      {...more}
    />
  );
  const seconds = (min: number, max: number) => ({ type: 'number', min, max, step: 1 });
  return (
    <EditCard
      title={t('Calls')}
      target={target}
      edit={{
        operation: 'edit_call_config',
        call_config: {
          call_time: times,
          max_call_length: Number(draft.longest),
          idle_timeout_warning: Number(draft.warning),
          idle_timeout_end: Number(draft.idle),
        },
      }}
      form={form}
      problem={
        draft.days.length === 0
          ? t('Choose at least one day.')
          : wrongZone !== undefined ||
              timeProblem(draft.start) !== undefined ||
              timeProblem(draft.end) !== undefined
            ? t('Correct the calling window.')
            : isLate
              ? t('The check-in must come before the end of the call.')
              : undefined
      }
    >
      {(errorOf) => (
        <>
          <WindowField
            labels={['Calls from', 'Calls until']}
            start={draft.start}
            end={draft.end}
            zone={draft.zone}
            slots={isStoredWindow ? slots : null}
            isByCallee={draft.calleeZone}
            readOnly={!mayEdit}
            errors={{
              start: errorOf('call_config.call_time.call_start_time'),
              end: errorOf('call_config.call_time.call_end_time'),
            }}
            onChange={set}
          />
          {field('zone', 'Time zone', {
            hint: t('Such as Asia/Kolkata.'),
            error: wrongZone ?? errorOf('call_config.call_time.timezone'),
          })}
          <fieldset>
            <legend className="mb-1 text-sm font-medium">{t('Days')}</legend>
            <div className="flex flex-wrap gap-x-5 gap-y-1">
              {ALL_DAYS.map((day) => (
                <CheckField
                  key={day}
                  label={DAYS[day]}
                  checked={draft.days.includes(day)}
                  readOnly={!mayEdit}
                  onChange={({ target: { checked } }) =>
                    set({
                      days: ALL_DAYS.filter((each) => (each === day ? checked : draft.days.includes(each))),
                    })
                  }
                />
              ))}
            </div>
          </fieldset>
          <CheckField
            label={t('Use the time zone of the called number')}
            checked={draft.calleeZone}
            readOnly={!mayEdit}
            onChange={(event) => set({ calleeZone: event.target.checked })}
          />
          {field('longest', 'Longest call, seconds', {
            ...seconds(10, 3600),
            error: errorOf('call_config.max_call_length'),
          })}
          <div className="grid grid-cols-2 gap-3">
            {field('warning', 'Silence until a check-in, seconds', {
              ...seconds(0, 600),
              hint: '0 turns the check-in off.',
              error: isLate
                ? t('Must be less than the seconds until the end.')
                : errorOf('call_config.idle_timeout_warning'),
            })}
            {field('idle', 'Silence until the end, seconds', {
              ...seconds(1, 600),
              error: errorOf('call_config.idle_timeout_end'),
            })}
          </div>
        </>
      )}
    </EditCard>
  );
}
