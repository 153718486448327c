import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { ANSWERED_FORMULA } from '../../parts/answered-stat.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Figure, FigureStrip } from './figure-strip.tsx';
import { changeOf, firstDay, type Figures, type Range } from './figures.ts';
import { LOCALE } from '../../words/language.ts';
import { resultName } from '../../parts/result-name.ts';
import { t } from '../../words/words.ts';

const ms = (value: number | null): string => (value === null ? '–' : `${formatNumber(Math.round(value))} ms`);
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', timeZone: 'UTC' });
const BEFORE: Readonly<Record<Range, string>> = {
  today: '',
  week: 'on the 7 days before',
  month: 'on the 30 days before',
};

type Reaction = Answer<'getReactionAnalytics'>['data'];
type Label = Answer<'getClassificationAnalytics'>['data'];

/** The four figures of the range: calls, reached, what most calls came to, reply delay. */
export function FiguresRow({
  range,
  figures,
  today,
}: {
  range: Range;
  figures: Figures | undefined;
  today: string;
}): ReactNode {
  const query = { start_date: firstDay(range, today) };
  const reaction = useRead('getReactionAnalytics', query, { keep: true });
  const labels = useRead('getClassificationAnalytics', query, { keep: true });
  return (
    <FigureStrip>
      <Figure
        name={t('Calls')}
        value={figures === undefined ? '–' : formatNumber(figures.calls)}
        course={figures?.course.map(({ calls }) => calls) ?? []}
      >
        {figures === undefined ? null : <Compared range={range} figures={figures} today={today} />}
      </Figure>
      <Figure
        name={t('Answered by a person')}
        title={ANSWERED_FORMULA}
        value={
          figures === undefined || figures.attempts === 0
            ? '–'
            : formatShare(figures.answered / figures.attempts)
        }
        course={figures?.course.map(({ share }) => share) ?? []}
      >
        {figures === undefined || figures.attempts === 0
          ? t('No attempt has ended.')
          : t('{some} of {all} attempts', {
              some: formatNumber(figures.answered),
              all: formatNumber(figures.attempts),
            })}
      </Figure>
      <TopResult labels={labels.data?.data} from={query.start_date} />
      <ReplyDelay reaction={reaction.data?.data} />
    </FigureStrip>
  );
}

/** Calls beside those of the time before. A day that is not over is beside a whole one, so it says no share. */
function Compared({ range, figures, today }: { range: Range; figures: Figures; today: string }): ReactNode {
  const { calls, before } = figures;
  if (range === 'today') {
    return t('{calls} last {day}', {
      calls: formatNumber(before.calls),
      day: WEEKDAY.format(Date.parse(today)),
    });
  }
  const change = changeOf(calls, before.calls);
  if (change === null) return `${formatNumber(before.calls)} ${t(BEFORE[range])}`;
  return (
    <span className={change >= 0 ? 'text-good' : undefined}>
      {change >= 0 ? '+' : '−'}
      {formatShare(Math.abs(change))} {t(BEFORE[range])}
    </span>
  );
}

/** The result that most calls with a goal or label have, and how many of all have it. */
function TopResult({ labels, from }: { labels: Label | undefined; from: string }): ReactNode {
  const top = labels?.results.find(({ source }) => source !== 'ending');
  const total = labels?.results.reduce((sum, { calls }) => sum + calls, 0) ?? 0;
  const none = labels === undefined ? null : t('No goal or label was reached.');
  return (
    <Figure
      name={t('Top result')}
      title={t('Ended calls with the most frequent result of a goal or label, of all ended calls.')}
      value={top === undefined ? '–' : formatShare(top.calls / total)}
    >
      {top === undefined ? (
        none
      ) : (
        <Link to="/calls" search={{ result: top.result, from }} className="text-good hover:underline">
          {t('{result}, {calls} of {total}', {
            result: resultName(top.result, top.source),
            calls: formatNumber(top.calls),
            total: formatNumber(total),
          })}
        </Link>
      )}
    </Figure>
  );
}

const NOT_READ = { turns: null, p50_ms: null, p95_ms: null };

/** The delay of half of the turns; nothing is said of turns before they are read. */
function ReplyDelay({ reaction }: { reaction: Reaction | undefined }): ReactNode {
  const { turns, p50_ms: half, p95_ms: most } = reaction?.reaction ?? NOT_READ;
  return (
    <Figure
      name={t('Reply delay')}
      title={t("From the end of a person's speech to the start of the answer; half of the turns are faster.")}
      value={ms(half)}
      course={reaction?.daily.map((day) => day.reaction.p50_ms ?? 0) ?? []}
    >
      {turns === null
        ? null
        : turns === 0
          ? t('No turns of calls yet.')
          : t('95% within {time}', { time: ms(most) })}
    </Figure>
  );
}
