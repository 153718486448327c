import type { ReactNode } from 'react';

const [WIDTH, HEIGHT] = [96, 28];

/** The course of a figure as a small line; a decoration beside the figure, nothing without two values that differ. */
export function Spark({ values }: { values: readonly number[] }): ReactNode {
  if (new Set(values).size < 2) return null;
  const most = Math.max(...values, 0);
  const step = WIDTH / (values.length - 1);
  const points = values.map(
    (value, index) => `${index * step},${HEIGHT - 2 - (most === 0 ? 0 : value / most) * (HEIGHT - 4)}`,
  );
  return (
    <svg aria-hidden="true" width={WIDTH} height={HEIGHT} className="shrink-0">
      <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} className="fill-accent-tint" />
      <polyline points={points.join(' ')} fill="none" strokeWidth={1.5} className="stroke-assistant" />
    </svg>
  );
}
