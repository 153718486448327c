import { useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { SelectField } from '../../ui/controls.tsx';
import { formatLanguage } from '../../ui/format.tsx';
import { Card, ErrorNote, Facts } from '../../ui/page.tsx';
import type { VersionProps } from './agent-page.tsx';
import { SaveBar } from './save-bar.tsx';

type VoiceEdit = Extract<Input<'editAgent'>, { operation: 'edit_voice' }>;
/** The languages that `edit_voice` takes (interface, PATCH /agent/v1). */
const EDITABLE: readonly string[] = [
  'en-US',
  'en-IN',
  'hi-IN',
  'ta-IN',
  'te-IN',
  'kn-IN',
  'mr-IN',
  'gu-IN',
  'ar-AE',
] satisfies VoiceEdit['language'][];

/** The voice, with a preview in the assistant's language. */
export function VoiceCard({ agentId, version, mayEdit }: VersionProps): ReactNode {
  const stored = version.voice.id;
  const [voiceId, setVoiceId] = useState(stored);
  const voices = useRead('listVoices', { language: version.language });
  const edit = useChange('editAgent', ['getAgent']);
  const voice = voices.data?.voices.find((each) => each.id === voiceId);
  const preview = voice?.voice_previews[version.language];
  const canEdit = mayEdit && EDITABLE.includes(version.language);
  return (
    <Card title="Voice">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate({
            operation: 'edit_voice',
            agent_id: agentId,
            version_id: version.version_id,
            voice_id: voiceId,
            language: version.language as VoiceEdit['language'],
          });
        }}
      >
        {voices.isError ? <ErrorNote error={voices.error} retry={() => void voices.refetch()} /> : null}
        <SelectField
          label="Voice"
          value={voiceId}
          disabled={!canEdit}
          hint={`Voices that speak ${formatLanguage(version.language)}.`}
          onChange={(event) => setVoiceId(event.target.value)}
        >
          {voice === undefined ? <option value={voiceId}>{version.voice.name ?? voiceId}</option> : null}
          {(voices.data?.voices ?? []).map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}, {each.gender}
            </option>
          ))}
        </SelectField>
        {preview === undefined ? null : (
          <div>
            <p className="mb-1 text-sm text-muted">Preview of {voice?.name}</p>
            {/* A fixed sentence, of which no transcript exists. */}
            {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
            <audio
              key={preview}
              controls
              preload="none"
              className="w-full"
              aria-label={`Preview of ${voice?.name}`}
              src={new URL(preview, location.href).pathname}
            />
          </div>
        )}
        <Facts rows={[['Speed', `${version.agent_config.voice_speed}×`]]} />
        {canEdit ? (
          <SaveBar
            isChanged={voiceId !== stored}
            isBusy={edit.isPending}
            isSaved={edit.isSuccess}
            error={edit.error}
            onReset={() => setVoiceId(stored)}
          />
        ) : null}
      </form>
    </Card>
  );
}
