import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { CampaignState } from '../../parts/campaign-state.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { waitingReason } from '../../parts/waiting.ts';

type Overview = Answer<'getOverview'>;

const isLater = (iso: string | null): boolean => iso !== null && Date.parse(iso) > Date.now();

/** What waits, why, and until when. */
export function Held({ queued, campaigns }: Pick<Overview, 'queued' | 'campaigns'>): ReactNode {
  if (queued.length === 0 && campaigns.length === 0) return null;
  return (
    <div className="grid items-start gap-6 lg:grid-flow-col lg:auto-cols-fr">
      {queued.length === 0 ? null : (
        <Card title="Queued individual calls">
          <ul className="flex flex-col gap-3">
            {queued.map(({ reason, calls, next_attempt_at: next }) => (
              <li key={reason} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  <span className="font-medium tabular-nums">{formatNumber(calls)}</span>{' '}
                  <span className="text-muted">{waitingReason(reason)}</span>
                </span>
                {isLater(next) ? (
                  <span>
                    next <Time iso={next} isBrief />
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {campaigns.length === 0 ? null : (
        <Card title="Campaigns">
          <ul className="flex flex-col gap-3">
            {campaigns.map((campaign) => (
              <li key={campaign.id} className="flex flex-col gap-0.5">
                <span className="flex flex-wrap items-center justify-between gap-2">
                  <Link
                    to="/campaigns/$campaignId"
                    params={{ campaignId: campaign.id }}
                    className="min-w-0 font-medium wrap-anywhere text-accent"
                  >
                    {campaign.name}
                  </Link>
                  <CampaignState state={campaign.campaign_status} />
                </span>
                <span className="text-sm text-muted">
                  <WhyHeld campaign={campaign} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

function WhyHeld({ campaign }: { campaign: Overview['campaigns'][number] }): ReactNode {
  const { message, waiting_reason: reason, next_attempt_at: next } = campaign;
  if (message !== null) return message;
  if (reason === null) return 'No contact waits; the last calls end.';
  if (!isLater(next)) return 'Its contacts are called as limits allow.';
  return (
    <>
      {waitingReason(reason)}; next <Time iso={next} isBrief />
    </>
  );
}
