import { HANDED_OVER } from '../../shared/hand-over.ts';
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

interface Parts<R, A> {
  /** Handovers before; absent: none. */
  readonly done?: number;
  /** The agent of the conversation's workspace; null: there is none, or it is archived. */
  find(agentId: string): Promise<FoundAgent | null>;
  /** `variables`: the values that were passed on. Null: tools or settings of the agent cannot be read. */
  prepare(agent: FoundAgent, variables: Readonly<Record<string, string>>): Promise<R | null>;
  /** What is known of the agent before a handover to it. Absent: agents are not prepared ahead. */
  ahead?(agent: FoundAgent): Promise<A>;
}

/** Hands one conversation over to other agents of its workspace. */
export class Handovers<R, A = null> {
  readonly #parts: Parts<R, A>;
  readonly #ahead = new Set<string>();
  #done: number;

  constructor(parts: Parts<R, A>) {
    this.#parts = parts;
    this.#done = parts.done ?? 0;
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
    if (this.#done >= MOST_HANDOVERS)
      return refused(`a conversation has at most ${MOST_HANDOVERS} handovers`);
    try {
      const agent = await this.#parts.find(String(args['agent_id']));
      if (agent === null) return refused('agent_id is no agent of this workspace, or it is archived');
      const ready = await this.#parts.prepare(agent, textsOf(args['variables']));
      if (ready === null) return refused(`${agent.name} could not be prepared`);
      this.#done += 1;
      const result = { status: HANDED_OVER, agent_id: agent.id, agent_name: agent.name };
      return { ready, answer: { ok: true, result } };
    } catch {
      return refused('the agent could not be read');
    }
  }
}

const refused = (error: string) => ({ ready: null, answer: { ok: false, result: { error } } });

/** Values that were passed on, as the variables of a prompt. */
export const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
