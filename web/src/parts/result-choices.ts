import type { Input } from '../api/client.ts';
import { useRead } from '../api/queries.ts';
import type { Choices } from '../ui/filters/choices.tsx';
import { formatNumber } from '../ui/format.tsx';
import { resultName } from './result-name.ts';

/** The results that calls have, most calls first; with the one that is chosen, in any case. */
export function useResultChoices(
  value: string | undefined,
  query: Input<'getClassificationAnalytics'>,
): Choices {
  const { data } = useRead('getClassificationAnalytics', query);
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { result, source, calls } of data?.data.results ?? []) {
    counts.set(result, (counts.get(result) ?? 0) + calls);
    names.set(result, resultName(result, source));
  }
  if (value !== undefined && !counts.has(value)) counts.set(value, 0);
  return [...counts].map(([result, calls]) => {
    const name = names.get(result) ?? result;
    return [result, calls === 0 ? name : `${name} (${formatNumber(calls)})`] as const;
  });
}
