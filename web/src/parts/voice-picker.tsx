import { useId, useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { Button, TextField } from '../ui/controls.tsx';
import { formatLanguage } from '../ui/format.tsx';
import { EmptyState, ErrorNote, Loading } from '../ui/page.tsx';
import { ReadValue } from '../ui/read-value.tsx';
import { usePreview } from './use-preview.ts';
import { voiceDescription, voiceGender } from './voice-words.ts';
import { t } from '../words/words.ts';

/** A longer list gets a search field. */
const SEARCHED_FROM = 9;

/** The voices that speak a language, each with a preview in it. */
export function VoicePicker({
  language,
  also = '',
  legend = t('Voices that speak {language}', { language: formatLanguage(language) }),
  none,
  value,
  readOnly = false,
  onChange,
}: {
  language: string;
  /** A second language that the voice must speak; empty: none. */
  also?: string;
  legend?: string;
  /** What no voice means; absent: one must be chosen. */
  none?: string;
  /** Empty: none. */
  value: string;
  readOnly?: boolean;
  onChange: (voiceId: string) => void;
}): ReactNode {
  const group = useId();
  const [text, setText] = useState('');
  const read = useRead('listVoices', { language }, { keep: true });
  const [playing, play] = usePreview();
  if (read.isPending) return <Loading label={t('Loading voices')} />;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  const all = read.data.voices.filter(({ languages }) => also === '' || languages.includes(also));
  if (all.length === 0) {
    return (
      <EmptyState
        title={t('No voice speaks {languages}', {
          languages: [language, ...(also === '' ? [] : [also])].map(formatLanguage).join(', '),
        })}
      >
        {t('Choose another language, or set up a vendor whose voices speak it.')}
      </EmptyState>
    );
  }
  if (readOnly) {
    const chosen = all.find(({ id }) => id === value);
    const preview = chosen?.voice_previews[language];
    return (
      <ReadValue label={legend}>
        <span className="flex flex-wrap items-center gap-2">
          {chosen?.name ?? (none === undefined ? '–' : t(none))}
          {chosen === undefined || preview === undefined ? null : (
            <Button onClick={() => play(preview)}>
              {playing === preview
                ? t('Stop {name}', { name: chosen.name })
                : t('Play {name}', { name: chosen.name })}
            </Button>
          )}
        </span>
      </ReadValue>
    );
  }
  const sought = text.trim().toLowerCase();
  const shown = all.filter(({ name, gender, description }) =>
    `${name} ${voiceGender(gender)} ${voiceDescription(description)}`.toLowerCase().includes(sought),
  );
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {all.length < SEARCHED_FROM ? null : (
        <TextField
          label={t('Search voices')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className="grid max-h-96 gap-2 overflow-y-auto p-0.5 sm:grid-cols-2">
        {none === undefined ? null : (
          <label
            className={`flex items-start gap-2.5 rounded-md border px-3 py-2 max-sm:py-2.5 ${value === '' ? 'border-accent' : 'border-line'}`}
          >
            <input
              type="radio"
              name={group}
              className="mt-0.5 size-4 shrink-0 accent-accent"
              checked={value === ''}
              onChange={() => onChange('')}
            />
            {t(none)}
          </label>
        )}
        {shown.map(({ id, name, gender, description: text, voice_previews: previews }) => {
          const preview = previews[language];
          const description = voiceDescription(text);
          return (
            <div
              key={id}
              className={`flex items-start justify-between gap-2 rounded-md border px-3 py-2 ${id === value ? 'border-accent' : 'border-line'}`}
            >
              <label className="flex min-w-0 grow items-start gap-2.5 max-sm:-my-2 max-sm:py-2.5">
                <input
                  type="radio"
                  name={group}
                  className="mt-0.5 size-4 shrink-0 accent-accent"
                  checked={id === value}
                  onChange={() => onChange(id)}
                />
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-medium">{name}</span>{' '}
                  <span className="text-sm text-muted">{voiceGender(gender)}</span>
                  <span className="line-clamp-2 text-sm text-muted" title={description}>
                    {description}
                  </span>
                </span>
              </label>
              {preview === undefined ? null : (
                <Button
                  aria-label={playing === preview ? t('Stop {name}', { name }) : t('Play {name}', { name })}
                  onClick={() => play(preview)}
                >
                  {playing === preview ? t('Stop') : t('Play')}
                </Button>
              )}
            </div>
          );
        })}
        {shown.length === 0 ? <p className="text-muted">{t('No voice matches.')}</p> : null}
      </div>
    </fieldset>
  );
}
