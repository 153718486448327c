import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatCode, formatCount, formatNumber, formatSeconds } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { formatShare } from '../../ui/stat.tsx';

/** Parts of a whole, each as a bar with its count. */
function Shares({
  title,
  rows,
  intro,
}: {
  title: string;
  rows: readonly { readonly name: string; readonly calls: number; readonly share: number }[];
  intro: ReactNode;
}): ReactNode {
  return (
    <Card title={title}>
      <p className="mb-3 text-sm text-muted">{intro}</p>
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
    </Card>
  );
}

type Lengths = Answer<'getDurationDistribution'>['data'];
export function Lengths({ lengths }: { lengths: Lengths }): ReactNode {
  if (lengths.answered_calls === 0) return null;
  return (
    <Shares
      title="Length of answered calls"
      intro={`${formatCount(lengths.answered_calls, 'call')}, ${formatSeconds(lengths.average_duration)} on average.`}
      rows={lengths.buckets.map(({ from_seconds: from, to_seconds: to, calls, share }) => ({
        name:
          to === null ? `${formatSeconds(from)} or longer` : `${formatSeconds(from)} to ${formatSeconds(to)}`,
        calls,
        share,
      }))}
    />
  );
}

type Labels = Answer<'getClassificationAnalytics'>['data'];
export function Labels({ labels }: { labels: Labels }): ReactNode {
  if (labels.analysed_calls === 0) return null;
  const intro = `Of ${formatCount(labels.analysed_calls, 'analysed call')}.`;
  const toRows = (list: Labels['sentiments']): { name: string; calls: number; share: number }[] =>
    list.map(({ label, calls, share }) => ({ name: formatCode(label), calls, share }));
  return (
    <div className="flex flex-col gap-6">
      <Shares title="Results of conversations" intro={intro} rows={toRows(labels.classifications)} />
      <Shares title="Sentiment" intro={intro} rows={toRows(labels.sentiments)} />
    </div>
  );
}
