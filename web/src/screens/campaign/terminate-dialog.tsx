import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl, TextField } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Campaign } from './campaign-page.tsx';

const WORD = 'terminate';

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
  const [typed, setTyped] = useState('');
  const waiting = campaign.registered_count + campaign.retry_count;
  const input = { campaign_id: campaign.id };
  return (
    <Dialog title="Terminate the campaign" onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          end.mutate(input, { onSuccess: onClose });
        }}
      >
        <p className="text-muted">
          {waiting === 1 ? '1 waiting contact is' : `${formatNumber(waiting)} waiting contacts are`} never{' '}
          {campaign.channel === 'whatsapp'
            ? 'written to. Messages that were sent stay.'
            : `called, ${formatNumber(campaign.retry_count)} of them for a retry. ${liveNote(campaign.ongoing_count)}`}{' '}
          This cannot be undone; the report stays.
        </p>
        <TextField
          label={`Type “${WORD}”`}
          value={typed}
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
        {end.isError ? <ErrorNote error={end.error} /> : null}
        <div className="flex flex-wrap justify-end gap-2">
          <CopyCurl operation="terminateCalls" input={input} />
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={typed !== WORD} busy={end.isPending}>
            Terminate
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const liveNote = (live: number): string => {
  if (live === 0) return 'No call is live.';
  const goOn = live === 1 ? 'goes on to its end and is' : 'go on to their end and are';
  return `${formatCount(live, 'live call')} ${goOn} not retried.`;
};
