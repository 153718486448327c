import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { formatCode, Time } from '../../ui/format.tsx';
import { Badge, EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';

type Agent = Answer<'listAgents'>['data']['agents'][number];

const COLUMNS: readonly Column<Agent>[] = [
  {
    title: 'Name',
    cell: (agent) => (
      <Link to="/agents/$agentId" params={{ agentId: agent.id }} className="font-medium text-accent">
        {agent.agent_display_name}
      </Link>
    ),
  },
  { title: 'Direction', cell: (agent) => <Badge>{formatCode(agent.agent_type)}</Badge> },
  { title: 'A/B test', cell: (agent) => (agent.is_ab_live ? <Badge tone="accent">Running</Badge> : '–') },
  {
    title: 'Calls',
    cell: (agent) => (
      <Link to="/calls" search={{ agent: agent.id }} className="text-accent underline">
        Show calls
      </Link>
    ),
  },
  { title: 'Changed', cell: (agent) => <Time iso={agent.updated_at} isBrief /> },
];

export function AgentsPage(): ReactNode {
  const list = useRead('listAgents', { limit: 100 });
  return (
    <Page title="Assistants" intro="They talk on the phone. The API calls them agents.">
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.data.agents.length === 0 ? (
        <EmptyState
          title="No assistants yet"
          action={
            <a href="/docs" className={buttonClass('primary')}>
              Open the API reference
            </a>
          }
        >
          Create the first one with <code>POST /api/v0/public/agent</code>: a name, a language, a voice and
          what it should do.
        </EmptyState>
      ) : (
        <Table
          caption="Assistants"
          columns={COLUMNS}
          rows={list.data.data.agents}
          keyOf={(agent) => agent.id}
        />
      )}
    </Page>
  );
}
