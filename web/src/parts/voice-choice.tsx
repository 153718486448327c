import { useId, useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { Button } from '../ui/controls.tsx';
import { formatLanguage } from '../ui/format.tsx';
import { ErrorNote, Loading } from '../ui/page.tsx';
import { t } from '../words/words.ts';
import { usePreview } from './use-preview.ts';
import { voiceFor, type Voice } from './voice-for.ts';
import { VoicePicker } from './voice-picker.tsx';

/** The voice of an assistant in `language` and `also`, empty for none: the chosen one, else the first that speaks both. */
export function useVoice(
  language: string,
  also: string,
  chosen: string,
): { readonly read: ReturnType<typeof useRead<'listVoices'>>; readonly voice: Voice | undefined } {
  const read = useRead('listVoices', { language }, { keep: true });
  const languages = [language, ...(also === '' ? [] : [also])];
  return { read, voice: voiceFor(read.data?.voices ?? [], languages, chosen) };
}

/** A voice in one line, with a press to hear it and one to choose another. */
export function VoiceChoice({
  language,
  also,
  value,
  error,
  onChange,
}: {
  language: string;
  /** A second language that it must speak; empty: none. */
  also: string;
  /** Empty: the first that speaks the languages. */
  value: string;
  error?: string | undefined;
  onChange: (voiceId: string) => void;
}): ReactNode {
  const label = useId();
  const list = useId();
  const [isOpen, setOpen] = useState(false);
  const { read, voice } = useVoice(language, also, value);
  const [playing, play] = usePreview();
  const preview = voice?.voice_previews[language];
  return (
    <div role="group" aria-labelledby={label} className="flex flex-col gap-2">
      <span id={label} className="text-sm font-medium">
        {t('Voice')}
      </span>
      {read.isError ? (
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      ) : read.isPending || (voice === undefined && read.isPlaceholderData) ? (
        <Loading label={t('Loading voices')} />
      ) : voice === undefined ? (
        <p className="text-sm text-bad">
          {t('No voice speaks {languages}', {
            languages: [language, ...(also === '' ? [] : [also])].map(formatLanguage).join(', '),
          })}
          . {t('Choose another language, or set up a vendor whose voices speak it.')}
        </p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <span className="mr-1 min-w-0 wrap-anywhere">{voice.name}</span>
          {preview === undefined ? null : (
            <Button
              aria-label={
                playing === preview
                  ? t('Stop {name}', { name: voice.name })
                  : t('Hear {name}', { name: voice.name })
              }
              onClick={() => play(preview)}
            >
              {playing === preview ? t('Stop') : t('Hear it')}
            </Button>
          )}
          <Button
            aria-label={isOpen ? t('Close the list of voices') : t('Change the voice')}
            aria-expanded={isOpen}
            aria-controls={list}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? t('Close') : t('Change')}
          </Button>
        </div>
      )}
      <div id={list} hidden={!isOpen}>
        {isOpen && voice !== undefined ? (
          <VoicePicker language={language} also={also} value={voice.id} onChange={onChange} />
        ) : null}
      </div>
      {error === undefined ? null : <p className="text-sm text-bad">{error}</p>}
    </div>
  );
}
