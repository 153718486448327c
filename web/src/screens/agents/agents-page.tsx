import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
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
  const mayEdit = useMay('manager');
  const add = (
    <Link to="/agents/new" className={buttonClass('primary')}>
      New assistant
    </Link>
  );
  return (
    <Page
      title="Assistants"
      intro="They talk on the phone. The API calls them agents."
      actions={mayEdit ? add : undefined}
    >
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.data.agents.length === 0 ? (
        <EmptyState title="No assistants yet" action={mayEdit ? add : undefined}>
          An assistant has a voice, a language and instructions. Create the first one, then call with it.
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
