import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, ErrorNote, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { TrunkHealth } from '../../parts/trunk-health.tsx';
import { useChooseAgent } from './choose-agent.ts';
import { InboundAgent } from './inbound-agent.tsx';
import type { PhoneNumber } from './types.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

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
      cell: (number) => <span className="whitespace-nowrap tabular-nums">{number.number}</span>,
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
      title: 'Note',
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
      title={t('Numbers')}
      intro="What your calls show as the caller, and what people dial. The operator adds numbers in the provision file."
    >
      {choose.isError ? <ErrorNote error={choose.error} /> : null}
      <Loaded read={list} shape="table">
        {({ workspace_numbers: numbers }) =>
          numbers.length === 0 ? (
            <EmptyState title="No numbers yet" curl={<CopyCurl operation="listNumbers" input={{}} />}>
              The operator of this installation adds numbers to its provision file, then starts the service
              again.
            </EmptyState>
          ) : (
            <Table caption="Numbers" columns={columns} rows={numbers} keyOf={(number) => number.id} />
          )
        }
      </Loaded>
    </Page>
  );
}
