import type { ReactNode } from 'react';
import { seeking } from './seeking.ts';
import { SOURCES, type Entry } from './time-line-entries.ts';

const [WIDTH, LANE, TICK] = [1000, 10, 2];
const LANES = Object.keys(SOURCES);

/** The lines under the waveform, a lane for each source; pressing one seeks. The list below does the same for the keyboard. */
export function TimeLanes({
  entries,
  length,
  second,
  onSeek,
}: {
  entries: readonly Entry[];
  /** Seconds of the recording. */
  length: number;
  second: number;
  onSeek: (second: number) => void;
}): ReactNode {
  // The log may end some milliseconds after the recording.
  const xOf = (at: number): number => Math.min(at / Math.max(length, 0.001), 1) * (WIDTH - TICK);
  const height = LANES.length * LANE;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-15 w-full cursor-pointer rounded-md bg-raised"
      {...seeking((share) => onSeek(share * length))}
    >
      {LANES.map((source, lane) => (
        <path
          key={source}
          className={SOURCES[source as Entry['source']].fill}
          d={entries
            .filter((entry) => entry.source === source)
            .map(
              ({ seconds }) => `M${xOf(seconds).toFixed(1)} ${lane * LANE + 1}h${TICK}v${LANE - 2}h-${TICK}z`,
            )
            .join('')}
        />
      ))}
      <line
        x1={xOf(second)}
        x2={xOf(second)}
        y1={0}
        y2={height}
        vectorEffect="non-scaling-stroke"
        className="stroke-ink stroke-2"
      />
    </svg>
  );
}
