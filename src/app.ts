import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { catalogue, prompts } from './app/adapters.ts';
import { BackgroundWork } from './app/background-work.ts';
import { CallPlane } from './app/call-plane.ts';
import { ContactLists } from './app/contact-lists.ts';
import { registerGauges } from './app/gauges.ts';
import { openMeaning, type KnowledgeMeaning } from './app/knowledge-meaning.ts';
import { QueueHint } from './app/queue-hint.ts';
import { recordingNote, registerRecordingMetrics, type RecordingHealth } from './app/recording-alarm.ts';
import { startReport } from './app/report.ts';
import { openSeal } from './app/secrets.ts';
import { databaseFailure, listenFailure } from './app/start-failure.ts';
import { tryAddress } from './app/try-address.ts';
import type { Config } from './config.ts';
import type { RecordingLink } from './domain/calls/call-record.ts';
import { recordingUrl } from './domain/calls/recording-link.ts';
import { applyPlan, readPlan } from './domain/provision/provision.ts';
import type { ReadyCheck } from './http/server-deps.ts';
import { createServer } from './http/server.ts';
import type { Server } from './http/type-provider.ts';
import type { ProviderChoice } from './providers/registry.ts';
import { createOfflineTts } from './providers/tts/offline.ts';
import { previewRenderer } from './providers/tts/preview.ts';
import { voiceById } from './providers/voices.ts';
import { Disk } from './recordings/disk.ts';
import { RecordingKeeper } from './recordings/keeper.ts';
import { Recordings } from './recordings/recordings.ts';
import { S3 } from './recordings/s3.ts';
import { systemClock } from './shared/clock.ts';
import { randomToken } from './shared/ids.ts';
import { isLanguage } from './shared/languages.ts';
import type { Log } from './shared/log.ts';
import type { Seal } from './shared/seal.ts';
import { copyPiece } from './store/copy-piece.ts';
import { openDatabase, type Database } from './store/database.ts';
import { EmbeddedPostgres } from './store/embedded/embedded-postgres.ts';
import { requestHangup } from './store/hangup-requests.ts';
import { installationValue } from './store/installation.ts';
import { migrate } from './store/migrate.ts';
import { notifyQueue } from './store/queue.ts';
import type { WorkerLoad } from './workers/worker-slot.ts';

export interface AppOptions {
  log: Log;
  /** Names this process among those on one database; with the data folder it must be unique. */
  nodeName: string;
  /** Other providers than the configuration's: for tests and benches with the fake ones. */
  providers?: ProviderChoice;
  testCarrierRingMs?: number;
}

/** Longer than any call may last: a drain waits for live ones to end by themselves. */
const DRAIN_LIMIT_MS = 3_700_000;

/** The whole program, built by hand. `start` resolves when calls can be placed and returns what to tell the operator. */
export function createApp(config: Config, options: AppOptions): App {
  return new App(config, options);
}

export class App {
  readonly #config: Config;
  readonly #options: AppOptions;
  readonly #log: Log;
  readonly #clock = systemClock;
  readonly #dataDir: string;
  readonly #metrics = new Registry();
  #embedded: EmbeddedPostgres | null = null;
  #database: Database | null = null;
  #databaseUrl: string | null = null;
  #calls: CallPlane | null = null;
  #work: BackgroundWork | null = null;
  #hint: QueueHint | null = null;
  #lists: ContactLists | null = null;
  #meaning: KnowledgeMeaning | null = null;
  #server: Server | null = null;
  readonly #recordings: Recordings;
  #keeper: RecordingKeeper | null = null;
  #previewTts: ReturnType<typeof createOfflineTts> | null = null;
  #draining = false;

  constructor(config: Config, options: AppOptions) {
    this.#config = config;
    this.#options = options;
    this.#log = options.log;
    this.#dataDir = resolve(config.dataDir);
    collectDefaultMetrics({ register: this.#metrics });
    const disk = new Disk(join(this.#dataDir, 'recordings'));
    this.#recordings = new Recordings(disk, config.s3 === null ? null : new S3(config.s3, disk));
  }

  /** Brings everything up, in the order in which things need each other. */
  async start(): Promise<string[]> {
    const { roles } = this.#config;
    const { provisionFile } = this.#config;
    // Served last, so tried first: nothing else has begun when it turns out to be taken.
    if (roles.includes('api')) await tryAddress(this.#config).catch(this.#listenFailed);
    const plan = provisionFile === null ? null : await readPlan(provisionFile);
    await mkdir(join(this.#dataDir, 'recordings'), { recursive: true, mode: 0o700 });
    if (roles.includes('media') || roles.includes('dialer')) this.#calls = this.#createCallPlane();
    const database = await this.#openDatabase();
    await migrate(this.#databaseUrl ?? '').catch((error: unknown) => {
      const { databaseUrl } = this.#config;
      throw databaseUrl === null ? error : databaseFailure(databaseUrl, error);
    });
    const seal = await openSeal(this.#config.secretKey, this.#dataDir);
    const provisioned = await applyPlan(
      {
        db: database.kysely,
        clock: this.#clock,
        voices: catalogue,
        prompts,
        seal,
      },
      plan,
    );
    const secret = await installationValue(
      database.kysely,
      'recording_secret',
      () => randomToken(40),
      new Date(this.#clock.now()),
    );
    const link = this.#recordingLink(secret);
    this.#meaning = await openMeaning(this.#config.embeddings, {
      db: database.kysely,
      clock: this.#clock,
      log: this.#log,
    });
    const keeper = await this.#openKeeper(database, link);
    await this.#calls?.start(
      database.kysely,
      this.#databaseUrl ?? '',
      (workspaceId, callId) => recordingUrl(link, workspaceId, callId),
      keeper,
      this.#meaning?.search ?? null,
    );
    keeper.start();
    const lists = this.#openLists(database);
    if (roles.includes('jobs')) this.#startWork(database, seal, link);
    if (roles.includes('api')) await this.#startHttp(database, link, seal, lists);
    const loads = (): WorkerLoad[] => (this.#calls?.workers.health() ?? []).map(({ load }) => load);
    registerGauges(this.#metrics, {
      liveCalls: () => this.#calls?.live.size ?? 0,
      freeCalls: () => this.#calls?.workers.freeCapacity() ?? 0,
      workerCalls: () => loads().reduce((sum, { calls }) => sum + calls, 0),
      rtpPortsInUse: () => loads().reduce((sum, { rtpPortsInUse }) => sum + rtpPortsInUse, 0),
      lateTickP99Ms: () => Math.max(0, ...loads().map(({ lateTickP99Ms }) => lateTickP99Ms)),
    });
    registerRecordingMetrics(this.#metrics, this.#recordingHealth, database.kysely);
    return startReport({
      url: this.url,
      hasApi: this.#server !== null,
      listening: this.#calls?.listening() ?? null,
      engines: this.#calls?.workers.engines ?? null,
      provisioned,
    });
  }

  /** Takes no more calls, lets live ones finish (bounded by the longest a call may last), then stops. */
  async drainAndStop(): Promise<void> {
    this.#draining = true;
    await this.#calls?.drain(DRAIN_LIMIT_MS);
    await this.stop();
  }

  /** Stops at once what still runs; live calls are hung up. Safe to call after a start that failed. */
  async stop(): Promise<void> {
    this.#draining = true;
    await this.#server?.close();
    await this.#recordings.close();
    await this.#calls?.stop();
    await this.#previewTts?.close();
    await this.#lists?.stop();
    await this.#work?.stop();
    await this.#keeper?.stop();
    await this.#calls?.leave();
    await this.#database?.close();
    await this.#embedded?.stop();
  }

  async #openDatabase(): Promise<Database> {
    let url = this.#config.databaseUrl;
    if (url === null) {
      this.#embedded = new EmbeddedPostgres({ dataDir: this.#dataDir, log: this.#log });
      url = await this.#embedded.start();
    }
    this.#databaseUrl = url;
    this.#database = openDatabase(url, {
      onIdleError: (error) => this.#log.warn({ err: error }, 'a database connection broke'),
    });
    return this.#database;
  }

  #createCallPlane(): CallPlane {
    return new CallPlane({
      config: this.#config,
      dataDir: this.#dataDir,
      clock: this.#clock,
      log: this.#log,
      nodeName: this.#options.nodeName,
      providers: this.#options.providers,
      testCarrierRingMs: this.#options.testCarrierRingMs,
      onSettled: () => {
        this.#work?.callSettled();
        this.#keeper?.kick();
      },
      onFenced: () => this.#onFenced(),
    });
  }

  async #openKeeper(database: Database, link: RecordingLink): Promise<RecordingKeeper> {
    const { disk, store } = this.#recordings;
    this.#keeper = new RecordingKeeper({
      db: database.kysely,
      clock: this.#clock,
      log: this.#log,
      disk,
      diskName: await disk.name(),
      store,
      recordingUrl: (workspaceId, callId) => recordingUrl(link, workspaceId, callId),
    });
    return this.#keeper;
  }

  #startWork(database: Database, seal: Seal, link: RecordingLink): void {
    const { providers } = this.#options;
    this.#work = new BackgroundWork({
      db: database.kysely,
      clock: this.#clock,
      log: this.#log,
      seal,
      link,
      config: this.#config,
      llm: providers === undefined ? this.#config.llm : providers.openai,
      meaning: this.#meaning,
      wakeDialers: () => this.#wakeDialers(database),
    });
    this.#work.start();
  }

  #openLists(database: Database): ContactLists {
    // Threads begin with the first list: a process without the roles has none.
    this.#lists = new ContactLists({
      db: database.kysely,
      url: this.#databaseUrl ?? '',
      clock: this.#clock,
      log: this.#log,
      hasJobs: this.#config.roles.includes('jobs'),
    });
    return this.#lists;
  }

  async #startHttp(database: Database, link: RecordingLink, seal: Seal, lists: ContactLists): Promise<void> {
    const db = database.kysely;
    const previews = createOfflineTts();
    this.#previewTts = previews;
    const render = previewRenderer(previews);
    this.#server = await createServer({
      db,
      clock: this.#clock,
      log: this.#log,
      voices: catalogue,
      prompts,
      rate: this.#config.billing,
      notify: () => this.#wakeDialers(database),
      kickWebhooks: () => this.#work?.kickWebhooks(),
      kickJobs: () => {
        this.#work?.kickJobs();
        this.#lists?.kick();
      },
      kickPrivacy: () => this.#work?.kickPrivacy(),
      hangUp: (call) => this.#hangUp(database, call),
      watch: (workspaceId, callId, watcher) => this.#calls?.live.watch(workspaceId, callId, watcher) ?? null,
      recordings: this.#recordings,
      link,
      meaning: this.#meaning?.search ?? null,
      renderPreview: (voiceId, language) => {
        const voice = voiceById(voiceId);
        if (voice === undefined || !isLanguage(language)) throw new Error('no such voice');
        return render(voice, language);
      },
      ready: () => this.#ready(),
      metrics: this.#metrics,
      importer: lists.importer,
      copyPiece: (...piece) => copyPiece(database.pool, ...piece),
      uploadLimits: this.#config.uploadLimits,
      rateLimits: this.#config.rateLimits,
      seal,
      trustProxy: this.#config.trustProxy,
    });
    const { port, host } = this.#config;
    await this.#server.listen({ port, host }).catch(this.#listenFailed);
  }

  readonly #listenFailed = (error: unknown): never => {
    throw listenFailure({ port: 'PORT', host: 'HOST' }, this.#config, error);
  };

  /** Ends a call here, or asks the process that carries it. False when none does. */
  async #hangUp(database: Database, call: { workspaceId: string; callId: string }): Promise<boolean> {
    if (this.#calls?.live.hangup(call.workspaceId, call.callId) === true) return true;
    const isAsked = await requestHangup(database.kysely, call, new Date(this.#clock.now()));
    if (isAsked) await notifyQueue(database.kysely).catch(() => undefined);
    return isAsked;
  }

  /** There may be something to dial. */
  #wakeDialers(database: Database): void {
    if (this.#calls !== null) this.#calls.kick();
    else (this.#hint ??= new QueueHint(database.kysely)).give();
  }

  #recordingLink(secret: string): RecordingLink {
    const url = (): string => this.url;
    return {
      secret,
      get publicUrl() {
        return url();
      },
    };
  }

  /** Where clients reach the API. */
  get url(): string {
    if (this.#config.publicUrl !== null) return this.#config.publicUrl;
    const address = this.#server?.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : this.#config.port;
    const host =
      this.#config.host === '0.0.0.0' || this.#config.host === '::' ? '127.0.0.1' : this.#config.host;
    return `http://${host}:${port}`;
  }

  get #recordingHealth(): RecordingHealth {
    return {
      failures: () => this.#calls?.workers.recordingFailures ?? { count: 0, lastAt: null },
      freeBytes: () => this.#recordings.disk.freeBytes(),
    };
  }

  async #ready(): Promise<ReadyCheck[]> {
    const database = await this.#database?.pool.query('select 1').then(
      () => true,
      () => false,
    );
    const checks: ReadyCheck[] = [
      { name: 'database', ok: database === true },
      { name: 'not draining', ok: !this.#draining },
    ];
    if (this.#calls !== null) checks.push(...this.#calls.ready());
    checks.push(await recordingNote(this.#recordingHealth), ...(this.#work?.notes() ?? []));
    return checks;
  }

  /** Others settled our calls: nothing of them may go on, and this process starts over. */
  #onFenced(): void {
    this.#log.fatal('this process was taken for dead and its calls were settled; it ends to start clean');
    process.exitCode = 1;
    void this.stop().finally(() => process.exit(1));
  }
}
