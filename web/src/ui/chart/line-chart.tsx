import type { ReactNode } from 'react';
import { ChartFrame, type Point } from './frame.tsx';
import { LinePath } from './line-path.tsx';
import type { LineSeries } from './series.ts';

/** Lines over places of the axis. */
export function LineChart({
  label,
  points,
  series,
  format,
  namePx,
}: {
  label: string;
  points: readonly Point[];
  series: readonly LineSeries[];
  format: (value: number) => string;
  /** The width that a name under a place needs. */
  namePx?: number;
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
      {...(namePx === undefined ? {} : { namePx })}
      draw={(geometry) =>
        geometry.shown.map(({ name, index }) => (
          <LinePath
            key={name}
            series={series[index]!}
            values={points.map(({ values }) => values[index])}
            geometry={geometry}
          />
        ))
      }
    />
  );
}
