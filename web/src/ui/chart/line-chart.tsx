import type { ReactNode } from 'react';
import { ChartFrame, type Point } from './frame.tsx';
import type { Series } from './series.ts';

/** A kind of value that a line follows, told apart by its colour and by its dashes. */
export interface LineSeries extends Series {
  readonly stroke: string;
  readonly dash?: string;
  /** One value all the way: a line across the plot without dots. */
  readonly isLimit?: true;
}

/** Lines over places of the axis; a place without a value is passed over, a single value is a dot, and a limit goes all across. */
export function LineChart({
  label,
  points,
  series,
  format,
}: {
  label: string;
  points: readonly Point[];
  series: readonly LineSeries[];
  format: (value: number) => string;
}): ReactNode {
  return (
    <ChartFrame
      label={label}
      points={points}
      series={series}
      most={(shown) =>
        Math.max(0, ...points.flatMap(({ values }) => shown.map(({ index }) => values[index] ?? 0)))
      }
      format={format}
      draw={({ shown, step, middleOf, y }) =>
        shown.map(({ name, fill, index }) => {
          const { stroke, dash, isLimit = false } = series[index]!;
          const places = points.flatMap(({ values }, at) => {
            const value = values[index];
            return value === null || value === undefined ? [] : [{ at, x: middleOf(at), y: y(value) }];
          });
          const [first, last] = [places[0], places.at(-1)];
          return isLimit && first !== undefined && last !== undefined ? (
            <line
              key={name}
              strokeWidth={1.5}
              strokeDasharray={dash}
              className={stroke}
              x1={first.x - step / 2}
              x2={last.x + step / 2}
              y1={first.y}
              y2={last.y}
            />
          ) : (
            <g key={name}>
              <polyline
                fill="none"
                strokeWidth={2}
                strokeDasharray={dash}
                className={stroke}
                points={places.map((place) => `${place.x},${place.y}`).join(' ')}
              />
              {places.map((place) => (
                <circle key={place.at} cx={place.x} cy={place.y} r={2.5} className={fill} />
              ))}
            </g>
          );
        })
      }
    />
  );
}
