import type { ReactNode } from 'react';
import { formatNumber } from '../ui/format.tsx';
import { Card } from '../ui/page.tsx';
import { ShareBar } from '../ui/share-bar.tsx';
import { resultName } from './result-name.ts';
import { t } from '../words/words.ts';

/** Ended calls by result, most calls first. `link` leads from the words of a result to those calls. */
export function Results({
  results,
  link,
}: {
  results: readonly { readonly result: string; readonly source: string; readonly calls: number }[];
  link: (result: string, words: string) => ReactNode;
}): ReactNode {
  const total = results.reduce((sum, { calls }) => sum + calls, 0);
  if (total === 0) return null;
  return (
    <Card title={t('Results')}>
      <ul className="flex flex-col gap-2">
        {results.map(({ result, source, calls }) => (
          <li
            key={`${source} ${result}`}
            className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] items-center gap-4 sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]"
          >
            <span className="wrap-anywhere">{link(result, resultName(result, source))}</span>
            <ShareBar share={calls / total} fills>
              {formatNumber(calls)}
            </ShareBar>
          </li>
        ))}
      </ul>
    </Card>
  );
}
