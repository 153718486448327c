import type { ReactNode } from 'react';
import { formatCode } from './format.tsx';
import { Badge } from './page.tsx';

const TONES: Readonly<Record<string, 'neutral' | 'good' | 'warn' | 'bad' | 'accent'>> = {
  registered: 'neutral',
  ongoing: 'accent',
  retry: 'warn',
  completed: 'good',
  failed: 'bad',
  error: 'bad',
  cancelled: 'neutral',
};
/** Outcomes without a conversation in which nothing is broken. */
const UNREACHED: ReadonlySet<string | null> = new Set([
  'BUSY',
  'NO_ANSWER',
  'DND_SKIPPED',
  'USER_TERMINATED',
]);
const NAMES: Readonly<Record<string, string>> = { registered: 'Queued', retry: 'Retry', ongoing: 'Live' };

/** The status of a call as a badge, and why; `isAlone`: another column says why. */
export function CallStatus({
  status,
  subStatus,
  isAlone = false,
}: {
  status: string;
  subStatus: string | null;
  isAlone?: boolean;
}): ReactNode {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge tone={status === 'failed' && UNREACHED.has(subStatus) ? 'warn' : (TONES[status] ?? 'neutral')}>
        {NAMES[status] ?? formatCode(status)}
      </Badge>
      {isAlone ? null : <span className="whitespace-nowrap text-muted">{formatCode(subStatus)}</span>}
    </span>
  );
}
