import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { curlOf, type Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyButton } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { RequestStatus } from '../../parts/request-status.tsx';
import { IdText } from '../../ui/id-text.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { toRequest, type RequestFilters } from './filters.ts';
import { t } from '../../words/words.ts';

type Entry = Answer<'listApiRequests'>['requests'][number];

const COLUMNS: readonly Column<Entry>[] = [
  {
    title: 'At',
    cell: (entry) => (
      <Link
        to="/settings/requests/$entryId"
        params={{ entryId: entry.entry_id }}
        className="font-medium text-accent"
      >
        <Time iso={entry.at} />
      </Link>
    ),
  },
  { title: 'Status', cell: (entry) => <RequestStatus status={entry.status} /> },
  { title: 'Method', cell: (entry) => <code className="font-mono text-xs">{entry.method}</code> },
  {
    title: 'Path',
    cell: (entry) => (
      <code title={entry.path} className="font-mono text-xs">
        {entry.path}
      </code>
    ),
    isLong: true,
  },
  { title: 'Duration', cell: (entry) => `${formatNumber(entry.duration_ms)} ms`, isNumber: true },
  {
    title: 'Request id',
    cell: (entry) => (
      <IdText
        id={entry.request_id}
        name={t('Copy the request id {requestId}', { requestId: entry.request_id })}
      />
    ),
    isMinor: true,
  },
];

/** A request on a phone: its path and status, how long it took, and when. */
const phoneRow = (entry: Entry): PhoneRow => ({
  title: (
    <Link
      to="/settings/requests/$entryId"
      params={{ entryId: entry.entry_id }}
      className="font-mono text-xs text-ink no-underline"
    >
      {entry.path}
    </Link>
  ),
  state: <RequestStatus status={entry.status} />,
  detail: `${entry.method} · ${formatNumber(entry.duration_ms)} ms`,
  time: <Time iso={entry.at} isBrief />,
});

/** What programs sent with the workspace's key, and what they got. */
export function RequestsPage(): ReactNode {
  const mayRead = useMay('manager');
  const filters = useSearch({ from: '/app/settings/requests' });
  const navigate = useNavigate({ from: '/settings/requests' });
  const list = useRead('listApiRequests', toRequest(filters), { keep: true, enabled: mayRead });
  const show = (change: RequestFilters, replace = true): void => void navigate({ search: change, replace });
  if (!mayRead) {
    return (
      <Page title={t('API requests')}>
        <EmptyState title={t('Only managers and owners read the request log')}>
          {t('Ask one of them for the role.')}
        </EmptyState>
      </Page>
    );
  }
  const { before, ...others } = filters;
  return (
    <Page
      title={t('API requests')}
      intro={t(
        'The latest requests that your programs sent with the API key, about a second after each. Secrets are placeholders. What members do here in the browser is in the audit log.',
      )}
    >
      <FilterBar filters={filters} onChange={show} />
      <Loaded read={list} shape="table">
        {({ requests, next_before: next }) =>
          requests.length > 0 ? (
            <>
              <Table
                caption={t('API requests')}
                columns={COLUMNS}
                rows={requests}
                keyOf={(entry) => entry.entry_id}
                phone={phoneRow}
              />
              {before === undefined && next === null ? null : (
                <nav aria-label={t('Pages')} className="flex justify-end gap-2">
                  <Button disabled={before === undefined} onClick={() => show(others, false)}>
                    {t('Newest')}
                  </Button>
                  <Button
                    disabled={next === null}
                    onClick={() => show({ ...others, ...(next === null ? {} : { before: next }) }, false)}
                  >
                    {t('Older')}
                  </Button>
                </nav>
              )}
            </>
          ) : Object.keys(filters).length > 0 ? (
            <EmptyState
              title={t('No request matches')}
              icon="plug"
              action={<Button onClick={() => show({})}>{t('Clear the filters')}</Button>}
            >
              {t('The log keeps the latest requests for 30 days at most.')}
            </EmptyState>
          ) : (
            <FirstRequest />
          )
        }
      </Loaded>
    </Page>
  );
}

/** The command for a first request. */
function FirstRequest(): ReactNode {
  const isOwner = useMay('owner');
  const command = curlOf('getWorkspace', {});
  return (
    <EmptyState
      title={t('No request yet')}
      icon="plug"
      action={<CopyButton text={command} label={t('Copy the command')} />}
    >
      <p>{t('Send the first one from a shell that has the key in its variable CALLWRIGHT_KEY:')}</p>
      <pre className="mt-3 overflow-x-auto rounded-md bg-raised p-4 text-left font-mono text-xs" tabIndex={0}>
        {command}
      </pre>
      {isOwner ? (
        <p className="mt-3">
          <Link to="/settings/api-key" className="text-accent underline">
            {t('Open the API key')}
          </Link>
        </p>
      ) : null}
    </EmptyState>
  );
}
