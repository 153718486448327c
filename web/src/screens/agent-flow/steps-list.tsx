import type { ReactNode } from 'react';
import { Badge } from '../../ui/page.tsx';
import { CheckNotes, CheckState, type FlowCheck } from './flow-check.tsx';
import { stepsOf } from './flow-text.ts';
import { t } from '../../words/words.ts';

/** The steps of a document as typed, each with what the check finds at it. */
export function StepsList({ flow, check }: { flow: unknown; check: FlowCheck }): ReactNode {
  const steps = stepsOf(flow);
  return (
    <section aria-label={t('Steps')} className="flex min-w-0 flex-col gap-4">
      {flow === null ? (
        <p className="text-muted">{t('No steps yet.')}</p>
      ) : (
        <CheckState check={check} ids={new Set(steps.map(({ id }) => id))} />
      )}
      <ol className="flex flex-col gap-3" aria-label={t('Steps of the flow')}>
        {steps.map(({ id, kind, words, when, ways }, index) => (
          // Two steps may have one id while someone types.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="rounded-md border border-line p-3 text-sm wrap-anywhere">
            <p className="flex flex-wrap items-center gap-2">
              <code className="font-mono font-medium">{id}</code>
              <Badge>{kind}</Badge>
            </p>
            {words === null ? null : <p className="mt-1">{words}</p>}
            {when === null ? null : (
              <p className="mt-1 text-muted">
                {t('At any time:')} {when}
              </p>
            )}
            {ways.length === 0 ? null : <p className="mt-1 text-muted">{ways.join('; ')}</p>}
            <CheckNotes check={check} fits={(node) => node === id} />
          </li>
        ))}
      </ol>
    </section>
  );
}
