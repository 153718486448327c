import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useChange } from '../../api/queries.ts';
import { campaignReason } from '../../parts/campaign-reason.ts';
import { Button } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { AFFECTED } from './campaign-actions.tsx';
import type { Campaign } from './types.ts';
import { t } from '../../words/words.ts';

/** Why a campaign does not call, the calls that tell more, and the way on. */
export function HeldBanner({ campaign, mayChange }: { campaign: Campaign; mayChange: boolean }): ReactNode {
  const resume = useChange('resumeCampaign', AFFECTED, () => ({
    text: t('“{name}” is running again.', { name: campaign.name }),
    about: campaign.id,
  }));
  const cause = campaign.reason?.code === 'by_request' ? null : campaignReason(campaign);
  return (
    <section
      aria-label={t('Paused')}
      className="flex flex-col gap-3 rounded-lg border border-warn bg-warn-tint p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div role="status">
          <p className="font-medium text-ink">{cause ?? t('The campaign is paused: no new calls begin.')}</p>
          {cause === null || campaign.channel === 'whatsapp' ? null : (
            <Link
              to="/calls"
              search={{ campaign: campaign.id, status: 'failed' }}
              className="text-sm text-ink underline"
            >
              {t('Show the failed calls')}
            </Link>
          )}
        </div>
        {mayChange ? (
          <Button
            look="primary"
            busy={resume.isPending}
            onClick={() => resume.mutate({ campaign_id: campaign.id })}
          >
            {t('Resume')}
          </Button>
        ) : null}
      </div>
      {resume.isError ? <ErrorNote error={resume.error} /> : null}
    </section>
  );
}
