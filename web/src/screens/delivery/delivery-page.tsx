import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyButton, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Badge, Card, ErrorNote, Facts, Loading, Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { DELIVERY_TONES } from '../../parts/delivery-table.tsx';
import { deliveryError, deliveryState } from '../../parts/delivery-names.ts';
import { t } from '../../words/words.ts';

type Attempt = Answer<'getDelivery'>['delivery']['attempts'][number];

const COLUMNS: readonly Column<Attempt>[] = [
  { title: 'Attempt', cell: (attempt) => attempt.attempt, isNumber: true },
  { title: 'At', cell: (attempt) => <Time iso={attempt.at} /> },
  {
    title: 'Answer',
    cell: (attempt) =>
      attempt.status ??
      `${deliveryError(attempt.error)}${attempt.detail === null ? '' : `: ${attempt.detail}`}`,
  },
  { title: 'Duration', cell: (attempt) => `${formatNumber(attempt.duration_ms)} ms`, isNumber: true },
  {
    title: 'Body of the answer',
    cell: (attempt) =>
      attempt.body === null || attempt.body === '' ? (
        <span className="text-muted">{t('None')}</span>
      ) : (
        <code className="font-mono text-xs wrap-anywhere">{attempt.body}</code>
      ),
  },
];

/** One delivery: the request that was sent, and every answer. */
export function DeliveryPage(): ReactNode {
  const { deliveryId } = useParams({ from: '/app/webhooks/$deliveryId' });
  const read = useRead('getDelivery', { delivery_id: deliveryId });
  const resend = useChange('resendDelivery', ['getDelivery', 'listDeliveries', 'getOverview'], () =>
    t('The delivery is sent again.'),
  );
  const mayResend = useMay('manager');
  if (read.isPending) {
    return (
      <Page title={t('Delivery')}>
        <Loading shape="cards" />
      </Page>
    );
  }
  if (read.isError) {
    return (
      <Page title={t('Delivery')}>
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </Page>
    );
  }
  const { delivery } = read.data;
  const body = JSON.stringify(delivery.request.body, null, 2);
  const input = { delivery_id: delivery.delivery_id };
  return (
    <Page
      title={t('Delivery of {eventType}', { eventType: delivery.event_type })}
      intro={<Badge tone={DELIVERY_TONES[delivery.state]}>{deliveryState(delivery.state)}</Badge>}
      actions={
        mayResend && delivery.state !== 'pending' ? (
          <>
            <Button look="primary" busy={resend.isPending} onClick={() => resend.mutate(input)}>
              {t('Resend')}
            </Button>
            <CopyCurl operation="resendDelivery" input={input} />
          </>
        ) : undefined
      }
    >
      {resend.isError ? <ErrorNote error={resend.error} /> : null}
      <Card title={t('Request')}>
        <Facts
          rows={[
            [
              'Sent to',
              <code key="url" className="font-mono">
                {delivery.request.method} {delivery.request.url}
              </code>,
            ],
            [
              'Event id',
              <code key="event" className="font-mono">
                {delivery.event_id}
              </code>,
            ],
            [
              'Call',
              delivery.is_test ? (
                t('A test event has no call.')
              ) : (
                <Link
                  key="call"
                  to="/calls/$callId"
                  params={{ callId: delivery.call_id }}
                  className="text-accent underline"
                >
                  {t('Open')}
                </Link>
              ),
            ],
            ['Created', <Time key="created" iso={delivery.created_at} />],
            ['Next attempt', <Time key="next" iso={delivery.next_attempt_at} />],
            ...Object.entries(delivery.request.headers),
          ]}
        />
        <div className="mt-4 flex flex-col items-start gap-3">
          <CopyButton text={body} label={t('Copy the body')} />
          <pre
            className="max-h-96 w-full overflow-auto rounded-md bg-raised p-4 font-mono text-xs"
            tabIndex={0}
            role="region"
            aria-label={t('Body of the request')}
          >
            {body}
          </pre>
        </div>
      </Card>
      <section>
        <h2 className="mb-3 text-base font-semibold">{t('Answers')}</h2>
        {delivery.attempts.length === 0 ? (
          <p className="text-muted">{t('No attempt was made yet.')}</p>
        ) : (
          <Table
            caption={t('Attempts')}
            columns={COLUMNS}
            rows={delivery.attempts}
            keyOf={(attempt) => `${attempt.attempt} ${attempt.at}`}
          />
        )}
      </section>
    </Page>
  );
}
