import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { catalogue, prompts, specDeps } from './app/adapters.ts';
import { registerGauges } from './app/gauges.ts';
import { startReport } from './app/report.ts';
import { openSeal, unsealPassword } from './app/secrets.ts';
import { databaseFailure, listenFailure } from './app/start-failure.ts';
import type { Config } from './config.ts';
import { createAttemptLog } from './dialer/attempt-log.ts';
import { callSpec } from './dialer/call-spec.ts';
import type { Claimed } from './dialer/claim.ts';
import { takeInboundCall } from './dialer/inbound-call.ts';
import { LiveCalls } from './dialer/live-calls.ts';
import { DialerLoop } from './dialer/loop.ts';
import { NodePresence } from './dialer/node-presence.ts';
import { placeOutbound, type DialDeps } from './dialer/outbound-call.ts';
import { Reaper } from './dialer/reaper.ts';
import type { RecordingLink } from './domain/calls/call-record.ts';
import { recordingUrl } from './domain/calls/recording-link.ts';
import { takeInbound } from './domain/calls/take-inbound.ts';
import { applyPlan, readPlan } from './domain/provision/provision.ts';
import { FileRecordings } from './http/recordings/file-recordings.ts';
import type { ReadyCheck } from './http/server-deps.ts';
import { createServer } from './http/server.ts';
import type { Server } from './http/type-provider.ts';
import { WebhookDeliverer } from './jobs/deliver-webhooks.ts';
import { SafeFetcher } from './jobs/safe-fetch.ts';
import type { ProviderChoice } from './providers/registry.ts';
import { createOfflineTts } from './providers/tts/offline.ts';
import { previewRenderer } from './providers/tts/preview.ts';
import { voiceById } from './providers/voices.ts';
import { systemClock } from './shared/clock.ts';
import { randomToken } from './shared/ids.ts';
import { isLanguage } from './shared/languages.ts';
import type { Log } from './shared/log.ts';
import { openDatabase, type Database } from './store/database.ts';
import { EmbeddedPostgres } from './store/embedded/embedded-postgres.ts';
import { installationValue } from './store/installation.ts';
import { migrate } from './store/migrate.ts';
import { notifyQueue } from './store/queue.ts';
import { listTrunks } from './store/trunks.ts';
import { acceptAnswer, answerOffer, createOffer } from './telephony/sdp/offer-answer.ts';
import { createSignalling, type SipSignalling } from './telephony/sip/signalling.ts';
import { TestCarrier } from './telephony/test-carrier/test-carrier.ts';
import { CallWorkers, type WorkerLoad } from './workers/call-workers.ts';

export interface AppOptions {
  log: Log;
  /** Names this process among those on one database; with the data folder it must be unique. */
  nodeName: string;
  /** Other providers than the configuration's: for tests and benches with the fake ones. */
  providers?: ProviderChoice;
  testCarrierRingMs?: number;
}

const RING_TIMEOUT_MS = 45_000;
const MEDIA_TIMEOUT_MS = 20_000;
const MAX_CALLS_PER_WORKER = 250;
const REAP_MS = 1000;

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
  readonly #live = new LiveCalls();
  readonly #metrics = new Registry();
  #embedded: EmbeddedPostgres | null = null;
  #database: Database | null = null;
  #databaseUrl: string | null = null;
  #carrier: TestCarrier | null = null;
  #signalling: SipSignalling | null = null;
  #workers: CallWorkers | null = null;
  #presence: NodePresence | null = null;
  #dialer: DialerLoop | null = null;
  #deliverer: WebhookDeliverer | null = null;
  #fetcher: SafeFetcher | null = null;
  #server: Server | null = null;
  #recordings: FileRecordings | null = null;
  #previewTts: ReturnType<typeof createOfflineTts> | null = null;
  #reapTimer: NodeJS.Timeout | null = null;
  #draining = false;

  constructor(config: Config, options: AppOptions) {
    this.#config = config;
    this.#options = options;
    this.#log = options.log;
    this.#dataDir = resolve(config.dataDir);
    collectDefaultMetrics({ register: this.#metrics });
  }

  /** Brings everything up, in the order in which things need each other. */
  async start(): Promise<string[]> {
    const { roles } = this.#config;
    const { provisionFile } = this.#config;
    const plan = provisionFile === null ? null : await readPlan(provisionFile);
    await mkdir(join(this.#dataDir, 'recordings'), { recursive: true, mode: 0o700 });
    const carriesCalls = roles.includes('media') || roles.includes('dialer');
    // Threads and the test carrier come up while the database does.
    const carrierPort = carriesCalls ? this.#startCarrier() : Promise.resolve(0);
    const workers = carriesCalls ? this.#startWorkers() : Promise.resolve();
    workers.catch(() => undefined);
    carrierPort.catch(() => undefined);
    const database = await this.#openDatabase();
    await migrate(this.#databaseUrl ?? '').catch((error: unknown) => {
      const { databaseUrl } = this.#config;
      throw databaseUrl === null ? error : databaseFailure(databaseUrl, error);
    });
    const provisioned = await applyPlan(
      {
        db: database.kysely,
        clock: this.#clock,
        voices: catalogue,
        prompts,
        seal: await openSeal(this.#config.secretKey, this.#dataDir),
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
    if (carriesCalls) await this.#startCalls(database, link, await carrierPort, workers);
    if (roles.includes('jobs')) this.#startJobs(database);
    if (roles.includes('api')) await this.#startHttp(database, link);
    const loads = (): WorkerLoad[] => (this.#workers?.health() ?? []).map(({ load }) => load);
    registerGauges(this.#metrics, {
      liveCalls: () => this.#live.size,
      freeCalls: () => this.#workers?.freeCapacity() ?? 0,
      workerCalls: () => loads().reduce((sum, { calls }) => sum + calls, 0),
      rtpPortsInUse: () => loads().reduce((sum, { rtpPortsInUse }) => sum + rtpPortsInUse, 0),
      lateTickP99Ms: () => Math.max(0, ...loads().map(({ lateTickP99Ms }) => lateTickP99Ms)),
    });
    return startReport({
      url: this.url,
      hasApi: this.#server !== null,
      listening: this.#signalling?.health().listening ?? null,
      engines: this.#workers?.engines ?? null,
      provisioned,
    });
  }

  /** Takes no more calls, lets live ones finish (bounded by the longest a call may last), then stops. */
  async drainAndStop(): Promise<void> {
    this.#draining = true;
    await this.#dialer?.drain();
    this.#signalling?.drain();
    await this.#presence?.drain().catch(() => undefined);
    const until = this.#clock.monotonic() + 3_600_000;
    while (this.#live.size > 0 && this.#clock.monotonic() < until) {
      await new Promise((done) => setTimeout(done, 50));
    }
    await this.stop();
  }

  /** Stops at once what still runs; live calls are hung up. Safe to call after a start that failed. */
  async stop(): Promise<void> {
    this.#draining = true;
    if (this.#reapTimer !== null) clearInterval(this.#reapTimer);
    await this.#dialer?.drain();
    await this.#server?.close();
    await this.#recordings?.close();
    await this.#signalling?.stop();
    await this.#workers?.stop();
    await this.#carrier?.stop();
    await this.#previewTts?.close();
    await this.#deliverer?.stop();
    await this.#fetcher?.close();
    await this.#presence?.stop().catch(() => undefined);
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

  async #startCarrier(): Promise<number> {
    this.#carrier = new TestCarrier({
      logLevel: this.#config.logLevel === 'debug' || this.#config.logLevel === 'trace' ? 'info' : 'warn',
      ...(this.#options.testCarrierRingMs === undefined ? {} : { ringMs: this.#options.testCarrierRingMs }),
    });
    return this.#carrier.start();
  }

  async #startWorkers(): Promise<void> {
    const { llm, sip, rtpPorts, callWorkers, logLevel } = this.#config;
    this.#workers = new CallWorkers({
      count: callWorkers,
      maxCallsPerWorker: MAX_CALLS_PER_WORKER,
      log: this.#log,
      data: {
        rtpAddress: sip.host,
        rtpPorts,
        mediaTimeoutMs: MEDIA_TIMEOUT_MS,
        recordingsDir: join(this.#dataDir, 'recordings'),
        logLevel,
        providers: this.#options.providers ?? {
          vad: 'auto',
          stt: 'offline',
          tts: 'offline',
          llm: llm === null ? 'offline' : 'openai-compatible',
          openai: llm,
        },
      },
    });
    await this.#workers.start();
  }

  async #startCalls(
    database: Database,
    link: RecordingLink,
    carrierPort: number,
    workersReady: Promise<void>,
  ): Promise<void> {
    const db = database.kysely;
    const settleDeps = {
      db,
      clock: this.#clock,
      rate: this.#config.billing,
      recordingUrl: (workspaceId: string, callId: string) => recordingUrl(link, workspaceId, callId),
    };
    const presence = new NodePresence({
      db,
      clock: this.#clock,
      log: this.#log,
      name: `${this.#options.nodeName}:${this.#dataDir}`,
      roles: this.#config.roles.join(','),
      onFenced: () => this.#onFenced(),
    });
    this.#presence = presence;
    await presence.start();
    const seal = await openSeal(this.#config.secretKey, this.#dataDir);
    const signalling = createSignalling({
      hosts: [this.#config.sip.host],
      udpPort: this.#config.sip.port,
      tcpPort: this.#config.sip.port,
      publicAddress: null,
      trunks: (await listTrunks(db)).map((trunk) => ({
        ...trunk,
        password: unsealPassword(seal, trunk, this.#log),
        uri: trunk.kind === 'test' ? `sip:127.0.0.1:${carrierPort}` : trunk.uri,
        transport: trunk.transport ?? 'auto',
      })),
      clock: this.#clock,
      log: this.#log,
    });
    this.#signalling = signalling;
    await workersReady;
    const workers = this.#workers;
    if (workers === null) throw new Error('call workers are not running');
    const deps: DialDeps = {
      attempts: createAttemptLog(settleDeps),
      live: this.#live,
      clock: this.#clock,
      log: this.#log,
      onSettled: () => {
        this.#dialer?.kick();
        this.#deliverer?.kick();
      },
      signalling,
      sdp: { createOffer, acceptAnswer, answerOffer },
      mediaAddress: this.#config.sip.host,
      allocate: (callId, events) => workers.allocate(callId, events),
    };
    signalling.onInbound((leg) => {
      void takeInboundCall(
        {
          ...deps,
          spec: specDeps,
          take: (incoming) =>
            takeInbound(
              { db, clock: this.#clock, rate: this.#config.billing, nodeId: () => presence.nodeId },
              incoming,
            ),
        },
        leg,
      );
    });
    await signalling.start().catch((error: unknown) => {
      throw listenFailure({ port: 'SIP_PORT', host: 'SIP_HOST' }, this.#config.sip, error);
    });
    const reaper = new Reaper(settleDeps, presence.nodeId, {
      nodeId: () => presence.nodeId,
      holds: (callId) => this.#live.has(callId),
    });
    await reaper.run();
    this.#reapTimer = setInterval(() => {
      reaper.run().catch((error: unknown) => this.#log.warn({ err: error }, 'the reaper could not look'));
    }, REAP_MS);
    this.#dialer = new DialerLoop({
      db,
      clock: this.#clock,
      rate: this.#config.billing,
      log: this.#log,
      nodeId: () => presence.nodeId,
      capacity: () => (this.#draining ? 0 : workers.freeCapacity()),
      place: (claimed) => this.#place(deps, claimed),
      listenUrl: this.#databaseUrl,
    });
    this.#dialer.start();
  }

  #place(deps: DialDeps, claimed: Claimed): void {
    const spec = callSpec(specDeps, {
      ...claimed,
      direction: 'outbound',
      config: claimed.versionConfig,
      variables: { callee_name: claimed.calleeName, mobile_number: claimed.toNumber, ...claimed.args },
    });
    void placeOutbound(deps, {
      workspaceId: claimed.workspaceId,
      callId: claimed.callId,
      attempt: claimed.attempt,
      nodeId: claimed.nodeId,
      trunkId: claimed.trunkId,
      from: claimed.fromNumber,
      to: claimed.toNumber,
      displayName: claimed.numberDisplayName === '' ? null : claimed.numberDisplayName,
      ringTimeoutMs: RING_TIMEOUT_MS,
      spec,
    });
  }

  #startJobs(database: Database): void {
    this.#fetcher = new SafeFetcher({ allow: this.#config.safeFetchAllow });
    this.#deliverer = new WebhookDeliverer({
      db: database.kysely,
      clock: this.#clock,
      log: this.#log,
      fetcher: this.#fetcher,
    });
    this.#deliverer.start();
  }

  async #startHttp(database: Database, link: RecordingLink): Promise<void> {
    const db = database.kysely;
    const previews = createOfflineTts();
    this.#previewTts = previews;
    const render = previewRenderer(previews);
    this.#recordings = new FileRecordings(join(this.#dataDir, 'recordings'));
    this.#server = await createServer({
      db,
      clock: this.#clock,
      log: this.#log,
      voices: catalogue,
      prompts,
      rate: this.#config.billing,
      notify: () => {
        if (this.#dialer !== null) this.#dialer.kick();
        else void notifyQueue(db).catch(() => undefined);
      },
      hangUp: ({ workspaceId, callId }) => Promise.resolve(this.#live.hangup(workspaceId, callId)),
      watch: (workspaceId, callId, watcher) => this.#live.watch(workspaceId, callId, watcher),
      recordings: this.#recordings,
      link,
      renderPreview: (voiceId, language) => {
        const voice = voiceById(voiceId);
        if (voice === undefined || !isLanguage(language)) throw new Error('no such voice');
        return render(voice, language);
      },
      ready: () => this.#ready(),
      metrics: this.#metrics,
      rateLimits: this.#config.rateLimits,
      trustProxy: this.#config.trustProxy,
    });
    const { port, host } = this.#config;
    await this.#server.listen({ port, host }).catch((error: unknown) => {
      throw listenFailure({ port: 'PORT', host: 'HOST' }, { port, host }, error);
    });
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

  async #ready(): Promise<ReadyCheck[]> {
    const database = await this.#database?.pool.query('select 1').then(
      () => true,
      () => false,
    );
    const checks: ReadyCheck[] = [
      { name: 'database', ok: database === true },
      { name: 'not draining', ok: !this.#draining },
    ];
    if (this.#signalling !== null && this.#workers !== null) {
      const workers = this.#workers.health();
      checks.push(
        { name: 'sip', ok: this.#signalling.health().listening.length > 0 },
        { name: 'call workers', ok: workers.length > 0 && workers.every((worker) => worker.ready) },
      );
    }
    return checks;
  }

  /** Others settled our calls: nothing of them may go on, and this process starts over. */
  #onFenced(): void {
    this.#log.fatal('this process was taken for dead and its calls were settled; it ends to start clean');
    process.exitCode = 1;
    void this.stop().finally(() => process.exit(1));
  }
}
