import type { ReactNode } from 'react';
import { dayIn } from '../../parts/workspace-days.ts';
import { useWorkspaceZone } from '../../session/workspace-zone.ts';
import { TextField } from '../../ui/controls.tsx';
import {
  AgentFilter,
  CampaignFilter,
  useAgentChoices,
  useCampaignChoices,
} from '../../ui/filters/choices.tsx';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { analyticsFilters, usualFirstDay, type AnalyticsFilters } from './filters.ts';
import { presetOf, PRESETS, withPreset } from './presets.ts';
import { t } from '../../words/words.ts';

/** The filters of the analytics; a change applies at once. */
export function FilterBar({
  filters,
  onChange,
}: {
  filters: AnalyticsFilters;
  onChange: (filters: AnalyticsFilters) => void;
}): ReactNode {
  const today = dayIn(useWorkspaceZone(), Date.now());
  const set = (name: keyof AnalyticsFilters, value: string): void =>
    onChange(analyticsFilters({ ...filters, [name]: value }));
  const first = filters.from ?? (filters.to === undefined ? usualFirstDay(today) : '');
  const isPhone = useIsPhone();
  const [agents, campaigns] = [useAgentChoices(), useCampaignChoices()];
  if (isPhone) {
    return (
      <ListFilters
        filters={[
          { name: 'from', label: t('From day'), value: filters.from, kind: 'day' },
          { name: 'to', label: t('To day'), value: filters.to, kind: 'day' },
          { name: 'agent', label: t('Assistant'), value: filters.agent, kind: 'choice', options: agents },
          {
            name: 'campaign',
            label: t('Campaign'),
            value: filters.campaign,
            kind: 'choice',
            options: campaigns,
          },
        ]}
        onChange={set}
        onClear={() => onChange({})}
      />
    );
  }
  return (
    <search className="flex flex-wrap items-end gap-3 *:min-w-44 *:grow">
      <span className="grow-0!">
        <Segmented
          label={t('Days')}
          value={presetOf(filters, today)}
          options={PRESETS.map(([days, name]) => [days, t(name)])}
          onChange={(days) => onChange(withPreset(filters, days, today))}
        />
      </span>
      <TextField
        label={t('From day')}
        type="date"
        value={first}
        onChange={(event) => set('from', event.target.value)}
      />
      <TextField
        label={t('To day')}
        type="date"
        value={filters.to ?? ''}
        onChange={(event) => set('to', event.target.value)}
      />
      <AgentFilter value={filters.agent} onChange={(value) => set('agent', value)} />
      <CampaignFilter value={filters.campaign} onChange={(value) => set('campaign', value)} />
    </search>
  );
}
