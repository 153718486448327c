import type { ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import type { Answer } from '../../api/client.ts';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Button } from '../../ui/controls.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Receiver = Answer<'listFailures'>['receivers'][number];

const COLUMNS: readonly Column<Receiver>[] = [
  {
    title: 'Receiver',
    cell: ({ callback_url: url }) => <span className="font-medium wrap-anywhere">{url}</span>,
  },
  { title: 'Since', cell: (receiver) => <Time iso={receiver.failing_since} isBrief /> },
  { title: 'Kept', cell: (receiver) => formatNumber(receiver.kept_count), isNumber: true },
  { title: 'Dropped', cell: (receiver) => formatNumber(receiver.dropped_count), isNumber: true },
  {
    title: 'Next probe',
    cell: ({ recovery, next_probe_at: next, disabled_at: disabledAt, receiver_id: id }) =>
      disabledAt !== null ? (
        <Disabled since={disabledAt} id={id} />
      ) : next !== null ? (
        <Time iso={next} isBrief />
      ) : recovery === 'manual' ? (
        t('Send again by hand')
      ) : (
        t('With the next event')
      ),
  },
];

/** A receiver that gets no more events, and the button that sends them again. */
function Disabled({ since, id }: { readonly since: string; readonly id: string }): ReactNode {
  const enable = useChange('enableReceiver', ['listFailures', 'listDeliveries', 'getOverview'], () =>
    t('The receiver gets events again.'),
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span>{rich('Disabled since {time}', { time: <Time iso={since} isBrief /> })}</span>
      <Button busy={enable.isPending} onClick={() => enable.mutate({ receiver_id: id })}>
        {t('Enable')}
      </Button>
      {enable.isError ? <ErrorNote error={enable.error} /> : null}
    </div>
  );
}

/** Receivers that accept nothing, and what is kept for them; nothing while all are well. */
export function FailingReceivers(): ReactNode {
  const failures = useRead('listFailures', { limit: 1 });
  const receivers = failures.data?.receivers ?? [];
  if (receivers.length === 0) return null;
  return (
    <Card title={t('Receivers that accept nothing')}>
      <Table
        caption={t('Receivers that accept nothing')}
        columns={COLUMNS}
        rows={receivers}
        keyOf={(receiver) => receiver.receiver_id}
      />
    </Card>
  );
}
