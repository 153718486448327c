import type { Ears, HistoryItem } from '@callwright/turns';
import { joinSections } from '../../shared/prompt-text.ts';
import { SECTION_TITLES } from '../../voice/prompt/build-prompt.ts';
import type { FlowEffect, Target } from '../../voice/flow/engine/state.ts';
import type { BrainContext, LlmProvider, LlmSession, ToolSpec } from '../ports/model.ts';

export type ModelStep = Extract<FlowEffect, { type: 'model' }>;

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
  /** False: the script engine, which follows the step's prompt as its script. */
  readonly hasModel: boolean;
  #context: BrainContext;
  readonly #opened = new Map<string, Opened>();

  constructor(llm: LlmProvider, context: BrainContext, hasModel: boolean) {
    this.#llm = llm;
    this.#context = context;
    this.hasModel = hasModel;
  }

  /** The session of a step; opened anew when its prompt has other values. */
  of(step: ModelStep): LlmSession {
    const key = JSON.stringify([step.prompt, step.targets]);
    const known = this.#opened.get(step.node);
    if (known?.key === key) return known.session;
    known?.session.close();
    const session = this.#llm.open(this.hasModel ? this.#withStep(step) : this.#asScript(step));
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
  ): readonly HistoryItem[] {
    if (!this.hasModel) return step.prompt === '' ? history : history.slice(from);
    const first = step.earlier === null ? 0 : Math.max(0, from - step.earlier);
    const forgotten = new Set(step.forget);
    if (first === 0 && forgotten.size === 0) return history;
    return history.filter((_item, at) => at >= first && !forgotten.has(nodeAt(marks, at)));
  }

  hears(ears: Ears): void {
    this.#context = { ...this.#context, ...ears };
    for (const { session } of this.#opened.values()) session.hears?.(ears);
  }

  close(): void {
    for (const { session } of this.#opened.values()) session.close();
  }

  #withStep({ prompt, targets }: ModelStep): BrainContext {
    const tools = [...this.#context.tools, ...targets.map(toolOf)];
    return { ...this.#context, tools, step: { prompt, targets } };
  }

  /** Without a prompt the step follows the agent's own script. */
  #asScript({ prompt }: ModelStep): BrainContext {
    if (prompt === '') return this.#context;
    const kept = this.#context.sections.filter(({ title }) => title !== SECTION_TITLES.script);
    const sections = [...kept, { title: SECTION_TITLES.script, content: prompt }];
    return { ...this.#context, introMessage: '', sections, prompt: joinSections(sections) };
  }
}

const PREFIX = 'go_to_';

/** The target that a tool call names; null: the call is of another tool. */
export const targetOf = (name: string): string | null =>
  name.startsWith(PREFIX) ? name.slice(PREFIX.length) : null;

const toolOf = ({ to, when, examples }: Target): ToolSpec => {
  const said = examples.slice(0, 5).map((example) => JSON.stringify(example));
  return {
    name: `${PREFIX}${to}`,
    description: `Goes on with the next step. Call it when the caller: ${when}${said.length === 0 ? '' : `. They say, for example: ${said.join(', ')}`}`,
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  };
};
