import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import type { Choice } from './choose-agent.ts';
import type { PhoneNumber } from './types.ts';

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
  if (number.is_test_number) return <span className="text-muted">Places test calls only</span>;
  if (!mayChange) {
    if (agent === null) return <span className="text-muted">No assistant</span>;
    return (
      <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="text-accent underline">
        {agent.agent_display_name}
      </Link>
    );
  }
  const isListed = agent === null || agents.some(({ id }) => id === agent.id);
  return (
    <select
      aria-label={`Assistant that answers ${number.number}`}
      className="max-w-80 rounded-md border border-line bg-surface px-2 py-1 text-ink"
      value={agent?.id ?? ''}
      disabled={isBusy}
      onChange={(event) => onChoose(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">No assistant: calls are rejected</option>
      {isListed ? null : <option value={agent.id}>{agent.agent_display_name}</option>}
      {agents.map(({ id, agent_display_name: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The request of the last change. */
export function Chosen({ choice }: { choice: Choice }): ReactNode {
  const { number, agentId } = choice;
  const input =
    agentId === null
      ? {
          operation: 'remove_inbound_number' as const,
          agent_id: number.agent?.id ?? '',
          number_id: number.id,
        }
      : { operation: 'attach_inbound_number' as const, agent_id: agentId, number_id: number.id };
  return (
    <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
      The change of {number.number} as a request:
      <CopyCurl operation="editAgent" input={input} />
    </p>
  );
}
