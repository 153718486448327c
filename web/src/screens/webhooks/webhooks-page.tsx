import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { DeliveryTable } from '../../parts/delivery-table.tsx';
import { ListFilters } from '../../ui/filters/list-filters.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { FailingReceivers } from './failing-receivers.tsx';
import { deliveryFilters, STATES } from './filters.ts';
import { Recover } from './recover.tsx';
import { TestEventDialog } from './test-event-dialog.tsx';
import { deliveryState } from '../../parts/delivery-names.ts';
import { t } from '../../words/words.ts';

const SIZE = 50;

/** The delivery log: what was sent to receivers, what they answered, and sending again. */
export function WebhooksPage(): ReactNode {
  const { state, page = 1 } = useSearch({ from: '/app/webhooks' });
  const navigate = useNavigate({ from: '/webhooks' });
  const mayResend = useMay('manager');
  const isOwner = useMay('owner');
  const [isTesting, setIsTesting] = useState(false);
  const list = useRead(
    'listDeliveries',
    { limit: SIZE, offset: (page - 1) * SIZE, ...(state === undefined ? {} : { state }) },
    { keep: true },
  );
  const show = (next: number): void =>
    void navigate({ search: deliveryFilters({ state, page: next }), replace: true });
  return (
    <Page
      title={t('Webhooks')}
      intro={t(
        'Every event that was sent to your receivers. A delivery has four attempts; after that it is kept if the receiver recovers automatically, or you send it again here.',
      )}
      actions={
        <>
          {mayResend ? <Button onClick={() => setIsTesting(true)}>{t('Send a test event')}</Button> : null}
          {isOwner ? (
            <Link to="/settings/api-key" className={buttonClass()}>
              {t('Signing secret')}
            </Link>
          ) : null}
        </>
      }
    >
      <FailingReceivers />
      {isTesting ? <TestEventDialog onClose={() => setIsTesting(false)} /> : null}
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <ListFilters
          filters={[
            {
              name: 'state',
              label: t('State'),
              value: state,
              kind: 'choice',
              options: STATES.map((each) => [each, deliveryState(each)] as const),
            },
          ]}
          onChange={(_, value) => void navigate({ search: deliveryFilters({ state: value }), replace: true })}
          onClear={() => void navigate({ search: {}, replace: true })}
        />
        {mayResend ? <Recover /> : null}
      </div>
      {list.isPending ? (
        <Loading shape="table" />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : list.data.deliveries.length > 0 ? (
        <>
          <DeliveryTable caption={t('Deliveries')} deliveries={list.data.deliveries} />
          {page > 1 || list.data.has_more ? (
            <nav aria-label={t('Pages')} className="flex justify-end gap-2">
              <Button disabled={page <= 1} onClick={() => show(page - 1)}>
                {t('Newer')}
              </Button>
              <Button disabled={!list.data.has_more} onClick={() => show(page + 1)}>
                {t('Older')}
              </Button>
            </nav>
          ) : null}
        </>
      ) : state === undefined ? (
        <EmptyState
          title={t('Nothing was sent yet')}
          icon="plug"
          action={
            <Link to="/agents" className={buttonClass('primary')}>
              {t('Open the assistants')}
            </Link>
          }
          curl={
            <CopyCurl
              operation="sendTestEvent"
              input={{ event_type: 'call_completed', callback_url: 'https://www.example.com/hook' }}
            />
          }
        >
          {t(
            'Subscribe a receiver to the events of an assistant, or name a callback_url when you place a call.',
          )}
        </EmptyState>
      ) : (
        <EmptyState
          title={t('No delivery is in this state')}
          icon="plug"
          action={<Button onClick={() => void navigate({ search: {} })}>{t('Show all')}</Button>}
        >
          {t('The log has deliveries of other states, or none.')}
        </EmptyState>
      )}
    </Page>
  );
}
