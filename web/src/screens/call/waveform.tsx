import { useMemo, type ReactNode } from 'react';
import { MARKER_TONES } from './marker-list.tsx';
import type { Marker } from './markers.ts';
import { lanePath, type Peaks } from './peaks.ts';
import { seeking } from './seeking.ts';
import type { Region } from './transcript-lines.ts';

const [WIDTH, LANE] = [1000, 56];

/**
 * Both sides of the conversation, with the stretch of each line behind its speaker; pressing it seeks. The player's own
 * controls do the same for the keyboard.
 */
export function Waveform({
  peaks,
  share,
  markers,
  regions,
  length,
  onSeek,
}: {
  peaks: Peaks;
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
      Array.from({ length: Math.min(2, peaks.channels) }, (_, channel) =>
        lanePath(peaks, channel, { width: WIDTH, height: LANE - 4, middle: channel * LANE + LANE / 2 }),
      ),
    [peaks],
  );
  const height = lanes.length * LANE;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="mb-3 h-28 w-full cursor-pointer"
      {...seeking(onSeek)}
    >
      {regions.map(({ speaker, from, to }) => (
        <rect
          key={from}
          x={(from / Math.max(length, 0.001)) * WIDTH}
          y={speaker === 'caller' || lanes.length === 1 ? 0 : LANE}
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
  );
}
