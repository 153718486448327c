import type { VersionConfig } from '../store/json/agent-version.ts';
import type { ChatTools, OpenAgent } from '../chat/chat-turns.ts';
import { callSpec, type SpecDeps } from '../dialer/prepare-call.ts';
import type { ToolOutcome } from '../domain/tools/run-api-tool.ts';
import { prepareTools, type CallTools, type ToolDeps } from '../domain/tools/call-tools.ts';
import { callWindow } from '../domain/call-windows/call-window.ts';
import { toolVariables } from '../domain/tools/template.ts';
import { asJson } from '../domain/tools/tool-log.ts';
import { modelsOf, type ProviderChoice } from '../providers/choose/installation.ts';
import { VendorHealths } from '../providers/wire/health.ts';
import { openReach, type VendorReach } from '../providers/wire/reach.ts';
import { brainContext } from '../session/settings.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import { once } from '../shared/once.ts';
import type { LlmProvider } from '../providers/ports/model.ts';
import { ChosenModels, healthByAccount } from '../providers/choose/open-models.ts';
import { OwnModels } from '../workers/own-models.ts';
import type { CallSpec } from '../workers/protocol.ts';
import type { ReadProviders } from './provider-reader.ts';

export interface ChatAgentDeps {
  readonly brain: Pick<ProviderChoice, 'llm' | 'models'>;
  readonly spec: SpecDeps;
  readonly tools: ToolDeps;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
  readonly providers: ReadProviders;
  knowledge(workspaceId: string, config: VersionConfig): Promise<readonly KnowledgeItem[]>;
  lookUp(
    at: { readonly workspaceId: string; readonly kbIds: readonly string[] },
    args: Readonly<Record<string, unknown>>,
  ): Promise<ToolOutcome>;
}

/** Kinds of tools that need a phone line. */
const OF_THE_LINE: ReadonlySet<string | undefined> = new Set(['send_keys', 'wait_for_keys', 'transfer']);
const RECORDING: ReadonlySet<string> = new Set(['pause_recording', 'resume_recording']);
const PRE_CALL_MS = 20_000;

/** Opens agents for turns of chats: the same models, prompt, knowledge and tools as in a call. */
export class ChatAgents {
  readonly #deps: ChatAgentDeps;
  readonly #healths = new VendorHealths();
  readonly #reach: VendorReach;
  readonly #chosen: ChosenModels;
  readonly #own: OwnModels;
  readonly #base: () => Promise<LlmProvider>;

  constructor(deps: ChatAgentDeps) {
    this.#deps = deps;
    this.#reach = openReach({ allow: deps.allow });
    this.#chosen = new ChosenModels(this.#reach, (ids) => healthByAccount(this.#healths.of('llm'), ids));
    this.#own = new OwnModels(deps.allow);
    this.#base = once(() => modelsOf(deps.brain, this.#healths));
  }

  readonly open: OpenAgent = async (party, config, variables, options) => {
    const { isFirst, line, onModelFailure } = options;
    const { workspaceId, agentId, agentName } = party;
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
        config: isFirst ? config : { ...config, pre_call_tools: [] },
        variables: toolVariables(variables, facts),
        window: callWindow(config.call_config.call_time, null, number),
        lookUp: (args) => this.#deps.lookUp({ workspaceId, kbIds: config.knowledge_base_ids ?? [] }, args),
        ...(line === undefined
          ? { whyNoCallback: () => Promise.resolve('this chat cannot schedule a phone call') }
          : {}),
        budgetMs: PRE_CALL_MS,
      }),
    ]);
    const tools = prepared.ready ? prepared.tools : null;
    const spec = {
      ...callSpec(this.#deps.spec, {
        callId: party.id,
        workspaceId,
        attempt: 1,
        direction,
        agentName,
        config,
        variables: { ...variables, ...tools?.learnt },
        capMs: 0,
        knowledge,
        providers,
      }),
      tools: (tools?.specs ?? []).filter(
        ({ kind, name }) => line !== undefined || (!OF_THE_LINE.has(kind) && !RECORDING.has(name)),
      ),
    };
    const held: (() => void)[] = [];
    const { onModelFailure: ofAgent, ...spoken } = brainContext(spec, { understandsSpeech: true });
    const context = {
      ...spoken,
      ...(line === undefined ? { channel: 'text' as const } : {}),
      ...((onModelFailure ?? ofAgent) === 'script' ? { onModelFailure: 'script' as const } : {}),
    };
    const llm = (await this.#model(spec, held)).open(context);
    return {
      llm,
      context,
      tools: toolsOf(tools, prepared.ready ? prepared.tools.log : prepared.log),
      close: () => {
        llm.close();
        for (const release of held) release();
        void tools?.close();
      },
    };
  };

  async close(): Promise<void> {
    await Promise.all([this.#chosen.close(), this.#own.close(), this.#reach.close()]);
  }

  async #model(spec: CallSpec, held: (() => void)[]): Promise<LlmProvider> {
    const own = spec.llm?.own ?? null;
    if (own !== null) {
      if (!this.#own.isLoaded) await this.#own.load();
      return this.#own.of(own);
    }
    const accounts = spec.providers?.llm;
    if (accounts === undefined) return this.#base();
    if (!this.#chosen.isLoaded) await this.#chosen.load();
    return this.#chosen.of(accounts, held);
  }
}

const toolsOf = (tools: CallTools | null, log: CallTools['log']): ChatTools => ({
  specs: tools?.specs ?? [],
  learnt: tools?.learnt ?? {},
  log: asJson(log),
  run: async (name, args) =>
    (await tools?.run(name, args)) ?? { ok: false, result: { error: 'no such tool' } },
});
