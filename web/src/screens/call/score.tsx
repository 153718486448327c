import type { ReactNode } from 'react';
import { Badge, Card } from '../../ui/page.tsx';
import type { Call } from './types.ts';
import { t } from '../../words/words.ts';

const RESULTS = {
  passed: ['good', 'Met'],
  failed: ['bad', 'Not met'],
  not_judged: ['neutral', 'Not judged'],
} as const;

/** The points of a call by the scorecard of its assistant. */
export function Score({ score }: Pick<Call, 'score'>): ReactNode {
  if (score === null) return null;
  return (
    <Card title={t('Score')}>
      <p className="mb-3 text-lg font-semibold tabular-nums">
        {score.score === null
          ? t('No criterion could be judged')
          : t('{score} of 100', { score: Math.round(score.score) })}
      </p>
      <ul className="flex flex-col gap-3" aria-label={t('Scorecard')}>
        {(score.criteria ?? []).map(({ name, points, result, reason }) => {
          const [tone, word] = RESULTS[result];
          return (
            <li key={name}>
              <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                {name} <Badge tone={tone}>{t(word)}</Badge>
                <span className="text-sm text-muted">{t('{points} points', { points })}</span>
              </span>
              <span className="block text-sm wrap-anywhere text-muted">{reason}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
