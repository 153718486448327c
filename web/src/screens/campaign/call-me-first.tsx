import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { ANY_TIME } from '../../parts/any-time.ts';
import { PhoneField, usePhone } from '../../parts/phone-field.tsx';
import type { Campaign } from './types.ts';
import type { Callers } from './types.ts';
import type { Row } from './use-sampled-rows.ts';
import { t } from '../../words/words.ts';

/** A call of the assistant to the reader's own phone, with the values of one row of the list. */
export function CallMeFirst({
  campaign,
  callers,
  row,
}: {
  campaign: Campaign;
  callers: Callers;
  /** Undefined: the rows are being read. */
  row: Row | undefined;
}): ReactNode {
  const phone = usePhone();
  const [isTried, setTried] = useState(false);
  const place = useChange('placeCallV2', ['listCalls', 'getOverview']);
  const from = callers.numbers[0];
  const call = (): void => {
    setTried(true);
    if (phone.e164 === null || row === undefined) return;
    place.mutate({
      agent_id: campaign.agent_id,
      name: row.callee_name === '' ? 'Test' : row.callee_name,
      mobile_number: phone.e164,
      ...(callers.pool === null ? { from_number_id: from?.id ?? '' } : { number_pool_id: callers.pool.id }),
      custom_args_values: row.custom_args_values,
      call_config: ANY_TIME,
    });
  };
  const { error } = place;
  const ofNumber = error?.fields.get('mobile_number');
  return (
    <section
      aria-label={t('Call me first')}
      className="flex flex-col gap-2 rounded-md border border-line p-3"
    >
      <h3 className="text-sm font-semibold">{t('Call me first')}</h3>
      <p className="text-sm text-muted">
        {t('The assistant calls your phone now{row}. It uses credits, and the list stays as it is.', {
          row:
            row === undefined || row.callee_name === ''
              ? ''
              : ` ${t('and speaks as it would to {calleeName}', { calleeName: row.callee_name })}`,
        })}
      </p>
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-60 grow">
          <PhoneField label={t('Your number')} isOptional phone={phone} isTried={isTried} error={ofNumber} />
        </div>
        <div className="pt-6">
          <Button busy={place.isPending} disabled={row === undefined} onClick={call}>
            {t('Call me')}
          </Button>
        </div>
      </div>
      {error === null || ofNumber !== undefined ? null : <ErrorNote error={error} />}
      {place.data === undefined ? null : (
        <p role="status" className="text-sm">
          {t('The call is on its way.')}{' '}
          <Link
            to="/calls/$callId"
            params={{ callId: place.data.data.call_id }}
            target="_blank"
            className="text-accent underline"
          >
            {t('Follow it in another tab')}
          </Link>
        </p>
      )}
    </section>
  );
}
