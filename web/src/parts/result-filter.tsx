import type { ReactNode } from 'react';
import type { Input } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import { ChoiceFilter } from '../ui/filters.tsx';
import { formatNumber } from '../ui/format.tsx';
import { t } from '../words/words.ts';

/** Chooses one of the results that calls have, most calls first. */
export function ResultFilter({
  value,
  query,
  onChange,
}: {
  value: string | undefined;
  query: Input<'getClassificationAnalytics'>;
  onChange: (value: string) => void;
}): ReactNode {
  const { data } = useRead('getClassificationAnalytics', query);
  const counts = new Map<string, number>();
  for (const { result, calls } of data?.data.results ?? []) {
    counts.set(result, (counts.get(result) ?? 0) + calls);
  }
  if (value !== undefined && !counts.has(value)) counts.set(value, 0);
  const options = [...counts].map(
    ([result, calls]) => [result, calls === 0 ? result : `${result} (${formatNumber(calls)})`] as const,
  );
  return <ChoiceFilter label={t('Result')} value={value} options={options} onChange={onChange} />;
}
