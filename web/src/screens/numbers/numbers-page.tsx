import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge, EmptyState, ErrorNote, Page } from '../../ui/page.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
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
  const trunkOf = (number: PhoneNumber) => trunks.data?.trunks.find(({ name }) => name === number.provider);
  const poolOf = ({ number_pool_id: id }: PhoneNumber): string | null =>
    id === null ? null : (poolNames.get(id) ?? id);
  const answersOf = (number: PhoneNumber): ReactNode => (
    <InboundAgent
      number={number}
      agents={answering}
      mayChange={mayChange}
      isBusy={choose.isPending && choose.variables.number.id === number.id}
      onChoose={(agentId) => choose.mutate({ number, agentId })}
    />
  );
  const notesOf = (number: PhoneNumber): ReactNode => (
    <span className="flex gap-1.5">
      {number.is_test_number ? <Badge>{t('Test number')}</Badge> : null}
      {number.is_spam ? <Badge tone="bad">{t('Marked as spam')}</Badge> : null}
      {settingsOf(number)?.from_file === true ? <Badge>{t('From file')}</Badge> : null}
    </span>
  );
  const actionsOf = (number: PhoneNumber): ReactNode => {
    const of = settingsOf(number);
    return of === undefined ? null : <NumberActions workspaceId={workspaceId} number={of} />;
  };
  const columns: readonly Column<PhoneNumber>[] = [
    {
      title: 'Number',
      cell: (number) => <span className="whitespace-nowrap tabular-nums">{spacedNumber(number.number)}</span>,
    },
    { title: 'Name', cell: (number) => number.display_name },
    {
      title: 'Carrier trunk',
      cell: (number) => {
        const trunk = trunkOf(number);
        return (
          <Link to="/trunks" className="inline-flex flex-wrap items-center gap-2 text-ink">
            {number.provider} {trunk === undefined ? null : <TrunkHealth trunk={trunk} />}
          </Link>
        );
      },
    },
    {
      title: 'Answers inbound calls',
      cell: answersOf,
    },
    {
      title: 'Pool',
      cell: (number) => poolOf(number) ?? '–',
    },
    {
      title: 'Note',
      cell: notesOf,
    },
    ...(isOperator
      ? [
          {
            title: t('Action'),
            cell: actionsOf,
          },
        ]
      : []),
  ];
  /** A number on a phone: its notes, name, trunk and pool; who answers it, and its actions below. */
  const phoneRow = (number: PhoneNumber): PhoneRow => {
    const trunk = trunkOf(number);
    return {
      title: <span className="tabular-nums">{spacedNumber(number.number)}</span>,
      state: notesOf(number),
      detail: [number.display_name, number.provider, poolOf(number)].filter(Boolean).join(' · '),
      time: trunk === undefined ? null : <TrunkHealth trunk={trunk} />,
      actions: (
        <div className="flex flex-col gap-2">
          <div className="flex flex-col gap-1">
            <span className="text-xs text-muted">{t('Answers inbound calls')}</span>
            {answersOf(number)}
          </div>
          {isOperator ? actionsOf(number) : null}
        </div>
      ),
    };
  };
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
            <Table
              caption={t('Numbers')}
              columns={columns}
              rows={numbers}
              keyOf={(number) => number.id}
              phone={phoneRow}
              isList={false}
            />
          )
        }
      </Loaded>
      {isAdding ? (
        <NumberForm workspaceId={workspaceId} number={null} onClose={() => setIsAdding(false)} />
      ) : null}
    </Page>
  );
}
