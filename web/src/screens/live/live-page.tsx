import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { numberOf } from '../../parts/call-name.ts';
import { buttonClass, CopyCurl } from '../../ui/controls.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Time } from '../../ui/format.tsx';
import { EmptyState, ErrorNote, Loading, Page } from '../../ui/page.tsx';
import { LiveCall } from '../call/live-call.tsx';

const SHOWN = 200;

/** The calls that are live, and the words of the chosen one as they are spoken. */
export function LivePage(): ReactNode {
  const { call: wanted } = useSearch({ from: '/app/live' });
  const navigate = useNavigate({ from: '/live' });
  const list = useRead('listCalls', { status: 'ongoing', limit: SHOWN }, { keep: true });
  const calls = list.data?.calls ?? [];
  // A call that ended stays on the screen until another is chosen.
  const [first, setFirst] = useState<string | undefined>();
  if (first === undefined && calls[0] !== undefined) setFirst(calls[0].call_id);
  const chosen = wanted ?? first;
  return (
    <Page title="Live calls" intro="Read along while an assistant talks, and hang up if you must.">
      {list.isPending ? (
        <Loading />
      ) : list.isError ? (
        <ErrorNote error={list.error} retry={() => void list.refetch()} />
      ) : chosen === undefined ? (
        <EmptyState
          title="No live calls"
          action={
            <Link to="/calls" className={buttonClass('primary')}>
              Open the ended calls
            </Link>
          }
          curl={<CopyCurl operation="listCalls" input={{ status: 'ongoing' }} />}
        >
          A call appears here as soon as it is dialled.
        </EmptyState>
      ) : (
        <div className="grid items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
          <section aria-label="Calls" className="rounded-lg border border-line bg-surface p-2">
            <p className="px-3 py-2 text-sm text-muted">
              {list.data.total > SHOWN ? `The newest ${SHOWN} of ${list.data.total}` : `${calls.length} live`}
            </p>
            <ul className="flex flex-col overflow-y-auto max-lg:max-h-80 lg:max-h-[calc(100vh-16rem)]">
              {calls.map((call) => (
                <li key={call.call_id}>
                  <button
                    type="button"
                    aria-pressed={call.call_id === chosen}
                    className="w-full rounded-md px-3 py-2 text-left hover:bg-raised aria-pressed:bg-raised"
                    onClick={() => void navigate({ search: { call: call.call_id }, replace: true })}
                  >
                    <span className="flex items-baseline justify-between gap-3">
                      <span className="font-mono">{numberOf(call.to_number)}</span>
                      {call.answered_at === null ? null : <Elapsed since={call.answered_at} />}
                    </span>
                    <span className="block text-sm wrap-anywhere text-muted">
                      {[call.callee_name, call.agent_name].filter(Boolean).join(' · ')}
                    </span>
                    <span className="block text-sm">
                      since <Time iso={call.answered_at ?? call.initiation_time} isBrief />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </section>
          <div className="flex flex-col gap-3">
            <LiveCall key={chosen} callId={chosen} />
            <Link to="/calls/$callId" params={{ callId: chosen }} className="text-accent underline">
              Open the page of this call
            </Link>
          </div>
        </div>
      )}
    </Page>
  );
}
