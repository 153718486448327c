import type { Config } from '../config.ts';
import type { RecordingLink } from '../domain/calls/call-record.ts';
import { recordingUrl } from '../domain/calls/recording-link.ts';
import type { ReadyCheck } from '../http/server-deps.ts';
import { INGEST_JOB } from '../domain/knowledge/change-knowledge.ts';
import { POST_CALL_JOB } from '../domain/tools/post-call.ts';
import { CampaignKeeper } from '../jobs/campaign-keeper.ts';
import { WebhookDeliverer } from '../jobs/deliver-webhooks.ts';
import { KnowledgeEmbedder } from '../jobs/embed-knowledge.ts';
import { ingestSource } from '../jobs/ingest-source.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { PrivacyWorker } from '../jobs/privacy-worker.ts';
import { deliveryLogPruner } from '../jobs/prune-deliveries.ts';
import { postCallTool } from '../jobs/run-post-call-tool.ts';
import { SafeFetcher } from '../jobs/safe-fetch.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { LookingLoop } from '../shared/looking-loop.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { analysisRunner } from './analyses.ts';
import type { KnowledgeMeaning } from './knowledge-meaning.ts';

export interface BackgroundWorkOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly link: RecordingLink;
  readonly config: Pick<Config, 'safeFetchAllow' | 'billing' | 'webhookLogDays'>;
  /** The model that analyses calls; null: none but ours. */
  readonly llm: Config['llm'];
  readonly meaning: KnowledgeMeaning | null;
  /** There may be something to dial. */
  readonly wakeDialers: () => void;
}

/** What a process with the jobs role does beside requests and calls. Several processes share it by the database. */
export class BackgroundWork {
  readonly #fetcher: SafeFetcher;
  readonly #deliverer: WebhookDeliverer;
  readonly #privacy: PrivacyWorker;
  readonly #campaigns: CampaignKeeper;
  readonly #pruner: LookingLoop;
  readonly #runner: JobRunner;
  readonly #analyses: JobRunner;
  readonly #embedder: KnowledgeEmbedder | null;

  constructor(options: BackgroundWorkOptions) {
    const { db, clock, log, seal, link, config, meaning } = options;
    const base = { db, clock, log };
    this.#fetcher = new SafeFetcher({ allow: config.safeFetchAllow });
    this.#deliverer = new WebhookDeliverer({ ...base, seal, fetcher: this.#fetcher });
    this.#privacy = new PrivacyWorker(base);
    this.#campaigns = new CampaignKeeper({
      ...base,
      rate: config.billing,
      notify: options.wakeDialers,
      onLooked: () => this.#deliverer.kick(),
    });
    this.#pruner = deliveryLogPruner({ ...base, keepDays: config.webhookLogDays });
    const ingest = { db, clock, fetcher: this.#fetcher };
    this.#runner = new JobRunner({
      ...base,
      handlers: {
        [INGEST_JOB]: ingestSource(ingest),
        [POST_CALL_JOB]: postCallTool({ ...ingest, seal }),
      },
    });
    this.#embedder =
      meaning === null
        ? null
        : new KnowledgeEmbedder({ ...base, embedder: meaning.embedder, hasNear: meaning.hasNear });
    this.#analyses = analysisRunner({
      ...base,
      llm: options.llm,
      recordingUrl: (workspaceId, callId) => recordingUrl(link, workspaceId, callId),
      onEvents: () => this.#deliverer.kick(),
    });
  }

  start(): void {
    this.#deliverer.start();
    this.#privacy.start();
    this.#campaigns.start();
    this.#pruner.start();
    this.#runner.start();
    this.#embedder?.start();
    this.#analyses.start();
  }

  /** A call has come to its end: it left events, a campaign may be over, and it may have to be analysed. */
  callSettled(): void {
    this.#deliverer.kick();
    this.#campaigns.kick();
    this.#analyses.kick();
  }

  /** Notes in the readiness answer: webhooks that can be sent go on, so they never make the process unready. */
  notes(): ReadyCheck[] {
    const note = this.#deliverer.heldNote;
    return [{ name: 'webhooks', ok: true, ...(note === null ? {} : { detail: note }) }];
  }

  kickWebhooks(): void {
    this.#deliverer.kick();
  }

  kickJobs(): void {
    this.#runner.kick();
    this.#embedder?.kick();
  }

  kickPrivacy(): void {
    this.#privacy.kick();
  }

  async stop(): Promise<void> {
    await this.#deliverer.stop();
    await this.#pruner.stop();
    await this.#campaigns.stop();
    await this.#runner.stop();
    await this.#analyses.stop();
    await this.#embedder?.stop();
    await this.#privacy.stop();
    await this.#fetcher.close();
  }
}
