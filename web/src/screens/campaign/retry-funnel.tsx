import type { ReactNode } from 'react';
import type { Answer } from '../../api/client.ts';
import { formatNumber } from '../../ui/format.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { t } from '../../words/words.ts';

type Step = Answer<'getCampaignStatistics'>['attempts'][number];

const number = (title: string, of: (step: Step) => number): Column<Step> => ({
  title,
  cell: (step) => formatNumber(of(step)),
  isNumber: true,
});

/** How many contacts each attempt called and reached, and how many are left for the one after it. */
export function RetryFunnel({ steps }: { steps: readonly Step[] }): ReactNode {
  if (steps.length === 0) return null;
  const most = Math.max(1, ...steps.map(({ calls }) => calls));
  const columns: readonly Column<Step>[] = [
    {
      title: 'Attempt',
      cell: ({ attempt }) => (
        <span className="whitespace-nowrap">
          {attempt === 1 ? t('First call') : t('Retry {attempt}', { attempt: attempt - 1 })}
        </span>
      ),
    },
    {
      title: 'Answered',
      cell: (step) => (
        <span className="flex items-center gap-3">
          <span aria-hidden="true" className="hidden h-3 w-40 shrink-0 sm:block">
            <span
              className="flex h-full overflow-hidden rounded-sm bg-muted"
              style={{ width: `${(step.calls / most) * 100}%` }}
            >
              <span
                className="bg-accent"
                style={{ width: `${step.calls === 0 ? 0 : (step.answered / step.calls) * 100}%` }}
              />
            </span>
          </span>
          <span className="whitespace-nowrap tabular-nums">
            {formatNumber(step.answered)}
            {step.calls === 0 ? '' : ` (${formatShare(step.answered / step.calls)})`}
          </span>
        </span>
      ),
    },
    number('Called', ({ calls }) => calls),
    number('Not answered', (step) => step.not_answered),
    number('On the phone', ({ live }) => live),
    number('Waiting for the next attempt', ({ waiting }) => waiting),
    number('Left after it', ({ remaining }) => remaining),
  ];
  return (
    <section className="flex flex-col gap-3">
      <div>
        <h2 className="text-base font-semibold">{t('Attempts')}</h2>
        <p className="text-sm text-muted">
          {t(
            'Contacts that remain after an attempt have had, have or wait for the next one; the others are finished.',
          )}
        </p>
      </div>
      <Table
        caption={t('Attempts')}
        columns={columns}
        rows={steps}
        keyOf={({ attempt }) => String(attempt)}
      />
    </section>
  );
}
