import type { VersionConfig } from '../store/json/agent-version.ts';
import type { OpenAgent, OpenOptions, TalkParty } from '../chat/chat-turns.ts';
import { flowOf, handsOver } from '../domain/agents/flow/flow-of.ts';
import { Handovers, textsOf, type FoundAgent, type Taking } from '../domain/agents/handovers.ts';
import { modelSettings } from '../domain/agents/model-settings.ts';
import type { SearchPlace } from '../domain/knowledge/meaning-search.ts';
import type { ToolOutcome } from '../domain/tools/run-api-tool.ts';
import { prepareTools, type CallTools, type ToolDeps } from '../domain/tools/call-tools.ts';
import { callWindow } from '../domain/call-windows/call-window.ts';
import { toolVariables } from '../wire/tools/variables.ts';
import { modelsOf, type ProviderChoice } from '../providers/choose/installation.ts';
import { VendorHealths } from '../providers/wire/health.ts';
import { AgentBrains, takenBefore, takenBy, type NextBrain } from '../providers/ports/agent-brains.ts';
import { goesOnAfterIntro, openBrain } from '../providers/ports/open-brain.ts';
import { brainContext } from '../providers/ports/brain-context.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import { HAND_OVER } from '../shared/hand-over.ts';
import { once } from '../shared/once.ts';
import type { BrainContext, LlmProvider, LlmSession, StepLlms } from '../providers/ports/model.ts';
import { ChosenProviders } from '../providers/choose/open.ts';
import type { CallProviders } from '../vendors/accounts.ts';
import type { ReadProviders } from './provider-reader.ts';

export interface ChatAgentDeps {
  readonly brain: Pick<ProviderChoice, 'llm' | 'models' | 'modelsDir'>;
  readonly tools: ToolDeps;
  /** SAFE_FETCH_ALLOW. */
  readonly allow: readonly string[];
  readonly providers: ReadProviders;
  /** Epoch ms. */
  now(): number;
  /** An agent of the workspace with the version that the chat would have; null: none, or archived. */
  next(workspaceId: string, agentId: string, chatId: string): Promise<FoundAgent | null>;
  knowledge(workspaceId: string, config: VersionConfig): Promise<readonly KnowledgeItem[]>;
  lookUp(at: SearchPlace, args: Readonly<Record<string, unknown>>): Promise<ToolOutcome>;
}

/** Kinds of tools that need a phone line. */
const OF_THE_LINE: ReadonlySet<string | undefined> = new Set(['send_keys', 'wait_for_keys', 'transfer']);
const RECORDING: ReadonlySet<string> = new Set(['pause_recording', 'resume_recording']);
const PRE_CALL_MS = 20_000;

/** One agent of a chat, its model open. */
interface ReadyAgent {
  readonly agent: { readonly id: string; readonly name: string };
  readonly model: { readonly vendor: string; readonly model: string | null };
  readonly llm: LlmSession;
  readonly context: BrainContext;
  /** Null: a pre-call tool that the chat depends on failed. */
  readonly tools: CallTools | null;
  readonly log: CallTools['log'];
  readonly release: () => void;
}

/** Opens agents for turns of chats: the same models, prompt, knowledge and tools as in a call. */
export class ChatAgents {
  readonly #deps: ChatAgentDeps;
  readonly #models: () => Promise<
    ChosenProviders<{ readonly llm: LlmProvider; readonly stepModels?: StepLlms }>
  >;
  #close: () => Promise<void> = () => Promise.resolve();

  constructor(deps: ChatAgentDeps) {
    this.#deps = deps;
    this.#models = once(async () => {
      const llm = await modelsOf(deps.brain, new VendorHealths());
      const models = new ChosenProviders<{ readonly llm: LlmProvider; readonly stepModels?: StepLlms }>(
        { llm },
        deps.allow,
      );
      this.#close = () => models.close();
      return models;
    });
  }

  readonly open: OpenAgent = async (party, config, variables, options) => {
    const { workspaceId, agentId, agentName: name, id } = party;
    const own = { id: agentId, name, config };
    const first = await this.#ready(party, own, variables, options);
    const opened = [first];
    let holder = first;
    const brains = new AgentBrains(first.llm);
    const { memory, handovers: done = 0 } = options;
    const taken = takenBy(memory);
    const find = (agent: string) => this.#deps.next(workspaceId, agent, id);
    const prepare = (agent: FoundAgent, { variables: passed, returnsTo, again }: Taking) => {
      if (again === 'first') return Promise.resolve(first);
      const known = { ...variables, ...first.tools?.learnt, ...passed };
      return this.#ready(party, agent, known, { ...options, isFirst: false }, returnsTo);
    };
    const join = (ready: ReadyAgent): void => {
      holder = ready;
      if (opened.includes(ready)) return;
      opened.push(ready);
      brains.add(ready.agent.id, brainOf(ready));
    };
    const agent = taken === null ? null : await find(taken.agent_id);
    if (agent !== null && taken !== null) {
      const before = takenBefore(memory);
      const to = before === null ? own : await find(before.agent_id);
      const returnsTo = taken.back === true ? (to?.name ?? null) : null;
      join(await prepare(agent, { variables: textsOf(taken.variables), returnsTo, again: null }));
    }
    const handovers = new Handovers({
      done,
      first: own,
      ...(agent === null ? {} : { holder: agent.name }),
      find,
      prepare,
    });
    return {
      llm: brains,
      context: first.context,
      tools: {
        get specs() {
          return holder.tools?.specs ?? [];
        },
        learnt: first.tools?.learnt ?? {},
        log: first.log,
        run: async (tool, args) => {
          if (tool !== HAND_OVER) return holder.tools?.run(tool, args) ?? NO_TOOL;
          const { ready, answer } = await handovers.handOver(args);
          if (ready === null) return answer;
          join(ready);
          if (args['comes_back'] === true) return answer;
          const summary = await brains.summary();
          return summary === null ? answer : { ...answer, result: { ...answer.result, summary } };
        },
      },
      close: () => {
        brains.close();
        for (const { tools, release } of opened) {
          release();
          void tools?.close();
        }
      },
    };
  };

  async #ready(
    party: TalkParty,
    { id: agentId, name: agentName, config }: FoundAgent,
    variables: Readonly<Record<string, string>>,
    { isFirst, line, onModelFailure }: OpenOptions,
    returnsTo: string | null = null,
  ): Promise<ReadyAgent> {
    const { workspaceId } = party;
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
      ...(handsOver(config) ? { handsOver: true as const } : {}),
      ...(returnsTo === null ? {} : { returnsTo }),
      ...modelSettings(agent.llm ?? null),
    };
    const { onModelFailure: ofAgent, ...spoken } = brainContext(spec, { understandsSpeech: true });
    const context = {
      ...spoken,
      ...(line === undefined ? { channel: 'text' as const } : {}),
      ...((onModelFailure ?? ofAgent) === 'script' ? { onModelFailure: 'script' as const } : {}),
    };
    const chosen = await this.#chosen(providers);
    const model = chosen.providers.llm;
    return {
      agent: { id: agentId, name: agentName },
      model: { vendor: model.name, model: model.model ?? null },
      llm: openBrain(model, context, () => this.#deps.now(), chosen.providers.stepModels),
      context,
      tools,
      log: prepared.ready ? prepared.tools.log : prepared.log,
      release: () => chosen.release(),
    };
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** A chat has a model alone. */
  async #chosen({ llm, stepModels }: CallProviders) {
    const models = await this.#models();
    const chosen = {
      ...(llm === undefined ? {} : { llm }),
      ...(stepModels === undefined ? {} : { stepModels }),
    };
    if (models.lacks(chosen)) await models.load(chosen);
    return models.of(chosen);
  }
}

const NO_TOOL: ToolOutcome = { ok: false, result: { error: 'no such tool' } };

const brainOf = ({ agent, model, llm, context }: ReadyAgent): NextBrain => ({
  session: llm,
  introMessage: context.introMessage,
  goesOn: goesOnAfterIntro(context),
  by: { ...model, isFirst: true, agent },
});
