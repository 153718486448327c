import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { useMay } from '../session/session.ts';
import { Button, CopyCurl, RowActions } from '../ui/controls.tsx';
import { formatCode, Time } from '../ui/format.tsx';
import { Badge, ErrorNote } from '../ui/page.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { t } from '../words/words.ts';

type Delivery = Answer<'listDeliveries'>['deliveries'][number];
export const DELIVERY_TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: 'Event',
    cell: (delivery) => (
      <Link
        to="/webhooks/$deliveryId"
        params={{ deliveryId: delivery.delivery_id }}
        className="font-mono text-accent"
      >
        {delivery.event_type}
      </Link>
    ),
  },
  {
    title: 'State',
    cell: (delivery) => <Badge tone={DELIVERY_TONES[delivery.state]}>{formatCode(delivery.state)}</Badge>,
  },
  { title: 'Receiver', cell: (delivery) => <span className="wrap-anywhere">{delivery.callback_url}</span> },
  {
    title: 'Last answer',
    cell: (delivery) =>
      delivery.last_status ??
      (delivery.last_error === null ? null : formatCode(delivery.last_error)) ?? (
        <span className="text-muted">{t('None yet')}</span>
      ),
  },
  { title: 'Attempts', cell: (delivery) => delivery.attempt_count, isNumber: true },
  { title: 'Created', cell: (delivery) => <Time iso={delivery.created_at} isBrief /> },
];

/** Webhook deliveries with their answers; those that are over may be sent again. */
export function DeliveryTable({
  caption,
  deliveries,
}: {
  caption: string;
  deliveries: readonly Delivery[];
}): ReactNode {
  const resend = useChange('resendDelivery', ['listDeliveries', 'getOverview'], () =>
    t('The delivery is sent again.'),
  );
  const mayResend = useMay('manager');
  const action: Column<Delivery> = {
    title: 'Action',
    cell: (delivery) => {
      const input = { delivery_id: delivery.delivery_id };
      return delivery.state === 'pending' ? null : (
        <RowActions>
          <Button
            busy={resend.isPending && resend.variables.delivery_id === delivery.delivery_id}
            onClick={() => resend.mutate(input)}
          >
            {t('Resend')}
          </Button>
          <CopyCurl operation="resendDelivery" input={input} of={delivery.event_type} />
        </RowActions>
      );
    },
  };
  return (
    <>
      {resend.isError ? <ErrorNote error={resend.error} /> : null}
      <Table
        caption={caption}
        columns={mayResend ? [...COLUMNS, action] : COLUMNS}
        rows={deliveries}
        keyOf={(delivery) => delivery.delivery_id}
      />
    </>
  );
}
