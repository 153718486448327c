import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, ErrorNote, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TrunkHealth } from '../../parts/trunk-health.tsx';
import { useChooseAgent } from './choose-agent.ts';
import { Chosen, InboundAgent } from './inbound-agent.tsx';
import type { PhoneNumber } from './types.ts';
import { CopyCurl } from '../../ui/controls.tsx';

const REFRESH_MS = 10_000;

export function NumbersPage(): ReactNode {
  const list = useRead('listNumbers', {});
  const pools = useRead('listNumberPools', {});
  const agents = useRead('listAgents', { limit: 100 });
  const trunks = useRead('listTrunks', {}, { every: REFRESH_MS });
  const mayChange = useMay('manager');
  const choose = useChooseAgent();
  const answering = (agents.data?.data.agents ?? []).filter(({ agent_type: type }) => type !== 'outbound');
  const poolNames = new Map((pools.data?.number_pools ?? []).map((pool) => [pool.id, pool.name] as const));
  const columns: readonly Column<PhoneNumber>[] = [
    {
      title: 'Number',
      cell: (number) => <span className="font-mono whitespace-nowrap">{number.number}</span>,
    },
    { title: 'Name', cell: (number) => number.display_name },
    {
      title: 'Carrier trunk',
      cell: (number) => {
        const trunk = trunks.data?.trunks.find(({ name }) => name === number.provider);
        return (
          <Link to="/trunks" className="inline-flex flex-wrap items-center gap-2 text-ink">
            {number.provider} {trunk === undefined ? null : <TrunkHealth trunk={trunk} />}
          </Link>
        );
      },
    },
    {
      title: 'Answers inbound calls',
      cell: (number) => (
        <InboundAgent
          number={number}
          agents={answering}
          mayChange={mayChange}
          isBusy={choose.isPending && choose.variables.number.id === number.id}
          onChoose={(agentId) => choose.mutate({ number, agentId })}
        />
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
      intro="What your calls show as the caller, and what people dial. The operator adds numbers in the provision file."
    >
      {choose.isError ? <ErrorNote error={choose.error} /> : null}
      {choose.isSuccess ? <Chosen choice={choose.variables} /> : null}
      <Loaded read={list} shape="table">
        {({ workspace_numbers: numbers }) =>
          numbers.length === 0 ? (
            <EmptyState title="No numbers yet" curl={<CopyCurl operation="listNumbers" input={{}} />}>
              Add <code>numbers</code> to this workspace in the file that <code>PROVISION_FILE</code> names,
              then start the service again.
            </EmptyState>
          ) : (
            <Table caption="Numbers" columns={columns} rows={numbers} keyOf={(number) => number.id} />
          )
        }
      </Loaded>
    </Page>
  );
}
