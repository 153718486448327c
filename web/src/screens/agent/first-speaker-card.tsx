import type { ReactNode } from 'react';
import { SelectField, TextField } from '../../ui/controls.tsx';
import type { Version, VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const MODES = {
  auto: 'The assistant, after the first hello of a called person',
  agent: 'The assistant',
  caller: 'The other side',
} as const;
type Mode = keyof typeof MODES;

const draftOf = ({ call_config: { first_speaker: first } }: Version) => ({
  mode: first.mode as Mode,
  delay: String(first.delay),
  limit: String(first.limit),
});

/** Who speaks first. */
export function FirstSpeakerCard(target: VersionProps): ReactNode {
  const form = useDraft(draftOf(target.version), 'First words');
  const { draft, set } = form;
  return (
    <EditCard
      title={t('First words')}
      target={target}
      edit={{
        operation: 'edit_call_config',
        call_config: {
          first_speaker: { mode: draft.mode, delay: Number(draft.delay), limit: Number(draft.limit) },
        },
      }}
      form={form}
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t('Who speaks first')}
            value={draft.mode}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ mode: event.target.value as Mode })}
          >
            {Object.entries(MODES).map(([mode, name]) => (
              <option key={mode} value={mode}>
                {t(name)}
              </option>
            ))}
          </SelectField>
          {draft.mode === 'agent' ? (
            <TextField
              label={t('Seconds after the answer')}
              type="number"
              min={0}
              max={10}
              step={0.1}
              required
              value={draft.delay}
              readOnly={!target.mayEdit}
              error={errorOf('call_config.first_speaker.delay')}
              onChange={(event) => set({ delay: event.target.value })}
            />
          ) : null}
          {draft.mode === 'caller' ? (
            <TextField
              label={t('Wait at most, seconds')}
              type="number"
              min={1}
              max={60}
              required
              value={draft.limit}
              readOnly={!target.mayEdit}
              error={errorOf('call_config.first_speaker.limit')}
              onChange={(event) => set({ limit: event.target.value })}
            />
          ) : null}
        </>
      )}
    </EditCard>
  );
}
