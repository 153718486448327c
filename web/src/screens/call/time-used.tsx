import { useState, type ReactNode } from 'react';
import { useRead } from '../../api/queries.ts';
import { useElapsed } from '../../ui/elapsed.tsx';
import { formatSeconds } from '../../ui/format.tsx';
import { ShareBar } from '../../ui/share-bar.tsx';
import { t } from '../../words/words.ts';

/** The answer may be stored after the call shows as live. */
const UNANSWERED_MS = 5_000;

/** How long a live call has lasted, against the length at which it is ended. */
export function TimeUsed({ callId }: { callId: string }): ReactNode {
  const [isAnswered, setIsAnswered] = useState(false);
  const input = { id: callId, send_analysis: true };
  const call = useRead('getCall', input, isAnswered ? {} : { every: UNANSWERED_MS }).data?.data;
  if (call != null && call.answered_at !== null && !isAnswered) setIsAnswered(true);
  const agent = useRead(
    'getAgent',
    { agent_id: call?.agent_id ?? '' },
    { enabled: call !== undefined, keep: true },
  );
  const version = call === undefined ? undefined : agent.data?.agents.version_details[call.version_id];
  const elapsed = useElapsed(call?.ended_at === null ? call.answered_at : null);
  if (elapsed === null) return null;
  const most = version?.call_config.max_call_length;
  if (most === undefined) return <span className="text-sm tabular-nums">{formatSeconds(elapsed)}</span>;
  return (
    <span className="text-sm">
      <ShareBar share={elapsed / most}>
        {t('{elapsed} of at most {most}', { elapsed: formatSeconds(elapsed), most: formatSeconds(most) })}
      </ShareBar>
    </span>
  );
}
