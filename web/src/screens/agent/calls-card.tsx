import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { TextField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { Version, VersionProps } from './agent-page.tsx';
import { SaveBar } from './save-bar.tsx';

interface Draft {
  start: string;
  end: string;
  zone: string;
  longest: string;
  warning: string;
  idle: string;
}

const draftOf = ({ call_config: config }: Version): Draft => ({
  start: config.call_time.call_start_time,
  end: config.call_time.call_end_time,
  zone: config.call_time.timezone,
  longest: String(config.max_call_length),
  warning: String(config.idle_timeout_warning),
  idle: String(config.idle_timeout_end),
});

/** When the assistant may call, and how long a call may last. */
export function CallsCard({ agentId, version, mayEdit }: VersionProps): ReactNode {
  const stored = draftOf(version);
  const [draft, setDraft] = useState(stored);
  const edit = useChange('editAgent', ['getAgent']);
  const isChanged = (Object.keys(stored) as (keyof Draft)[]).some((key) => stored[key] !== draft[key]);
  const errorOf = (field: string): string | undefined => edit.error?.fields.get(`call_config.${field}`);
  // The service refuses it as well; here it shows while typing.
  const warningError =
    Number(draft.warning) >= Number(draft.idle) && Number(draft.warning) !== 0
      ? 'Must be less than the seconds until the end.'
      : errorOf('idle_timeout_warning');
  const field = (name: keyof Draft, label: string, more: object = {}): ReactNode => (
    <TextField
      label={label}
      value={draft[name]}
      readOnly={!mayEdit}
      required
      onChange={(event) => setDraft({ ...draft, [name]: event.target.value })}
      {...more}
    />
  );
  const seconds = { type: 'number', min: 0, step: 1 };
  return (
    <Card title="Calls">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate({
            operation: 'edit_call_config',
            agent_id: agentId,
            version_id: version.version_id,
            call_config: {
              call_time: { call_start_time: draft.start, call_end_time: draft.end, timezone: draft.zone },
              max_call_length: Number(draft.longest),
              idle_timeout_warning: Number(draft.warning),
              idle_timeout_end: Number(draft.idle),
            },
          });
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          {field('start', 'Calls from', { type: 'time', error: errorOf('call_time.call_start_time') })}
          {field('end', 'Calls until', { type: 'time', error: errorOf('call_time.call_end_time') })}
        </div>
        {field('zone', 'Time zone', {
          hint: draft.start === draft.end ? 'Equal times mean the whole day.' : 'Such as Asia/Kolkata.',
          error: errorOf('call_time.timezone'),
        })}
        {field('longest', 'Longest call, seconds', { ...seconds, error: errorOf('max_call_length') })}
        <div className="grid grid-cols-2 gap-3">
          {field('warning', 'Silence until a check-in, seconds', { ...seconds, error: warningError })}
          {field('idle', 'Silence until the end, seconds', {
            ...seconds,
            error: errorOf('idle_timeout_end'),
          })}
        </div>
        {mayEdit ? (
          <SaveBar
            isChanged={isChanged}
            isBusy={edit.isPending}
            isSaved={edit.isSuccess}
            error={edit.error}
            onReset={() => setDraft(stored)}
          />
        ) : null}
      </form>
    </Card>
  );
}
