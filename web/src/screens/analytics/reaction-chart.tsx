import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber } from '../../ui/format.tsx';
import { dayName } from './days.ts';
import { PERCENTILES } from './reaction-parts.ts';

type Day = Answer<'getReactionAnalytics'>['data']['daily'][number];
const [WIDTH, HEIGHT] = [1000, 200];
const DAY_MS = 86_400_000;
/** Told apart by colour and by dashes. */
const LOOKS = {
  p50_ms: { className: 'stroke-accent', dash: undefined },
  p95_ms: { className: 'stroke-warn', dash: '8 4' },
  p99_ms: { className: 'stroke-bad', dash: '2 4' },
} as const;

/** The percentiles of the reaction by day; the table below has the figures. Days without turns are passed over. */
export function ReactionChart({ days }: { days: readonly Day[] }): ReactNode {
  const most = Math.max(1, ...days.map(({ reaction }) => reaction.p99_ms ?? 0));
  const [first, last] = [days[0]?.date, days.at(-1)?.date];
  if (first === undefined || last === undefined) return null;
  const length = Math.max(DAY_MS, Date.parse(last) - Date.parse(first));
  // A single day is a line across, not a point.
  const points = days.length === 1 ? [...days, { ...days[0]!, date: '' }] : days;
  const x = (date: string): number =>
    date === '' ? WIDTH : ((Date.parse(date) - Date.parse(first)) / length) * WIDTH;
  return (
    <>
      <div className="mb-3 flex flex-wrap justify-between gap-2 text-sm text-muted">
        <ul className="flex gap-4">
          {PERCENTILES.map(({ key, name }) => (
            <li key={key} className="flex items-center gap-1.5">
              <svg aria-hidden="true" viewBox="0 0 24 4" className="h-1 w-6">
                <line
                  x1="0"
                  x2="24"
                  y1="2"
                  y2="2"
                  strokeWidth="3"
                  className={LOOKS[key].className}
                  strokeDasharray={LOOKS[key].dash}
                />
              </svg>
              {name}
            </li>
          ))}
        </ul>
        <span>0 to {formatNumber(most)} ms</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="The 50th, 95th and 99th percentile of the reaction by day. The table below has the figures."
        className="h-48 w-full border-b border-line"
      >
        {PERCENTILES.map(({ key }) => (
          <polyline
            key={key}
            fill="none"
            strokeWidth="2"
            vectorEffect="non-scaling-stroke"
            className={LOOKS[key].className}
            strokeDasharray={LOOKS[key].dash}
            points={points
              .map(({ date, reaction }) => `${x(date)},${HEIGHT - ((reaction[key] ?? 0) / most) * HEIGHT}`)
              .join(' ')}
          />
        ))}
      </svg>
      <p aria-hidden="true" className="mt-1 flex justify-between text-sm text-muted">
        <span>{dayName(first)}</span>
        <span>{first === last ? '' : dayName(last)}</span>
      </p>
    </>
  );
}
