import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { SelectField, TextField } from '../../ui/controls.tsx';
import { formatCode } from '../../ui/format.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { callFilters, STATUSES, TYPES, type CallFilters } from './filters.ts';

const NAMES: Readonly<Record<string, string>> = {
  registered: 'Queued',
  ongoing: 'Live',
  webcall: 'Web call',
};

/** The filters of the list. A change applies at once and goes back to the first page. */
export function FilterBar({
  filters,
  onChange,
}: {
  filters: CallFilters;
  onChange: (filters: CallFilters) => void;
}): ReactNode {
  const agents = useRead('listAgents', { limit: 100 });
  const { page: _, ...kept } = filters;
  const set = (name: keyof CallFilters, value: string): void =>
    onChange(callFilters({ ...kept, [name]: value }));
  return (
    <search className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 lg:grid-cols-6">
      <SelectField
        label="Status"
        value={filters.status ?? ''}
        onChange={(e) => set('status', e.target.value)}
      >
        <option value="">All</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {NAMES[status] ?? formatCode(status)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Direction" value={filters.type ?? ''} onChange={(e) => set('type', e.target.value)}>
        <option value="">All</option>
        {TYPES.map((type) => (
          <option key={type} value={type}>
            {NAMES[type] ?? formatCode(type)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Assistant"
        value={filters.agent ?? ''}
        onChange={(e) => set('agent', e.target.value)}
      >
        <option value="">All</option>
        {(agents.data?.data.agents ?? []).map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.agent_display_name}
          </option>
        ))}
      </SelectField>
      <TextField
        label="From day"
        type="date"
        value={filters.from ?? ''}
        onChange={(e) => set('from', e.target.value)}
      />
      <TextField
        label="To day"
        type="date"
        value={filters.to ?? ''}
        onChange={(e) => set('to', e.target.value)}
      />
      <SearchField
        key={filters.number ?? ''}
        label="Callee number"
        value={filters.number ?? ''}
        onApply={(number) => set('number', number)}
      />
    </search>
  );
}
