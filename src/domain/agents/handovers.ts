import { CAME_BACK, HANDED_OVER } from '../../shared/hand-over.ts';
import type { VersionConfig } from '../../store/json/agent-version.ts';

/** Handovers of one conversation. */
const MOST_HANDOVERS = 10;

/** An agent of the workspace that may go on with a conversation, with the version that it would have. */
export interface FoundAgent {
  readonly id: string;
  readonly name: string;
  readonly config: VersionConfig;
}

/** The outcome of `hand_over`. `ready`: what the conversation goes on with; null: the agent stays, and the result says why. */
export interface Handover<R> {
  readonly ready: R | null;
  readonly answer: { readonly ok: boolean; readonly result: Readonly<Record<string, string>> };
}

/** How an agent gets a conversation. */
export interface Taking {
  /** The values that were passed on. */
  readonly variables: Readonly<Record<string, string>>;
  /** The name of the agent to which it gives the conversation back; null: to none. */
  readonly returnsTo: string | null;
  /** `first`: the agent with which the conversation began has it again; `other`: one that had it before. Null: it is new. */
  readonly again: 'first' | 'other' | null;
}

interface Parts<R, A> {
  /** Handovers before; absent: none. */
  readonly done?: number;
  /** The agent with which the conversation began. */
  readonly first: FoundAgent;
  /** The name of the agent that has the conversation; absent: the first one's. */
  readonly holder?: string;
  /** The agent of the conversation's workspace; null: there is none, or it is archived. */
  find(agentId: string): Promise<FoundAgent | null>;
  /** Null: tools or settings of the agent cannot be read. */
  prepare(agent: FoundAgent, taking: Taking): Promise<R | null>;
  /** What is known of the agent before a handover to it. Absent: agents are not prepared ahead. */
  ahead?(agent: FoundAgent): Promise<A>;
}

/** Hands one conversation over to other agents of its workspace. */
export class Handovers<R, A = null> {
  readonly #parts: Parts<R, A>;
  readonly #ahead = new Set<string>();
  #done: number;
  #holder: string;

  constructor(parts: Parts<R, A>) {
    this.#parts = parts;
    this.#done = parts.done ?? 0;
    this.#holder = parts.holder ?? parts.first.name;
  }

  /** Prepares an agent that may go on next. Null: it was prepared before, or cannot be read. Never rejects. */
  async ahead(agentId: string): Promise<A | null> {
    const parts = this.#parts;
    if (parts.ahead === undefined || this.#ahead.has(agentId) || this.#done >= MOST_HANDOVERS) return null;
    this.#ahead.add(agentId);
    try {
      const agent = await parts.find(agentId);
      return agent === null ? null : await parts.ahead(agent);
    } catch {
      return null;
    }
  }

  /** Carries out `hand_over`. A refusal leaves the person where they are. Never rejects. */
  async handOver(args: Readonly<Record<string, unknown>>): Promise<Handover<R>> {
    const isBack = args['comes_back'] === true;
    if (!isBack && this.#done >= MOST_HANDOVERS)
      return refused(`a conversation has at most ${MOST_HANDOVERS} handovers`);
    try {
      const parts = this.#parts;
      const isFirst = isBack && args['agent_id'] === undefined;
      const agent = isFirst ? parts.first : await parts.find(String(args['agent_id']));
      if (agent === null) return refused('agent_id is no agent of this workspace, or it is archived');
      const ready = await parts.prepare(agent, {
        variables: textsOf(args['variables']),
        returnsTo: args['back'] === true ? this.#holder : null,
        again: isBack ? (isFirst ? 'first' : 'other') : null,
      });
      if (ready === null) return refused(`${agent.name} could not be prepared`);
      // Each way back belongs to a way there.
      if (!isBack) this.#done += 1;
      this.#holder = agent.name;
      const status = isBack ? CAME_BACK : HANDED_OVER;
      return { ready, answer: { ok: true, result: { status, agent_id: agent.id, agent_name: agent.name } } };
    } catch {
      return refused('the agent could not be read');
    }
  }
}

const refused = (error: string) => ({ ready: null, answer: { ok: false, result: { error } } });

/** Values that were passed on, as the variables of a prompt. */
export const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
