import type { ReactNode } from 'react';
import { useResultChoices } from '../../parts/result-choices.ts';
import { CopyButton } from '../../ui/controls.tsx';
import { useAgentChoices, useCampaignChoices, type Choices } from '../../ui/filters/choices.tsx';
import type { ListFilter } from '../../ui/filters/list-filter.ts';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { formatCode } from '../../ui/format.tsx';
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

const named = (codes: readonly string[]): Choices =>
  codes.map((code) => [code, STATUS_NAMES[code] ?? formatCode(code)]);

/** The filters of the list. A change applies at once and goes back to the first page. */
export function FilterBar({
  filters,
  onChange,
  children,
}: {
  filters: CallFilters;
  onChange: (filters: CallFilters) => void;
  children: ReactNode;
}): ReactNode {
  const { page: _, rows, ...kept } = filters;
  const paging = rows === undefined ? {} : { rows };
  const results = useResultChoices(filters.result, {});
  const list: ListFilter<Exclude<keyof CallFilters, 'page' | 'rows' | 'number'>>[] = [
    { name: 'result', label: t('Result'), value: filters.result, kind: 'choice', options: results },
    { name: 'status', label: t('Status'), value: filters.status, kind: 'choice', options: named(STATUSES) },
    {
      name: 'agent',
      label: t('Assistant'),
      value: filters.agent,
      kind: 'choice',
      options: useAgentChoices(),
    },
    {
      name: 'campaign',
      label: t('Campaign'),
      value: filters.campaign,
      kind: 'choice',
      options: useCampaignChoices(),
    },
    { name: 'from', label: t('From day'), value: filters.from, kind: 'day' },
    { name: 'to', label: t('To day'), value: filters.to, kind: 'day' },
    { name: 'type', label: t('Direction'), value: filters.type, kind: 'choice', options: named(TYPES) },
    {
      name: 'finding',
      label: t('Finding'),
      value: filters.finding,
      kind: 'choice',
      options: FINDINGS.map((each) => [each, FINDING_NAMES[each] ?? each] as const),
    },
  ];
  const set = (name: keyof CallFilters, value: string): void =>
    onChange(callFilters({ ...kept, ...paging, [name]: value }));
  return (
    <ListFilters
      filters={list}
      search={{
        label: t('Called number'),
        value: filters.number ?? '',
        onApply: (value) => set('number', value),
      }}
      onChange={set}
      onClear={() => onChange(paging)}
    >
      {Object.keys(kept).length === 0 ? null : <CopyButton text={location.href} label={t('Copy link')} />}
      {children}
    </ListFilters>
  );
}
