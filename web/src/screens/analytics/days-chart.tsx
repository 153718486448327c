import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { withEmptyDays } from './days.ts';

type Totals = Answer<'getPlatformAnalytics'>['data'];
type Day = Totals['daily'][number];
const [WIDTH, HEIGHT] = [1000, 200];

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayName = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));

const COLUMNS: readonly Column<Day>[] = [
  { title: 'Day (UTC)', cell: (day) => dayName(day.date) },
  { title: 'Ended calls', cell: (day) => formatNumber(day.total_calls), isNumber: true },
  { title: 'Answered', cell: (day) => formatNumber(day.answered_calls), isNumber: true },
  { title: 'Answered share', cell: (day) => formatShare(day.answer_rate), isNumber: true },
  { title: 'Average talk', cell: (day) => formatSeconds(day.average_duration), isNumber: true },
  { title: 'Credits', cell: (day) => formatNumber(day.total_cost), isNumber: true },
];

/** Ended calls of each day, the answered part filled; the table below has the same figures. */
export function DaysChart({ totals }: { totals: Totals }): ReactNode {
  const { daily: days, start_date: from, end_date: to } = totals;
  const shown = withEmptyDays(days, from, to ?? new Date().toISOString().slice(0, 10));
  const most = Math.max(1, ...shown.map(({ calls }) => calls));
  const step = WIDTH / Math.max(1, shown.length);
  const y = (calls: number): number => HEIGHT - (calls / most) * HEIGHT;
  const bar = (index: number, calls: number): object => ({
    x: index * step + step * 0.1,
    width: step * 0.8,
    y: y(calls),
    height: HEIGHT - y(calls),
  });
  const first = shown[0]?.date;
  const last = shown.at(-1)?.date;
  return (
    <Card title="Calls by day">
      <div className="mb-3 flex flex-wrap justify-between gap-2 text-sm text-muted">
        <ul className="flex gap-4">
          <li className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2.5 rounded-sm bg-accent" /> Answered
          </li>
          <li className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2.5 rounded-sm bg-muted" /> Not answered
          </li>
        </ul>
        <span>At most {formatNumber(most)} a day</span>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Ended calls by day, answered and not answered. The table below has the figures."
        className="h-48 w-full border-b border-line"
      >
        {shown.map(({ date, calls, answered }, index) => (
          <g key={date}>
            <title>{`${dayName(date)}: ${formatNumber(calls)} calls, ${formatNumber(answered)} answered`}</title>
            <rect {...bar(index, calls)} className="fill-muted opacity-60" />
            <rect {...bar(index, answered)} className="fill-accent" />
          </g>
        ))}
      </svg>
      {first === undefined || last === undefined ? null : (
        <p aria-hidden="true" className="mt-1 flex justify-between text-sm text-muted">
          <span>{dayName(first)}</span>
          <span>{dayName(last)}</span>
        </p>
      )}
      <details className="mt-4">
        <summary className="cursor-pointer text-sm font-medium">Figures by day</summary>
        <div className="mt-3">
          <Table caption="Calls by day" columns={COLUMNS} rows={days} keyOf={(day) => day.date} />
        </div>
      </details>
    </Card>
  );
}
