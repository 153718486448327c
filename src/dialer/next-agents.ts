import type { VersionConfig } from '../store/json/agent-version.ts';
import type { CallTools } from '../domain/tools/call-tools.ts';
import { HANDED_OVER } from '../shared/hand-over.ts';
import type { NextAgent, ToolAnswer } from '../session/protocol.ts';

/** Handovers of one call. */
const MOST_HANDOFFS = 10;

/** An agent of the workspace that calls may be handed over to, with the version of the call. */
export interface FoundAgent {
  readonly id: string;
  readonly name: string;
  readonly config: VersionConfig;
}

/** An agent that is ready to go on with the call, and its tools. */
export interface ReadyAgent {
  readonly next: NextAgent;
  readonly tools: CallTools;
}

interface Parts {
  /** Languages in which the call is heard. */
  readonly languages: readonly string[];
  /** The agent of the call's workspace; null: there is none, or it is archived. */
  find(agentId: string): Promise<FoundAgent | null>;
  /** Null: its tools or settings cannot be read. */
  prepare(agent: FoundAgent, variables: Readonly<Record<string, string>>): Promise<ReadyAgent | null>;
}

/** The agents that a call is handed over to. */
export class NextAgents {
  readonly #parts: Parts;
  #handoffs = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Carries out `hand_over`; with `tools` the agent goes on. A refusal leaves the caller where they are. Never rejects. */
  async handOver(args: Readonly<Record<string, unknown>>): Promise<ToolAnswer & { tools?: CallTools }> {
    if (this.#handoffs >= MOST_HANDOFFS) return refused(`a call has at most ${MOST_HANDOFFS} handoffs`);
    try {
      const agent = await this.#parts.find(String(args['agent_id']));
      if (agent === null) return refused('agent_id is no agent of this workspace, or it is archived');
      const { language } = agent.config;
      const { languages } = this.#parts;
      if (!languages.includes(language))
        return refused(
          `${agent.name} speaks ${language}, and this call is heard in ${languages.join(' and ')}`,
        );
      const ready = await this.#parts.prepare(agent, textsOf(args['variables']));
      if (ready === null) return refused(`${agent.name} could not be prepared`);
      this.#handoffs += 1;
      const result = { status: HANDED_OVER, agent_id: agent.id, agent_name: agent.name };
      return { ok: true, result, ...ready };
    } catch {
      return refused('the agent could not be read');
    }
  }
}

const refused = (error: string): ToolAnswer => ({ ok: false, result: { error } });

const textsOf = (values: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value)]));
