import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { LineChart } from '../../ui/chart/line-chart.tsx';
import type { LineSeries } from '../../ui/chart/series.ts';
import { formatNumber } from '../../ui/format.tsx';
import { dayName } from './days.ts';
import { PERCENTILES } from './reaction-parts.ts';
import { t } from '../../words/words.ts';

type Day = Answer<'getReactionAnalytics'>['data']['daily'][number];

const LOOKS = {
  p50_ms: { fill: 'fill-assistant', square: 'bg-assistant', stroke: 'stroke-assistant' },
  p95_ms: { fill: 'fill-amber', square: 'bg-amber', stroke: 'stroke-amber', dash: '8 4' },
  p99_ms: { fill: 'fill-purple', square: 'bg-purple', stroke: 'stroke-purple', dash: '2 4' },
} as const;
const SERIES: readonly LineSeries[] = PERCENTILES.map(({ key, name }) => ({ name, ...LOOKS[key] }));

/** The percentiles of the reaction by day; the table below has the figures. Days without turns are left out. */
export const ReactionChart = ({ days }: { days: readonly Day[] }): ReactNode =>
  days.length === 0 ? null : (
    <LineChart
      label={t(
        'The 50th, 95th and 99th percentile of the reply delay by day. The table below has the figures.',
      )}
      series={SERIES}
      format={(value) => `${formatNumber(value)} ms`}
      points={days.map(({ date, reaction }) => ({
        key: date,
        name: dayName(date),
        values: PERCENTILES.map(({ key }) => reaction[key]),
      }))}
    />
  );
