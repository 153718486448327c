import type { ReactNode } from 'react';
import { formatNumber } from '../format.tsx';
import { ChartFrame, type Geometry, type Opening, type Point, type ShownSeries } from './frame.tsx';
import { LinePath } from './line-path.tsx';
import type { LineSeries, Series } from './series.ts';

export interface Bar extends Point {
  readonly values: readonly number[];
}
const MOST_BAR_PX = 44;

const sumOf = ({ values }: Point, shown: readonly ShownSeries[]): number =>
  shown.reduce((sum, { index }) => sum + (values[index] ?? 0), 0);

/**
 * Stacked bars, the first series below, and a line over them whose value is the last one of each bar. `label` names the
 * chart for screen readers.
 */
export function BarChart({
  label,
  bars,
  series,
  line,
  namePx,
  isTitled,
  opens,
}: {
  label: string;
  bars: readonly Bar[];
  series: readonly Series[];
  line?: LineSeries;
  namePx?: number;
  isTitled?: boolean;
  opens?: Opening;
}): ReactNode {
  /** Of the shown series the bars, without the line. */
  const stacked = (shown: readonly ShownSeries[]): readonly ShownSeries[] =>
    shown.filter(({ index }) => index < series.length);
  const lineOf = ({ values }: Bar): number => values[series.length] ?? 0;
  const hasLine = (shown: readonly ShownSeries[]): boolean => stacked(shown).length < shown.length;
  return (
    <ChartFrame
      label={label}
      points={bars}
      series={line === undefined ? series : [...series, line]}
      most={(shown) =>
        Math.max(
          0,
          ...bars.map((bar) => Math.max(sumOf(bar, stacked(shown)), hasLine(shown) ? lineOf(bar) : 0)),
        )
      }
      format={formatNumber}
      total={(bar, shown) => formatNumber(sumOf(bar, stacked(shown)))}
      {...(namePx === undefined ? {} : { namePx })}
      {...(isTitled === undefined ? {} : { isTitled })}
      {...(opens === undefined ? {} : { opens })}
      draw={(geometry) => (
        <>
          {bars.map((bar, index) => (
            <Stack
              key={bar.key}
              bar={bar}
              index={index}
              geometry={{ ...geometry, shown: stacked(geometry.shown) }}
            />
          ))}
          {line === undefined || !hasLine(geometry.shown) ? null : (
            <LinePath series={line} values={bars.map(lineOf)} geometry={geometry} />
          )}
        </>
      )}
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
