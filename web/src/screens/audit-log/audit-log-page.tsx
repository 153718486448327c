import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/controls.tsx';
import type { Choices } from '../../ui/filters/choices.tsx';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { Time } from '../../ui/format.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { DeedText, OtherObjects, whoDid } from './deed-text.tsx';
import { deedOf } from './deed.ts';
import { t } from '../../words/words.ts';

type Entry = Answer<'listAuditLog'>['entries'][number];

type Names = Answer<'listAuditLog'>['names'];

const outcomeOf = (entry: Entry): ReactNode =>
  entry.status >= 400 ? (
    <span className="text-bad">{t('Refused ({status})', { status: entry.status })}</span>
  ) : (
    t('Done')
  );

const columnsOf = (names: Names): readonly Column<Entry>[] => [
  { title: 'At', cell: (entry) => <Time iso={entry.at} isBrief /> },
  {
    title: 'Who',
    cell: (entry) => <span title={whoDid(entry.actor)}>{whoDid(entry.actor)}</span>,
    isLong: true,
  },
  { title: 'Did', cell: (entry) => <DeedText entry={entry} names={names} />, isLong: true },
  { title: 'Outcome', cell: outcomeOf },
  { title: 'Details', cell: (entry) => <OtherObjects entry={entry} names={names} />, isLong: true },
  { title: 'From', cell: (entry) => entry.address ?? '–', isMinor: true },
];

/** An entry on a phone: what was done and how it ended, then who did it from which address, and when. */
const phoneRowOf =
  (names: Names) =>
  (entry: Entry): PhoneRow => ({
    title: <DeedText entry={entry} names={names} />,
    state: outcomeOf(entry),
    detail: [whoDid(entry.actor), entry.address].filter((part) => part !== null).join(' · '),
    time: <Time iso={entry.at} isBrief />,
  });

/** The values of a filter that the page has, with their words, by these. */
const choicesOf = (values: readonly string[], words: (value: string) => string): Choices =>
  [...new Set(values)]
    .filter((value) => value !== '')
    .map((value) => [value, words(value)] as const)
    .toSorted(([, a], [, b]) => a.localeCompare(b));

/** Who changed what, and who heard or read which call. */
export function AuditLogPage(): ReactNode {
  const mayRead = useMay('manager');
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const before = cursors.at(-1) ?? null;
  const [actor, setActor] = useState('');
  const [action, setAction] = useState('');
  const list = useRead(
    'listAuditLog',
    {
      ...(before === null ? {} : { before }),
      ...(actor === '' ? {} : { actor }),
      ...(action === '' ? {} : { action }),
    },
    { keep: true, enabled: mayRead },
  );
  const entries = list.data?.entries ?? [];
  const filter = (change: () => void): void => {
    change();
    setCursors([null]);
  };
  const next = list.data?.next_before ?? null;
  if (!mayRead) {
    return (
      <Page title={t('Audit log')}>
        <EmptyState title={t('Only managers and owners read the audit log')}>
          {t('Ask one of them for the role.')}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={t('Audit log')}
      isWide
      intro={t(
        'Every request that may change something, refused ones included, and every reading of a transcript or recording. Nobody can change an entry.',
      )}
    >
      <ListFilters
        filters={[
          {
            name: 'actor',
            label: t('Who'),
            value: actor,
            kind: 'choice',
            options: choicesOf([actor, ...entries.map((entry) => entry.actor.name)], String),
          },
          {
            name: 'action',
            label: t('Did'),
            value: action,
            kind: 'choice',
            options: choicesOf([action, ...entries.map((entry) => entry.action)], deedOf),
          },
        ]}
        onChange={(name, value) => filter(() => (name === 'actor' ? setActor(value) : setAction(value)))}
        onClear={() =>
          filter(() => {
            setActor('');
            setAction('');
          })
        }
      />
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.entries.length === 0 ? (
        actor === '' && action === '' ? (
          <EmptyState title={t('Nothing was changed yet')}>{t('The first change appears here.')}</EmptyState>
        ) : (
          <p className="text-muted">{t('No entry matches.')}</p>
        )
      ) : (
        <>
          <Table
            caption={t('Audit log')}
            columns={columnsOf(list.data.names)}
            rows={list.data.entries}
            keyOf={(entry) => entry.id}
            phone={phoneRowOf(list.data.names)}
          />
          {cursors.length === 1 && next === null ? null : (
            <nav aria-label={t('Pages')} className="flex justify-end gap-2">
              <Button disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
                {t('Newer')}
              </Button>
              <Button disabled={next === null} onClick={() => setCursors([...cursors, next])}>
                {t('Older')}
              </Button>
            </nav>
          )}
        </>
      )}
    </Page>
  );
}
