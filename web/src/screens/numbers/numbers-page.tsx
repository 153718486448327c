import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Badge, EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';

type PhoneNumber = Answer<'listNumbers'>['workspace_numbers'][number];

export function NumbersPage(): ReactNode {
  const list = useRead('listNumbers', {});
  const pools = useRead('listNumberPools', {});
  const poolNames = new Map((pools.data?.number_pools ?? []).map((pool) => [pool.id, pool.name] as const));
  const columns: readonly Column<PhoneNumber>[] = [
    {
      title: 'Number',
      cell: (number) => <span className="font-mono whitespace-nowrap">{number.number}</span>,
    },
    { title: 'Name', cell: (number) => number.display_name },
    { title: 'Carrier trunk', cell: (number) => number.provider },
    {
      title: 'Answers inbound calls',
      cell: (number) =>
        number.agent === null ? (
          <span className="text-muted">No assistant</span>
        ) : (
          <Link to="/agents/$agentId" params={{ agentId: number.agent.id }} className="text-accent underline">
            {number.agent.agent_display_name}
          </Link>
        ),
    },
    {
      title: 'Pool',
      cell: (number) =>
        number.number_pool_id === null
          ? '–'
          : (poolNames.get(number.number_pool_id) ?? number.number_pool_id),
    },
    {
      title: 'Marks',
      cell: (number) => (
        <span className="flex gap-1.5">
          {number.is_test_number ? <Badge>Test number</Badge> : null}
          {number.is_spam ? <Badge tone="bad">Marked as spam</Badge> : null}
        </span>
      ),
    },
  ];
  return (
    <Page
      title="Numbers"
      intro="What your calls show as the caller, and what people dial. The operator adds numbers and trunks in the provision file."
    >
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.workspace_numbers.length === 0 ? (
        <EmptyState title="No numbers yet">
          Add <code>numbers</code> to this workspace in the file that <code>PROVISION_FILE</code> names, then
          start the service again.
        </EmptyState>
      ) : (
        <Table
          caption="Numbers"
          columns={columns}
          rows={list.data.workspace_numbers}
          keyOf={(number) => number.id}
        />
      )}
    </Page>
  );
}
