import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { DeliveryTable } from '../../parts/delivery-table.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { t } from '../../words/words.ts';

const REFRESH_MS = 10_000;

/** The webhooks of the call, and what their receivers answered. */
export function Deliveries({ callId }: { callId: string }): ReactNode {
  const list = useRead('listDeliveries', { call_id: callId, limit: 200 }, { every: REFRESH_MS });
  return (
    <section>
      <h2 className="mb-3 text-base font-semibold">{t('Webhook deliveries')}</h2>
      <Loaded read={list} shape="table">
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className="text-muted">{t('None: no receiver is subscribed to the events of this call.')}</p>
          ) : (
            <DeliveryTable caption={t('Webhook deliveries')} deliveries={deliveries} />
          )
        }
      </Loaded>
    </section>
  );
}
