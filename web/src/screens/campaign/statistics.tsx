import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { AnsweredStat } from '../../parts/answered-stat.tsx';
import { Results } from '../../parts/results-card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { personResults } from '../needs-person/person-results.ts';
import { useOpenPeople } from '../needs-person/use-open-people.ts';
import { AnswerHours } from './answer-hours.tsx';
import { BurnUpChart } from './burn-up-chart.tsx';
import { LIST_ID, PeopleByResult, PersonStat, SHOWN } from './needs-person.tsx';
import { RetryFunnel } from './retry-funnel.tsx';
import { t } from '../../words/words.ts';

const useStatistics = (campaignId: string) => useRead('getCampaignStatistics', { campaign_id: campaignId });

type Statistics = Answer<'getCampaignStatistics'>;

/** How many of the contacts of a campaign answered, the results of their calls, and the people who asked for a person. */
export const CallResults = ({ campaignId }: { campaignId: string }): ReactNode => (
  <Loaded read={useStatistics(campaignId)}>
    {(statistics) => <ResultsOf campaignId={campaignId} statistics={statistics} />}
  </Loaded>
);

function ResultsOf({ campaignId, statistics }: { campaignId: string; statistics: Statistics }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const asked = personResults(statistics.results);
  const people = useOpenPeople(asked, { bulk_list_id: campaignId, limit: SHOWN });
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)] lg:grid-cols-[minmax(0,1fr)_minmax(0,3fr)]">
        <div className="flex flex-col gap-4">
          <AnsweredStat name={t('Answered')} share={statistics} />
          {asked.length === 0 ? null : (
            <PersonStat people={people} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
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
        {isOpen ? <PeopleByResult campaignId={campaignId} people={people} /> : null}
      </div>
    </>
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
