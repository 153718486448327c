import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { BarChart, type Bar } from '../../ui/chart/bar-chart.tsx';
import { ANSWERED, UNANSWERED } from '../../ui/chart/series.ts';
import { Card } from '../../ui/page.tsx';
import { firstDay, type Day, type Range } from './figures.ts';
import { LOCALE } from '../../words/language.ts';
import { t } from '../../words/words.ts';

const NAME = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const SERIES = [ANSWERED, UNANSWERED];

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
  daily,
  today,
  zone,
}: {
  range: Range;
  daily: readonly Day[];
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
  const bars = range === 'today' ? hourBars(hours.data?.data.hours ?? []) : dayBars(daily, first, today);
  return (
    <Card title={title}>
      <BarChart
        label={t('{title}, answered and not answered', { title })}
        bars={bars}
        series={SERIES}
        isTitled
        namePx={range === 'today' ? 36 : 56}
      />
    </Card>
  );
}
