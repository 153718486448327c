import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { resultName } from '../../parts/result-name.ts';
import { formatNumber } from '../../ui/format.tsx';
import { Card, ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { PersonList, useCallBack } from '../needs-person/person-list.tsx';
import { personResults } from '../needs-person/person-results.ts';
import { useOpenPeople } from '../needs-person/use-open-people.ts';
import { firstDay } from './figures.ts';

const SHOWN = 5;

/** The people of the last 30 days who asked for a person, to call back and to mark as done; nothing while there are none. */
export function NeedsPerson({ today }: { today: string }): ReactNode {
  const from = firstDay('month', today);
  const labels = useRead('getClassificationAnalytics', { start_date: from }, { keep: true });
  const { groups, count, failure, finish } = useOpenPeople(personResults(labels.data?.data.results ?? []), {
    start_date: from,
    limit: SHOWN,
  });
  const { callBack, dialog } = useCallBack();
  const shown = (groups ?? []).filter(({ total }) => total > 0);
  return (
    <>
      {count === 0 ? null : (
        <Card
          title={t('Needs a person')}
          isFlush
          aside={<span className="text-sm text-muted tabular-nums">{formatNumber(count)}</span>}
        >
          {failure === null ? null : (
            <div className="px-4 pb-3">
              <ErrorNote error={failure} />
            </div>
          )}
          {shown.map(({ result, source, calls, total }) => (
            <section key={result} aria-label={resultName(result, source)}>
              <PersonList
                caption={resultName(result, source)}
                calls={calls}
                callBack={callBack}
                finish={finish}
                isBare
              />
              {total > calls.length ? (
                <Link to="/calls" search={{ result, from }} className="block px-4 py-3 text-accent underline">
                  {t('All calls with this result')}
                </Link>
              ) : null}
            </section>
          ))}
        </Card>
      )}
      {dialog}
    </>
  );
}
