import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { numberOf } from '../../parts/call-name.ts';
import { Button, buttonClass } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Entry = Answer<'listCredits'>['entries'][number];
const KINDS = {
  lock: 'Locked at the start',
  charge: 'Charged',
  transfer: 'Charged for the transfer',
  chat: 'Charged for a turn of a chat',
  test: 'Charged for tests of the day',
  embedding: 'Charged for knowledge of the day',
  preview: 'Charged for previews of the day',
  search: 'Charged for searches of the day',
  analysis: 'Charged for an analysis',
} as const;

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'At', cell: (entry) => <Time iso={entry.at} isBrief /> },
  { title: 'Movement', cell: (entry) => t(KINDS[entry.kind]) },
  { title: 'Credits', cell: (entry) => formatNumber(entry.credits), isNumber: true },
  {
    title: 'Call',
    cell: (entry) =>
      isOfCall(entry) ? (
        <Link to="/calls/$callId" params={{ callId: entry.call_id }} className="text-accent">
          {numberOf(entry.to_number)}
        </Link>
      ) : entry.kind === 'chat' ? (
        <Link to="/chats/$chatId" params={{ chatId: entry.call_id }} className="text-accent">
          {t('Chat')}
        </Link>
      ) : null,
  },
  { title: 'Attempt', cell: (entry) => (isOfCall(entry) ? entry.attempt : null), isNumber: true },
];

const isOfCall = ({ kind }: Entry): boolean => kind === 'lock' || kind === 'charge' || kind === 'transfer';

/** A movement on a phone: what it was and how much, of which call, and when. */
const phoneRow = (entry: Entry): PhoneRow => {
  const name = t(KINDS[entry.kind]);
  return {
    title: isOfCall(entry) ? (
      <Link to="/calls/$callId" params={{ callId: entry.call_id }} className="text-ink no-underline">
        {name}
      </Link>
    ) : entry.kind === 'chat' ? (
      <Link to="/chats/$chatId" params={{ chatId: entry.call_id }} className="text-ink no-underline">
        {name}
      </Link>
    ) : (
      name
    ),
    state: <span className="tabular-nums">{formatNumber(entry.credits)}</span>,
    detail: isOfCall(entry) ? `${numberOf(entry.to_number)} · ${t('Attempt')} ${entry.attempt}` : null,
    time: <Time iso={entry.at} isBrief />,
  };
};

export function CreditsPage(): ReactNode {
  // The cursors of the pages before this one, and of this one; null: the first page.
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const before = cursors.at(-1) ?? null;
  const workspace = useRead('getWorkspace', {});
  const list = useRead('listCredits', before === null ? {} : { before }, { keep: true });
  const balance = workspace.data?.workspace_info;
  const next = list.data?.next_before ?? null;
  return (
    <Page
      title={t('Credits')}
      intro={t(
        'An attempt locks the most that it may cost. When it ends, the lock is released and its price is charged.',
      )}
    >
      {balance === undefined ? null : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Stat
            name={t('Balance')}
            value={balance.unlimited ? t('Unlimited') : formatNumber(balance.credits)}
          >
            {balance.unlimited ? t('Calls are not charged.') : t('Credits, locked ones included.')}
          </Stat>
          <Stat name={t('Locked by live calls')} value={formatNumber(balance.locked_credits)} />
        </div>
      )}
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.entries.length === 0 ? (
        <EmptyState
          title={t('No credits were moved yet')}
          icon="wallet"
          action={
            <Link to="/calls" className={buttonClass('primary')}>
              {t('Open the calls')}
            </Link>
          }
        >
          {t('The first charged call appears here. Workspaces without billing have no movements.')}
        </EmptyState>
      ) : (
        <>
          <Table
            caption={t('Movements of credits')}
            columns={COLUMNS}
            rows={list.data.entries}
            keyOf={(entry) => `${entry.call_id} ${entry.attempt} ${entry.kind}`}
            phone={phoneRow}
            isList={false}
          />
          <nav aria-label={t('Pages')} className="flex justify-end gap-2">
            <Button disabled={cursors.length === 1} onClick={() => setCursors(cursors.slice(0, -1))}>
              {t('Newer')}
            </Button>
            <Button disabled={next === null} onClick={() => setCursors([...cursors, next])}>
              {t('Older')}
            </Button>
          </nav>
        </>
      )}
    </Page>
  );
}
