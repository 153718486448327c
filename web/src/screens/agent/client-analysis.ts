import type { Input } from '../../api/client.ts';
import { linesOf } from '../../ui/lines.ts';
import { t } from '../../words/words.ts';

type Request = Extract<Input<'editAgent'>, { operation: 'edit_client_analysis' }>;
type Key = Request['keys'][string];

export const KEY_TYPES = {
  string: 'Text',
  number: 'A number',
  boolean: 'Yes or no',
  date: 'Date',
  enum: 'One of several values',
} as const satisfies Record<Key['type'], string>;

/** One question about every call, as the form holds it. */
export interface Question {
  readonly name: string;
  readonly type: Key['type'];
  readonly description: string;
  /** Of an enum, one a line. */
  readonly values: string;
  /** The answer when the call gives none; empty: null. */
  readonly preset: string;
}
export const NEW_QUESTION: Question = { name: '', type: 'string', description: '', values: '', preset: '' };

export interface AnalysisDraft {
  readonly context: string;
  readonly goal: string;
  /** One a line. */
  readonly labels: string;
  readonly questions: readonly Question[];
}

/** The stored analysis, which the record shows without a fixed type, and the labels of the agent. */
export function draftOf(stored: unknown, labels: readonly string[]): AnalysisDraft {
  const analysis = (stored ?? {}) as {
    context?: string;
    goal_key?: string | null;
    keys?: Readonly<Record<string, Key>>;
  };
  return {
    context: analysis.context ?? '',
    goal: analysis.goal_key ?? '',
    labels: labels.join('\n'),
    questions: Object.entries(analysis.keys ?? {}).map(([name, key]) => ({
      name,
      type: key.type,
      description: key.description ?? '',
      values: (key.values ?? []).join('\n'),
      preset: key.default === undefined || key.default === null ? '' : String(key.default),
    })),
  };
}

function presetOf({ type, preset }: Question): string | number | boolean {
  if (type === 'number') return Number(preset);
  return type === 'boolean' ? preset === 'true' : preset;
}

const toKey = (question: Question): Key => ({
  type: question.type,
  ...(question.type === 'enum' ? { values: linesOf(question.values) } : {}),
  ...(question.description === '' ? {} : { description: question.description }),
  ...(question.preset === '' ? {} : { default: presetOf(question) }),
});

/** The request without the ids. A goal that is none of the questions is left out. */
export function toRequest(draft: AnalysisDraft): Pick<Request, 'keys'> & Partial<Request> {
  const named = draft.questions.filter(({ name }) => name.trim() !== '');
  const hasGoal = named.some(({ name }) => name.trim() === draft.goal);
  return {
    context: draft.context,
    ...(hasGoal ? { goal_key: draft.goal } : {}),
    classification_labels: linesOf(draft.labels),
    keys: Object.fromEntries(named.map((question) => [question.name.trim(), toKey(question)])),
  };
}

/** Why the draft cannot be saved. */
export function problemOf({ questions }: AnalysisDraft): string | undefined {
  const names = questions.map(({ name }) => name.trim());
  if (names.includes('')) return t('Every question needs a name.');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return t('Two questions have the name {twice}.', { twice });
  const empty = questions.find(({ type, values }) => type === 'enum' && linesOf(values).length === 0);
  if (empty !== undefined) return t('{name} needs its values.', { name: empty.name });
  const noNumber = questions.find(
    ({ type, preset }) => type === 'number' && preset !== '' && !Number.isFinite(Number(preset)),
  );
  return noNumber === undefined
    ? undefined
    : t('{name} needs a number as its default.', { name: noNumber.name });
}
