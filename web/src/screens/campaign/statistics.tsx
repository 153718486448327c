import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { AnsweredStat } from '../../parts/answered-stat.tsx';
import { resultName } from '../../parts/result-name.ts';
import { Results } from '../../parts/results-card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { AnswerHours } from './answer-hours.tsx';
import { BurnUpChart } from './burn-up-chart.tsx';
import { LIST_ID, PersonList, PersonStat } from './needs-person.tsx';
import { personResults } from './person-results.ts';
import { RetryFunnel } from './retry-funnel.tsx';
import { t } from '../../words/words.ts';

const useStatistics = (campaignId: string) => useRead('getCampaignStatistics', { campaign_id: campaignId });

/** How many of the contacts of a campaign answered, the results of their calls, and the people who asked for a person. */
export function CallResults({ campaignId }: { campaignId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Loaded read={useStatistics(campaignId)}>
      {(statistics) => {
        const asked = personResults(statistics.results);
        return (
          <>
            <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]">
              <div className="flex flex-col gap-4">
                <AnsweredStat name={t('Answered')} share={statistics} />
                {asked.length === 0 ? null : (
                  <PersonStat
                    count={asked.reduce((sum, { calls }) => sum + calls, 0)}
                    isOpen={isOpen}
                    onToggle={() => setOpen(!isOpen)}
                  />
                )}
              </div>
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
            <div id={LIST_ID} className="flex flex-col gap-4 empty:hidden">
              {isOpen
                ? asked.map(({ result, source }) => (
                    <PersonList
                      key={result}
                      campaignId={campaignId}
                      result={result}
                      words={resultName(result, source)}
                    />
                  ))
                : null}
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

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
