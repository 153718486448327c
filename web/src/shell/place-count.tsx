import type { ReactNode } from 'react';
import { useRead } from '../api/queries.ts';
import { formatNumber } from '../ui/format.tsx';

/** How many calls are live and how many campaigns run, beside their screens; nothing for none and for other screens. */
export function PlaceCount({ to }: { to: string }): ReactNode {
  const isCounted = to === '/live' || to === '/campaigns';
  const { data } = useRead('getOverview', {}, { enabled: isCounted });
  if (!isCounted || data === undefined) return null;
  const running = data.campaigns.filter(({ campaign_status: state }) => state === 'ongoing').length;
  const count = to === '/live' ? data.live_calls : running;
  if (count === 0) return null;
  return (
    // The screen itself says it in words.
    <span aria-hidden="true" className="ml-auto flex items-center gap-1.5 text-xs text-muted tabular-nums">
      {to === '/live' ? <span className="size-1.5 rounded-full bg-good" /> : null}
      {formatNumber(count)}
    </span>
  );
}
