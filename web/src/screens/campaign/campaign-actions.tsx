import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { MoreActions } from '../../ui/more-actions.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import type { Campaign } from './types.ts';
import { TerminateDialog } from './terminate-dialog.tsx';
import { t } from '../../words/words.ts';

export const AFFECTED = ['getCampaign', 'getCampaignProgress', 'listCampaigns', 'getOverview'] as const;
/** States in which a running campaign does not call. */
export const HELD: ReadonlySet<string> = new Set(['paused', 'insufficient_balance']);

/** Pause, terminate, and the report; the banner of a held campaign resumes it. */
export function CampaignActions({
  campaign,
  isRunning,
  mayChange,
}: {
  campaign: Campaign;
  isRunning: boolean;
  mayChange: boolean;
}): ReactNode {
  const pause = useChange('pauseCampaign', AFFECTED, (input) => ({
    text: t('“{name}” is paused: live calls go on, no new ones begin.', { name: campaign.name }),
    about: campaign.id,
    undo: () => call('resumeCampaign', input),
  }));
  const [isEnding, setIsEnding] = useState(false);
  const input = { campaign_id: campaign.id };
  const isHeld = HELD.has(campaign.campaign_status);
  const mayPause = isRunning && mayChange;
  const failure = pause.error;
  const isPhone = useIsPhone();
  const report = (
    <DownloadButton
      operation="reportCampaign"
      input={input}
      file={`${campaign.name}.csv`}
      of={t('the report')}
    >
      {isRunning ? t('Download the report so far') : t('Download the report')}
    </DownloadButton>
  );
  return (
    <section aria-label={t('Actions')} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {mayPause && !isHeld ? (
          <Button busy={pause.isPending} onClick={() => pause.mutate(input)}>
            {t('Pause')}
          </Button>
        ) : null}
        {isPhone ? null : report}
        <MoreActions>
          {(close) => (
            <>
              {mayPause ? (
                <>
                  <Button
                    look="danger"
                    onClick={() => {
                      close();
                      setIsEnding(true);
                    }}
                  >
                    {t('Terminate')}
                  </Button>
                  <CopyCurl operation={isHeld ? 'resumeCampaign' : 'pauseCampaign'} input={input} />
                </>
              ) : null}
              {isPhone ? report : null}
              {campaign.channel === 'whatsapp' ? null : (
                <Link to="/calls" search={{ campaign: campaign.id }} className={buttonClass()}>
                  {t('Show its calls')}
                </Link>
              )}
            </>
          )}
        </MoreActions>
      </div>
      {failure === null ? null : <ErrorNote error={failure} />}
      {isEnding ? <TerminateDialog campaign={campaign} onClose={() => setIsEnding(false)} /> : null}
    </section>
  );
}
