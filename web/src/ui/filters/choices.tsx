import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { t } from '../../words/words.ts';
import { SelectField } from '../controls.tsx';

/** One of several values of a filter, or all. */
export function ChoiceFilter({
  label,
  value,
  options,
  all = t('All'),
  onChange,
}: {
  label: string;
  value: string | undefined;
  options: Choices;
  /** The name of the choice without a filter. */
  all?: string;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <SelectField label={label} value={value ?? ''} onChange={(event) => onChange(event.target.value)}>
      <option value="">{all}</option>
      {options.map(([each, name]) => (
        <option key={each} value={each}>
          {t(name)}
        </option>
      ))}
    </SelectField>
  );
}

/** Values of a filter and their names. */
export type Choices = readonly (readonly [value: string, name: string])[];

/** The assistants of the workspace, for a filter. */
export function useAgentChoices(): Choices {
  const agents = useRead('listAgents', { limit: 100 });
  return (agents.data?.data.agents ?? []).map((agent) => [agent.id, agent.agent_display_name] as const);
}

/** The campaigns of the workspace, for a filter. */
export function useCampaignChoices(): Choices {
  const campaigns = useRead('listCampaigns', { limit: 100, call_count: false });
  return (campaigns.data?.campaigns ?? []).map(({ id, name }) => [id, name] as const);
}

/** The assistants of the workspace as a filter. */
export function AgentFilter({
  label = t('Assistant'),
  all,
  value,
  onChange,
}: {
  label?: string;
  all?: string;
  value: string | undefined;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <ChoiceFilter
      label={label}
      value={value}
      options={useAgentChoices()}
      {...(all === undefined ? {} : { all })}
      onChange={onChange}
    />
  );
}

/** The campaigns of the workspace as a filter. */
export function CampaignFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string) => void;
}): ReactNode {
  return (
    <ChoiceFilter
      label={t('Campaign')}
      all={t('All calls')}
      value={value}
      options={useCampaignChoices()}
      onChange={onChange}
    />
  );
}
