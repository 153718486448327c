import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answer, ApiFailure } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { BarChart, type Bar } from '../../ui/chart/bar-chart.tsx';
import { ANSWERED, UNANSWERED } from '../../ui/chart/series.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { firstDay, type Day, type Range } from './figures.ts';
import { LOCALE } from '../../words/language.ts';
import { t } from '../../words/words.ts';

const NAME = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const SERIES = [ANSWERED, UNANSWERED];
/** The width that the name under a bar needs. */
const [HOUR_PX, DAY_PX] = [36, 56];

const hourBars = (hours: Answer<'getHourAnalytics'>['data']['hours']): readonly Bar[] =>
  hours.map(({ hour, attempts, answered_attempts: answered }) => ({
    key: String(hour),
    name: String(hour).padStart(2, '0'),
    values: [answered, attempts - answered],
  }));

/** Every day of the range, those without calls included. */
function dayBars(daily: readonly Day[], first: string, today: string): readonly Bar[] {
  const known = new Map(daily.map((day) => [day.date, day]));
  const bars: Bar[] = [];
  for (let at = Date.parse(first); at <= Date.parse(today); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10);
    const day = known.get(date);
    const answered = day?.answered_attempts ?? 0;
    bars.push({
      key: date,
      name: NAME.format(at),
      values: [answered, (day?.total_attempts ?? 0) - answered],
    });
  }
  return bars;
}

/** Attempts by hour today, else by day, answered and not. */
export function CallsChart({
  range,
  totals,
  today,
  zone,
}: {
  range: Range;
  /** Of every day that the ranges have. */
  totals: UseQueryResult<Answer<'getPlatformAnalytics'>, ApiFailure>;
  /** In the zone. */
  today: string;
  zone: string;
}): ReactNode {
  const first = firstDay(range, today);
  const hours = useRead(
    'getHourAnalytics',
    { start_date: first, timezone: zone },
    { keep: true, enabled: range === 'today' },
  );
  const title = range === 'today' ? t('Calls by hour') : t('Calls by day');
  const draw = (bars: readonly Bar[], namePx: number): ReactNode => (
    <BarChart
      label={t('{title}, answered and not answered', { title })}
      bars={bars}
      series={SERIES}
      isTitled
      namePx={namePx}
    />
  );
  return (
    <Card title={title}>
      {range === 'today' ? (
        <Loaded read={hours} shape="chart">
          {({ data }) => draw(hourBars(data.hours), HOUR_PX)}
        </Loaded>
      ) : (
        <Loaded read={totals} shape="chart">
          {({ data }) => draw(dayBars(data.daily, first, today), DAY_PX)}
        </Loaded>
      )}
    </Card>
  );
}
