import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { Button, TextField } from './controls.tsx';
import { formatLanguage } from './format.tsx';
import { EmptyState, ErrorNote, Loading } from './page.tsx';

/** A longer list gets a search field. */
const SEARCHED_FROM = 9;

/** The voices that speak a language, each with a preview in it. */
export function VoicePicker({
  language,
  value,
  readOnly = false,
  onChange,
}: {
  language: string;
  value: string;
  readOnly?: boolean;
  onChange: (voiceId: string) => void;
}): ReactNode {
  const group = useId();
  const [text, setText] = useState('');
  const read = useRead('listVoices', { language }, { keep: true });
  const [playing, play] = usePreview();
  if (read.isPending) return <Loading label="Loading voices" />;
  if (read.isError) return <ErrorNote error={read.error} retry={() => void read.refetch()} />;
  const all = read.data.voices;
  if (all.length === 0) {
    return (
      <EmptyState title={`No voice speaks ${formatLanguage(language)}`}>
        Choose another language, or set up a vendor whose voices speak it.
      </EmptyState>
    );
  }
  const sought = text.trim().toLowerCase();
  const shown = all.filter(({ name, gender, description }) =>
    `${name} ${gender} ${description}`.toLowerCase().includes(sought),
  );
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium">Voices that speak {formatLanguage(language)}</legend>
      {all.length < SEARCHED_FROM ? null : (
        <TextField label="Search voices" value={text} onChange={(event) => setText(event.target.value)} />
      )}
      <div className="grid max-h-96 gap-2 overflow-y-auto p-0.5 sm:grid-cols-2">
        {shown.map(({ id, name, gender, description, voice_previews: previews }) => {
          const preview = previews[language];
          return (
            <div
              key={id}
              className={`flex items-start justify-between gap-2 rounded-md border px-3 py-2 ${id === value ? 'border-accent' : 'border-line'}`}
            >
              <label className="flex min-w-0 items-start gap-2.5">
                <input
                  type="radio"
                  name={group}
                  className="mt-1 size-4 accent-accent"
                  checked={id === value}
                  disabled={readOnly}
                  onChange={() => onChange(id)}
                />
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-medium">{name}</span>{' '}
                  <span className="text-sm text-muted">{gender}</span>
                  <span className="block text-sm text-muted">{description}</span>
                </span>
              </label>
              {preview === undefined ? null : (
                <Button
                  aria-label={playing === preview ? `Stop ${name}` : `Play ${name}`}
                  onClick={() => play(preview)}
                >
                  {playing === preview ? 'Stop' : 'Play'}
                </Button>
              )}
            </div>
          );
        })}
        {shown.length === 0 ? <p className="text-muted">No voice matches.</p> : null}
      </div>
    </fieldset>
  );
}

/** Plays one preview at a time; the same one again stops it. */
function usePreview(): [playing: string | null, play: (url: string) => void] {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState<string | null>(null);
  useEffect(() => () => audio.current?.pause(), []);
  const play = (url: string): void => {
    audio.current?.pause();
    if (playing === url) {
      setPlaying(null);
      return;
    }
    // The path: the service may be reached under another address than its public one.
    const next = new Audio(new URL(url, location.href).pathname);
    audio.current = next;
    const end = (): void => setPlaying((current) => (current === url ? null : current));
    next.addEventListener('ended', end);
    next.addEventListener('error', end);
    setPlaying(url);
    next.play().catch(end);
  };
  return [playing, play];
}
