import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { SelectField, TextField } from '../../ui/controls.tsx';
import { analyticsFilters, usualFirstDay, type AnalyticsFilters } from './filters.ts';

/** The filters of the analytics; a change applies at once. */
export function FilterBar({
  filters,
  onChange,
}: {
  filters: AnalyticsFilters;
  onChange: (filters: AnalyticsFilters) => void;
}): ReactNode {
  const agents = useRead('listAgents', {});
  const campaigns = useRead('listCampaigns', { limit: 100, call_count: false });
  const set = (name: keyof AnalyticsFilters, value: string): void =>
    onChange(analyticsFilters({ ...filters, [name]: value }));
  const first = filters.from ?? (filters.to === undefined ? usualFirstDay(Date.now()) : '');
  return (
    <search className="grid grid-cols-1 items-end gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <TextField
        label="From day (UTC)"
        type="date"
        value={first}
        onChange={(event) => set('from', event.target.value)}
      />
      <TextField
        label="To day (UTC)"
        type="date"
        value={filters.to ?? ''}
        onChange={(event) => set('to', event.target.value)}
      />
      <SelectField
        label="Assistant"
        value={filters.agent ?? ''}
        onChange={(event) => set('agent', event.target.value)}
      >
        <option value="">All</option>
        {(agents.data?.data.agents ?? []).map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.agent_display_name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Campaign"
        value={filters.campaign ?? ''}
        onChange={(event) => set('campaign', event.target.value)}
      >
        <option value="">All calls</option>
        {(campaigns.data?.campaigns ?? []).map((campaign) => (
          <option key={campaign.id} value={campaign.id}>
            {campaign.name}
          </option>
        ))}
      </SelectField>
    </search>
  );
}
