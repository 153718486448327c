import { useEffect, useState, type ReactNode } from 'react';
import { tryNow, useConnection } from '../api/connection.ts';
import { useOldAnswers } from '../api/queries.ts';
import { Button } from '../ui/controls.tsx';
import { LOCALE } from '../words/language.ts';
import { t } from '../words/words.ts';

/** Milliseconds: a service that restarts at once causes no notice. */
const PATIENCE_MS = 700;
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });

/** Whether the service has been missing for long enough to say so. */
export function useIsLost(): boolean {
  const { lostAt } = useConnection();
  const [shown, setShown] = useState<number | null>(null);
  useEffect(() => {
    if (lostAt === null) return undefined;
    const timer = setTimeout(() => setShown(lostAt), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [lostAt]);
  return lostAt !== null && shown === lostAt;
}

/** Says that the page shows older data, and since when, until the service answers again. */
export function ConnectionBar(): ReactNode {
  const { lostAt } = useConnection();
  const isLost = useIsLost();
  const old = useOldAnswers();
  useEffect(() => {
    const look = (): void => void tryNow();
    addEventListener('online', look);
    addEventListener('focus', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('focus', look);
    };
  }, []);
  return (
    // The status exists before its first words, so that screen readers announce them.
    <div role="status" aria-label={t('Connection')} className="sticky top-(--bar) z-30">
      {isLost && lostAt !== null ? (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-warn bg-surface px-4 py-2 text-sm sm:px-8">
          <span>
            <b className="text-warn">{t('Reconnecting…')}</b>{' '}
            {t(
              'The service has not answered since {time}. You see what it said before; the page continues by itself.',
              { time: CLOCK.format(lostAt) },
            )}
          </span>
          <Button onClick={() => void tryNow()}>{t('Try now')}</Button>
        </div>
      ) : old > 0 ? (
        <div className="border-b border-warn bg-surface px-4 py-2 text-sm sm:px-8">
          <b className="text-warn">{t('Some data is old.')}</b>{' '}
          {t('The service failed to answer; the page asks again every few seconds.')}
        </div>
      ) : null}
    </div>
  );
}
