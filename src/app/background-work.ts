import type { Config } from '../config.ts';
import { recordingUrl } from '../domain/calls/recording-link.ts';
import type { SignedLinks } from '../domain/links/signed-links.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import { INGEST_JOB } from '../domain/knowledge/change-knowledge.ts';
import { CHECK_JOB } from '../domain/quality/check-call.ts';
import { POST_CALL_JOB } from '../domain/tools/post-call.ts';
import { TRACE_JOB } from '../domain/calls/trace.ts';
import type { AnalystOf } from '../jobs/analyse-call.ts';
import { checkingCalls } from '../jobs/check-call.ts';
import { CampaignKeeper } from '../jobs/campaign-keeper.ts';
import { WebhookDeliverer } from '../jobs/webhooks/deliverer.ts';
import { KnowledgeEmbedder } from '../jobs/embed-knowledge.ts';
import { ingestSource } from '../jobs/ingest-source.ts';
import { JobRunner } from '../jobs/job-runner.ts';
import { MANY_RETRIES, SHORT_LEASE_MS } from '../jobs/leased.ts';
import { moveZone } from '../jobs/move-zone.ts';
import type { QueueWatch } from '../jobs/queue-watch.ts';
import { SWEEP_MS } from '../jobs/sweep-rule.ts';
import { PrivacyWorker } from '../jobs/privacy-worker.ts';
import { webhookRecovery } from '../jobs/webhooks/recovery.ts';
import { alertWatch } from '../jobs/alert-watch.ts';
import { anomalyWatch } from '../jobs/anomaly-watch.ts';
import { holdKeeper } from '../jobs/hold-keeper.ts';
import { monthKeeper } from '../jobs/month-keeper.ts';
import { storageCounter } from '../jobs/storage-counter.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import { deliveryLogPruner } from '../jobs/webhooks/delivery-log.ts';
import { NOTICE_JOB } from '../domain/workspaces/notices.ts';
import { ZONE_JOB } from '../domain/workspaces/zone.ts';
import { NOTICE_RETRIES_MS, sendNotice, type NoticeDeps } from '../jobs/send-notice.ts';
import { exportTrace } from '../jobs/export-trace.ts';
import { rehearsalRunner, soundRehearsalRunner } from './rehearsals.ts';
import type { LiveLoad } from './sound-seats.ts';
import { SoundThreads } from './sound-threads.ts';
import { WorkspaceModels } from './workspace-models.ts';
import { postCallTool } from '../jobs/run-post-call-tool.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import type { ReadableList } from '../recordings/tombstone-lists.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import type { Poller } from '../shared/poller.ts';
import type { Seal } from '../shared/seal.ts';
import { openDatabase, type Db } from '../store/database.ts';
import { analysisRunner, analystOf, chatAnalysisRunner, ConversationModels } from './analyses.ts';
import type { KnowledgeMeaning } from './knowledge-meaning.ts';
import { providerReader } from './provider-reader.ts';
import { Replays } from './replays.ts';
import { traceExport } from './trace-export.ts';

const ERASURES_MS = 2_000;
/** Of one statement over the calls of a workspace. */
const MOVE_STATEMENT_MS = 3_600_000;

export interface BackgroundWorkOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly seal: Seal;
  readonly link: SignedLinks;
  readonly config: Pick<
    Config,
    | 'safeFetchAllow'
    | 'billing'
    | 'unitPrices'
    | 'webhookLogDays'
    | 'keepCallsMonths'
    | 'traces'
    | 'mail'
    | 'knowledgeMaxBytes'
    | 'storageMb'
    | 'providers'
    | 'modelsDir'
    | 'prices'
    | 'llm'
  >;
  /** The installation's models, in order, which analyse calls whose agents use them. */
  readonly llm: Config['llm'];
  readonly meaning: KnowledgeMeaning | null;
  readonly notices: CapNotices;
  readonly tombstones: ReadableList;
  readonly wakeScheduler: () => void;
  readonly queues: QueueWatch;
  /** What the calls of this process take now. */
  readonly load: () => Promise<LiveLoad>;
}

const noticeRunner = (deps: NoticeDeps & { readonly pollMs: number }): JobRunner => {
  const { db, clock, log, pollMs } = deps;
  const runner = { db, clock, log, pollMs, kind: NOTICE_JOB, retryAfterMs: NOTICE_RETRIES_MS };
  return new JobRunner({ ...runner, handler: sendNotice(deps) });
};

/** The background work of a process with the jobs role. Several processes share it through the database. */
export class BackgroundWork {
  /** One for each purpose of SAFE_FETCH_ALLOW. */
  readonly #fetchers: Readonly<Record<'webhooks' | 'knowledge' | 'tools', SafeFetcher>>;
  readonly #deliverer: WebhookDeliverer;
  readonly #privacy: PrivacyWorker;
  readonly #campaigns: CampaignKeeper;
  readonly #pruner: Poller;
  readonly #recovery: Poller;
  readonly #holds: Poller;
  readonly #anomalies: Poller;
  readonly #alerts: Poller;
  readonly #storage: Poller;
  readonly #months: Poller;
  /** One per kind of job. */
  readonly #runners: readonly JobRunner[];
  readonly #analyses: readonly JobRunner[];
  readonly #models: ConversationModels;
  /** Plays rehearsals by sound. */
  readonly #sound: SoundThreads;
  readonly #workspaceModels: WorkspaceModels;
  /** Runs the detectors. */
  readonly #replays = new Replays();
  /** Null: conversations are not traced. */
  #traces: ReturnType<typeof traceExport> | null = null;
  /** Who judges the conversations of an agent. */
  readonly analystOf: AnalystOf;
  readonly #embedder: KnowledgeEmbedder | null;
  #isStopped = false;

  constructor(options: BackgroundWorkOptions) {
    const { db, clock, log, seal, link, config, meaning } = options;
    const base = { db, clock, log };
    const { safeFetchAllow: allow } = config;
    this.#fetchers = {
      webhooks: new SafeFetcher({ allow, purpose: 'webhooks' }),
      knowledge: new SafeFetcher({ allow, purpose: 'knowledge' }),
      tools: new SafeFetcher({ allow, purpose: 'tools' }),
    };
    const polled = { ...base, pollMs: SWEEP_MS };
    this.#sound = new SoundThreads({ modelsDir: config.modelsDir, log, load: options.load });
    this.#workspaceModels = new WorkspaceModels({ db, seal, config });
    this.#deliverer = new WebhookDeliverer({
      ...base,
      seal,
      fetcher: this.#fetchers.webhooks,
      sweepMs: SWEEP_MS,
    });
    this.#privacy = new PrivacyWorker({ ...polled, seal, tombstones: options.tombstones });
    this.#campaigns = new CampaignKeeper({
      ...polled,
      rate: config.billing,
      wakeScheduler: options.wakeScheduler,
      onPolled: () => this.#deliverer.kick(),
    });
    this.#pruner = deliveryLogPruner({ ...base, keepDays: config.webhookLogDays });
    this.#recovery = webhookRecovery({ ...polled, onQueued: () => this.#deliverer.kick() });
    this.#runners = [
      new JobRunner({
        ...polled,
        kind: INGEST_JOB,
        handler: ingestSource({
          db,
          clock,
          fetcher: this.#fetchers.knowledge,
          knowledgeMaxBytes: config.knowledgeMaxBytes,
        }),
        parallel: 8,
        parts: 4,
      }),
      new JobRunner({
        ...polled,
        kind: POST_CALL_JOB,
        handler: postCallTool({ db, clock, fetcher: this.#fetchers.tools, seal }),
        parallel: 64,
        parts: 8,
      }),
      rehearsalRunner({
        ...polled,
        callers: {
          modelOf: (workspaceId) => this.#workspaceModels.of(workspaceId),
          prices: config.prices,
          unitPrices: config.unitPrices,
          notices: options.notices,
        },
      }),
      soundRehearsalRunner(polled, this.#sound),
      new JobRunner({
        ...polled,
        kind: CHECK_JOB,
        handler: checkingCalls({ ...base, detect: (text, id) => this.#replays.detect(text, id) }),
      }),
      new JobRunner({
        ...polled,
        kind: ZONE_JOB,
        handler: moveZone({
          ...base,
          open: () =>
            openDatabase(options.databaseUrl, {
              maxConnections: 1,
              statementTimeoutMs: MOVE_STATEMENT_MS,
              applicationName: 'callwright zones',
            }),
          isStopped: () => this.#isStopped,
        }),
        leaseMs: SHORT_LEASE_MS,
        retryAfterMs: MANY_RETRIES,
      }),
      ...(config.mail === null
        ? []
        : [noticeRunner({ ...polled, mail: config.mail, publicUrl: () => link.publicUrl })]),
      ...this.#tracing(polled, config.traces),
    ];
    this.#embedder =
      meaning === null
        ? null
        : new KnowledgeEmbedder({
            ...base,
            embedder: meaning.embedder,
            hasNear: meaning.hasNear,
            prices: config.unitPrices,
            notices: options.notices,
          });
    this.#holds = holdKeeper(base);
    this.#anomalies = anomalyWatch({ ...base, onPaused: () => this.#deliverer.kick() });
    this.#alerts = alertWatch({ ...base, onChanged: () => this.#deliverer.kick() });
    this.#months = monthKeeper({ ...base, keepMonths: config.keepCallsMonths });
    this.#storage = storageCounter({ ...base, storageMb: config.storageMb, notices: options.notices });
    this.#models = new ConversationModels({
      installation: options.llm,
      providers: providerReader(db, log, seal, config.providers),
      allow: config.safeFetchAllow,
    });
    this.analystOf = analystOf(this.#models, {
      ...base,
      prices: config.unitPrices,
      notices: options.notices,
    });
    const analysing = {
      ...polled,
      analystOf: this.analystOf,
      onEvents: () => this.#deliverer.kick(),
    };
    this.#analyses = [
      analysisRunner({
        ...analysing,
        recordingUrl: (workspaceId, callId) => recordingUrl(link, workspaceId, callId),
      }),
      chatAnalysisRunner(analysing),
    ];
    this.#watch(options.queues);
  }

  #tracing(
    base: { readonly db: Db; readonly clock: Clock; readonly log: Log; readonly pollMs: number },
    settings: Config['traces'],
  ): JobRunner[] {
    if (settings === null) return [];
    this.#traces = traceExport(settings);
    const handler = exportTrace({ ...base, send: this.#traces.send, hasContent: settings.hasContent });
    return [new JobRunner({ ...base, kind: TRACE_JOB, handler, parallel: 4 })];
  }

  #watch(queues: QueueWatch): void {
    queues.watch('deliveries', () => this.#deliverer.sweep());
    queues.watch('receivers', () => this.#recovery.kick());
    queues.watch('campaigns', () => this.#campaigns.kick());
    queues.watch('erasures', () => this.#privacy.kick(), ERASURES_MS);
    for (const runner of [...this.#runners, ...this.#analyses]) {
      queues.watch(`job:${runner.kind}`, () => runner.kick());
    }
  }

  start(): void {
    this.#deliverer.start();
    this.#privacy.start();
    this.#campaigns.start();
    this.#pruner.start();
    this.#recovery.start();
    this.#holds.start();
    this.#anomalies.start();
    this.#alerts.start();
    this.#storage.start();
    this.#months.start();
    for (const runner of this.#runners) runner.start();
    this.#embedder?.start();
    for (const runner of this.#analyses) runner.start();
  }

  /** A call was settled: its events are due, its campaign may be complete, and an analysis may be queued. */
  callSettled(): void {
    this.#deliverer.kick();
    this.#campaigns.kick();
    this.kickAnalyses();
  }

  kickAnalyses(): void {
    for (const runner of this.#analyses) runner.kick();
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
    for (const runner of this.#runners) runner.kick();
    this.#embedder?.kick();
  }

  kickPrivacy(): void {
    this.#privacy.kick();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#deliverer.stop();
    await this.#pruner.stop();
    await this.#recovery.stop();
    await this.#holds.stop();
    await this.#anomalies.stop();
    await this.#alerts.stop();
    await this.#storage.stop();
    await this.#months.stop();
    await this.#campaigns.stop();
    // Their jobs end, and are due again at once.
    await this.#sound.close();
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await Promise.all(this.#analyses.map((runner) => runner.stop()));
    await this.#traces?.close();
    await this.#replays.close();
    await this.#models.close();
    await this.#workspaceModels.close();
    await this.#embedder?.stop();
    await this.#privacy.stop();
    for (const fetcher of Object.values(this.#fetchers)) await fetcher.close();
  }
}
