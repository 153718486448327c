import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { objectWords, operationWords } from './operation-words.ts';
import { t } from '../../words/words.ts';

type Entry = Answer<'listAuditLog'>['entries'][number];

/** A value of an entry: names of fields and operations in words, ids as they are. */
const shown = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(shown).join(', ')
    : (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('_', ' ');

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'At', cell: (entry) => <Time iso={entry.at} isBrief /> },
  { title: 'Who', cell: (entry) => <span className="whitespace-nowrap">{entry.actor.name}</span> },
  { title: 'Did', cell: (entry) => operationWords(entry.action) },
  {
    title: 'Answer',
    cell: (entry) => <span className={entry.status >= 400 ? 'text-bad' : ''}>{entry.status}</span>,
    isNumber: true,
  },
  {
    title: 'To what',
    cell: (entry) => (
      <span className="font-mono text-xs wrap-anywhere">
        {Object.entries(entry.objects).map(([name, value]) => (
          <span key={name} className="block">
            <span className="text-muted">{objectWords(name)}</span> {shown(value)}
          </span>
        ))}
      </span>
    ),
  },
  { title: 'From', cell: (entry) => entry.address ?? '–' },
];

/** Who changed what, and who heard or read which call. */
export function AuditLogPage(): ReactNode {
  const mayRead = useMay('manager');
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const before = cursors.at(-1) ?? null;
  const list = useRead('listAuditLog', before === null ? {} : { before }, { keep: true, enabled: mayRead });
  const next = list.data?.next_before ?? null;
  if (!mayRead) {
    return (
      <Page title={t('Audit log')}>
        <EmptyState title="Only managers and owners read the audit log">
          Ask one of them for the role.
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('Audit log')}
      isWide
      intro="Every request that may change something, refused ones included, and every reading of a transcript or recording. Nobody can change an entry."
    >
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.entries.length === 0 ? (
        <EmptyState title="Nothing was changed yet">The first change appears here.</EmptyState>
      ) : (
        <>
          <Table caption="Audit log" columns={COLUMNS} rows={list.data.entries} keyOf={(entry) => entry.id} />
          {cursors.length === 1 && next === null ? null : (
            <nav aria-label="Pages" className="flex justify-end gap-2">
              <Button disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </Button>
              <Button disabled={next === null} onClick={() => setCursors([...cursors, next])}>
                Older
              </Button>
            </nav>
          )}
        </>
      )}
    </Page>
  );
}
