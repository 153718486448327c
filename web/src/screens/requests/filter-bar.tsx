import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { SearchField } from '../../ui/search-field.tsx';
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
  const setter =
    (name: keyof RequestFilters) =>
    (value: string): void =>
      onChange(requestFilters({ ...kept, [name]: value }));
  return (
    <search className="grid grid-cols-1 items-end gap-3 sm:grid-cols-2 md:grid-cols-3">
      <ChoiceFilter
        label={t('Status')}
        value={filters.status}
        options={STATUSES.map((each) => [each, STATUS_NAMES[each]] as const)}
        onChange={setter('status')}
      />
      <ChoiceFilter
        label={t('Method')}
        value={filters.method}
        options={METHODS.map((each) => [each, each] as const)}
        onChange={setter('method')}
      />
      <SearchField
        key={`path ${filters.path ?? ''}`}
        label={t('Path or query contains')}
        kind="text"
        placeholder="/calling/"
        value={filters.path ?? ''}
        onApply={setter('path')}
      />
      <SearchField
        key={`request ${filters.request ?? ''}`}
        label={t('Request id')}
        kind="text"
        placeholder="req_…"
        value={filters.request ?? ''}
        onApply={setter('request')}
      />
      <TextField
        label={t('From, in your time zone')}
        type="datetime-local"
        value={filters.from ?? ''}
        onChange={(event) => setter('from')(event.target.value)}
      />
      <TextField
        label={t('To, in your time zone')}
        type="datetime-local"
        value={filters.to ?? ''}
        onChange={(event) => setter('to')(event.target.value)}
      />
    </search>
  );
}
