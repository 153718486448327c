import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { CallStatus } from '../../ui/call-status.tsx';
import { useColumns } from '../../ui/column-picker.tsx';
import { Button, buttonClass } from '../../ui/controls.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { formatNumber, formatSeconds, Time } from '../../ui/format.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ViewsBar } from './views-bar.tsx';
import { matching, PAGE_SIZE, toRequest, type CallFilters } from './filters.ts';

type Call = Answer<'listCalls'>['calls'][number];
const REFRESH_MS = 10_000;

const COLUMNS: readonly Column<Call>[] = [
  {
    title: 'Started',
    cell: (call) => (
      <Link to="/calls/$callId" params={{ callId: call.call_id }} className="font-medium text-accent">
        <Time iso={call.initiation_time} isBrief />
      </Link>
    ),
  },
  {
    title: 'Status',
    cell: (call) => <CallStatus status={call.call_status} subStatus={call.call_sub_status} />,
  },
  {
    title: 'Callee',
    cell: (call) => (
      <>
        <span className="font-mono whitespace-nowrap">{call.to_number}</span>
        {call.callee_name === '' ? null : <span className="block text-muted">{call.callee_name}</span>}
      </>
    ),
  },
  {
    title: 'Caller',
    cell: (call) => <span className="font-mono whitespace-nowrap">{call.from_number}</span>,
  },
  { title: 'Assistant', cell: (call) => call.agent_name ?? <span className="text-muted">Deleted</span> },
  { title: 'Duration', cell: (call) => formatSeconds(call.call_duration), isNumber: true },
  { title: 'Credits', cell: (call) => formatNumber(call.call_cost), isNumber: true },
];

export function CallsPage(): ReactNode {
  const filters = useSearch({ from: '/app/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const list = useRead('listCalls', toRequest(filters), { every: REFRESH_MS, keep: true });
  const show = (change: CallFilters): void => void navigate({ search: change, replace: true });
  const { page = 1, ...others } = filters;
  const { shown, picker } = useColumns('calls', COLUMNS);
  return (
    <Page
      title="Calls"
      intro="Every call of the workspace, newest first. The filters are in the address, so a link shares them."
      actions={
        <>
          {picker}
          <DownloadButton
            operation="exportCalls"
            input={matching(filters)}
            file="calls.csv"
            of="these calls as CSV"
          >
            Download as CSV
          </DownloadButton>
        </>
      }
    >
      <FilterBar filters={filters} onChange={show} />
      <ViewsBar filters={others} onChoose={show} />
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.calls.length > 0 ? (
        <>
          <Table caption="Calls" columns={shown} rows={list.data.calls} keyOf={(call) => call.call_id} />
          <Pager
            total={list.data.total}
            page={page}
            size={PAGE_SIZE}
            onPage={(next) => show({ ...others, ...(next > 1 ? { page: next } : {}) })}
          />
        </>
      ) : Object.keys(filters).length > 0 ? (
        <EmptyState
          title="No call matches"
          action={<Button onClick={() => show({})}>Clear the filters</Button>}
        >
          Calls of other states or days may exist.
        </EmptyState>
      ) : (
        <EmptyState
          title="No calls yet"
          action={
            <a href="/docs" className={buttonClass('primary')}>
              Open the API reference
            </a>
          }
        >
          Place the first one with <code>POST /api/v0/calling/outbound/individual</code>;{' '}
          <code>npm start</code> prints a complete command for the built-in test carrier.
        </EmptyState>
      )}
    </Page>
  );
}
