import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, RowActions } from '../../ui/controls.tsx';
import { Time } from '../../ui/format.tsx';
import { Badge, ErrorNote, Loading } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';

type Delivery = Answer<'listDeliveries'>['deliveries'][number];
const TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;
const REFRESH_MS = 10_000;

/** The webhooks of the call, and what their receivers answered. */
export function Deliveries({ callId }: { callId: string }): ReactNode {
  const list = useRead('listDeliveries', { call_id: callId, limit: 200 }, { every: REFRESH_MS });
  const resend = useChange('resendDelivery', ['listDeliveries']);
  const mayResend = useMay('manager');
  const columns: readonly Column<Delivery>[] = [
    { title: 'Event', cell: (delivery) => <code className="font-mono">{delivery.event_type}</code> },
    { title: 'State', cell: (delivery) => <Badge tone={TONES[delivery.state]}>{delivery.state}</Badge> },
    { title: 'Receiver', cell: (delivery) => <span className="break-all">{delivery.callback_url}</span> },
    {
      title: 'Last answer',
      cell: (delivery) =>
        delivery.last_status ?? delivery.last_error ?? <span className="text-muted">None yet</span>,
    },
    { title: 'Attempts', cell: (delivery) => delivery.attempt_count, isNumber: true },
    { title: 'Created', cell: (delivery) => <Time iso={delivery.created_at} isBrief /> },
    ...(mayResend
      ? [
          {
            title: 'Action',
            cell: (delivery: Delivery) =>
              delivery.state === 'pending' ? null : (
                <RowActions>
                  <Button
                    busy={resend.isPending && resend.variables.delivery_id === delivery.delivery_id}
                    onClick={() => resend.mutate({ delivery_id: delivery.delivery_id })}
                  >
                    Resend
                  </Button>
                  <CopyCurl
                    operation="resendDelivery"
                    input={{ delivery_id: delivery.delivery_id }}
                    of={delivery.event_type}
                  />
                </RowActions>
              ),
          },
        ]
      : []),
  ];
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">Webhook deliveries</h2>
      {resend.isError ? <ErrorNote error={resend.error} /> : null}
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.deliveries.length === 0 ? (
        <p className="text-muted">None: no receiver is subscribed to the events of this call.</p>
      ) : (
        <Table
          caption="Webhook deliveries"
          columns={columns}
          rows={list.data.deliveries}
          keyOf={(delivery) => delivery.delivery_id}
        />
      )}
    </section>
  );
}
