import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, ErrorNote, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { spacedNumber } from '../../parts/phone-number.ts';
import { TrunkHealth } from '../../parts/trunk-health.tsx';
import { useChooseAgent } from './choose-agent.ts';
import { InboundAgent } from './inbound-agent.tsx';
import type { PhoneNumber } from './types.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { useWorkspaceId } from '../../session/workspace.ts';
import { NumberActions } from './number-actions.tsx';
import { NumberForm } from './number-form.tsx';
import { t } from '../../words/words.ts';

const REFRESH_MS = 10_000;

export function NumbersPage(): ReactNode {
  const list = useRead('listNumbers', {});
  const pools = useRead('listNumberPools', {});
  const agents = useRead('listAgents', { limit: 100 });
  const trunks = useRead('listTrunks', {}, { every: REFRESH_MS });
  const mayChange = useMay('manager');
  const isOperator = useMay('operator');
  const workspaceId = useWorkspaceId() ?? '';
  const settings = useRead(
    'listNumberSettings',
    { workspace_id: workspaceId },
    { enabled: isOperator && workspaceId !== '' },
  ).data?.numbers;
  const settingsOf = ({ id }: PhoneNumber) => settings?.find(({ from_number_id: each }) => each === id);
  const [isAdding, setIsAdding] = useState(false);
  const choose = useChooseAgent();
  const answering = (agents.data?.data.agents ?? []).filter(({ agent_type: type }) => type !== 'outbound');
  const poolNames = new Map((pools.data?.number_pools ?? []).map((pool) => [pool.id, pool.name] as const));
  const columns: readonly Column<PhoneNumber>[] = [
    {
      title: 'Number',
      cell: (number) => <span className="whitespace-nowrap tabular-nums">{spacedNumber(number.number)}</span>,
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
          {number.is_test_number ? <Badge>{t('Test number')}</Badge> : null}
          {number.is_spam ? <Badge tone="bad">{t('Marked as spam')}</Badge> : null}
          {settingsOf(number)?.from_file === true ? <Badge>{t('From file')}</Badge> : null}
        </span>
      ),
    },
    ...(isOperator
      ? [
          {
            title: t('Action'),
            cell: (number: PhoneNumber) => {
              const of = settingsOf(number);
              return of === undefined ? null : <NumberActions workspaceId={workspaceId} number={of} />;
            },
          },
        ]
      : []),
  ];
  const add = (
    <Button look="primary" onClick={() => setIsAdding(true)}>
      {t('Add a number')}
    </Button>
  );
  return (
    <Page
      title={t('Numbers')}
      intro={
        isOperator
          ? t(
              'What your calls show as the caller, and what people dial. Changes apply at once; a number marked "From file" is set back when the provision file is applied again.',
            )
          : t(
              'What your calls show as the caller, and what people dial. Operators of the installation add numbers here.',
            )
      }
      actions={isOperator ? add : null}
    >
      {choose.isError ? <ErrorNote error={choose.error} /> : null}
      <Loaded read={list} shape="table">
        {({ workspace_numbers: numbers }) =>
          numbers.length === 0 ? (
            <EmptyState
              title={t('No numbers yet')}
              icon="hash"
              curl={<CopyCurl operation="listNumbers" input={{}} />}
            >
              {isOperator
                ? t('Add the number that your carrier gave you. Add the trunk of the carrier first.')
                : t('An operator of this installation adds them on this page.')}
            </EmptyState>
          ) : (
            <Table caption={t('Numbers')} columns={columns} rows={numbers} keyOf={(number) => number.id} />
          )
        }
      </Loaded>
      {isAdding ? (
        <NumberForm workspaceId={workspaceId} number={null} onClose={() => setIsAdding(false)} />
      ) : null}
    </Page>
  );
}
