import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { campaignReason } from '../../parts/campaign-reason.ts';
import { formatNumber } from '../../ui/format.tsx';
import { Notice } from '../../ui/notice.tsx';
import { t } from '../../words/words.ts';

type Overview = Answer<'getOverview'>;

/** What stopped and needs somebody: campaigns that paused themselves, and webhooks that reach nobody. */
export function Attention({ campaigns, webhooks }: Pick<Overview, 'campaigns' | 'webhooks'>): ReactNode {
  const stopped = campaigns.filter(
    ({ campaign_status: status, message, reason }) =>
      status === 'insufficient_balance' ||
      (status === 'paused' && message !== null && reason?.code !== 'by_request'),
  );
  return (
    <>
      {stopped.map((campaign) => (
        <Notice
          key={campaign.id}
          tone="warn"
          title={
            campaign.campaign_status === 'paused'
              ? t('{name} paused itself.', { name: campaign.name })
              : t('{name} is out of credits.', { name: campaign.name })
          }
          action={
            <Link
              to="/campaigns/$campaignId"
              params={{ campaignId: campaign.id }}
              className="text-warn underline"
            >
              {t('See why and resume')}
            </Link>
          }
        >
          {campaignReason(campaign)}
        </Notice>
      ))}
      {webhooks.failed === 0 ? null : (
        <Notice
          tone="bad"
          title={
            webhooks.failed === 1
              ? t('1 webhook delivery failed in the last 24 hours.')
              : t('{failed} webhook deliveries failed in the last 24 hours.', {
                  failed: formatNumber(webhooks.failed),
                })
          }
          action={
            <Link to="/webhooks" search={{ state: 'failed' }} className="text-bad underline">
              {t('See why, and send them again')}
            </Link>
          }
        />
      )}
      <FailingReceivers />
    </>
  );
}

/** Receivers that accept nothing since a delivery was given up; nothing while all are well. */
function FailingReceivers(): ReactNode {
  const failures = useRead('listFailures', { limit: 1 });
  const receivers = failures.data?.receivers ?? [];
  if (receivers.length === 0) return null;
  const kept = receivers.reduce((sum, receiver) => sum + receiver.kept_count, 0);
  const off = receivers.filter((receiver) => receiver.disabled_at !== null).length;
  return (
    <Notice
      tone="bad"
      title={
        receivers.length === 1
          ? t('1 webhook receiver accepts nothing.')
          : t('{count} webhook receivers accept nothing.', { count: formatNumber(receivers.length) })
      }
      action={
        <Link to="/webhooks" className="text-bad underline">
          {t('See details')}
        </Link>
      }
    >
      {off === 0 ? '' : `${t('{off} of them disabled after five days.', { off: formatNumber(off) })} `}
      {kept === 0 ? '' : `${t('{kept} kept until it is back.', { kept: formatNumber(kept) })} `}
    </Notice>
  );
}
