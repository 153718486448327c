import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer, Input } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { dayIn } from '../../parts/workspace-days.ts';
import { useWorkspaceZone } from '../../session/workspace-zone.ts';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { ANSWERED, UNANSWERED, type LineSeries } from '../../ui/chart/series.ts';
import { dayName, withEmptyDays } from './days.ts';
import { callsBefore, daysBefore, type DaysBefore } from './days-before.ts';
import { callsOfDay } from './filters.ts';
import { Section } from './section.tsx';
import { daySheet } from './sheets.ts';
import { t } from '../../words/words.ts';

const PREVIOUS: LineSeries = {
  name: 'Previous period',
  fill: 'fill-muted',
  square: 'bg-muted',
  stroke: 'stroke-muted',
  dash: '2 4',
  isBare: true,
};

type Totals = Answer<'getPlatformAnalytics'>['data'];
type Day = Totals['daily'][number];

const COLUMNS: readonly Column<Day>[] = [
  { title: 'Day', cell: (day) => dayName(day.date) },
  { title: 'Ended calls', cell: (day) => formatNumber(day.total_calls), isNumber: true },
  { title: 'Answered', cell: (day) => formatNumber(day.answered_calls), isNumber: true },
  { title: 'Answer rate', cell: (day) => formatShare(day.answer_rate), isNumber: true },
  { title: 'Average talk', cell: (day) => formatSeconds(day.average_duration), isNumber: true },
  { title: 'Credits', cell: (day) => formatNumber(day.total_cost), isNumber: true },
];

/** The calls of the period before, as many days earlier as the period has; null: unknown, or none. */
function useCallsBefore(
  query: Input<'getPlatformAnalytics'>,
  before: DaysBefore | null,
  days: readonly string[],
): readonly number[] | null {
  const { data } = useRead(
    'getPlatformAnalytics',
    before === null ? query : { ...query, start_date: before.first, end_date: before.last },
    { enabled: before !== null },
  );
  return before === null || data === undefined ? null : callsBefore(days, before, data.data.daily);
}

/** Ended calls of each day, the answered part filled; a day opens its calls, and the table below has the same figures. */
export function DaysChart({
  totals,
  query,
}: {
  totals: Totals;
  /** Which calls they count. */
  query: Input<'getPlatformAnalytics'>;
}): ReactNode {
  const navigate = useNavigate();
  const zone = useWorkspaceZone();
  const { daily: days, start_date: from, end_date: to } = totals;
  const last = to ?? dayIn(zone, Date.now());
  const shown = withEmptyDays(days, from, last);
  const before = useCallsBefore(
    query,
    daysBefore(from, last),
    shown.map(({ date }) => date),
  );
  return (
    <Section title={t('Calls by day')} sheet={daySheet(totals)} isCard>
      <BarChart
        label={t('Ended calls by day, answered and not answered. The table below has the figures.')}
        series={[ANSWERED, UNANSWERED]}
        {...(before === null ? {} : { line: PREVIOUS })}
        opens={{
          hint: t('Press, or Enter: the calls of the day'),
          open: (day) => void navigate({ to: '/calls', search: callsOfDay(day, query) }),
        }}
        bars={shown.map(({ date, calls, answered }, index) => ({
          key: date,
          name: dayName(date),
          values: [answered, calls - answered, ...(before === null ? [] : [before[index] ?? 0])],
        }))}
      />
      <details className="mt-4">
        <summary className="cursor-pointer text-sm font-medium">{t('Figures by day')}</summary>
        <div className="mt-3">
          <Table caption={t('Calls by day')} columns={COLUMNS} rows={days} keyOf={(day) => day.date} />
        </div>
      </details>
    </Section>
  );
}
