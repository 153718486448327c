/** A flow as the editor changes it: the API's document, of which fields unknown to the editor stay unchanged. */

export const STEP_KINDS = [
  'talk',
  'say',
  'collect',
  'choose',
  'tool',
  'set',
  'transfer',
  'handoff',
  'end',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

type Fields = Readonly<Record<string, unknown>>;
export type Edge = Fields & { readonly to: string };
export type Step = Fields & { readonly id: string; readonly type: string; readonly edges?: readonly Edge[] };
export type Variable = Fields & { readonly name: string };
export interface FlowDocument {
  readonly start: string;
  readonly stuck?: string;
  readonly variables?: readonly Variable[];
  readonly nodes: readonly Step[];
  readonly global?: readonly Step[];
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** Whether a value is a list of records whose `named` fields are texts. */
const isListOf = (value: unknown, named: readonly string[]): value is Fields[] =>
  Array.isArray(value) &&
  value.every((item) => isRecord(item) && named.every((name) => typeof item[name] === 'string'));
const isStepList = (value: unknown): boolean =>
  isListOf(value, ['id', 'type']) &&
  value.every(({ edges }) => edges === undefined || isListOf(edges, ['to']));

/** The flow that the outline can show and change; null: its lists or the names in them have another form. */
export function readDocument(flow: unknown): FlowDocument | null {
  if (!isRecord(flow) || typeof flow['start'] !== 'string' || !isStepList(flow['nodes'])) return null;
  const { stuck, variables, global } = flow;
  const isReadable =
    (stuck === undefined || typeof stuck === 'string') &&
    (variables === undefined || isListOf(variables, ['name'])) &&
    (global === undefined || isStepList(global));
  return isReadable ? (flow as unknown as FlowDocument) : null;
}

/** The steps in the order of the outline, the global ones last. */
export const stepsIn = (flow: FlowDocument): readonly Step[] => [...flow.nodes, ...(flow.global ?? [])];
export const edgesIn = (step: Step): readonly Edge[] => step.edges ?? [];
/** The steps by name that a talk may start as its tasks, and goes on after. */
export const tasksIn = (step: Step): readonly string[] =>
  Array.isArray(step['tasks']) ? [...new Set(step['tasks'].filter((task) => typeof task === 'string'))] : [];
/** Answers of a `choose` step by name, as far as they have one. */
export const answersIn = (step: Step): readonly string[] =>
  isListOf(step['answers'], ['name']) ? step['answers'].map(({ name }) => String(name)) : [];
