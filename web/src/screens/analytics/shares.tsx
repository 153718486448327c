import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatCode, formatCount, formatNumber, formatSeconds } from '../../ui/format.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import type { Sheet } from '../../ui/sheet.ts';
import { formatShare } from '../../ui/stat.tsx';
import { Section } from './section.tsx';
import { lengthSheet, resultSheet, sentimentSheet } from './sheets.ts';
import { t } from '../../words/words.ts';

/** Parts of a whole, each as a bar with its count. */
function Shares({
  title,
  rows,
  intro,
  sheet,
}: {
  title: string;
  sheet: Sheet;
  rows: readonly { readonly name: string; readonly calls: number; readonly share: number }[];
  intro: ReactNode;
}): ReactNode {
  return (
    <Section title={title} intro={intro} sheet={sheet} isCard>
      <ul className="flex flex-col gap-2">
        {rows.map(({ name, calls, share }) => (
          <li key={name} className="grid grid-cols-[minmax(6rem,1fr)_auto] items-center gap-3">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <ShareBar share={share}>
              <span className="inline-block min-w-24">
                {formatNumber(calls)} <span className="text-muted">({formatShare(share)})</span>
              </span>
            </ShareBar>
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Lengths = Answer<'getDurationDistribution'>['data'];
export function Lengths({ lengths }: { lengths: Lengths }): ReactNode {
  if (lengths.answered_calls === 0) return null;
  return (
    <Shares
      title={t('Length of answered calls')}
      sheet={lengthSheet(lengths)}
      intro={t('{answeredCalls}, {averageDuration} on average.', {
        answeredCalls: formatCount(lengths.answered_calls, 'call'),
        averageDuration: formatSeconds(lengths.average_duration),
      })}
      rows={lengths.buckets.map(({ from_seconds: from, to_seconds: to, calls, share }) => ({
        name:
          to === null
            ? t('{from} or longer', { from: formatSeconds(from) })
            : t('{from} to {to}', { from: formatSeconds(from), to: formatSeconds(to) }),
        calls,
        share,
      }))}
    />
  );
}

type Labels = Answer<'getClassificationAnalytics'>['data'];
export function Labels({ labels }: { labels: Labels }): ReactNode {
  if (labels.analysed_calls === 0) return null;
  const intro = t('Of {analysedCalls}.', {
    analysedCalls: formatCount(labels.analysed_calls, 'analysed call'),
  });
  const toRows = (list: Labels['sentiments']): { name: string; calls: number; share: number }[] =>
    list.map(({ label, calls, share }) => ({ name: formatCode(label), calls, share }));
  return (
    <div className="flex flex-col gap-6">
      <Shares
        title={t('Results of conversations')}
        intro={intro}
        rows={toRows(labels.classifications)}
        sheet={resultSheet(labels)}
      />
      <Shares
        title={t('Sentiment')}
        intro={intro}
        rows={toRows(labels.sentiments)}
        sheet={sentimentSheet(labels)}
      />
    </div>
  );
}
