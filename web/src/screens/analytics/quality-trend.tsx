import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import type { LineSeries } from '../../ui/chart/series.ts';
import { formatNumber } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { Alert } from './alert-draft.ts';
import { dayName } from './days.ts';
import { Section } from './section.tsx';
import { qualitySheet } from './sheets.ts';
import { t } from '../../words/words.ts';

type Day = Answer<'getFindings'>['days'][number];

const PERCENT = 100;
const SERIES: readonly LineSeries[] = [
  { name: 'Mean score', fill: 'fill-assistant', square: 'bg-assistant', stroke: 'stroke-assistant' },
  {
    name: 'Calls with a finding (%)',
    fill: 'fill-amber',
    square: 'bg-amber',
    stroke: 'stroke-amber',
    dash: '8 4',
  },
];
const COLUMNS: readonly Column<Day>[] = [
  { title: 'Day', cell: ({ date }) => dayName(date) },
  { title: 'Checked calls', cell: ({ checked_calls: calls }) => formatNumber(calls), isNumber: true },
  { title: 'With a finding', cell: ({ finding_share: share }) => formatShare(share), isNumber: true },
  { title: 'Scored calls', cell: ({ scored_calls: calls }) => formatNumber(calls), isNumber: true },
  {
    title: 'Mean score',
    cell: ({ mean_score: score }) => (score === null ? '–' : formatNumber(Math.round(score))),
    isNumber: true,
  },
];

/** The rules over the two figures of the chart, for the calls that it shows. */
const isDrawn = ({ detector, agent_id: agent }: Alert, agentId: string | undefined): boolean =>
  detector === null && agent === (agentId ?? null);

const lineOf = ({ name, measure }: Alert): LineSeries => ({
  name: t('Alert: {name}', { name }),
  fill: measure === 'score_below' ? 'fill-assistant' : 'fill-amber',
  square: measure === 'score_below' ? 'bg-assistant' : 'bg-amber',
  stroke: measure === 'score_below' ? 'stroke-assistant' : 'stroke-amber',
  dash: '2 4',
  isLimit: true,
});

/**
 * Mean score and share of calls with a finding by day, with the thresholds of the alerts over them; the table below has the
 * figures.
 */
export function QualityTrend({
  days,
  agentId,
}: {
  days: readonly Day[];
  agentId: string | undefined;
}): ReactNode {
  const { data } = useRead('getQualityAlerts', {});
  if (days.length === 0) return null;
  const alerts = (data?.alerts ?? []).filter((alert) => isDrawn(alert, agentId));
  return (
    <Section title={t('Quality by day')} sheet={qualitySheet(days)} isCard>
      <LineChart
        label={t('Mean score and share of calls with a finding by day. The table below has the figures.')}
        series={[...SERIES, ...alerts.map(lineOf)]}
        format={(value) => formatNumber(Math.round(value))}
        points={days.map((day) => ({
          key: day.date,
          name: dayName(day.date),
          values: [day.mean_score, day.finding_share * PERCENT, ...alerts.map(({ threshold }) => threshold)],
        }))}
      />
      <details className="mt-4">
        <summary className="cursor-pointer text-sm font-medium">{t('Quality in figures')}</summary>
        <div className="mt-3">
          <Table caption={t('Quality by day')} columns={COLUMNS} rows={days} keyOf={({ date }) => date} />
        </div>
      </details>
    </Section>
  );
}
