import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { dayIn } from '../../parts/workspace-days.ts';
import { useWorkspaceZone } from '../../session/workspace-zone.ts';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { ANSWERED, UNANSWERED } from '../../ui/chart/series.ts';
import { dayName, withEmptyDays } from './days.ts';
import { Section } from './section.tsx';
import { daySheet } from './sheets.ts';
import { t } from '../../words/words.ts';

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

/** Ended calls of each day, the answered part filled; the table below has the same figures. */
export function DaysChart({ totals }: { totals: Totals }): ReactNode {
  const zone = useWorkspaceZone();
  const { daily: days, start_date: from, end_date: to } = totals;
  const shown = withEmptyDays(days, from, to ?? dayIn(zone, Date.now()));
  return (
    <Section title={t('Calls by day')} sheet={daySheet(totals)} isCard>
      <BarChart
        label={t('Ended calls by day, answered and not answered. The table below has the figures.')}
        series={[ANSWERED, UNANSWERED]}
        bars={shown.map(({ date, calls, answered }) => ({
          key: date,
          name: dayName(date),
          values: [answered, calls - answered],
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
