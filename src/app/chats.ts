import { ChatTurns } from '../chat/chat-turns.ts';
import { ChatWorker } from '../chat/chat-worker.ts';
import { TestRuns } from '../chat/test-runs.ts';
import { toolTester } from '../chat/test-tool.ts';
import { graphClient } from '../chat/whatsapp/graph-client.ts';
import { WhatsappSender } from '../chat/whatsapp/sender.ts';
import type { Config } from '../config.ts';
import type { ChatDesk } from '../domain/chats/chat-desk.ts';
import { lookUpKnowledge } from '../domain/knowledge/look-up.ts';
import type { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import { openMcp } from '../providers/mcp.ts';
import type { ProviderChoice } from '../providers/registry.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { specDeps } from './adapters.ts';
import { ChatAgents } from './chat-agents.ts';
import { knowledgeReader } from './claimed-calls.ts';
import { providerReader } from './provider-reader.ts';

export interface ChatsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly config: Pick<Config, 'safeFetchAllow' | 'embeddings' | 'providers' | 'whatsapp'>;
  readonly brain: Pick<ProviderChoice, 'llm' | 'models'>;
  readonly meaning: MeaningSearch | null;
  /** This process answers chats in the background. */
  readonly hasJobs: boolean;
  /** Events or analyses were queued. */
  onEvents(): void;
}

/** The chats of a process: test runs within requests, and the worker that answers the other channels. */
export class Chats {
  readonly desk: ChatDesk;
  readonly #fetcher: SafeFetcher;
  readonly #agents: ChatAgents;
  readonly #worker: ChatWorker | null;
  readonly #sender: WhatsappSender | null;

  constructor(options: ChatsOptions) {
    const { db, clock, log, seal, config, meaning } = options;
    this.#fetcher = new SafeFetcher({ allow: config.safeFetchAllow });
    const tools = {
      fetcher: this.#fetcher,
      seal,
      clock,
      openMcp: (server: Parameters<typeof openMcp>[1]) => openMcp(this.#fetcher.stream, server),
    };
    this.#agents = new ChatAgents({
      brain: options.brain,
      spec: specDeps(seal),
      tools,
      allow: config.safeFetchAllow,
      providers: providerReader(db, log, seal, config.providers),
      knowledge: knowledgeReader(db, log, meaning),
      lookUp: (at, args) =>
        lookUpKnowledge({ db, log, meaning, waitMs: config.embeddings?.waitMs ?? 0 }, at, args),
    });
    const { baseUrl, confirmMs } = config.whatsapp;
    this.#sender = options.hasJobs
      ? new WhatsappSender({ db, clock, log, seal, graph: graphClient(baseUrl), confirmMs })
      : null;
    const onStored = (): void => {
      this.#sender?.kick();
      options.onEvents();
    };
    const base = { db, clock, log, onStored };
    const turns = new ChatTurns({ ...base, openAgent: this.#agents.open });
    this.#worker = options.hasJobs ? new ChatWorker({ ...base, turns }) : null;
    this.desk = {
      testAgent: new TestRuns({ db, clock, turns }).run,
      testTool: toolTester({ db, ...tools }),
      kick: () => {
        this.#worker?.kick();
        this.#sender?.kick();
      },
    };
  }

  start(): void {
    this.#worker?.start();
    this.#sender?.start();
  }

  async stop(): Promise<void> {
    await this.#worker?.stop();
    await this.#sender?.stop();
    await this.#agents.close();
    await this.#fetcher.close();
  }
}
