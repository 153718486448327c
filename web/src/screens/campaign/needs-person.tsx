import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { resultName } from '../../parts/result-name.ts';
import { Button } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { Stat } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';
import { PersonList, useCallBack } from '../needs-person/person-list.tsx';
import type { OpenPeople } from '../needs-person/use-open-people.ts';

/** The latest calls of a result; the contacts of the campaign list all of them. */
export const SHOWN = 50;
export const LIST_ID = 'needs-person';

/** How many people asked to speak with a person and are not done, and the button that shows them. */
export const PersonStat = ({
  people: { groups, count },
  isOpen,
  onToggle,
}: {
  people: OpenPeople;
  isOpen: boolean;
  onToggle: () => void;
}): ReactNode => (
  <Stat name={t('Needs a person')} value={groups === undefined ? '–' : formatNumber(count)}>
    <div className="flex flex-col items-start gap-2">
      {groups !== undefined && count === 0
        ? t('Everybody who asked for a person is marked as done.')
        : t('They asked the assistant for a person.')}
      {count === 0 ? null : (
        <Button aria-expanded={isOpen} aria-controls={LIST_ID} onClick={onToggle}>
          {isOpen ? t('Hide the people') : t('Show the people')}
        </Button>
      )}
    </div>
  </Stat>
);

/** The people of a campaign to work through, by result. */
export const PeopleByResult = ({
  campaignId,
  people: { groups = [], error, failure, finish },
}: {
  campaignId: string;
  people: OpenPeople;
}): ReactNode => {
  const { callBack, dialog } = useCallBack();
  return (
    <>
      {error === null ? null : <ErrorNote error={error} />}
      {failure === null ? null : <ErrorNote error={failure} />}
      {groups
        .filter(({ total }) => total > 0)
        .map(({ result, source, calls, total }) => {
          const words = resultName(result, source);
          return (
            <section key={result} aria-label={words} className="flex flex-col gap-3">
              <h2 className="text-base font-semibold">{words}</h2>
              <PersonList caption={words} calls={calls} callBack={callBack} finish={finish} />
              {total > calls.length ? (
                <Link
                  to="/campaigns/$campaignId"
                  params={{ campaignId }}
                  search={{ result }}
                  hash="contacts"
                  className="text-accent underline"
                >
                  {t('All contacts with this result')}
                </Link>
              ) : null}
            </section>
          );
        })}
      {dialog}
    </>
  );
};
