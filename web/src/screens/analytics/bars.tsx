import type { ReactNode } from 'react';

const [WIDTH, HEIGHT] = [1000, 200];

export interface Bar {
  readonly key: string;
  readonly title: string;
  readonly all: number;
  readonly answered: number;
}

/** Bars of calls or attempts, the answered part filled. */
export function Bars({
  bars,
  label,
  note,
  ends,
}: {
  bars: readonly Bar[];
  /** Names the chart for screen readers. */
  label: string;
  note: string;
  /** The names of the first and the last bar. */
  ends: readonly [string, string] | null;
}): ReactNode {
  const most = Math.max(1, ...bars.map(({ all }) => all));
  const step = WIDTH / Math.max(1, bars.length);
  const y = (count: number): number => HEIGHT - (count / most) * HEIGHT;
  const box = (index: number, count: number): object => ({
    x: index * step + step * 0.1,
    width: step * 0.8,
    y: y(count),
    height: HEIGHT - y(count),
  });
  return (
    <>
      <div className="mb-3 flex flex-wrap justify-between gap-2 text-sm text-muted">
        <ul className="flex gap-4">
          <li className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2.5 rounded-sm bg-accent" /> Answered
          </li>
          <li className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2.5 rounded-sm bg-muted" /> Not answered
          </li>
        </ul>
        <span>{note}</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
        className="h-48 w-full border-b border-line"
      >
        {bars.map(({ key, title, all, answered }, index) => (
          <g key={key}>
            <title>{title}</title>
            <rect {...box(index, all)} className="fill-muted opacity-60" />
            <rect {...box(index, answered)} className="fill-accent" />
          </g>
        ))}
      </svg>
      {ends === null ? null : (
        <p aria-hidden="true" className="mt-1 flex justify-between text-sm text-muted">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </p>
      )}
    </>
  );
}
