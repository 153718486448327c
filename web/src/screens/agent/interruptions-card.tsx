import type { ReactNode } from 'react';
import { CheckField, SelectField } from '../../ui/controls.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const SENSITIVITIES = {
  low: 'Only for clear speech',
  default: 'Usual',
  high: 'For every word',
} as const;
type Sensitivity = keyof typeof SENSITIVITIES;

/** When the caller can interrupt. */
export function InterruptionsCard(target: VersionProps): ReactNode {
  const { agent_config: config } = target.version;
  const form = useDraft(
    {
      intro: config.mute_during_intro,
      always: config.mute_while_bot_speaking,
    },
    'Interruptions',
  );
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Interruptions')}
      target={target}
      edit={{
        operation: 'edit_noise_settings',
        mute_during_intro: draft.intro,
        mute_while_bot_speaking: draft.always,
      }}
      form={form}
    >
      {() => (
        <>
          <CheckField
            label={t('The first message cannot be interrupted')}
            checked={draft.intro}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ intro: event.target.checked })}
          />
          <CheckField
            label={t('The assistant can never be interrupted')}
            checked={draft.always}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ always: event.target.checked })}
          />
        </>
      )}
    </EditCard>
  );
}

/** How easily the assistant stops when it hears something. */
export function SensitivityCard(target: VersionProps): ReactNode {
  const stored = target.version.agent_config.vad_settings.interruption_sensitivity;
  const form = useDraft({ level: (stored ?? 'default') as Sensitivity }, 'Sensitivity');
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Sensitivity')}
      target={target}
      edit={{ operation: 'edit_vad_settings', vad_settings: { interruption_sensitivity: draft.level } }}
      form={form}
    >
      {(errorOf) => (
        <SelectField
          label={t('Stops speaking')}
          value={draft.level}
          readOnly={!target.mayEdit}
          error={errorOf('vad_settings.interruption_sensitivity')}
          onChange={(event) => set({ level: event.target.value as Sensitivity })}
        >
          {Object.entries(SENSITIVITIES).map(([level, name]) => (
            <option key={level} value={level}>
              {t(name)}
            </option>
          ))}
        </SelectField>
      )}
    </EditCard>
  );
}
