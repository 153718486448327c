import { t } from '../../words/words.ts';
/** The largest document that the service takes. */
export const MOST_BYTES = 65_536;

/** A flow as typed: `flow` is null where the text is empty, and `problem` says why the text is no JSON. */
export function readFlowText(text: string): { readonly flow: unknown; readonly problem: string | undefined } {
  if (text.trim() === '') return { flow: null, problem: undefined };
  try {
    return { flow: JSON.parse(text), problem: undefined };
  } catch (error) {
    return {
      flow: null,
      problem: t('The flow is no JSON: {message}', { message: (error as Error).message }),
    };
  }
}

/** A flow as the text that people edit and export. */
export const flowText = (flow: unknown): string =>
  flow === null || flow === undefined ? '' : JSON.stringify(flow, null, 2);

/** One step of a flow for the outline. */
export interface Step {
  readonly id: string;
  readonly kind: string;
  /** What the agent says or asks there; null: nothing. */
  readonly words: string | null;
  /** When the conversation comes here from everywhere; null: by edges only. */
  readonly when: string | null;
  /** Where its edges lead, each with its condition. */
  readonly ways: readonly string[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];
const firstText = (...values: readonly unknown[]): string | null =>
  values.find((value) => typeof value === 'string') ?? null;

/** An edge in words: its condition and where it leads. */
export function wayOf(edge: Readonly<Record<string, unknown>>): string {
  const condition = firstText(edge['if'], edge['on'], edge['answer'], edge['when']);
  return `${condition ?? 'otherwise'} → ${firstText(edge['to']) ?? '?'}`;
}

/** The steps of a document in its order, the global ones last. Parts of another shape are left to the check. */
export function stepsOf(flow: unknown): readonly Step[] {
  if (!isRecord(flow)) return [];
  return [...listOf(flow['nodes']), ...listOf(flow['global'])].map((node) => ({
    id: firstText(node['id']) ?? '',
    kind: firstText(node['type']) ?? '',
    words: firstText(node['ask'], node['text'], node['say'], node['prompt']),
    when: firstText(node['when']),
    ways: listOf(node['edges']).map(wayOf),
  }));
}
