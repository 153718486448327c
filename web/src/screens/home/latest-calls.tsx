import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { CallResult } from '../../parts/call-result.tsx';
import { callName } from '../../parts/call-name.ts';
import { formatSeconds, Time } from '../../ui/format.tsx';
import { Card } from '../../ui/page.tsx';

const SHOWN = 5;

/** The calls that rang last; nothing before the first one. */
export function LatestCalls(): ReactNode {
  const { data } = useRead('listCalls', { limit: SHOWN, dialled: true });
  if (data === undefined || data.calls.length === 0) return null;
  return (
    <Card title="Latest calls">
      <ul className="flex flex-col gap-2">
        {data.calls.map((call) => (
          <li
            key={call.call_id}
            className="grid grid-cols-[minmax(8rem,1fr)_minmax(0,auto)] items-center gap-x-4 gap-y-1 border-b border-line pb-2 last:border-0 last:pb-0 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_3.5rem_13rem]"
          >
            <Link
              to="/calls/$callId"
              params={{ callId: call.call_id }}
              className="min-w-0 font-medium wrap-anywhere text-accent"
            >
              {callName(call)}
            </Link>
            <span>
              <CallResult call={call} />
            </span>
            <span className="text-right text-muted tabular-nums max-sm:order-last">
              {formatSeconds(call.call_duration)}
            </span>
            <span className="sm:text-right">
              <Time iso={call.last_dialed_at} isBrief />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
