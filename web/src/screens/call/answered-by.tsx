import type { ReactNode } from 'react';
import { formatNumber } from '../../ui/format.tsx';
import { Badge } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { ANSWER_REASONS, ANSWERER_NAMES } from './answerers.ts';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';

/** Who or what answered, how surely, and what that rests on. */
export function AnsweredBy({ call }: { call: Call }): ReactNode {
  const { answered_by: answer } = call;
  if (answer === null) return <span className="text-muted">–</span>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={answer.kind === 'human' ? 'good' : 'neutral'}>{t(ANSWERER_NAMES[answer.kind])}</Badge>
      <span className="text-sm text-muted">
        {t('{share} sure after {seconds} s', {
          share: formatShare(answer.confidence),
          seconds: formatNumber(answer.decided_ms / 1000),
        })}
        {answer.reasons.length === 0
          ? ''
          : `, ${t('from: {reasons}', { reasons: answer.reasons.map((reason) => t(ANSWER_REASONS[reason])).join(', ') })}`}
      </span>
    </span>
  );
}
