import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import type { LineSeries } from '../../ui/chart/series.ts';
import { formatNumber } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { LOCALE } from '../../words/language.ts';
import { t } from '../../words/words.ts';
import { burnUp, type Expected } from './burn-up.ts';

const SERIES: readonly LineSeries[] = [
  { name: 'Attempts', fill: 'fill-assistant', square: 'bg-assistant', stroke: 'stroke-assistant' },
  { name: 'Answered', fill: 'fill-amber', square: 'bg-amber', stroke: 'stroke-amber', dash: '8 4' },
  {
    name: 'Expected attempts',
    fill: 'fill-muted',
    square: 'bg-muted',
    stroke: 'stroke-muted',
    dash: '2 4',
    isBare: true,
  },
];
const DAY_MS = 86_400_000;
/** The widths of an hour, and of a day with its hour. */
const [HOUR_PX, DAY_PX] = [48, 104];

/** Attempts of a campaign, added up over time, and while it calls those expected to the end. */
export function BurnUpChart({
  statistics: { course, timezone, campaign_id: campaignId },
  isRunning,
}: {
  statistics: Answer<'getCampaignStatistics'>;
  isRunning: boolean;
}): ReactNode {
  const { data: progress } = useRead(
    'getCampaignProgress',
    { campaign_id: campaignId },
    { enabled: isRunning },
  );
  const expected = isRunning && progress !== undefined ? expectedOf(progress.estimate) : null;
  const steps = burnUp(course, expected, Date.now());
  if (steps.length < 2) return null;
  const isLong = (steps.at(-1)?.at ?? 0) - (steps[0]?.at ?? 0) >= DAY_MS;
  const name = new Intl.DateTimeFormat(LOCALE, {
    ...(isLong ? { day: 'numeric', month: 'short' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  });
  return (
    <Card title={t('Attempts over time')}>
      <LineChart
        label={t('Ended attempts, the answered ones and those expected, added up over time in {timezone}', {
          timezone,
        })}
        series={expected === null ? SERIES.slice(0, 2) : SERIES}
        format={formatNumber}
        namePx={isLong ? DAY_PX : HOUR_PX}
        points={steps.map(({ at, calls, answered, expected: hoped }) => ({
          key: String(at),
          name: name.format(at),
          values: expected === null ? [calls, answered] : [calls, answered, hoped],
        }))}
      />
    </Card>
  );
}

const expectedOf = ({
  calls_left: calls,
  ends_at: endsAt,
}: Answer<'getCampaignProgress'>['estimate']): Expected | null =>
  endsAt === null ? null : { calls: Math.ceil(calls), endsAt: Date.parse(endsAt) };
