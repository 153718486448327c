import type { ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import type { Version, VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

type Settings = Extract<Input<'editAgent'>, { operation: 'edit_dtmf_settings' }>['dtmf_settings'];
type Keys = NonNullable<Settings['dtmf_input']>;
type DialKey = NonNullable<Keys['end']>;
const DIAL_KEYS: readonly DialKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'];

/** The stored settings, which the record shows without a fixed type; none: the service's own rules. */
function draftOf({ agent_config: config }: Version) {
  const stored = config.dtmf_settings as {
    dtmf_capturing_enabled: boolean;
    dtmf_input: Readonly<Record<'digits' | 'timeout', number | null>> &
      Readonly<Record<'end' | 'reset', DialKey | null>>;
  } | null;
  const input = stored?.dtmf_input;
  return {
    isOn: stored?.dtmf_capturing_enabled ?? true,
    digits: input?.digits == null ? '' : String(input.digits),
    timeout: input?.timeout == null ? '' : String(input.timeout),
    end: input?.end ?? ('' as const),
    reset: input?.reset ?? ('' as const),
  };
}

/** How keys that the caller presses become an answer. */
export function KeysCard(target: VersionProps): ReactNode {
  const { mayEdit } = target;
  const form = useDraft(draftOf(target.version), 'Keys of the caller');
  const { draft, set } = form;
  const isTwice = draft.end !== '' && draft.end === draft.reset;
  const settings: Settings = {
    dtmf_capturing_enabled: draft.isOn,
    dtmf_input: {
      ...(draft.digits === '' ? {} : { digits: Number(draft.digits) }),
      ...(draft.timeout === '' ? {} : { timeout: Number(draft.timeout) }),
      ...(draft.end === '' ? {} : { end: draft.end }),
      ...(draft.reset === '' ? {} : { reset: draft.reset }),
    },
  };
  const number = (name: 'digits' | 'timeout', label: string, max: number): ReactNode => (
    <TextField
      label={label}
      type="number"
      min={1}
      max={max}
      step={name === 'digits' ? 1 : 0.5}
      value={draft[name]}
      readOnly={!mayEdit}
      hint={t('Empty: usual.')}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  const key = (name: 'end' | 'reset', label: string, error?: string): ReactNode => (
    <SelectField
      label={label}
      value={draft[name]}
      readOnly={!mayEdit}
      error={error}
      onChange={(event) => set({ [name]: event.target.value as DialKey | '' })}
    >
      <option value="">{t('None')}</option>
      {DIAL_KEYS.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
  return (
    <EditCard
      title={t('Keys of the caller')}
      intro={t('Answers that people give with the keys of their phone.')}
      target={target}
      edit={{ operation: 'edit_dtmf_settings', dtmf_settings: settings }}
      form={form}
      problem={isTwice ? t('Choose two different keys.') : undefined}
    >
      {(errorOf) => (
        <>
          <CheckField
            label={t('Take keys as an answer')}
            checked={draft.isOn}
            readOnly={!mayEdit}
            onChange={(event) => set({ isOn: event.target.checked })}
          />
          {draft.isOn ? (
            <>
              <div className="grid gap-3 sm:grid-cols-2">
                {number('digits', 'Complete after this many keys', 32)}
                {number('timeout', 'Complete after a pause, seconds', 30)}
              </div>
              <div className="grid gap-3 sm:grid-cols-2">
                {key('end', 'Key that ends the answer')}
                {key(
                  'reset',
                  'Key that starts the answer over',
                  isTwice
                    ? t('Must be another key than the one that ends the answer.')
                    : errorOf('dtmf_settings.dtmf_input.reset'),
                )}
              </div>
            </>
          ) : null}
        </>
      )}
    </EditCard>
  );
}
