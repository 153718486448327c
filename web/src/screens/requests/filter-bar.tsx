import type { ReactNode } from 'react';
import type { ListFilter } from '../../ui/filters/list-filter.ts';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { METHODS, requestFilters, STATUSES, type RequestFilters } from './filters.ts';
import { t } from '../../words/words.ts';

const STATUS_NAMES: Readonly<Record<(typeof STATUSES)[number], string>> = {
  '2xx': '2xx, succeeded',
  '3xx': '3xx, not changed',
  '4xx': '4xx, refused',
  '5xx': '5xx, failed',
};

/** The filters of the list. A change applies at once and goes back to the newest requests. */
export function FilterBar({
  filters,
  onChange,
}: {
  filters: RequestFilters;
  onChange: (filters: RequestFilters) => void;
}): ReactNode {
  const { before: _, ...kept } = filters;
  const list: ListFilter<Exclude<keyof typeof kept, 'path'>>[] = [
    {
      name: 'status',
      label: t('Status'),
      value: filters.status,
      kind: 'choice',
      options: STATUSES.map((each) => [each, STATUS_NAMES[each]] as const),
    },
    {
      name: 'method',
      label: t('Method'),
      value: filters.method,
      kind: 'choice',
      options: METHODS.map((each) => [each, each] as const),
    },
    {
      name: 'request',
      label: t('Request id'),
      value: filters.request,
      kind: 'text',
      placeholder: 'req_…',
    },
    { name: 'from', label: t('From, in your time zone'), value: filters.from, kind: 'minute' },
    { name: 'to', label: t('To, in your time zone'), value: filters.to, kind: 'minute' },
  ];
  const set = (name: keyof RequestFilters, value: string): void =>
    onChange(requestFilters({ ...kept, [name]: value }));
  return (
    <ListFilters
      filters={list}
      search={{
        label: t('Path or query contains'),
        kind: 'text',
        value: filters.path ?? '',
        onApply: (value) => set('path', value),
      }}
      onChange={set}
      onClear={() => onChange({})}
    />
  );
}
