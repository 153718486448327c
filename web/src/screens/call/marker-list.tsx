import type { ReactNode } from 'react';
import { formatSeconds } from '../../ui/format.tsx';
import type { Marker } from './markers.ts';
import { t } from '../../words/words.ts';

/** The colours of the kinds, as lines of the waveform and in the list below it. */
export const MARKER_TONES: Readonly<Record<Marker['kind'], string>> = {
  answer: 'stroke-good text-good',
  interruption: 'stroke-warn text-warn',
  keys: 'stroke-accent text-accent',
  tool: 'stroke-accent text-accent',
  fault: 'stroke-bad text-bad',
  'hang-up': 'stroke-ink text-ink',
  pause: 'stroke-muted text-muted',
};

/** What happened, by second; each seeks to it. */
export function MarkerList({
  markers,
  onSeek,
}: {
  markers: readonly Marker[];
  onSeek: (second: number) => void;
}): ReactNode {
  if (markers.length === 0) return null;
  return (
    <ul aria-label={t('Moments of the call')} className="mt-3 flex flex-wrap gap-2 text-sm">
      {markers.map((marker) => (
        <li key={`${marker.kind} ${marker.second} ${marker.text}`}>
          <button
            type="button"
            className="flex min-h-7 items-center max-sm:min-h-control gap-2 rounded-full border border-line px-3 hover:bg-raised"
            onClick={() => onSeek(marker.second)}
          >
            <span className={`tabular-nums ${MARKER_TONES[marker.kind]}`}>
              {formatSeconds(marker.second)}
            </span>
            <span className="text-left wrap-anywhere">{marker.text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
