import type { ReactNode } from 'react';
import type { Geometry } from './frame.tsx';
import type { LineSeries } from './series.ts';

/** The line of a series, with a dot at each value; it passes over a place without a value, and a limit goes all across. */
export function LinePath({
  series: { fill, stroke, dash, isLimit = false, isBare = false },
  values,
  geometry: { step, middleOf, y },
}: {
  series: LineSeries;
  /** By place. */
  values: readonly (number | null | undefined)[];
  geometry: Geometry;
}): ReactNode {
  const places = values.flatMap((value, at) =>
    value === null || value === undefined ? [] : [{ at, x: middleOf(at), y: y(value) }],
  );
  const [first, last] = [places[0], places.at(-1)];
  return isLimit && first !== undefined && last !== undefined ? (
    <line
      strokeWidth={1.5}
      strokeDasharray={dash}
      className={stroke}
      x1={first.x - step / 2}
      x2={last.x + step / 2}
      y1={first.y}
      y2={last.y}
    />
  ) : (
    <g>
      <polyline
        fill="none"
        strokeWidth={2}
        strokeDasharray={dash}
        className={stroke}
        points={places.map((place) => `${place.x},${place.y}`).join(' ')}
      />
      {isBare && places.length > 1
        ? null
        : places.map((place) => <circle key={place.at} cx={place.x} cy={place.y} r={2.5} className={fill} />)}
    </g>
  );
}
