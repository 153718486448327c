import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useColumns } from '../../ui/column-picker.tsx';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Table } from '../../ui/table.tsx';
import { callIdOf, columnsOf, phoneRow } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ViewsBar } from './views-bar.tsx';
import { matching, PAGE_SIZES, toRequest, type CallFilters } from './filters.ts';
import { useMay } from '../../session/session.ts';
import { t } from '../../words/words.ts';

const REFRESH_MS = 10_000;
/** The result says how a call ended, and of one that has not the state. */
const HIDDEN_AT_FIRST = ['Status', 'Hung up by'];

export function CallsPage(): ReactNode {
  const filters = useSearch({ from: '/app/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const list = useRead('listCalls', toRequest(filters), { every: REFRESH_MS, keep: true });
  const show = (change: CallFilters): void => void navigate({ search: change, replace: true });
  const { page = 1, rows, ...chosen } = filters;
  const paging = rows === undefined ? {} : { rows };
  const zones = useRead('listAgents', { limit: 100 }).data?.data.agents;
  const columns = useMemo(
    () => columnsOf(new Map((zones ?? []).map(({ id, active_version: active }) => [id, active.timezone]))),
    [zones],
  );
  const { shown, picker } = useColumns('calls', columns, HIDDEN_AT_FIRST);
  const firstCall = {
    name: 'Asha Rao',
    mobile_number: '+14155550123',
    agent_id: zones?.[0]?.id ?? '<id of an assistant>',
    from_number: '<one of your numbers>',
  };
  const mayDownload = useMay('manager');
  return (
    <Page
      title={t('Calls')}
      isWide
      intro={
        <p className="max-sm:hidden">
          {t(
            'Every call of the workspace, newest first. The filters are in the address, so a link shares them.',
          )}
        </p>
      }
      actions={
        <>
          <span className="max-sm:hidden">{picker}</span>
          {mayDownload ? (
            <DownloadButton
              operation="exportCalls"
              input={matching(filters)}
              file="calls.csv"
              of={t('these calls as CSV')}
            >
              {t('Download as CSV')}
            </DownloadButton>
          ) : null}
        </>
      }
    >
      <FilterBar filters={filters} onChange={show}>
        <ViewsBar filters={chosen} onChoose={(next) => show({ ...next, ...paging })} />
      </FilterBar>
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.calls.length > 0 ? (
        <>
          <Table
            caption={t('Calls')}
            columns={shown}
            rows={list.data.calls}
            keyOf={callIdOf}
            phone={phoneRow}
          />
          <Pager
            total={list.data.total}
            page={page}
            size={rows ?? PAGE_SIZES[0]}
            sizes={PAGE_SIZES}
            onSize={(next) => show({ ...chosen, ...(next === PAGE_SIZES[1] ? { rows: next } : {}) })}
            onPage={(next) => show({ ...chosen, ...paging, ...(next > 1 ? { page: next } : {}) })}
          />
        </>
      ) : Object.keys(chosen).length > 0 || page > 1 ? (
        <EmptyState
          title={t('No call matches')}
          icon="phone"
          action={<Button onClick={() => show({})}>{t('Clear the filters')}</Button>}
        >
          {t('Calls of other states or days may exist.')}
        </EmptyState>
      ) : (
        <EmptyState
          title={t('No calls yet')}
          icon="phone"
          action={
            <Link to="/agents" className={buttonClass('primary')}>
              {t('Open the assistants')}
            </Link>
          }
          curl={<CopyCurl operation="placeCall" input={firstCall} />}
        >
          {t(
            'Call a phone from the page of an assistant, or by the API. On the built-in test carrier every number answers.',
          )}
        </EmptyState>
      )}
    </Page>
  );
}
