import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Strip } from '../../ui/strip.tsx';
import { t } from '../../words/words.ts';
import type { Step } from './steps.ts';

const ROW =
  'flex items-start gap-2 rounded-md px-2 py-1.5 text-sm whitespace-nowrap text-muted max-sm:py-2.5';

/** The steps of the form: which are complete, and a link to each; with what is chosen where they stand beside it. */
export function StepsNav({ steps }: { steps: readonly Step[] }): ReactNode {
  const next = steps.find(({ state }) => state === 'open')?.id ?? '';
  return (
    <nav aria-label={t('Steps to a new campaign')}>
      <Strip chosen={next}>
        <ol className="flex gap-x-1 max-sm:w-max sm:flex-wrap xl:flex-col xl:gap-y-1">
          {steps.map((step, index) => (
            <li key={step.id} className="min-w-0">
              {step.state === 'later' ? (
                <span className={ROW}>
                  <StepText step={step} number={index + 1} />
                </span>
              ) : (
                <a
                  href={`#${step.id}`}
                  aria-current={step.id === next ? 'step' : undefined}
                  className={`${ROW} no-underline hover:bg-raised hover:text-ink aria-[current=step]:font-medium aria-[current=step]:text-ink`}
                  onClick={(event) => {
                    event.preventDefault();
                    openSection(step.id);
                  }}
                >
                  <StepText step={step} number={index + 1} />
                </a>
              )}
            </li>
          ))}
        </ol>
      </Strip>
    </nav>
  );
}

function StepText({ step, number }: { step: Step; number: number }): ReactNode {
  const isDone = step.state === 'done';
  return (
    <>
      <span aria-hidden="true" className={`mt-0.5 ${isDone ? 'text-good' : ''}`}>
        {isDone ? (
          <Icon name="circle-check" />
        ) : (
          <span className="flex size-4 items-center justify-center rounded-full border border-current text-xs">
            {number}
          </span>
        )}
      </span>
      <span className="min-w-0">
        <span className="sr-only">{isDone ? t('Done: ') : t('To do: ')}</span>
        {step.name}
        {step.summary === '' ? null : (
          <span className="hidden text-xs font-normal wrap-anywhere text-muted xl:line-clamp-2">
            {step.summary}
          </span>
        )}
      </span>
    </>
  );
}

/** Scrolls to a section, and gives its first field the focus. */
function openSection(id: string): void {
  const section = document.getElementById(id);
  section?.scrollIntoView();
  section?.querySelector<HTMLElement>('input, select, button')?.focus({ preventScroll: true });
}
