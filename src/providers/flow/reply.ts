import type { Expected, HistoryItem } from '@callwright/turns';
import { soundsOwn } from '../../voice/flow/document.ts';
import type { FlowProgram } from '../../voice/flow/engine/program.ts';
import { moveText } from '../../shared/flow-moves.ts';
import type { FlowEffect, FlowEvent, FlowState, Handover } from '../../voice/flow/engine/state.ts';
import { agentsAhead, answersSilence, step } from '../../voice/flow/engine/step.ts';
import { isShort, summaryOf } from '../../voice/flow/summary.ts';
import { HAND_OVER, withoutParts, type HandOverArgs } from '../../shared/hand-over.ts';
import { BASES_ARGUMENT } from '../../shared/knowledge/bases-argument.ts';
import { LOOKUP_KNOWLEDGE } from '../ports/brain-context.ts';
import { SCRIPT_ENGINE } from '../../shared/spoken-by.ts';
import type { LlmEvent, LlmRequest, ModelUsage, Replier } from '../ports/model.ts';
import { targetOf, type Mark, type ModelStep, type StepModels } from './step-models.ts';

/** How much of the history a reply has seen. */
interface Seen {
  readonly callers: number;
  readonly unclear: number;
  readonly results: number;
}
/** Memory of the model of one node, and the length of the history at its first request. */
interface NodeMemory {
  readonly node: string;
  readonly from: number;
  readonly own: unknown;
}
/** Between two replies: where the flow stands, how much of the history it has seen, and the model's own memory. */
export interface FlowMemory extends Seen {
  readonly flow: FlowState;
  readonly model: NodeMemory | null;
  /** Where the nodes of the conversation lie in its history. */
  readonly marks: readonly Mark[];
  /** The flow's own words before the caller got the floor; null: none. */
  readonly asked: string | null;
}

export interface ReplyParts {
  readonly program: FlowProgram;
  readonly models: StepModels;
  readonly request: LlmRequest;
  readonly seen: Seen;
  readonly model: NodeMemory | null;
  readonly marks: readonly Mark[];
  /** Unique within the conversation. */
  readonly id: string;
}

/** Who gives a reply without a request to a model. */
const OWN_WORDS: Replier = { vendor: SCRIPT_ENGINE, model: null, isFirst: true };

/** Requests to the model within one reply. */
const MOST_REQUESTS = 3;

/** One reply of a flow: its own words, and those of the model where a node leaves the lead to it. */
export class FlowReply {
  readonly #parts: ReplyParts;
  readonly #onEvent: (event: LlmEvent) => void;
  #state: FlowState;
  #model: NodeMemory | null;
  #happened: FlowEvent | null = null;
  #hasSpoken = false;
  #calls = 0;
  #requests = 0;
  readonly #steps: string[] = [];
  #expected: Expected | null = null;
  #usage: ModelUsage | null = null;
  #by: Replier | null = null;
  #asked: string | null = null;
  /** What the model shall summarise for its step; null: nothing. */
  #summarises: readonly HistoryItem[] | null = null;

  constructor(parts: ReplyParts, state: FlowState, onEvent: (event: LlmEvent) => void) {
    this.#parts = parts;
    this.#state = state;
    this.#model = parts.model;
    this.#onEvent = onEvent;
  }

  start(event: FlowEvent): void {
    this.#happened = event;
    this.#step(event);
  }

  #step(event: FlowEvent): void {
    const { state, effects } = step(this.#parts.program, this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    this.#asked = askedIn(effects) ?? this.#asked;
    const model = effects.find((effect) => effect.type === 'model');
    // After words of the flow the caller has the floor, and the model leads from the answer on.
    if (model === undefined || this.#hasSpoken) return this.#done();
    if (this.#requests >= MOST_REQUESTS) {
      this.#say(this.#parts.program.wording.table.conversation.phrases.oneMoment);
      return this.#done();
    }
    this.#ask(model);
  }

  #perform(effect: FlowEffect): void {
    switch (effect.type) {
      case 'say':
        return this.#say(effect.text);
      case 'tool':
        return this.#call(effect.name, { ...effect.args });
      case 'hand_over':
        return this.#call(HAND_OVER, {
          ...argsOf(effect),
          ...this.#leftOut(effect),
          ...this.#summary(effect),
        });
      case 'opt_out':
        return this.#call('opt_out', {});
      case 'end':
        return this.#call('end_call', {}, effect.isByCaller);
      case 'expect':
        this.#expected = effect.expected;
        return;
      case 'moved':
        this.#steps.push(moveText(effect));
        return;
      case 'model':
    }
  }

  /** Where the nodes lie that the other agent shall not read. */
  #leftOut({ forget }: Handover): Pick<HandOverArgs, 'left_out'> {
    const { marks, request } = this.#parts;
    const left = marks.flatMap(({ at, node }, index) =>
      forget.includes(node) ? [[at, marks[index + 1]?.at ?? request.history.length] as const] : [],
    );
    return left.length === 0 ? {} : { left_out: left };
  }

  #summary(handover: Handover): Pick<HandOverArgs, 'summary'> {
    if (!handover.isSummary) return {};
    const { left_out: left = [] } = this.#leftOut(handover);
    return {
      summary: summaryOf(this.#openValues(handover.forget), withoutParts(this.#parts.request.history, left)),
    };
  }

  /** Values that a model may read: no sensitive ones, and none that was given in a node that it forgets. */
  #openValues(forget: readonly string[]): FlowState['values'] {
    const { variables, nodes } = this.#parts.program;
    const forgotten = forget.flatMap((id) => {
      const node = nodes.get(id);
      return node?.type === 'collect' ? [node.variable] : [];
    });
    const open = Object.entries(this.#state.values).filter(
      ([name]) => variables.get(name)?.sensitive !== true && !forgotten.includes(name),
    );
    return Object.fromEntries(open);
  }

  /** `refused`: tools that the step does not have, with their results, after which the model is asked again. */
  #ask(model: ModelStep, refused: readonly HistoryItem[] = []): void {
    const { models, request } = this.#parts;
    this.#requests += 1;
    const denied: HistoryItem[] = [];
    let hasCalled = false;
    const known = this.#model?.node === model.node ? this.#model : null;
    const from = known?.from ?? request.history.length;
    const node = this.#parts.program.nodes.get(model.node);
    const isOwn = node?.type === 'talk' && soundsOwn(node);
    let target: string | null = null;
    let isOver = false;
    const read = models.historyOf(
      model,
      request.history,
      from,
      this.#marks(),
      this.#openValues(model.forget),
    );
    if (model.isSummary && models.hasModel && known === null)
      this.#summarises = models.before(model, request.history, from, this.#marks());
    const history = refused.length === 0 ? read : [...read, ...refused];
    models.of(model).reply({ ...request, history, memory: known?.own ?? null }, (event) => {
      if (request.signal.aborted) return;
      if (event.type === 'delta') {
        this.#hasSpoken ||= event.text.trim() !== '';
        this.#onEvent(isOwn ? { ...event, step: model.node } : event);
      } else if (event.type === 'tool') {
        const { name, args } = event;
        const to = models.hasModel ? targetOf(name, args) : null;
        // The script engine ends when its script does; the flow may go on.
        if (name === 'end_call' && !models.hasModel) isOver = true;
        else if (to === null ? !models.allows(model, name) : model.targets.every((each) => each.to !== to))
          denied.push(refusal(name, args));
        else if (to !== null) target ??= to;
        else {
          hasCalled = true;
          this.#call(name, argsIn(model, name, args));
        }
      } else if (event.type === 'done') {
        this.#model = { node: model.node, from, own: event.memory };
        this.#usage = added(this.#usage, event.usage ?? null);
        this.#by = event.by ?? this.#by;
        this.#expected = event.expected;
        const mayAskAgain = denied.length > 0 && !this.#hasSpoken && this.#requests < MOST_REQUESTS;
        if (target === null && !isOver && !hasCalled && mayAskAgain)
          return this.#ask(model, [...refused, ...denied]);
        if (target === null && !isOver) return this.#done();
        this.#expected = null;
        const happened = this.#happened!;
        const { at, hears } = happened;
        const said = happened.type === 'caller' ? { line: happened.line } : {};
        this.#step({ type: 'spoke', to: target, isOver, at, hears, variables: {}, ...said });
      } else this.#onEvent(event);
    });
  }

  #say(text: string): void {
    this.#emit({ type: 'delta', text: this.#hasSpoken ? ` ${text}` : text });
    this.#hasSpoken = true;
  }

  #call(name: string, args: Record<string, unknown>, isByCaller?: true): void {
    this.#calls += 1;
    const id = `${this.#parts.id}-${this.#calls}`;
    this.#emit({ type: 'tool', id, name, args, ...(isByCaller === undefined ? {} : { isByCaller }) });
  }

  #done(): void {
    const memory: FlowMemory = {
      ...this.#parts.seen,
      flow: this.#state,
      model: this.#model,
      marks: this.#marks(),
      asked: this.#asked,
    };
    const by = this.#requests === 0 ? OWN_WORDS : this.#by;
    const { program } = this.#parts;
    const mayHandTo = program.handsOver ? agentsAhead(program, this.#state) : [];
    this.#emit({
      type: 'done',
      memory,
      expected: this.#expected,
      ...(answersSilence(program, this.#state) ? { onSilence: true as const } : {}),
      ...(mayHandTo.length === 0 ? {} : { mayHandTo }),
      ...(this.#summarises === null || isShort(this.#summarises) ? {} : { summarises: this.#summarises }),
      ...(this.#usage === null ? {} : { usage: this.#usage }),
      ...(by === null ? {} : { by }),
      ...(this.#steps.length === 0 ? {} : { steps: this.#steps }),
    });
  }

  /** The agent's words of this reply, and what answers them, belong to the node that the flow is in now. */
  #marks(): readonly Mark[] {
    const { marks, request } = this.#parts;
    const node = this.#state.at ?? '';
    return marks.at(-1)?.node === node ? marks : [...marks, { at: request.history.length, node }];
  }

  #emit(event: LlmEvent): void {
    if (!this.#parts.request.signal.aborted) this.#onEvent(event);
  }
}

/** A tool that the present step does not have, with its result. */
const refusal = (name: string, args: Record<string, unknown>): HistoryItem => ({
  role: 'tool',
  name,
  args,
  result: { error: 'the present step does not have this' },
});

/** A search for knowledge stays in the knowledge bases of its step. */
const argsIn = ({ knowledge }: ModelStep, name: string, args: Record<string, unknown>) =>
  knowledge === null || name !== LOOKUP_KNOWLEDGE.name ? args : { ...args, [BASES_ARGUMENT]: knowledge };

/** The words that end with the question behind which the caller gets the floor. */
function askedIn(effects: readonly FlowEffect[]): string | null {
  if (!effects.some(({ type }) => type === 'expect')) return null;
  const said = effects.flatMap((effect) => (effect.type === 'say' ? [effect.text] : []));
  return said.length === 0 ? null : said.join(' ');
}

const argsOf = ({ agentId, earlier, isSilent, comesBack, values }: Handover): HandOverArgs => ({
  agent_id: agentId,
  ...(comesBack ? { back: true } : {}),
  ...(earlier === null ? {} : { earlier }),
  ...(isSilent ? { silent: true } : {}),
  ...(Object.keys(values).length === 0 ? {} : { variables: values }),
});

/** The tokens of two requests. */
function added(a: ModelUsage | null, b: ModelUsage | null): ModelUsage | null {
  if (a === null || b === null) return a ?? b;
  const sum = (x: number | null, y: number | null): number | null =>
    x === null && y === null ? null : (x ?? 0) + (y ?? 0);
  return {
    ...b,
    inputTokens: sum(a.inputTokens, b.inputTokens),
    cachedTokens: sum(a.cachedTokens, b.cachedTokens),
    outputTokens: sum(a.outputTokens, b.outputTokens),
  };
}
