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
