import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { Badge, Card } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

type Evaluation = NonNullable<Answer<'getCall'>['data']['evaluations']>[number];

const RESULTS = {
  passed: ['good', 'Met'],
  failed: ['bad', 'Not met'],
  not_judged: ['neutral', 'Not judged'],
} as const satisfies Record<Evaluation['result'], readonly [tone: string, name: string]>;

/** How a conversation met each criterion of its assistant, and why. */
export function Evaluations({ evaluations }: { evaluations: readonly Evaluation[] | undefined }): ReactNode {
  if (evaluations === undefined || evaluations.length === 0) return null;
  return (
    <Card title={t('Criteria')}>
      <ul className="flex flex-col gap-3">
        {evaluations.map(({ name, result, reason }) => {
          const [tone, word] = RESULTS[result];
          return (
            <li key={name}>
              <span className="flex flex-wrap items-center gap-2 font-medium wrap-anywhere">
                {name} <Badge tone={tone}>{t(word)}</Badge>
              </span>
              <span className="block text-sm wrap-anywhere text-muted">{reason}</span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
