import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import type { PhoneRow } from '../../ui/phone-rows.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Usage = Answer<'getUsage'>;
type Kind = keyof Usage['storage'];
type Row = Usage['storage'][Kind] & { readonly kind: Kind };

/** The name of each kind, and what happens at its quota. */
const KINDS: Readonly<Record<Kind, readonly [name: string, effect: string]>> = {
  recordings: ['Recordings', 'Calls are not recorded.'],
  call_records: ['Transcripts and event logs', 'Event logs of calls are not kept; transcripts are.'],
  chats: ['Chats', 'No chat begins.'],
  tests: ['Tests', 'No test begins.'],
};

const inMb = (bytes: number): string => `${formatNumber(bytes / 1_048_576)} MB`;

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Data', cell: ({ kind }) => t(KINDS[kind][0]) },
  { title: 'Stored', cell: ({ bytes }) => inMb(bytes), isNumber: true },
  {
    title: 'Quota',
    cell: ({ quota_bytes: quota }) => (quota === null ? t('None') : inMb(quota)),
    isNumber: true,
  },
  {
    title: 'State',
    cell: ({ kind, is_full: isFull }) =>
      isFull ? (
        <span className="flex flex-col items-start gap-1">
          <Badge tone="bad">{t('Full')}</Badge>
          <span className="text-sm text-muted">{t(KINDS[kind][1])}</span>
        </span>
      ) : (
        <Badge tone="good">{t('Free')}</Badge>
      ),
  },
];

/** A kind on a phone: its name and state, how much of its quota is used, and what happens at a full one. */
const phoneRow = ({ kind, bytes, quota_bytes: quota, is_full: isFull }: Row): PhoneRow => ({
  title: t(KINDS[kind][0]),
  state: <Badge tone={isFull ? 'bad' : 'good'}>{isFull ? t('Full') : t('Free')}</Badge>,
  detail: quota === null ? inMb(bytes) : t('{some} of {all}', { some: inMb(bytes), all: inMb(quota) }),
  ...(isFull ? { note: t(KINDS[kind][1]) } : {}),
});

/** Stored data of the workspace, with its quotas. */
export function StorageUse({ usage }: { usage: Usage }): ReactNode {
  const { storage, counted_at: countedAt } = usage;
  if (countedAt === null)
    return (
      <p className="max-w-prose text-muted">
        {t('The stored data has not been counted yet; the first count comes within a minute.')}
      </p>
    );
  const rows = (Object.keys(KINDS) as Kind[]).map((kind) => ({ kind, ...storage[kind] }));
  return (
    <div className="flex flex-col gap-3">
      <Table
        caption={t('Stored data and quotas')}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ kind }) => kind}
        phone={phoneRow}
        isList={false}
      />
      <p className="max-w-prose text-muted">
        {rich(
          'Counted {time}. The service counts again within the hour; deleted data and data past its retention free space then. The operator sets the quotas.',
          { time: <Time iso={countedAt} isBrief /> },
        )}
      </p>
    </div>
  );
}
