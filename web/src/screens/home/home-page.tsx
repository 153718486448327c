import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { AnsweredStat } from '../../parts/answered-stat.tsx';
import { formatCount, formatNumber } from '../../ui/format.tsx';
import { ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { Stat, Stats } from '../../ui/stat.tsx';
import { OfflineNote } from '../providers/offline-note.tsx';
import { FailingWebhooks } from './failing-webhooks.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Health } from './health.tsx';
import { Held } from './held.tsx';
import { LatestCalls } from './latest-calls.tsx';

/** Analytics count days of UTC. */
const today = (): string => new Date().toISOString().slice(0, 10);
const LINK = 'text-accent underline';
const ms = (value: number | null): string => (value === null ? '–' : `${formatNumber(Math.round(value))} ms`);

/** What happens in the workspace now. */
export function HomePage(): ReactNode {
  const overview = useRead('getOverview', {});
  const day = useRead('getPlatformAnalytics', { start_date: today() });
  const workspace = useRead('getWorkspace', {});
  if (overview.isPending) {
    return (
      <Page title="Home">
        <Loading shape="stats" />
      </Page>
    );
  }
  if (overview.isError) {
    return (
      <Page title="Home">
        <ErrorNote error={overview.error} retry={() => void overview.refetch()} />
      </Page>
    );
  }
  const { live_calls: live, queued, campaigns, webhooks, latency } = overview.data;
  const single = queued.reduce((sum, { calls }) => sum + calls, 0);
  const contacts = campaigns.reduce((sum, campaign) => sum + campaign.waiting, 0);
  const balance = workspace.data?.workspace_info;
  return (
    <Page title="Home" intro="What happens in this workspace now. The page updates itself.">
      {webhooks.failed === 0 ? null : (
        <p role="status" className="rounded-md border border-bad bg-surface px-4 py-3">
          <span className="font-medium text-bad">
            {webhooks.failed === 1
              ? '1 webhook delivery failed in the last 24 hours.'
              : `${formatNumber(webhooks.failed)} webhook deliveries failed in the last 24 hours.`}
          </span>{' '}
          <Link to="/webhooks" search={{ state: 'failed' }} className={LINK}>
            See why, and send them again
          </Link>
        </p>
      )}
      <FailingWebhooks />
      <FirstSteps />
      <Stats>
        <Stat name="Live calls" value={formatNumber(live)}>
          {live === 0 ? (
            'Nobody is on the phone.'
          ) : (
            <Link to="/live" className={LINK}>
              Follow them
            </Link>
          )}
        </Stat>
        <Stat name="Queued calls" value={formatNumber(single + contacts)}>
          {campaigns.length === 0
            ? 'No campaign runs.'
            : `${formatNumber(contacts)} of ${formatCount(campaigns.length, 'campaign')}, ${formatNumber(single)} single.`}
        </Stat>
        <AnsweredStat name="Answered today (UTC)" share={day.data?.data} />
        <Stat name="Reply delay" value={ms(latency.p50_ms)}>
          {latency.turns === 0
            ? 'No turns of calls in 24 hours.'
            : `Half are faster; 95% within ${ms(latency.p95_ms)}.`}
        </Stat>
        <Stat
          name="Credits"
          value={
            balance === undefined ? '–' : balance.unlimited ? 'Unlimited' : formatNumber(balance.credits)
          }
        >
          {balance === undefined || balance.unlimited
            ? 'Calls are not charged.'
            : `${formatNumber(balance.locked_credits)} locked by live calls.`}
        </Stat>
      </Stats>
      <OfflineNote isLinked />
      <Held queued={queued} campaigns={campaigns} />
      <LatestCalls />
      <Health />
    </Page>
  );
}
