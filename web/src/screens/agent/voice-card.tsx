import type { ReactNode } from 'react';
import { LANGUAGES } from '@callwright/language';
import { AGENT_LANGUAGES, EDIT_VOICE_LANGUAGES } from '../../../../src/shared/agent-languages.ts';
import type { Input } from '../../api/client.ts';
import { SelectField } from '../../ui/controls.tsx';
import { formatLanguage } from '../../ui/format.tsx';
import { VoicePicker } from '../../parts/voice-picker.tsx';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

type VoiceLanguage = Extract<Input<'editAgent'>, { operation: 'edit_voice' }>['language'];

/** The language and the voice, with a preview of each. */
export function VoiceCard({
  isLive,
  ...target
}: VersionProps & {
  /** New calls use this version alone. */
  isLive: boolean;
}): ReactNode {
  const { version, mayEdit } = target;
  const form = useDraft(
    {
      voiceId: version.voice.id,
      language: version.language,
      secondVoiceId: version.secondary_voice_id ?? '',
    },
    'Voice',
  );
  const { draft, set } = form;
  const second = version.secondary_language;
  const isEdited = (EDIT_VOICE_LANGUAGES as readonly string[]).includes(draft.language);
  // The other languages of the interface are changed with the fields of creation, on the version of new calls.
  const created = AGENT_LANGUAGES.find((tag) => tag === draft.language);
  const instead =
    isEdited || created === undefined || !isLive
      ? undefined
      : { agent_id: target.agentId, primary_language: created, voice_id: draft.voiceId };
  return (
    <EditCard
      title={t('Voice')}
      target={target}
      edit={{
        operation: 'edit_voice',
        voice_id: draft.voiceId,
        language: draft.language as VoiceLanguage,
        ...(second === null ? {} : { secondary_voice_id: draft.secondVoiceId }),
      }}
      instead={instead}
      form={form}
      problem={
        !isEdited && instead === undefined && form.isChanged
          ? t(
              '{language} can be set for the version of new calls only, at once, and not during an A/B test. Publish or discard the draft, or activate this version; then save it here.',
              { language: formatLanguage(draft.language) },
            )
          : draft.voiceId === ''
            ? t('Choose a voice.')
            : undefined
      }
    >
      {(errorOf) => (
        <>
          <SelectField
            label={t('Language')}
            value={draft.language}
            readOnly={!mayEdit}
            error={errorOf('language')}
            hint={
              second === null
                ? undefined
                : t('Second language: {second}.', { second: formatLanguage(second) })
            }
            onChange={({ target: { value } }) =>
              set({ language: value, voiceId: value === version.language ? version.voice.id : '' })
            }
          >
            {[...new Set<string>([version.language, ...LANGUAGES])].map((tag) => (
              <option key={tag} value={tag}>
                {formatLanguage(tag)}
              </option>
            ))}
          </SelectField>
          <p className="text-sm text-muted">
            {version.voice.name === null
              ? t('The stored voice is not in the list any more; calls use another one.')
              : t('Stored: {name}.', { name: version.voice.name })}
          </p>
          <VoicePicker
            language={draft.language}
            value={draft.voiceId}
            readOnly={!mayEdit}
            onChange={(voiceId) => set({ voiceId })}
          />
          {second === null ? null : (
            <VoicePicker
              legend={t('Voice for {second}', { second: formatLanguage(second) })}
              none="The voice above, which then must speak both languages"
              language={second}
              value={draft.secondVoiceId}
              readOnly={!mayEdit}
              onChange={(secondVoiceId) => set({ secondVoiceId })}
            />
          )}
        </>
      )}
    </EditCard>
  );
}
