import { nextAgent } from '../domain/agents/next-agent.ts';
import { casePlayer } from '../chat/play-case.ts';
import { ChatTurns } from '../chat/chat-turns.ts';
import { ChatWorker } from '../chat/chat-worker.ts';
import { TestRuns } from '../chat/test-runs.ts';
import { toolTester } from '../chat/test-tool.ts';
import { TurnGate } from '../chat/turn-gate.ts';
import { CampaignSender } from '../chat/whatsapp/campaign-sender.ts';
import { graphClient } from '../chat/whatsapp/graph-client.ts';
import { WebChats } from '../chat/web/web-chats.ts';
import { ReadMarks } from '../chat/whatsapp/read-marks.ts';
import { WhatsappSender } from '../chat/whatsapp/sender.ts';
import type { SendingLoop } from '../chat/whatsapp/sending-loop.ts';
import { TemplateCache } from '../chat/whatsapp/template-cache.ts';
import type { Config } from '../config.ts';
import { rulesAnalyst } from '../domain/analysis/rules-analyst.ts';
import type { ChatDesk } from '../domain/chats/chat-desk.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import { lookUpKnowledge } from '../domain/knowledge/look-up.ts';
import type { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import type { OpenMcp } from '../domain/tools/mcp-servers.ts';
import type { AnalystOf } from '../jobs/analyse-call.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { QueueWatch } from '../jobs/queue-watch.ts';
import { SWEEP_MS } from '../jobs/sweep-rule.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import { openMcp } from '../providers/mcp.ts';
import type { ProviderChoice } from '../providers/choose/installation.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { Engine } from '../shared/spoken-by.ts';
import { TEST_CASE_JOB } from '../domain/test-cases/runs.ts';
import type { Db } from '../store/database.ts';
import { ChatAgents } from './chat-agents.ts';
import { knowledgeReader } from './knowledge-meaning.ts';
import { providerReader } from './provider-reader.ts';
import { testCaseRunner } from './test-cases.ts';
import { VoiceNotes } from './voice-notes.ts';

/** How often due messages of people are taken. */
const MESSAGES_MS = 500;

export interface ChatsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly config: Pick<Config, 'safeFetchAllow' | 'embeddings' | 'providers' | 'whatsapp' | 'unitPrices'>;
  /** Absent: a reached cap is noted nowhere. */
  readonly notices?: CapNotices;
  readonly brain: Pick<ProviderChoice, 'llm' | 'models' | 'modelsDir' | 'recognisers'>;
  readonly meaning: MeaningSearch | null;
  /** Null: this process answers no chats in the background. */
  readonly queues: QueueWatch | null;
  /** Who judges the criteria of test cases. Absent: rules. */
  readonly analystOf?: AnalystOf;
  /** Another engine than the agent's first model gave a reply. */
  readonly onFallback?: (engine: Engine) => void;
  /** A message of a page exceeded the budget of its connection and was dropped. */
  onRefused(): void;
  /** Events or analyses were queued. */
  onEvents(): void;
}

const noticesOf = ({ notices }: ChatsOptions) => (notices === undefined ? {} : { notices });
const fallbackOf = ({ onFallback }: ChatsOptions) => (onFallback === undefined ? {} : { onFallback });

/** The chats of a process: test runs within requests, connections of web pages, and the worker that answers. */
export class Chats {
  readonly desk: ChatDesk;
  /** The connections of web pages. */
  readonly web: WebChats;
  readonly #fetcher: SafeFetcher;
  readonly #agents: ChatAgents;
  readonly #notes: VoiceNotes;
  readonly #worker: ChatWorker | null;
  readonly #sender: SendingLoop | null;
  readonly #campaigns: SendingLoop | null;
  /** Plays the test cases of agents. */
  readonly #tests: JobRunner | null;

  constructor(options: ChatsOptions) {
    const { db, clock, log, seal, config, meaning } = options;
    this.#fetcher = new SafeFetcher({ allow: config.safeFetchAllow, purpose: 'tools' });
    const tools = {
      fetcher: this.#fetcher,
      seal,
      clock,
      openMcp: ({ workspaceId, ...server }: Parameters<OpenMcp>[0]) =>
        openMcp(this.#fetcher.of(workspaceId).stream, server),
    };
    const providers = providerReader(db, log, seal, config.providers);
    this.#notes = new VoiceNotes({
      db,
      log,
      seal,
      providers,
      fetcher: this.#fetcher,
      baseUrl: config.whatsapp.baseUrl,
      recognisers: options.brain.recognisers ?? [],
      allow: config.safeFetchAllow,
    });
    this.#agents = new ChatAgents({
      brain: options.brain,
      tools,
      allow: config.safeFetchAllow,
      providers,
      now: () => clock.now(),
      next: (workspaceId, agentId, chatId) => nextAgent(db, workspaceId, agentId, chatId),
      knowledge: knowledgeReader(db, log, meaning),
      lookUp: (at, args) =>
        lookUpKnowledge({ db, log, meaning, waitMs: config.embeddings?.waitMs ?? 0 }, at, args),
    });
    const { baseUrl, confirmMs } = config.whatsapp;
    const graph = graphClient(baseUrl);
    const marks = new ReadMarks({ db, log, seal, graph });
    const { queues } = options;
    const sending = { db, clock, log, seal, graph, confirmMs, pollMs: SWEEP_MS };
    this.#sender = queues === null ? null : new WhatsappSender(sending).loop;
    this.#campaigns = queues === null ? null : new CampaignSender(sending).loop;
    const onStored = (): void => {
      this.#sender?.kick();
      this.web.kick();
      options.onEvents();
    };
    const { unitPrices } = config;
    const gated = { db, clock, ...noticesOf(options) };
    const gate = new TurnGate({ ...gated, log, prices: unitPrices });
    const base = { db, clock, log, onStored };
    const turns = new ChatTurns({
      ...base,
      openAgent: this.#agents.open,
      gate,
      hearNote: this.#notes.hear,
      ...fallbackOf(options),
    });
    this.#worker =
      queues === null
        ? null
        : new ChatWorker({ ...base, turns, onTurn: (chat) => marks.mark(chat), pollMs: SWEEP_MS });
    const { analystOf = () => Promise.resolve(rulesAnalyst) } = options;
    const play = casePlayer({ db, clock, gate, openAgent: this.#agents.open });
    this.#tests =
      queues === null ? null : testCaseRunner({ db, clock, log, play, analystOf, pollMs: SWEEP_MS });
    queues?.watch('chats', () => this.#worker?.kick(), MESSAGES_MS);
    queues?.watch('chat_messages', () => this.#sender?.kick(), MESSAGES_MS);
    queues?.watch('campaign_messages', () => this.#campaigns?.kick(), MESSAGES_MS);
    queues?.watch(`job:${TEST_CASE_JOB}`, () => this.#tests?.kick());
    this.web = new WebChats({
      db,
      clock,
      log,
      onStored: () => {
        this.#worker?.kick();
        options.onEvents();
      },
      onRefused: () => options.onRefused(),
    });
    this.desk = {
      testAgent: new TestRuns({ ...gated, unitPrices, turns }).run,
      testTool: toolTester({ db, ...tools }),
      templates: new TemplateCache(clock, graph),
      kick: () => {
        this.#worker?.kick();
        this.#sender?.kick();
        this.#campaigns?.kick();
        this.#tests?.kick();
        this.web.kick();
      },
    };
  }

  start(): void {
    this.#worker?.start();
    this.#sender?.start();
    this.#campaigns?.start();
    this.#tests?.start();
    this.web.start();
  }

  async stop(): Promise<void> {
    await this.web.stop();
    await this.#worker?.stop();
    await this.#sender?.stop();
    await this.#campaigns?.stop();
    await this.#tests?.stop();
    await this.#agents.close();
    await this.#notes.close();
    await this.#fetcher.close();
  }
}
