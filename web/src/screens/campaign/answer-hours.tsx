import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { answerGrid, isTelling, type AnswerHour } from './answer-grid.ts';
import { t } from '../../words/words.ts';

const DAYS = [
  ['mon', 'Mon'],
  ['tue', 'Tue'],
  ['wed', 'Wed'],
  ['thu', 'Thu'],
  ['fri', 'Fri'],
  ['sat', 'Sat'],
  ['sun', 'Sun'],
] as const;
/** Percent of the accent in the best hour: more would leave too little contrast for the figure. */
const DEEPEST = 45;

const shade = (share: number): object => ({
  backgroundColor: `color-mix(in srgb, var(--accent) ${Math.round(share * DEEPEST)}%, var(--surface))`,
});

/** The share of answered calls by weekday and hour: a table whose cells are the darker, the more were answered. */
export function AnswerHours({ statistics }: { statistics: Answer<'getCampaignStatistics'> }): ReactNode {
  const { hours, timezone } = statistics;
  const grid = answerGrid(hours);
  if (!isTelling(hours)) return null;
  return (
    <Card title={t('Answered by hour')}>
      <p className="mb-3 text-sm text-muted">
        {t('Percent of the calls that were answered, by the hour of the call in {timezone}.', { timezone })}
      </p>
      <div className="relative overflow-x-auto" tabIndex={0} role="region" aria-label={t('Answered by hour')}>
        <table className="border-separate border-spacing-0.5 text-sm tabular-nums">
          <caption className="sr-only">
            {t('Answered calls by weekday and hour, time zone {timezone}', { timezone })}
          </caption>
          <thead>
            <tr className="text-muted">
              <td />
              {grid.hours.map((hour) => (
                <th key={hour} scope="col" className="px-1 text-center font-normal">
                  {String(hour).padStart(2, '0')}
                  <span className="sr-only">:00</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {DAYS.map(([day, name]) => (
              <tr key={day}>
                <th scope="row" className="pr-2 text-left font-normal text-muted">
                  {t(name)}
                </th>
                {grid.hours.map((hour) => (
                  <Hour key={hour} sum={grid.at(day, hour)} best={grid.best} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="mt-3 flex items-center gap-2 text-sm text-muted" aria-hidden="true">
        0%
        <span className="flex">
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span key={share} className="h-3 w-6 border-y border-line" style={shade(share)} />
          ))}
        </span>
        {formatShare(grid.best)}
      </div>
    </Card>
  );
}

function Hour({ sum, best }: { sum: AnswerHour | undefined; best: number }): ReactNode {
  const cell = 'h-8 w-12 min-w-8 rounded-sm border border-line text-center';
  if (sum === undefined) {
    return (
      <td className={`${cell} text-muted`}>
        <span className="sr-only">{t('no calls')}</span>
      </td>
    );
  }
  const share = sum.answered / sum.calls;
  const title = t('{some} of {all}', {
    some: formatNumber(sum.answered),
    all: formatCount(sum.calls, 'call'),
  });
  return (
    <td className={cell} style={shade(best === 0 ? 0 : share / best)} title={title}>
      {formatNumber(Math.round(share * 100))}
      <span className="sr-only">{t('% answered, {title}', { title })}</span>
    </td>
  );
}
