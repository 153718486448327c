import type { VersionConfig } from '../store/json/agent-version.ts';
import type { ChatTools, OpenAgent } from '../chat/chat-turns.ts';
import { flowOf } from '../domain/agents/flow/flow-of.ts';
import { modelSettings } from '../domain/agents/model-settings.ts';
import type { SearchPlace } from '../domain/knowledge/meaning-search.ts';
import type { ToolOutcome } from '../domain/tools/run-api-tool.ts';
import { prepareTools, type CallTools, type ToolDeps } from '../domain/tools/call-tools.ts';
import { callWindow } from '../domain/call-windows/call-window.ts';
import { toolVariables } from '../wire/tools/variables.ts';
import { modelsOf, type ProviderChoice } from '../providers/choose/installation.ts';
import { VendorHealths } from '../providers/wire/health.ts';
import { openBrain } from '../providers/ports/open-brain.ts';
import { brainContext } from '../providers/ports/brain-context.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import { once } from '../shared/once.ts';
import type { LlmProvider } from '../providers/ports/model.ts';
import { ChosenProviders } from '../providers/choose/open.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { ReadProviders } from './provider-reader.ts';

export interface ChatAgentDeps {
  readonly brain: Pick<ProviderChoice, 'llm' | 'models'>;
  readonly tools: ToolDeps;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
  readonly providers: ReadProviders;
  /** Epoch ms. */
  now(): number;
  knowledge(workspaceId: string, config: VersionConfig): Promise<readonly KnowledgeItem[]>;
  lookUp(at: SearchPlace, args: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
}

/** Kinds of tools that need a phone line. */
const OF_THE_LINE: ReadonlySet<string | undefined> = new Set(['send_keys', 'wait_for_keys', 'transfer']);
const RECORDING: ReadonlySet<string> = new Set(['pause_recording', 'resume_recording']);
const PRE_CALL_MS = 20_000;

/** Opens agents for turns of chats: the same models, prompt, knowledge and tools as in a call. */
export class ChatAgents {
  readonly #deps: ChatAgentDeps;
  readonly #models: () => Promise<ChosenProviders<{ readonly llm: LlmProvider }>>;
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(deps: ChatAgentDeps) {
    this.#deps = deps;
    this.#models = once(async () => {
      const llm = await modelsOf(deps.brain, new VendorHealths());
      const models = new ChosenProviders({ llm }, deps.allow);
      this.#close = () => models.close();
      return models;
    });
  }

  readonly open: OpenAgent = async (party, config, variables, options) => {
    const { isFirst, line, onModelFailure } = options;
    const { workspaceId, agentId, agentName } = party;
    const place = {
      workspaceId,
      kbIds: config.knowledgeBaseIds ?? [],
      byStranger: party.channel !== 'test',
    };
    const direction = line ?? 'inbound';
    const number = party.customerNumber ?? '';
    const facts = {
      callId: party.id,
      direction,
      from: direction === 'inbound' ? number : '',
      to: direction === 'inbound' ? '' : number,
      agentId,
      agentName,
    };
    const [knowledge, providers, prepared] = await Promise.all([
      this.#deps.knowledge(workspaceId, config),
      this.#deps.providers(workspaceId, config),
      prepareTools(this.#deps.tools, {
        workspaceId,
        config: isFirst ? config : { ...config, preCallTools: [] },
        variables: toolVariables(variables, facts),
        window: callWindow(config.callConfig.callTime, null, number),
        lookUp: (args) => this.#deps.lookUp(place, args),
        ...(line === undefined
          ? { whyNoCallback: () => Promise.resolve('this chat cannot schedule a phone call') }
          : {}),
        budgetMs: PRE_CALL_MS,
      }),
    ]);
    const tools = prepared.ready ? prepared.tools : null;
    const { agentConfig: agent, language, secondaryLanguage } = config;
    const spec = {
      agent: {
        name: agentName,
        language,
        secondaryLanguage,
        prompt: agent.agentPrompt,
        introMessage: agent.introMessage,
        ...flowOf(config),
      },
      variables: { ...variables, ...tools?.learnt },
      knowledge,
      direction,
      tools: (tools?.specs ?? []).filter(
        ({ kind, name }) => line !== undefined || (!OF_THE_LINE.has(kind) && !RECORDING.has(name)),
      ),
      ...modelSettings(agent.llm ?? null),
    };
    const { onModelFailure: ofAgent, ...spoken } = brainContext(spec, { understandsSpeech: true });
    const context = {
      ...spoken,
      ...(line === undefined ? { channel: 'text' as const } : {}),
      ...((onModelFailure ?? ofAgent) === 'script' ? { onModelFailure: 'script' as const } : {}),
    };
    const chosen = await this.#chosen(providers);
    const llm = openBrain(chosen.providers.llm, context, () => this.#deps.now());
    return {
      llm,
      context,
      tools: toolsOf(tools, prepared.ready ? prepared.tools.log : prepared.log),
      close: () => {
        llm.close();
        chosen.release();
        void tools?.close();
      },
    };
  };

  close(): Promise<void> {
    return this.#close();
  }

  /** A chat has a model alone. */
  async #chosen({ llm }: CallProviders) {
    const models = await this.#models();
    const chosen = llm === undefined ? {} : { llm };
    if (models.lacks(chosen)) await models.load(chosen);
    return models.of(chosen);
  }
}

const toolsOf = (tools: CallTools | null, log: CallTools['log']): ChatTools => ({
  specs: tools?.specs ?? [],
  learnt: tools?.learnt ?? {},
  log,
  run: async (name, args) =>
    (await tools?.run(name, args)) ?? { ok: false, result: { error: 'no such tool' } },
});
