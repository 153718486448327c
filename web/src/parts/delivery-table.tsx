import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../api/client.ts';
import { useChange } from '../api/queries.ts';
import { useMay } from '../session/session.ts';
import { Button, CopyCurl, RowActions } from '../ui/controls.tsx';
import { Time } from '../ui/format.tsx';
import { Badge, ErrorNote } from '../ui/page.tsx';
import type { PhoneRow } from '../ui/phone-rows.tsx';
import { Table, type Column } from '../ui/table.tsx';
import { deliveryError, deliveryState } from './delivery-names.ts';
import { t } from '../words/words.ts';

type Delivery = Answer<'listDeliveries'>['deliveries'][number];
export const DELIVERY_TONES = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

const answerOf = (delivery: Delivery): ReactNode =>
  delivery.last_status ??
  (delivery.last_error === null ? null : deliveryError(delivery.last_error)) ?? (
    <span className="text-muted">{t('None yet')}</span>
  );

/** A delivery on a phone: the event and its state, the receiver, and when. */
const phoneRow = (delivery: Delivery): PhoneRow => ({
  title: (
    <Link
      to="/webhooks/$deliveryId"
      params={{ deliveryId: delivery.delivery_id }}
      className="font-mono text-ink no-underline"
    >
      {delivery.event_type}
    </Link>
  ),
  state: <Badge tone={DELIVERY_TONES[delivery.state]}>{deliveryState(delivery.state)}</Badge>,
  detail: delivery.callback_url.replace(/^https?:\/\//, ''),
  time: <Time iso={delivery.created_at} isBrief />,
});

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
    cell: (delivery) => <Badge tone={DELIVERY_TONES[delivery.state]}>{deliveryState(delivery.state)}</Badge>,
  },
  {
    title: 'Receiver',
    cell: (delivery) => <span title={delivery.callback_url}>{delivery.callback_url}</span>,
    isLong: true,
  },
  { title: 'Last answer', cell: answerOf },
  { title: 'Attempts', cell: (delivery) => delivery.attempt_count, isNumber: true },
  { title: 'Created', cell: (delivery) => <Time iso={delivery.created_at} isBrief />, isMinor: true },
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
        phone={(delivery) =>
          mayResend ? { ...phoneRow(delivery), actions: action.cell(delivery) } : phoneRow(delivery)
        }
      />
    </>
  );
}
