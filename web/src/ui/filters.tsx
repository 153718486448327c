import { useState, type ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { t } from '../words/words.ts';
import { Button, SelectField } from './controls.tsx';

/** The filters of a list, side by side; a phone shows them once they are asked for. `count`: how many are set. */
export function FoldedFilters({ count, children }: { count: number; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <search className="flex flex-col gap-3">
      <span className="sm:hidden">
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {count === 0 ? t('Filters') : t('Filters ({count})', { count })}
        </Button>
      </span>
      <div className={`grid grid-cols-2 items-end gap-3 md:grid-cols-5 ${isOpen ? '' : 'max-sm:hidden'}`}>
        {children}
      </div>
    </search>
  );
}

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
  options: readonly (readonly [value: string, name: string])[];
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
  const agents = useRead('listAgents', { limit: 100 });
  const options = (agents.data?.data.agents ?? []).map(
    (agent) => [agent.id, agent.agent_display_name] as const,
  );
  return (
    <ChoiceFilter
      label={label}
      value={value}
      options={options}
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
  const campaigns = useRead('listCampaigns', { limit: 100, call_count: false });
  const options = (campaigns.data?.campaigns ?? []).map(({ id, name }) => [id, name] as const);
  return (
    <ChoiceFilter
      label={t('Campaign')}
      all={t('All calls')}
      value={value}
      options={options}
      onChange={onChange}
    />
  );
}
