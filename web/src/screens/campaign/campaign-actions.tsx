import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button, CopyCurl } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import type { Campaign } from './campaign-page.tsx';
import { TerminateDialog } from './terminate-dialog.tsx';

const AFFECTED = ['getCampaign', 'listCampaigns', 'getOverview'] as const;
const HELD = new Set(['paused', 'insufficient_balance']);

/** Pause, resume, terminate, and the report. */
export function CampaignActions({
  campaign,
  isRunning,
  mayChange,
}: {
  campaign: Campaign;
  isRunning: boolean;
  mayChange: boolean;
}): ReactNode {
  const pause = useChange('pauseCampaign', AFFECTED);
  const resume = useChange('resumeCampaign', AFFECTED);
  const [isEnding, setIsEnding] = useState(false);
  const [error, setError] = useState<ApiFailure | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  const input = { campaign_id: campaign.id };
  const isHeld = HELD.has(campaign.campaign_status);
  const failure = pause.error ?? resume.error ?? error;
  const download = async (): Promise<void> => {
    setError(null);
    setIsLoading(true);
    try {
      const response = await call('reportCampaign', input);
      save(await response.blob(), `${campaign.name}.csv`);
    } catch (caught) {
      if (!(caught instanceof ApiFailure)) throw caught;
      setError(caught);
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <section aria-label="Actions" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {isRunning && mayChange ? (
          <>
            {isHeld ? (
              <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate(input)}>
                Resume
              </Button>
            ) : (
              <Button busy={pause.isPending} onClick={() => pause.mutate(input)}>
                Pause
              </Button>
            )}
            <Button look="danger" onClick={() => setIsEnding(true)}>
              Terminate
            </Button>
            <CopyCurl operation={isHeld ? 'resumeCampaign' : 'pauseCampaign'} input={input} />
          </>
        ) : null}
        <Button busy={isLoading} onClick={() => void download()}>
          Download the report
        </Button>
        <Link to="/calls" className="text-sm text-accent underline">
          All calls
        </Link>
      </div>
      {failure === null ? null : <ErrorNote error={failure} />}
      {isEnding ? <TerminateDialog campaign={campaign} onClose={() => setIsEnding(false)} /> : null}
    </section>
  );
}

/** Hands a file to the browser's downloads. */
function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[/\\:*?"<>|]/g, '-');
  link.click();
  URL.revokeObjectURL(url);
}
