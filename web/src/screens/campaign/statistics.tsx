import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { AnsweredStat } from '../../parts/answered-stat.tsx';
import { Results } from '../../parts/results-card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { AnswerHours } from './answer-hours.tsx';
import { RetryFunnel } from './retry-funnel.tsx';
import { t } from '../../words/words.ts';

/** When the contacts of a campaign answer, and after how many calls. */
export function Statistics({ campaignId }: { campaignId: string }): ReactNode {
  const read = useRead('getCampaignStatistics', { campaign_id: campaignId });
  return (
    <Loaded read={read}>
      {(statistics) => (
        <>
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]">
            <AnsweredStat name={t('Answered')} share={statistics} />
            <Results
              results={statistics.results}
              link={(result) => (
                <Link
                  to="/campaigns/$campaignId"
                  params={{ campaignId }}
                  search={{ result }}
                  hash="contacts"
                  className="text-ink hover:underline"
                >
                  {result}
                </Link>
              )}
            />
          </div>
          <RetryFunnel steps={statistics.attempts} />
          <AnswerHours statistics={statistics} />
        </>
      )}
    </Loaded>
  );
}
