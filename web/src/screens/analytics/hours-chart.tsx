import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber, formatSeconds } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { BarChart } from '../../ui/chart/bar-chart.tsx';
import { ANSWERED, UNANSWERED } from '../../ui/chart/series.ts';
import { formatMs } from './reaction-times.tsx';
import { Section } from './section.tsx';
import { hourSheet } from './sheets.ts';
import { zoneName } from '../../parts/workspace-days.ts';
import { t } from '../../words/words.ts';

type Hours = Answer<'getHourAnalytics'>['data'];
type Hour = Hours['hours'][number];

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const COLUMNS: readonly Column<Hour>[] = [
  {
    title: 'Hour',
    cell: (row) => t('{from} to {to}', { from: clock(row.hour), to: clock((row.hour + 1) % 24) }),
  },
  { title: 'Attempts', cell: (row) => formatNumber(row.attempts), isNumber: true },
  { title: 'Answered', cell: (row) => formatNumber(row.answered_attempts), isNumber: true },
  {
    title: 'Answer rate',
    cell: (row) => (row.attempts === 0 ? '–' : formatShare(row.answer_rate)),
    isNumber: true,
  },
  {
    title: 'Average talk',
    cell: (row) => (row.answered_attempts === 0 ? '–' : formatSeconds(row.average_duration)),
    isNumber: true,
  },
  { title: 'Reply delay p50', cell: (row) => formatMs(row.reaction?.p50_ms ?? null), isNumber: true },
  { title: 'p95', cell: (row) => formatMs(row.reaction?.p95_ms ?? null), isNumber: true },
  { title: 'p99', cell: (row) => formatMs(row.reaction?.p99_ms ?? null), isNumber: true },
];

/** Attempts by the hour of their dialing, in the zone of the workspace: when people answer, and when the assistant is slow. */
export function HoursChart({ data }: { data: Hours }): ReactNode {
  const { hours } = data;
  const zone = zoneName(data.timezone);
  const most = Math.max(0, ...hours.map(({ attempts }) => attempts));
  if (most === 0) return null;
  const isOfCampaign = hours[0]?.reaction === null;
  return (
    <Section
      title={t('Hours of the day')}
      intro={t('Attempts by the hour of their dialing, in the time zone {zone}.{isOfCampaign}', {
        zone,
        isOfCampaign: isOfCampaign
          ? ` ${t('Reply delay times by hour are kept for all campaigns together.')}`
          : '',
      })}
      sheet={hourSheet(data)}
      isCard
    >
      <BarChart
        label={t(
          'Attempts by hour of the day in {zone}, answered and not answered. The table below has the figures.',
          { zone },
        )}
        series={[ANSWERED, UNANSWERED]}
        namePx={44}
        bars={hours.map(({ hour, attempts, answered_attempts: answered }) => ({
          key: String(hour),
          name: clock(hour),
          values: [answered, attempts - answered],
        }))}
      />
      <details className="mt-4">
        <summary className="cursor-pointer text-sm font-medium">{t('Figures by hour')}</summary>
        <div className="mt-3">
          <Table
            caption={t('Attempts by hour')}
            columns={COLUMNS}
            rows={hours}
            keyOf={({ hour }) => String(hour)}
          />
        </div>
      </details>
    </Section>
  );
}
