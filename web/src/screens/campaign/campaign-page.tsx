import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.ts';
import { campaignReason } from '../../parts/campaign-reason.ts';
import { CampaignState } from '../../parts/campaign-state.tsx';
import { formatCount, formatNumber, Time } from '../../ui/format.tsx';
import { Card, ErrorNote, Facts, Loading, Page } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CampaignActions, HELD } from './campaign-actions.tsx';
import { Contacts } from './contacts.tsx';
import { HeldBanner } from './held-banner.tsx';
import { ImportProgress, SkippedRows } from './import-progress.tsx';
import { Messages } from './messages.tsx';
import { PaceSection } from './pace-section.tsx';
import { Progress } from './progress.tsx';
import { StartCard } from './start-card.tsx';
import { StartMessagesCard } from './start-messages-card.tsx';
import { AnswerTimes, CallResults } from './statistics.tsx';
import type { Campaign } from './types.ts';
import { t } from '../../words/words.ts';

const RUNNING = new Set(['scheduled', 'ongoing', 'paused', 'insufficient_balance']);
const IMPORTING = new Set(['uploaded', 'verifying', 'failed']);
const LINK = 'text-accent underline';

export function CampaignPage(): ReactNode {
  const { campaignId } = useParams({ from: '/app/campaigns/$campaignId' });
  const read = useRead('getCampaign', { campaign_id: campaignId });
  if (read.isPending) {
    return (
      <Page title={t('Campaign')}>
        <Loading />
      </Page>
    );
  }
  if (read.isError) {
    return (
      <Page title={t('Campaign')}>
        <ErrorNote error={read.error} retry={() => void read.refetch()} />
      </Page>
    );
  }
  return <CampaignDetails key={campaignId} campaign={read.data.campaign} />;
}

function CampaignDetails({ campaign }: { campaign: Campaign }): ReactNode {
  const mayChange = useMay('manager');
  const state = campaign.campaign_status;
  const isWritten = campaign.channel === 'whatsapp';
  const isRunning = RUNNING.has(state);
  const hasStarted = !IMPORTING.has(state) && state !== 'draft';
  const { result } = useSearch({ from: '/app/campaigns/$campaignId' });
  const rules = (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Rules campaign={campaign} />
      <ListFacts campaign={campaign} />
    </div>
  );
  return (
    <Page
      title={campaign.name}
      intro={
        <span className="flex flex-wrap items-center gap-2">
          <CampaignState state={state} />
          {HELD.has(state) ? null : campaignReason(campaign)}
        </span>
      }
      actions={
        IMPORTING.has(state) ? null : (
          <CampaignActions campaign={campaign} isRunning={isRunning} mayChange={mayChange} />
        )
      }
    >
      {HELD.has(state) ? <HeldBanner campaign={campaign} mayChange={mayChange} /> : null}
      {IMPORTING.has(state) ? <ImportProgress campaignId={campaign.id} /> : null}
      {state === 'draft' && campaign.failed_rows > 0 ? <SkippedRows campaignId={campaign.id} /> : null}
      {state === 'draft' && mayChange ? (
        isWritten ? (
          <StartMessagesCard campaign={campaign} />
        ) : (
          <StartCard campaign={campaign} />
        )
      ) : null}
      {hasStarted ? <Progress campaign={campaign} isRunning={isRunning} /> : null}
      {isRunning && !isWritten ? <PaceSection campaign={campaign} isHeld={HELD.has(state)} /> : null}
      {hasStarted && !isWritten ? <CallResults campaignId={campaign.id} /> : null}
      {hasStarted ? (
        <Tabs
          // A result that was pressed shows its people, whichever part is open.
          key={result ?? ''}
          label={t('Parts of the campaign')}
          tabs={[
            [
              'People',
              isWritten ? (
                <Messages key="messages" campaign={campaign} />
              ) : (
                <Contacts key="contacts" campaign={campaign} />
              ),
            ],
            ...(isWritten
              ? []
              : ([
                  ['Timing', <AnswerTimes key="times" campaignId={campaign.id} isRunning={isRunning} />],
                ] as const)),
            ['Rules and money', rules],
          ]}
        />
      ) : (
        rules
      )}
    </Page>
  );
}

/** What the list had, and what the campaign costs. */
function ListFacts({ campaign }: { campaign: Campaign }): ReactNode {
  const isWritten = campaign.channel === 'whatsapp';
  return (
    <Card title={isWritten ? t('List') : t('Money and list')}>
      <Facts
        rows={[
          ...(isWritten
            ? []
            : ([
                ['Spent', formatCount(campaign.spent_credits, 'credit')],
                ['For the waiting contacts, at least', formatCount(campaign.required_credits, 'credit')],
              ] as const)),
          ['Rows in the file', formatNumber(campaign.total_rows)],
          ['Contacts', formatNumber(campaign.successful_rows)],
          ['Invalid rows', formatNumber(campaign.failed_rows)],
          ['Created', <Time key="created" iso={campaign.created_at} />],
          ['Started', <Time key="started" iso={campaign.started_at} />],
          ['Ended', <Time key="ended" iso={campaign.ended_at} />],
        ]}
      />
    </Card>
  );
}

function Rules({ campaign }: { campaign: Campaign }): ReactNode {
  const { retry_budget: retries, circuit_breaker: breaker } = campaign;
  const isWritten = campaign.channel === 'whatsapp';
  return (
    <Card title={t('Rules')}>
      <Facts
        rows={[
          [
            'Assistant',
            <Link key="agent" to="/agents/$agentId" params={{ agentId: campaign.agent_id }} className={LINK}>
              {t('Open')}
            </Link>,
          ],
          ...(campaign.template === null
            ? []
            : ([['Template', `${campaign.template.name} (${campaign.template.language})`]] as const)),
          [
            isWritten ? t('First message not before') : t('First call not before'),
            <Time key="from" iso={campaign.campaign_start_time} />,
          ],
          [
            isWritten ? t('No message after') : t('No call after'),
            <Time key="until" iso={campaign.campaign_end_time} />,
          ],
          ['Retries of each contact', formatNumber(retries.retry_count)],
          [
            'Minutes until a retry',
            isWritten
              ? t('{retryFailed} after a failure', { retryFailed: retries.retry_failed })
              : t(
                  '{retryNotPicked} without an answer, {retryBusy} when busy, {retryFailed} after a failure',
                  {
                    retryNotPicked: retries.retry_not_picked,
                    retryBusy: retries.retry_busy,
                    retryFailed: retries.retry_failed,
                  },
                ),
          ],
          ['Share of the concurrency', formatShare((campaign.concurrency_percentage ?? 100) / 100)],
          ...(isWritten
            ? []
            : ([
                [
                  'Circuit breaker',
                  t('Pauses when {failedShare} of the last {windowCalls} calls fail', {
                    failedShare: formatShare(breaker.failed_share),
                    windowCalls: breaker.window_calls,
                  }),
                ],
              ] as const)),
        ]}
      />
    </Card>
  );
}
