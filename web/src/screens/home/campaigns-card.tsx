import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { campaignReason } from '../../parts/campaign-reason.ts';
import { CampaignState } from '../../parts/campaign-state.tsx';
import { waitingReason } from '../../parts/waiting.ts';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

type Running = Answer<'getOverview'>['campaigns'][number];
type Counted = Answer<'listCampaigns'>['campaigns'][number];

const isLater = (iso: string | null): boolean => iso !== null && Date.parse(iso) > Date.now();

/** Campaigns that were started and have not ended: how far each is, and why it waits. */
export function CampaignsCard({ campaigns }: { campaigns: readonly Running[] }): ReactNode {
  const { data } = useRead('listCampaigns', { limit: 50 }, { enabled: campaigns.length > 0 });
  if (campaigns.length === 0) return null;
  const counts = new Map((data?.campaigns ?? []).map((each) => [each.id, each] as const));
  return (
    <Card
      title={t('Campaigns')}
      aside={
        <Link to="/campaigns" className="text-muted">
          {t('See all')}
        </Link>
      }
    >
      <ul className="flex flex-col gap-3">
        {campaigns.map((campaign) => (
          <li key={campaign.id} className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-2">
              <Link
                to="/campaigns/$campaignId"
                params={{ campaignId: campaign.id }}
                className="min-w-0 font-medium wrap-anywhere text-ink"
              >
                {campaign.name}
              </Link>
              <CampaignState state={campaign.campaign_status} />
            </span>
            <Course counted={counts.get(campaign.id)} />
            <span className="text-xs text-muted">
              <WhyHeld campaign={campaign} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The ended contacts of a campaign as a bar, completed ones first. */
function Course({ counted }: { counted: Counted | undefined }): ReactNode {
  const {
    total_count: total = 0,
    completed_count: completed = 0,
    failed_count: failed = 0,
    cancelled_count: cancelled = 0,
  } = counted ?? {};
  if (total === 0) return null;
  const ended = completed + failed + cancelled;
  const share = (count: number): string => `${(count / total) * 100}%`;
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="flex h-1.5 grow overflow-hidden rounded-sm bg-raised">
        <span className="bg-good" style={{ width: share(completed) }} />
        <span className="bg-bad" style={{ width: share(failed) }} />
        <span className="bg-muted" style={{ width: share(cancelled) }} />
      </span>
      <span className="text-xs text-muted tabular-nums">
        {t('{some} of {all}', { some: formatNumber(ended), all: formatNumber(total) })}
      </span>
    </span>
  );
}

function WhyHeld({ campaign }: { campaign: Running }): ReactNode {
  const { waiting_reason: reason, next_attempt_at: next } = campaign;
  const held = campaignReason(campaign);
  if (held !== null) return held;
  if (reason === null) return t('No contact is waiting; the last calls are ending.');
  if (!isLater(next)) return t('Its contacts are called as limits allow.');
  return (
    <>{rich('{reason}; next {time}', { reason: waitingReason(reason), time: <Time iso={next} isBrief /> })}</>
  );
}
