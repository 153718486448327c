import type { ReactNode } from 'react';
import { Badge } from '../../ui/page.tsx';
import { Turns } from '../agent-test/turns.tsx';
import { ENDS } from './case-draft.ts';
import { STATES, type Run, type State } from './results.ts';
import { t } from '../../words/words.ts';

type Result = Run['results'][number];
type Expectation = Result['expectations'][number];

export function StateBadge({ state }: { state: State }): ReactNode {
  const { text, tone } = STATES[state];
  return <Badge tone={tone}>{t(text)}</Badge>;
}

/** The cases of a run: each expectation, and the conversation. */
export function RunResults({ run }: { run: Run }): ReactNode {
  return (
    <ul className="flex flex-col gap-3" aria-label={t('Results')}>
      {run.results.map((result) => (
        <li key={result.case_id}>
          <details
            className="rounded-md border border-line px-4 py-3"
            open={result.state === 'failed' || result.state === 'error'}
          >
            <summary className="cursor-pointer">
              <span className="font-medium wrap-anywhere">{result.name}</span>{' '}
              <StateBadge state={result.state} />
            </summary>
            <div className="mt-3 flex flex-col gap-4">
              {result.error === null ? null : <p className="text-bad">{result.error}</p>}
              <Verdicts result={result} />
              {result.turns.length === 0 ? null : (
                <Turns
                  turns={result.turns.map(({ line, ...turn }) => ({ ...turn, message: line }))}
                  speaker="Caller"
                />
              )}
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}

const VERDICTS = {
  held: { text: 'Met', tone: 'good' },
  not_held: { text: 'Not met', tone: 'bad' },
  not_judged: { text: 'Not judged', tone: 'warn' },
} as const;

function Verdicts({ result }: { result: Result }): ReactNode {
  if (result.verdicts.length === 0) return null;
  return (
    <ol className="flex flex-col gap-2 text-sm" aria-label={t('Expectations')}>
      {result.verdicts.map((verdict, index) => {
        const expectation = result.expectations[index];
        const { text, tone } = VERDICTS[verdict.result];
        return (
          // An expectation has no other identity than its place.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-wrap items-baseline gap-2">
            <Badge tone={tone}>{t(text)}</Badge>
            <span className="min-w-0 wrap-anywhere">
              {expectation === undefined ? '' : wordsOf(expectation)}
              <span className="block text-muted">{verdict.reason}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function wordsOf(of: Expectation): string {
  const at =
    'turn' in of && of.turn !== undefined
      ? of.turn === 0
        ? ` ${t('in the first message')}`
        : ` ${t('after line {turn}', { turn: of.turn })}`
      : '';
  switch (of.type) {
    case 'says':
      return t('Says “{value}”{at}', { value: of.any_of.join(t('” or “')), at });
    case 'never_says':
      return t('Never says “{value}”{at}', { value: of.any_of.join(t('” or “')), at });
    case 'calls_tool':
    case 'never_calls_tool': {
      const args =
        of.arguments === undefined ? '' : ` ${t('with {args}', { args: JSON.stringify(of.arguments) })}`;
      return `${of.type === 'calls_tool' ? t('Calls the tool') : t('Never calls')} ${of.tool}${args}${at}`;
    }
    case 'ends':
      return t('End of the conversation: {value}', { value: of.as.map((end) => t(ENDS[end])).join(' / ') });
    case 'criterion':
      return of.criterion;
    default:
      return of satisfies never;
  }
}
