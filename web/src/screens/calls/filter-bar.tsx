import type { ReactNode } from 'react';
import { TextField } from '../../ui/controls.tsx';
import { AgentFilter, CampaignFilter, ChoiceFilter, FoldedFilters } from '../../ui/filters.tsx';
import { formatCode } from '../../ui/format.tsx';
import { ResultFilter } from '../../parts/result-filter.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import {
  callFilters,
  FINDING_NAMES,
  FINDINGS,
  STATUS_NAMES,
  STATUSES,
  TYPES,
  type CallFilters,
} from './filters.ts';
import { t } from '../../words/words.ts';

const named = (codes: readonly string[]): (readonly [string, string])[] =>
  codes.map((code) => [code, STATUS_NAMES[code] ?? formatCode(code)]);

/** The filters of the list. A change applies at once and goes back to the first page. */
export function FilterBar({
  filters,
  onChange,
}: {
  filters: CallFilters;
  onChange: (filters: CallFilters) => void;
}): ReactNode {
  const { page: _, ...kept } = filters;
  const setter =
    (name: keyof CallFilters) =>
    (value: string): void =>
      onChange(callFilters({ ...kept, [name]: value }));
  return (
    <FoldedFilters count={Object.keys(kept).length}>
      <ChoiceFilter
        label={t('Status')}
        value={filters.status}
        options={named(STATUSES)}
        onChange={setter('status')}
      />
      <ChoiceFilter
        label={t('Direction')}
        value={filters.type}
        options={named(TYPES)}
        onChange={setter('type')}
      />
      <AgentFilter value={filters.agent} onChange={setter('agent')} />
      <CampaignFilter value={filters.campaign} onChange={setter('campaign')} />
      <TextField
        label={t('From day')}
        type="date"
        value={filters.from ?? ''}
        onChange={(event) => setter('from')(event.target.value)}
      />
      <TextField
        label={t('To day')}
        type="date"
        value={filters.to ?? ''}
        onChange={(event) => setter('to')(event.target.value)}
      />
      <ResultFilter value={filters.result} query={{}} onChange={setter('result')} />
      <ChoiceFilter
        label={t('Finding')}
        value={filters.finding}
        options={FINDINGS.map((each) => [each, FINDING_NAMES[each] ?? each] as const)}
        onChange={setter('finding')}
      />
      <SearchField
        key={filters.number ?? ''}
        label={t('Callee number')}
        value={filters.number ?? ''}
        onApply={setter('number')}
      />
    </FoldedFilters>
  );
}
