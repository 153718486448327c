import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import type { PhoneNumber } from './types.ts';
import { t } from '../../words/words.ts';

type Agent = Answer<'listAgents'>['data']['agents'][number];

/** Which assistant answers calls to a number, and for managers the choice of another. */
export function InboundAgent({
  number,
  agents,
  mayChange,
  isBusy,
  onChoose,
}: {
  number: PhoneNumber;
  /** Those that take inbound calls. */
  agents: readonly Agent[];
  mayChange: boolean;
  isBusy: boolean;
  onChoose: (agentId: string | null) => void;
}): ReactNode {
  const { agent } = number;
  if (number.is_test_number) return <span className="text-muted">{t('Places test calls only')}</span>;
  if (!mayChange) {
    if (agent === null) return <span className="text-muted">{t('No assistant')}</span>;
    return (
      <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="text-accent underline">
        {agent.agent_display_name}
      </Link>
    );
  }
  const isListed = agent === null || agents.some(({ id }) => id === agent.id);
  return (
    <select
      aria-label={t('Assistant that answers {number}', { number: number.number })}
      className="w-full max-w-80 min-w-48 rounded-md max-sm:min-h-control border border-line bg-surface px-2 py-1 text-ink"
      value={agent?.id ?? ''}
      disabled={isBusy}
      onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">{t('Calls are rejected')}</option>
      {isListed ? null : <option value={agent.id}>{agent.agent_display_name}</option>}
      {agents.map(({ id, agent_display_name: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
