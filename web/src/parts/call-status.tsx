import type { ReactNode } from 'react';
import { formatCode } from '../ui/format.tsx';
import { Badge } from '../ui/page.tsx';
import { outcomeName } from './outcomes.ts';
import { t } from '../words/words.ts';

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

/** Who ended a call, in the words of the pages. */
export const hangUpName = (by: string | null): string =>
  t({ agent: 'Assistant', caller: 'Person', system: 'Service' }[by ?? ''] ?? formatCode(by));

export const statusName = (status: string): string => t(NAMES[status] ?? formatCode(status));

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
  const name = statusName(status);
  const reason = outcomeName(subStatus);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Badge tone={status === 'failed' && UNREACHED.has(subStatus) ? 'warn' : (TONES[status] ?? 'neutral')}>
        {name}
      </Badge>
      {isAlone || reason === name ? null : <span className="whitespace-nowrap text-muted">{reason}</span>}
    </span>
  );
}
