import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { Button, buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { formatNumber } from '../../ui/format.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { leaveFullScreen, useIsFullScreen } from '../../ui/use-full-screen.ts';
import { LiveCall } from '../call/live-call.tsx';
import { CallWall } from './call-wall.tsx';
import { useWall } from './use-wall.ts';
import { t } from '../../words/words.ts';

const SHOWN = 200;
/** Cards change their places at most this often. */
const SORT_EVERY_MS = 4_000;

/** The live calls as cards with their words as they are said; the chosen one can be heard, guided and taken over. */
export function LivePage(): ReactNode {
  const { call: wanted } = useSearch({ from: '/app/live' });
  const navigate = useNavigate({ from: '/live' });
  const list = useRead('listCalls', { status: 'ongoing', limit: SHOWN }, { keep: true });
  const wall = useWall();
  const now = useNow(SORT_EVERY_MS);
  const calls = list.data?.calls ?? [];
  const isFull = useIsFullScreen();
  // A call that is alone is open at once, and stays on the screen when it has ended until another is chosen.
  const [alone, setAlone] = useState<string | null>(null);
  if (alone === null && wanted === undefined && calls.length === 1 && calls[0] !== undefined)
    setAlone(calls[0].call_id);
  const chosen = wanted ?? alone;
  const choose = useCallback(
    (call: string) => {
      // The chosen call stands beside the wall.
      leaveFullScreen();
      void navigate({ search: { call }, replace: true });
    },
    [navigate],
  );
  const close = (): void => {
    setAlone('');
    void navigate({ search: {}, replace: true });
  };
  return (
    <Page
      title={t('Live calls')}
      {...(calls.length === 0
        ? {}
        : { tabTitle: `(${formatNumber(list.data?.total ?? calls.length)}) ${t('Live calls')}` })}
      intro={t(
        'Read along while assistants talk. Open a call to hear it, help its assistant, or talk in its place.',
      )}
    >
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : calls.length === 0 && !chosen && !isFull ? (
        <EmptyState
          title={t('No live calls')}
          icon="radio"
          action={
            <Link to="/calls" className={buttonClass('primary')}>
              {t('Open the ended calls')}
            </Link>
          }
          curl={<CopyCurl operation="listCalls" input={{ status: 'ongoing' }} />}
        >
          {t('A call appears here as soon as it is dialled.')}
        </EmptyState>
      ) : (
        <div
          className={
            chosen
              ? 'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_28rem]'
              : ''
          }
        >
          {chosen ? (
            <div className="flex flex-col gap-3 xl:sticky xl:top-4 xl:order-last">
              <LiveCall key={chosen} callId={chosen} />
              <span className="flex flex-wrap items-center justify-between gap-3">
                <Link to="/calls/$callId" params={{ callId: chosen }} className="text-accent underline">
                  {t('Open the page of this call')}
                </Link>
                <Button onClick={close}>{t('Close')}</Button>
              </span>
            </div>
          ) : null}
          <CallWall
            calls={calls}
            total={list.data.total}
            wall={wall}
            nowMs={now}
            chosen={chosen}
            onChoose={choose}
          />
        </div>
      )}
    </Page>
  );
}

/** The time, which goes on in steps. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
