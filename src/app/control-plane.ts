import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { SignedLinks } from '../domain/links/signed-links.ts';
import { CapNotices } from '../domain/workspaces/cap-notices.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import { ENGLISH_PACK } from '../offline/models/catalogue.ts';
import type { ProviderChoice } from '../providers/choose/installation.ts';
import { Disk } from '../recordings/disk.ts';
import { Recordings } from '../recordings/recordings.ts';
import { S3 } from '../recordings/s3.ts';
import { QueueWatch } from '../jobs/queue-watch.ts';
import { SchedulerWake } from '../scheduler/loop.ts';
import { FreeSpace } from '../shared/free-space.ts';
import { keptFor } from '../shared/kept-for.ts';
import { FallbackCounts, type FallbackCount } from '../shared/fallback-counts.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import { ServiceClock } from '../shared/service-clock.ts';
import { readBacklog } from '../store/backlog.ts';
import { API_LIMITS, openDatabase, type Database } from '../store/database.ts';
import { isUp } from '../store/server.ts';
import { BackgroundWork } from './background-work.ts';
import { clockCheck } from './clock-sync.ts';
import { READY_KEPT_MS, type CallLink, type CallReport } from './call-link.ts';
import { Chats } from './chats.ts';
import { ContactLists } from './contact-lists.ts';
import { diskCheck } from './disk-watch.ts';
import { watchMemory } from './grown-memory.ts';
import { HttpApi } from './http-api.ts';
import { openMeaning, type KnowledgeMeaning } from './knowledge-meaning.ts';
import { openLocalModels, type LocalModels } from './local-models.ts';
import { openLinks } from './links.ts';
import { recordingNote, registerGauges, registerRecordingMetrics, type RecordingHealth } from './metrics.ts';
import { registerOperationMetrics, type HttpObserver } from './operation-metrics.ts';
import { apiUrl } from './report.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { registerResourceMetrics } from './resource-metrics.ts';
import { SecretFiles } from './secret-files.ts';
import { openSeal } from './secrets.ts';
import { SplitWatch } from './split-watch.ts';
import { openTombstones } from './tombstones.ts';

/** What the control plane needs of the installation. Structured-cloneable; holds secrets. */
export interface ControlSetup {
  readonly config: Config;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** A random name of this process. */
  readonly processId: string;
  /** The API's work for a workspace sees the rows of that workspace alone. */
  readonly hasWalls: boolean;
  /** Of the process's `ServiceClock`. */
  readonly clockOffset: SharedArrayBuffer;
  /** The installation's models, which analyse calls whose agents use them; none: rules. */
  readonly analyst: Config['llm'];
  /** The models that answer chats: those of calls. */
  readonly chatBrain: Pick<ProviderChoice, 'llm' | 'models' | 'modelsDir' | 'recognisers'>;
}

/** The parts of a control plane, in the order in which they stop. */
export type ControlPart = 'http' | 'work' | 'database';

/** A control plane on this thread or on another. */
export interface Control {
  /** A call was settled: its events are due, its campaign may be complete, and an analysis may be queued. */
  callSettled(): void;
  stop(part: ControlPart): Promise<void>;
}

/** Connections of the background work, apart from those of requests and calls. */
const WORK_CONNECTIONS = 11;

/**
 * The HTTP API and the background jobs of a process: everything that may keep a thread busy without a caller hearing it.
 * It has its own database pools. Beside calls it runs on a thread of its own (`ControlThread`).
 */
export class ControlPlane implements Control {
  readonly #setup: ControlSetup;
  readonly #log: Log;
  readonly #calls: CallLink;
  readonly #clock: ServiceClock;
  readonly #space: FreeSpace;
  readonly #metrics = new Registry();
  readonly #chatFallbacks = new FallbackCounts();
  readonly #notices: CapNotices;
  readonly #recordings: Recordings;
  readonly #models: LocalModels;
  /** The API's pool: a flood of requests takes no connection from other work, and each request waits a bounded time. */
  readonly #apiDatabase: Database;
  readonly #workDatabase: Database;
  /** The one connection of the watch over the queues. */
  readonly #queueDatabase: Database;
  readonly #wake: SchedulerWake;
  #port: number | null = null;
  /** Null: this process does no background work. */
  #queues: QueueWatch | null = null;
  #work: BackgroundWork | null = null;
  #lists: ContactLists | null = null;
  #chats: Chats | null = null;
  /** Null until the metrics are registered. */
  #observer: HttpObserver | null = null;
  #http: HttpApi | null = null;
  /** Null: this process carries calls. */
  #others: SplitWatch | null = null;
  #unwatchMemory: () => void = () => undefined;

  constructor(setup: ControlSetup, deps: { readonly log: Log; readonly calls: CallLink }) {
    const { config, databaseUrl, dataDir } = setup;
    this.#setup = setup;
    this.#log = deps.log;
    this.#calls = deps.calls;
    this.#clock = new ServiceClock(setup.clockOffset);
    this.#space = new FreeSpace(dataDir, config.diskFloorBytes);
    this.#notices = new CapNotices({ log: deps.log, clock: this.#clock });
    registerProcessMetrics(this.#metrics);
    const disk = new Disk(join(dataDir, 'recordings'));
    this.#recordings = new Recordings(disk, config.s3 === null ? null : new S3(config.s3, disk));
    this.#models = openLocalModels(config, deps.log);
    const onIdleError = (error: Error): void => this.#log.warn({ err: error }, 'a database connection broke');
    this.#apiDatabase = openDatabase(databaseUrl, {
      ...API_LIMITS,
      hasWalls: setup.hasWalls,
      applicationName: 'callwright api',
      onIdleError,
    });
    this.#workDatabase = openDatabase(databaseUrl, {
      maxConnections: WORK_CONNECTIONS,
      applicationName: 'callwright jobs',
      onIdleError,
    });
    this.#queueDatabase = openDatabase(databaseUrl, {
      maxConnections: 1,
      hasIndexPlans: true,
      applicationName: 'callwright queues',
      onIdleError,
    });
    this.#wake = new SchedulerWake({ db: this.#apiDatabase.kysely, log: this.#log });
    if (deps.calls.wake !== null) this.#wake.attach(deps.calls.wake);
  }

  /** Starts the jobs and the API, as the roles say. Resolves with the API's port; null: this process has no API. */
  async start(): Promise<number | null> {
    const { config, dataDir, databaseUrl } = this.#setup;
    this.#unwatchMemory = watchMemory();
    const work = this.#workDatabase.kysely;
    const base = { clock: this.#clock, log: this.#log };
    const seal = await openSeal(config.secretKey, dataDir);
    const meaning = await openMeaning(config.embeddings, {
      db: work,
      ...base,
      prices: config.unitPrices,
      notices: this.#notices,
    });
    if (config.modelsFetch === 'start' && this.#calls.web !== null) void this.#models.fetchPack(ENGLISH_PACK);
    const queues = config.roles.includes('jobs')
      ? new QueueWatch({ db: this.#queueDatabase.kysely, ...base })
      : null;
    this.#queues = queues;
    // The importer starts its thread with the first list.
    this.#lists = new ContactLists({ db: work, url: databaseUrl, ...base, queues });
    const link = await openLinks(config, { db: work, clock: this.#clock, seal }, () =>
      apiUrl(config, this.#port),
    );
    if (queues !== null) this.#work = this.#startWork(seal, link, meaning, queues);
    this.#chats = new Chats({
      db: work,
      ...base,
      seal,
      config,
      brain: this.#setup.chatBrain,
      meaning: meaning?.search ?? null,
      notices: this.#notices,
      queues,
      onFallback: (engine) => this.#chatFallbacks.add(engine),
      onRefused: () => this.#observer?.refused('web_chat'),
      ...(this.#work === null ? {} : { analystOf: this.#work.analystOf }),
      onEvents: () => {
        this.#work?.kickWebhooks();
        this.#work?.kickAnalyses();
      },
    });
    this.#chats.start();
    queues?.start();
    if (!config.roles.includes('api')) return null;
    if (this.#calls.web === null) {
      this.#others = new SplitWatch({
        db: work,
        ...base,
        disk: config.s3 === null ? await this.#recordings.disk.name() : null,
      });
      this.#others.start();
    }
    const observer = this.#registerMetrics();
    this.#observer = observer;
    this.#http = new HttpApi({
      ...base,
      config,
      database: this.#apiDatabase,
      databaseUrl: this.#setup.databaseUrl,
      processId: this.#setup.processId,
      calls: this.#calls,
      wake: this.#wake,
      link,
      notices: this.#notices,
      seal,
      lists: this.#lists,
      chats: this.#chats.desk,
      webChats: this.#chats.web,
      meaning,
      recordings: this.#recordings,
      work: this.#work,
      metrics: this.#metrics,
      space: this.#space,
      ready: keptFor(READY_KEPT_MS, this.#clock, () => this.#ready()),
      freeBytes: () => this.#recordings.disk.freeBytes(),
      secretFiles: new SecretFiles(dataDir),
      models: this.#models,
      observer,
    });
    this.#port = await this.#http.listen();
    return this.#port;
  }

  /** Replies of chats by another engine than the agent's first model. */
  get chatFallbacks(): readonly FallbackCount[] {
    return this.#chatFallbacks.list();
  }

  callSettled(): void {
    this.#work?.callSettled();
  }

  /** Stops the parts in their order. */
  async stop(part: ControlPart): Promise<void> {
    switch (part) {
      case 'http':
        await this.#http?.stop();
        return;
      case 'work':
        this.#unwatchMemory();
        await this.#queues?.stop();
        await this.#others?.stop();
        await this.#models.stop();
        await this.#recordings.close();
        await this.#wake.close();
        await this.#chats?.stop();
        await this.#lists?.stop();
        await this.#work?.stop();
        return;
      case 'database':
        await Promise.all(
          [this.#apiDatabase, this.#workDatabase, this.#queueDatabase].map((database) => database.close()),
        );
        return;
      default:
        part satisfies never;
    }
  }

  #startWork(
    seal: Seal,
    link: SignedLinks,
    meaning: KnowledgeMeaning | null,
    queues: QueueWatch,
  ): BackgroundWork {
    const { config, analyst } = this.#setup;
    const work = new BackgroundWork({
      db: this.#workDatabase.kysely,
      databaseUrl: this.#setup.databaseUrl,
      clock: this.#clock,
      log: this.#log,
      seal,
      link,
      config,
      llm: analyst,
      meaning,
      notices: this.#notices,
      tombstones: openTombstones(this.#setup.dataDir, config.s3),
      wakeScheduler: this.#wake.wake,
      queues,
      load: async () => {
        const { liveCalls, ears } = await this.#calls.report();
        return { calls: liveCalls, ears };
      },
    });
    work.start();
    return work;
  }

  /** Returns the observer of HTTP. */
  #registerMetrics(): HttpObserver {
    const report = keptFor(0, this.#clock, () => this.#calls.report().catch(() => null));
    // A process without calls has no figures of calls: an alert on no free calls would fire for ever.
    if (this.#calls.web !== null) registerGauges(this.#metrics, report);
    registerResourceMetrics(this.#metrics, {
      clock: this.#clock,
      space: this.#space,
      refused: this.#apiDatabase.refused,
    });
    registerRecordingMetrics(this.#metrics, this.#recordingHealth(report), this.#workDatabase.kysely);
    return registerOperationMetrics(this.#metrics, {
      clock: this.#clock,
      calls: report,
      capsReached: () => this.#notices.counts,
      chatFallbacks: () => this.chatFallbacks,
      pools: () => ({
        api: this.#apiDatabase.pool,
        ...(this.#apiDatabase.walled === null ? {} : { api_workspaces: this.#apiDatabase.walled }),
        jobs: this.#workDatabase.pool,
      }),
      backlog: (now) => readBacklog(this.#apiDatabase.kysely, now),
    });
  }

  async #ready(): Promise<ReadyCheck[]> {
    const [isDatabaseUp, report] = await Promise.all([
      isUp(this.#apiDatabase),
      this.#calls.report().catch(() => null),
    ]);
    const silent: ReadyCheck = {
      name: 'calls',
      ok: false,
      detail: 'the thread of the calls does not respond',
    };
    return [
      { name: 'database', ok: isDatabaseUp },
      ...(report?.checks ?? [silent]),
      await recordingNote(this.#recordingHealth(() => Promise.resolve(report))),
      ...clockCheck(this.#clock),
      ...diskCheck(await this.#space.state()),
      ...(this.#work?.notes() ?? []),
      ...(isDatabaseUp ? ((await this.#others?.checks().catch(() => [])) ?? []) : []),
    ];
  }

  #recordingHealth(report: () => Promise<CallReport | null>): RecordingHealth {
    return {
      failures: async () => (await report())?.recordingFailures ?? { count: 0, agoMs: null },
      freeBytes: () => this.#recordings.disk.freeBytes(),
    };
  }
}
