import type { Ears, HistoryItem } from '@callwright/turns';
import { joinSections } from '../../shared/prompt-text.ts';
import { SECTION_TITLES } from '../../voice/prompt/build-prompt.ts';
import type { FlowEffect } from '../../voice/flow/engine/state.ts';
import type { Value } from '../../voice/flow/expression.ts';
import { isStepNote, stepNote } from '../../shared/hand-over.ts';
import { summaryOf } from '../../voice/flow/summary.ts';
import { GO_TO_STEP } from '../../shared/go-to-step.ts';
import { LOOKUP_KNOWLEDGE } from '../ports/brain-context.ts';
import type { BrainContext, LlmProvider, LlmSession, StepLlms, ToolSpec } from '../ports/model.ts';

export type ModelStep = Extract<FlowEffect, { type: 'model' }>;

const isNote = (item: HistoryItem): boolean => item.role === 'note' && isStepNote(item.text);

/** From this place of the history on the conversation was in this node. */
export interface Mark {
  readonly at: number;
  readonly node: string;
}
const nodeAt = (marks: readonly Mark[], at: number): string =>
  marks.findLast((mark) => mark.at <= at)?.node ?? '';

interface Opened {
  readonly key: string;
  readonly session: LlmSession;
}

/** The model of a conversation, opened for each step of the flow that it leads. */
export class StepModels {
  readonly #llm: LlmProvider;
  readonly #ofSteps: StepLlms;
  /** False: the script engine, which follows the step's prompt as its script. */
  readonly hasModel: boolean;
  #context: BrainContext;
  /** Of every step, so that the tools are the same in each request: vendors put them before the prompt in their caches. */
  readonly #tools: readonly ToolSpec[];
  readonly #opened = new Map<string, Opened>();

  /** `steps`: those that a model may choose anywhere in the flow. */
  constructor(
    { llm, ofSteps }: { readonly llm: LlmProvider; readonly ofSteps: StepLlms },
    context: BrainContext,
    hasModel: boolean,
    steps: readonly string[],
  ) {
    this.#llm = llm;
    this.#ofSteps = ofSteps;
    this.#context = context;
    this.hasModel = hasModel;
    this.#tools = [...context.tools, ...(steps.length === 0 ? [] : [goTo(steps)])];
  }

  /** The session of a step; opened anew when its prompt has other values. */
  of(step: ModelStep): LlmSession {
    const key = JSON.stringify([step.prompt, step.targets, step.tools, step.knowledge]);
    const known = this.#opened.get(step.node);
    if (known?.key === key) return known.session;
    known?.session.close();
    const llm = this.#ofSteps.get(step.model ?? '') ?? this.#llm;
    const session = this.hasModel ? llm.open(this.#withStep(step)) : this.#llm.open(this.#asScript(step));
    this.#opened.set(step.node, { key, session });
    return session;
  }

  /**
   * What a step's brain reads of a conversation. `from`: the length of the history at its first request; the script engine
   * reads what follows, and a model also what the step does not leave out.
   */
  historyOf(
    step: ModelStep,
    history: readonly HistoryItem[],
    from: number,
    marks: readonly Mark[],
    values: Readonly<Record<string, Value>>,
  ): readonly HistoryItem[] {
    if (!this.hasModel) return step.prompt === '' ? history : history.slice(from);
    const first = step.earlier === null ? 0 : Math.max(0, from - step.earlier);
    const forgotten = new Set(step.forget);
    const read = history.filter(
      (item, at) => at >= first && !isNote(item) && !forgotten.has(nodeAt(marks, at)),
    );
    if (!step.isSummary) return read;
    const written = history.slice(from).findLast(isNote);
    const byRules = (): HistoryItem => ({
      role: 'note',
      text: stepNote(summaryOf(values, this.before(step, history, from, marks))),
    });
    return [written ?? byRules(), ...read];
  }

  /** What was said before a step, without what it forgets. */
  before(
    { forget }: ModelStep,
    history: readonly HistoryItem[],
    from: number,
    marks: readonly Mark[],
  ): readonly HistoryItem[] {
    const forgotten = new Set(forget);
    return history.slice(0, from).filter((item, at) => !isNote(item) && !forgotten.has(nodeAt(marks, at)));
  }

  hears(ears: Ears): void {
    this.#context = { ...this.#context, ...ears };
    for (const { session } of this.#opened.values()) session.hears?.(ears);
  }

  close(): void {
    for (const { session } of this.#opened.values()) session.close();
  }

  /** Whether the model of a step may call a tool: one of the step, or a built-in one. */
  allows({ tools, knowledge }: ModelStep, name: string): boolean {
    if (name === LOOKUP_KNOWLEDGE.name) return knowledge?.length !== 0;
    return tools === null || tools.includes(name) || !this.#isOfAgent(name);
  }

  #isOfAgent(name: string): boolean {
    return this.#context.tools.some((tool) => tool.name === name);
  }

  #withStep({ prompt, targets, tools }: ModelStep): BrainContext {
    return { ...this.#context, tools: this.#tools, step: { prompt, targets, tools } };
  }

  /** Without a prompt the step follows the agent's own script. */
  #asScript(step: ModelStep): BrainContext {
    const { prompt, knowledge: bases } = step;
    const own = {
      ...this.#context,
      tools: this.#context.tools.filter(({ name }) => this.allows(step, name)),
      ...(bases === null || this.#context.knowledge === undefined
        ? {}
        : { knowledge: this.#context.knowledge.filter(({ base = '' }) => bases.includes(base)) }),
    };
    if (prompt === '') return own;
    const kept = own.sections.filter(({ title }) => title !== SECTION_TITLES.script);
    const sections = [...kept, { title: SECTION_TITLES.script, content: prompt }];
    return { ...own, introMessage: '', sections, prompt: joinSections(sections) };
  }
}

/** The step that a tool call names; null: the call is of another tool. */
export const targetOf = (name: string, { step }: Readonly<Record<string, unknown>>): string | null =>
  name === GO_TO_STEP ? (typeof step === 'string' ? step : '') : null;

const goTo = (steps: readonly string[]): ToolSpec => ({
  name: GO_TO_STEP,
  description:
    'Goes on with another step of the conversation. The instructions of the present step say which steps may follow, and when.',
  parameters: {
    type: 'object',
    properties: { step: { type: 'string', enum: [...steps], description: 'The name of the step.' } },
    required: ['step'],
    additionalProperties: false,
  },
});
