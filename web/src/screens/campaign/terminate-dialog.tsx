import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { TypedDialog } from '../../ui/typed-dialog.tsx';
import type { Campaign } from './types.ts';
import { t } from '../../words/words.ts';

/** A terminated campaign cannot go on, so it takes a typed word. */
export function TerminateDialog({
  campaign,
  onClose,
}: {
  campaign: Campaign;
  onClose: () => void;
}): ReactNode {
  const end = useChange('terminateCalls', [
    'getCampaign',
    'listCampaignContacts',
    'listCampaigns',
    'getOverview',
  ]);
  const waiting = campaign.registered_count + campaign.retry_count;
  const count = formatNumber(waiting);
  const retries = formatNumber(campaign.retry_count);
  const input = { campaign_id: campaign.id };
  return (
    <TypedDialog
      title={t('Terminate the campaign')}
      word="terminate"
      action={t('Terminate')}
      isBusy={end.isPending}
      error={end.error}
      curl={<CopyCurl operation="terminateCalls" input={input} />}
      onConfirm={() => end.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-muted">
        {campaign.channel === 'whatsapp'
          ? waiting === 1
            ? t('1 waiting contact is never written to. Messages that were sent stay.')
            : t('{count} waiting contacts are never written to. Messages that were sent stay.', { count })
          : `${
              waiting === 1
                ? t('1 waiting contact is never called, {retries} of them for a retry.', { retries })
                : t('{count} waiting contacts are never called, {retries} of them for a retry.', {
                    count,
                    retries,
                  })
            } ${liveNote(campaign.ongoing_count)}`}{' '}
        {t('This cannot be undone; the report stays.')}
      </p>
    </TypedDialog>
  );
}

const liveNote = (live: number): string => {
  if (live === 0) return t('No call is live.');
  return live === 1
    ? t('1 live call goes on to its end and is not retried.')
    : t('{count} live calls go on to their end and are not retried.', { count: formatNumber(live) });
};
