import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { AnsweredStat } from '../../parts/answered-stat.tsx';
import { Results } from '../../parts/results-card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { AnswerHours } from './answer-hours.tsx';
import { BurnUpChart } from './burn-up-chart.tsx';
import { RetryFunnel } from './retry-funnel.tsx';
import { t } from '../../words/words.ts';

const useStatistics = (campaignId: string) => useRead('getCampaignStatistics', { campaign_id: campaignId });

/** How many of the contacts of a campaign answered, and the results of their calls. */
export const CallResults = ({ campaignId }: { campaignId: string }): ReactNode => (
  <Loaded read={useStatistics(campaignId)}>
    {(statistics) => (
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]">
        <AnsweredStat name={t('Answered')} share={statistics} />
        <Results
          results={statistics.results}
          link={(result, words) => (
            <Link
              to="/campaigns/$campaignId"
              params={{ campaignId }}
              search={{ result }}
              hash="contacts"
              className="text-ink hover:underline"
            >
              {words}
            </Link>
          )}
        />
      </div>
    )}
  </Loaded>
);

/**
 * How far the calls of a campaign are, when its contacts answer, and after how many calls; the results above it tell of a
 * failed read.
 */
export function AnswerTimes({
  campaignId,
  isRunning,
}: {
  campaignId: string;
  isRunning: boolean;
}): ReactNode {
  const { data } = useStatistics(campaignId);
  return data === undefined ? null : (
    <>
      <BurnUpChart statistics={data} isRunning={isRunning} />
      <RetryFunnel steps={data.attempts} />
      <AnswerHours statistics={data} />
    </>
  );
}
