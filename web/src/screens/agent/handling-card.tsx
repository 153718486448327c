import type { ReactNode } from 'react';
import { VariableArea } from '../../parts/variable-area.tsx';
import { CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import type { Version, VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { knownIn } from './undeclared.ts';
import { t } from '../../words/words.ts';

const ACTIONS = {
  end: 'Hang up',
  summarise: 'Leave a summary of who called and why',
  static_message: 'Leave a fixed message',
} as const;
type Action = keyof typeof ACTIONS;

const voicemailOf = ({ call_config: { voicemail } }: Version) => ({
  detect: voicemail.detect,
  action: voicemail.action as Action,
  message: voicemail.static_message ?? '',
  retry: voicemail.retry,
});

/** What happens when a machine answers. */
export function VoicemailCard(target: VersionProps): ReactNode {
  const form = useDraft(voicemailOf(target.version), 'Voicemail');
  const { draft, set } = form;
  const isMissing = draft.action === 'static_message' && draft.message.trim() === '';
  return (
    <EditCard
      title={t('Voicemail')}
      target={target}
      edit={{
        operation: 'edit_call_config',
        call_config: {
          voicemail: {
            detect: draft.detect,
            action: draft.action,
            static_message: draft.message.trim() === '' ? null : draft.message,
            retry: draft.retry,
          },
        },
      }}
      form={form}
      problem={isMissing ? t('A fixed message needs its words.') : undefined}
    >
      {(errorOf) => (
        <>
          <CheckField
            label={t('Detect voicemail and call screening')}
            checked={draft.detect}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ detect: event.target.checked })}
          />
          <SelectField
            label={t('On voicemail')}
            value={draft.action}
            readOnly={!target.mayEdit}
            disabled={!draft.detect}
            onChange={(event) => set({ action: event.target.value as Action })}
          >
            {Object.entries(ACTIONS).map(([action, name]) => (
              <option key={action} value={action}>
                {t(name)}
              </option>
            ))}
          </SelectField>
          {draft.action === 'static_message' ? (
            <VariableArea
              label={t('Message after the tone')}
              rows={3}
              variables={knownIn(target.version)}
              maxLength={2000}
              value={draft.message}
              readOnly={!target.mayEdit}
              error={errorOf('call_config.voicemail.static_message')}
              onChange={(event) => set({ message: event.target.value })}
            />
          ) : null}
          <CheckField
            label={t('Call again later')}
            checked={draft.retry}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ retry: event.target.checked })}
          />
        </>
      )}
    </EditCard>
  );
}

const soundOf = ({ call_config: config }: Version) => ({
  filter: config.noise_filter_config.filter_noise,
  level: String(config.noise_filter_config.noise_suppression_level),
  background: config.background_audio_config.audio_id !== null,
  volume: String(config.background_audio_config.volume ?? 0.5),
  recording: config.recording.enabled,
});

/** What is filtered, mixed in and recorded. */
export function SoundCard(target: VersionProps): ReactNode {
  const form = useDraft(soundOf(target.version), 'Sound and recording');
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Sound and recording')}
      target={target}
      edit={{
        operation: 'edit_call_config',
        call_config: {
          noise_filter_config: { filter_noise: draft.filter, noise_suppression_level: Number(draft.level) },
          background_audio_config: {
            audio_id: draft.background ? 'office_ambience' : null,
            volume: draft.background ? Number(draft.volume) : null,
          },
          recording: { enabled: draft.recording },
        },
      }}
      form={form}
    >
      {(errorOf) => (
        <>
          <CheckField
            label={t('Filter noise of the caller')}
            checked={draft.filter}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ filter: event.target.checked })}
          />
          {draft.filter ? (
            <TextField
              label={t('Strength of the filter, 0 to 100')}
              type="number"
              min={0}
              max={100}
              required
              value={draft.level}
              readOnly={!target.mayEdit}
              error={errorOf('call_config.noise_filter_config.noise_suppression_level')}
              onChange={(event) => set({ level: event.target.value })}
            />
          ) : null}
          <CheckField
            label={t('Sounds of an office in the background')}
            checked={draft.background}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ background: event.target.checked })}
          />
          {draft.background ? (
            <TextField
              label={t('Volume, 0 to 1')}
              type="number"
              min={0}
              max={1}
              step={0.05}
              required
              value={draft.volume}
              readOnly={!target.mayEdit}
              error={errorOf('call_config.background_audio_config.volume')}
              onChange={(event) => set({ volume: event.target.value })}
            />
          ) : null}
          <CheckField
            label={t('Record calls')}
            checked={draft.recording}
            readOnly={!target.mayEdit}
            onChange={(event) => set({ recording: event.target.checked })}
          />
        </>
      )}
    </EditCard>
  );
}
