import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { CopyCurl } from '../../ui/controls.tsx';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { TypedDialog } from '../../ui/typed-dialog.tsx';
import type { Campaign } from './types.ts';

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
  const input = { campaign_id: campaign.id };
  return (
    <TypedDialog
      title="Terminate the campaign"
      word="terminate"
      action="Terminate"
      isBusy={end.isPending}
      error={end.error}
      curl={<CopyCurl operation="terminateCalls" input={input} />}
      onConfirm={() => end.mutate(input, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="text-muted">
        {waiting === 1 ? '1 waiting contact is' : `${formatNumber(waiting)} waiting contacts are`} never{' '}
        {campaign.channel === 'whatsapp'
          ? 'written to. Messages that were sent stay.'
          : `called, ${formatNumber(campaign.retry_count)} of them for a retry. ${liveNote(campaign.ongoing_count)}`}{' '}
        This cannot be undone; the report stays.
      </p>
    </TypedDialog>
  );
}

const liveNote = (live: number): string => {
  if (live === 0) return 'No call is live.';
  const goOn = live === 1 ? 'goes on to its end and is' : 'go on to their end and are';
  return `${formatCount(live, 'live call')} ${goOn} not retried.`;
};
