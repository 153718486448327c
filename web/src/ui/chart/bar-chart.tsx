import type { ReactNode } from 'react';
import { formatNumber } from '../format.tsx';
import { ChartFrame, type Geometry, type Point, type ShownSeries } from './frame.tsx';
import type { Series } from './series.ts';

export interface Bar extends Point {
  readonly values: readonly number[];
}
const MOST_BAR_PX = 44;

const sumOf = ({ values }: Point, shown: readonly ShownSeries[]): number =>
  shown.reduce((sum, { index }) => sum + (values[index] ?? 0), 0);

/** Stacked bars, the first series below. `label` names the chart for screen readers. */
export function BarChart({
  label,
  bars,
  series,
  namePx,
  isTitled,
}: {
  label: string;
  bars: readonly Bar[];
  series: readonly Series[];
  namePx?: number;
  isTitled?: boolean;
}): ReactNode {
  return (
    <ChartFrame
      label={label}
      points={bars}
      series={series}
      most={(shown) => Math.max(0, ...bars.map((bar) => sumOf(bar, shown)))}
      format={formatNumber}
      total={(bar, shown) => formatNumber(sumOf(bar, shown))}
      {...(namePx === undefined ? {} : { namePx })}
      {...(isTitled === undefined ? {} : { isTitled })}
      draw={(geometry) =>
        bars.map((bar, index) => <Stack key={bar.key} bar={bar} index={index} geometry={geometry} />)
      }
    />
  );
}

function Stack({ bar, index, geometry }: { bar: Bar; index: number; geometry: Geometry }): ReactNode {
  const { shown, step, middleOf, y } = geometry;
  const width = Math.min(MOST_BAR_PX, Math.max(1, step * 0.7));
  let below = 0;
  return shown.map(({ name, fill, index: of }) => {
    const value = bar.values[of] ?? 0;
    const [from, to] = [y(below), y(below + value)];
    below += value;
    return value === 0 ? null : (
      <rect
        key={name}
        x={middleOf(index) - width / 2}
        y={to}
        width={width}
        height={Math.max(1, from - to - 1)}
        rx={1.5}
        className={fill}
      />
    );
  });
}
