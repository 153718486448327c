import { useMemo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { formatSeconds } from '../../ui/format.tsx';
import { t } from '../../words/words.ts';
import { MARKER_TONES } from './marker-list.tsx';
import type { Marker } from './markers.ts';
import { lanePath, type Peaks } from './peaks.ts';
import { ticksOf } from './recording-times.ts';
import { seeking, shareAt } from './seeking.ts';
import type { Region } from './transcript-lines.ts';

const [WIDTH, LANE] = [1000, 32];
/** Seconds that a key moves by. */
const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -5,
  ArrowDown: -5,
  ArrowRight: 5,
  ArrowUp: 5,
  PageDown: -30,
  PageUp: 30,
};

/**
 * Both sides of the conversation over a time axis, with the words of each line behind its speaker. A press and the arrow
 * keys seek; the time under the pointer shows beside it.
 */
export function Waveform({
  peaks,
  share,
  markers,
  regions,
  length,
  onSeek,
}: {
  /** Undefined: not read yet, or the recording has none. */
  peaks: Peaks | undefined;
  markers: readonly Marker[];
  regions: readonly Region[];
  /** Seconds of the recording. */
  length: number;
  /** The played part, 0 to 1. */
  share: number;
  onSeek: (share: number) => void;
}): ReactNode {
  const lanes = useMemo(
    () =>
      peaks === undefined
        ? []
        : Array.from({ length: Math.min(2, peaks.channels) }, (_, channel) =>
            lanePath(peaks, channel, { width: WIDTH, height: LANE - 4, middle: channel * LANE + LANE / 2 }),
          ),
    [peaks],
  );
  const [pointed, setPointed] = useState<number | null>(null);
  const isAlone = lanes.length === 1;
  const height = isAlone ? LANE : 2 * LANE;
  const now = share * length;
  const { onPointerDown, onPointerMove } = seeking(onSeek);
  const onKey = (event: KeyboardEvent): void => {
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? length : now + (KEYS[event.key] ?? 0);
    if (to === now) return;
    event.preventDefault();
    onSeek(Math.min(1, Math.max(0, to / Math.max(length, 0.001))));
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t('Place in the recording')}
      aria-valuemin={0}
      aria-valuemax={Math.round(length)}
      aria-valuenow={Math.round(now)}
      aria-valuetext={t('{some} of {all}', { some: formatSeconds(now), all: formatSeconds(length) })}
      className="relative cursor-pointer touch-pan-y rounded-sm"
      onPointerDown={onPointerDown}
      onPointerMove={(event) => {
        onPointerMove(event);
        setPointed(shareAt(event.clientX, event.currentTarget.getBoundingClientRect()));
      }}
      onPointerLeave={() => setPointed(null)}
      onKeyDown={onKey}
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-16 w-full"
      >
        {regions.map(({ speaker, from, to }) => (
          <rect
            key={from}
            x={(from / Math.max(length, 0.001)) * WIDTH}
            y={speaker === 'caller' || isAlone ? 0 : LANE}
            width={Math.max(1, ((Math.min(to, length) - from) / Math.max(length, 0.001)) * WIDTH - 2)}
            height={LANE}
            className="fill-raised"
          />
        ))}
        {lanes.map((path, channel) => (
          // A lane has no other identity than its channel.
          // oxlint-disable-next-line react/no-array-index-key
          <path key={channel} d={path} className={channel === 0 ? 'fill-person' : 'fill-assistant'} />
        ))}
        {markers.map((marker) => {
          const x = (marker.second / Math.max(length, marker.second, 0.001)) * WIDTH;
          return (
            <line
              key={`${marker.kind} ${marker.second} ${marker.text}`}
              x1={x}
              x2={x}
              y1={0}
              y2={height}
              vectorEffect="non-scaling-stroke"
              strokeDasharray="4 3"
              className={MARKER_TONES[marker.kind]}
            />
          );
        })}
        <line
          x1={share * WIDTH}
          x2={share * WIDTH}
          y1={0}
          y2={height}
          vectorEffect="non-scaling-stroke"
          className="stroke-ink stroke-2"
        />
      </svg>
      <div aria-hidden="true" className="relative h-5 text-xs text-muted tabular-nums">
        {ticksOf(length).map((second) => (
          <span
            key={second}
            className="absolute top-1 -translate-x-1/2 first:translate-x-0"
            style={{ left: `${(second / Math.max(length, 0.001)) * 100}%` }}
          >
            {formatSeconds(second)}
          </span>
        ))}
        {pointed === null ? null : (
          <span
            className="absolute top-0.5 -translate-x-1/2 rounded-sm bg-ink px-1 text-ground"
            style={{ left: `${pointed * 100}%` }}
          >
            {formatSeconds(pointed * length)}
          </span>
        )}
      </div>
    </div>
  );
}
