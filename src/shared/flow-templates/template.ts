type Expectation =
  | { type: 'says' | 'never_says'; any_of: string[]; turn?: number }
  | { type: 'ends'; as: ('AGENT_ENDED' | 'OPTED_OUT' | 'OPEN')[] };

interface TemplateCase {
  name: string;
  custom_args_values?: Record<string, string>;
  lines: string[];
  expectations: Expectation[];
}

/** As a client analysis has it; the words of `description` are those of the question in the flow, so that rules find its answer. */
type GoalKey =
  | { type: 'boolean' | 'number'; description: string }
  | { type: 'enum'; description: string; values: string[] };

/** An English assistant whose flow runs without a language model and without tools, with test cases that it passes. */
export interface FlowTemplate {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly type: 'outbound' | 'inbound';
  /** The sample company that opening and objective name. */
  readonly company: string;
  readonly opening: string;
  readonly objective: string;
  readonly guidelines: string;
  readonly task: string;
  /** A document of docs/flows.md. */
  readonly flow: {
    variables: { name: string; type: string; values?: string[] }[];
    start: string;
    nodes: object[];
  };
  /** The question about each call whose answer is its result. */
  readonly goal?: { readonly name: string; readonly key: GoalKey };
  readonly cases: readonly TemplateCase[];
}
