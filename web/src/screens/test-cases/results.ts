import type { Answer } from '../../api/client.ts';
import { t } from '../../words/words.ts';
import type { TestCase } from './case-draft.ts';

export type Run = Answer<'getTestRun'>['test_run'];
export type Result = TestCase['last_results'][number];
export type State = Run['results'][number]['state'];

export const STATES: Readonly<
  Record<State, { text: string; tone: 'neutral' | 'good' | 'warn' | 'bad' | 'accent' }>
> = {
  queued: { text: 'Queued', tone: 'neutral' },
  running: { text: 'Running', tone: 'accent' },
  passed: { text: 'Passed', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  not_judged: { text: 'Not judged', tone: 'warn' },
  error: { text: 'Not played', tone: 'bad' },
};

/** The newest result of a case with a version; null: it was never run with it. */
export const resultWith = (testCase: TestCase, versionId: string): Result | null =>
  testCase.last_results.find((each) => each.version_id === versionId) ?? null;

/** In words, how the newest results of all cases with a version are. */
export function summaryOf(cases: readonly TestCase[], versionId: string): string {
  const results = cases.map((each) => resultWith(each, versionId));
  const count = (of: (result: Result | null) => boolean): number => results.filter(of).length;
  const current = (result: Result | null): Result['result'] | null =>
    result?.is_current === true ? result.result : null;
  const parts: readonly (readonly [number, string])[] = [
    [count((each) => current(each) === 'passed'), 'passed'],
    [count((each) => current(each) === 'failed'), 'failed'],
    [count((each) => current(each) === 'not_judged'), 'not judged'],
    [count((each) => current(each) === 'error'), 'not played'],
    [count((each) => current(each) === null), 'not run since the last change'],
  ];
  return parts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${t(word)}`)
    .join(', ');
}
