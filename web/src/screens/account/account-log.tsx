import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Time } from '../../ui/format.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';
import { deedOf } from '../audit-log/deed.ts';

type Entry = Answer<'listAccountLog'>['entries'][number];

const COLUMNS: readonly Column<Entry>[] = [
  { title: 'Time', cell: (entry) => <Time iso={entry.at} isBrief /> },
  { title: 'What happened', cell: (entry) => deedOf(`account.${entry.action}`) },
  { title: 'By', cell: (entry) => entry.by ?? t('You') },
  { title: 'Address', cell: (entry) => entry.address ?? '' },
];

/** Sign-ins, good and failed, and changes of how the account is protected. */
export function AccountLog(): ReactNode {
  const read = useRead('listAccountLog', {});
  return (
    <Card title={t('What happened to your account')} isFlush>
      <Loaded read={read} shape="table">
        {({ entries }) => (
          <Table
            caption={t('Account log')}
            isBare
            columns={COLUMNS}
            rows={entries}
            keyOf={(entry) => entry.id}
          />
        )}
      </Loaded>
    </Card>
  );
}
