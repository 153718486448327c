import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { callName } from '../../parts/call-name.ts';
import { waitingReason } from '../../parts/waiting.ts';
import { Elapsed } from '../../ui/elapsed.tsx';
import { formatNumber, Time } from '../../ui/format.tsx';
import { Badge, Card } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import { rich } from '../../words/rich.ts';

const SHOWN = 4;
const isLater = (iso: string | null): boolean => iso !== null && Date.parse(iso) > Date.now();

/** Who is on the phone now, and single calls that wait. `live`: how many there are. */
export function LiveNow({
  live,
  queued,
}: {
  live: number;
  queued: Answer<'getOverview'>['queued'];
}): ReactNode {
  const { data } = useRead('listCalls', { status: 'ongoing', limit: SHOWN }, { keep: true });
  const calls = live === 0 ? [] : (data?.calls ?? []);
  return (
    <Card
      title={t('Live now')}
      aside={
        live === 0 ? null : (
          <span className="flex items-center gap-3">
            <Badge tone="good">{formatNumber(live)}</Badge>
            <Link to="/live" className="text-muted hover:text-ink">
              {t('Watch live calls')}
            </Link>
          </span>
        )
      }
    >
      {live === 0 ? <p className="text-muted">{t('Nobody is on the phone.')}</p> : null}
      <ul className="flex flex-col">
        {calls.map((call) => (
          <li
            key={call.call_id}
            className="flex items-center justify-between gap-3 border-b border-line py-2 last:border-0"
          >
            <span className="min-w-0">
              <Link
                to="/live"
                search={{ call: call.call_id }}
                className="block font-medium wrap-anywhere text-ink"
              >
                {callName(call)}
              </Link>
              <span className="block text-xs text-muted">{call.agent_name}</span>
            </span>
            {call.answered_at === null ? (
              <span className="text-xs text-muted">{t('ringing')}</span>
            ) : (
              <Elapsed since={call.answered_at} />
            )}
          </li>
        ))}
      </ul>
      {queued.length === 0 ? null : (
        <div className="mt-3 border-t border-line pt-3">
          <h3 className="mb-1 text-xs text-muted">{t('Waiting single calls')}</h3>
          <ul className="flex flex-col gap-1">
            {queued.map(({ reason, calls: count, next_attempt_at: next }) => (
              <li key={reason} className="flex flex-wrap justify-between gap-x-4">
                <span>
                  <span className="font-medium tabular-nums">{formatNumber(count)}</span>{' '}
                  <span className="text-muted">{waitingReason(reason)}</span>
                </span>
                {isLater(next) ? (
                  <span>{rich('next {time}', { time: <Time iso={next} isBrief /> })}</span>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}
