import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { noCalls } from './app/call-link.ts';
import { CallPlane } from './app/call-plane.ts';
import type { Control, ControlSetup } from './app/control-plane.ts';
import { ControlThread } from './app/control-thread.ts';
import { Installation, type Opened } from './app/installation.ts';
import { ownDataFolder } from './app/data-folder.ts';
import { DiskWatch } from './app/disk-watch.ts';
import { openLinks } from './app/links.ts';
import { openMeaning } from './app/knowledge-meaning.ts';
import { openLocalModels, type LocalModels } from './app/local-models.ts';
import { reloadProvision } from './app/reload.ts';
import { ProcessProbes } from './app/process-probes.ts';
import { apiUrl, newKeyLines, ownerLink, startReport, type Started } from './app/report.ts';
import { SecretFiles } from './app/secret-files.ts';
import { innerAddress } from './app/stream-relay.ts';
import { listenFailure, tryAddress } from './app/start-failure.ts';
import { withSipAddresses } from './app/sip-hosts.ts';
import type { Config } from './config.ts';
import { Reaper, reapingPoller } from './dialer/reaper.ts';
import { recordingUrl } from './domain/calls/recording-link.ts';
import type { SignedLinks } from './domain/links/signed-links.ts';
import { readPlan, type Provisioned } from './domain/provision/provision.ts';
import { readFirstRun } from './domain/users/first-run.ts';
import { CapNotices } from './domain/workspaces/cap-notices.ts';
import { offerVoices } from './providers/voices.ts';
import type { ProviderChoice } from './providers/choose/installation.ts';
import { ENGLISH_PACK } from './offline/models/catalogue.ts';
import { ownVoiceList } from './offline/speech/library/own-voices.ts';
import { SpeechThread } from './offline/speech/speech-thread.ts';
import { EarThreads } from './offline/words/ears.ts';
import { Disk } from './recordings/disk.ts';
import { RecordingKeeper } from './recordings/keeper.ts';
import { S3 } from './recordings/s3.ts';
import { SchedulerWake } from './scheduler/loop.ts';
import type { FallbackCount } from './shared/fallback-counts.ts';
import type { FolderLock } from './shared/folder-lock.ts';
import { FreeSpace } from './shared/free-space.ts';
import { newId } from './shared/ids.ts';
import type { Log } from './shared/log.ts';
import { openScratch, type Scratch } from './shared/scratch.ts';
import type { Poller } from './shared/poller.ts';
import { ServiceClock } from './shared/service-clock.ts';
import { settlesWithin } from './shared/settles-within.ts';

export interface AppOptions {
  log: Log;
  /** Output goes to a terminal: secrets are shown there instead of in files, and the control thread logs for people. */
  isTerminal?: boolean;
  /** Names this process among those on one database; with the data folder it must be unique. */
  nodeName: string;
  /** Replaces the configured providers, for tests and benches with fake ones. */
  providers?: ProviderChoice;
  testCarrierRingMs?: number;
}

/** Longer than any call may last: a drain waits for live calls to end by themselves. */
const DRAIN_LIMIT_MS = 3_700_000;
/** The last part of a stop's deadline, kept for the database: half of the deadline, but no more than this. */
const DATABASE_STOP_MS = 10_000;
/** A fenced process exits this long after it hung up its calls, whatever still hangs. */
const FENCED_LIMIT_MS = 10_000;

/** The whole program, wired by hand. `start` resolves when calls can be placed, with the report for the operator. */
export function createApp(config: Config, options: AppOptions): App {
  return new App(config, options);
}

export class App {
  readonly #config: Config;
  readonly #options: AppOptions;
  readonly #log: Log;
  readonly #clock = new ServiceClock();
  readonly #dataDir: string;
  readonly #space: FreeSpace;
  readonly #diskWatch: DiskWatch;
  readonly #installation: Installation;
  /** Serves the calls of every worker thread, and the voice previews. */
  readonly #speech: SpeechThread;
  /** Hear the calls of every worker thread with one copy of each model. */
  readonly #ears: EarThreads;
  #calls: CallPlane | null = null;
  #control: Control | null = null;
  #wake: SchedulerWake | null = null;
  #keeper: RecordingKeeper | null = null;
  /** Of a process with calls and without a control plane, which otherwise fetches models. */
  #models: LocalModels | null = null;
  #reload: (() => Promise<Provisioned | null>) | null = null;
  readonly #secretFiles: SecretFiles;
  readonly #processId = newId();
  /** The port of the API, once it is bound. */
  #port: number | null = null;
  /** Of a process without the API. */
  #probes: ProcessProbes | null = null;
  /** Folder of temporary files. */
  #scratch: Scratch | null = null;
  #draining = false;
  /** Of the chats that this thread answers. */
  #chatFallbacks: () => readonly FallbackCount[] = () => [];
  #reaping: Poller | null = null;
  #lock: FolderLock | null = null;
  #stopped: Promise<void> | null = null;

  constructor(config: Config, options: AppOptions) {
    this.#config = config;
    this.#options = options;
    this.#log = options.log;
    if (config.clock === 'host') this.#clock.useWallClock();
    this.#dataDir = resolve(config.dataDir);
    this.#secretFiles = new SecretFiles(this.#dataDir);
    offerVoices(ownVoiceList(config.modelsDir));
    this.#speech = new SpeechThread({ log: this.#log, modelsDir: config.modelsDir });
    this.#ears = new EarThreads({ log: this.#log });
    this.#space = new FreeSpace(this.#dataDir, config.diskFloorBytes);
    const hasReserve = config.databaseUrl === null;
    this.#diskWatch = new DiskWatch({
      space: this.#space,
      dataDir: this.#dataDir,
      hasReserve,
      log: options.log,
    });
    this.#installation = new Installation(config, this.#dataDir, options.log, this.#clock);
  }

  /** Starts every part of this process's roles, in the order of their dependencies. */
  async start(): Promise<string[]> {
    const { roles, provisionFile } = this.#config;
    const hasApi = roles.includes('api');
    const plan = provisionFile === null ? null : await readPlan(provisionFile);
    this.#lock = await ownDataFolder(this.#dataDir, this.#log, () => this.#draining);
    this.#lock.keep(
      () => {
        this.#log.fatal('another process took DATA_DIR over, because this one was silent for too long');
        this.#hangUpAndExit();
      },
      (error) => this.#log.warn({ err: error }, 'the lock of DATA_DIR was not renewed'),
    );
    // The API listens last but its address is tried first, so that a port in use fails before anything is started.
    if (hasApi) await this.#tryAddress();
    await mkdir(join(this.#dataDir, 'recordings'), { recursive: true, mode: 0o700 });
    this.#scratch = openScratch(this.#dataDir);
    this.#diskWatch.start();
    const hasControl = hasApi || roles.includes('jobs');
    // Threads load their modules while the database starts.
    if (roles.includes('media') || roles.includes('dialer')) {
      this.#calls = this.#createCallPlane(await withSipAddresses(this.#config));
    }
    const thread = this.#calls !== null && hasControl ? this.#createControlThread(this.#calls) : null;
    this.#control = thread;
    const opened = await this.#installation.open(plan);
    this.#reload = () => reloadProvision(provisionFile, opened.provision, this.#log);
    const links = await this.#openLinks(opened);
    const keeper = await this.#openKeeper(opened, links);
    if (this.#calls !== null) await this.#startCalls(this.#calls, opened, links, keeper);
    keeper.start();
    // Read before the API listens, so that the report follows readiness at once.
    const firstRun = await readFirstRun(opened.provision);
    if (thread !== null) this.#port = await thread.start(this.#controlSetup(opened));
    else if (hasControl) this.#port = await this.#startControl(opened);
    if (this.#calls !== null && !hasControl && this.#config.modelsFetch === 'start') {
      this.#models = openLocalModels(this.#config, this.#log);
      void this.#models.fetchPack(ENGLISH_PACK);
    }
    if (this.#calls === null) this.#startReaping(opened, links, keeper);
    if (!hasApi) this.#probes = await this.#startProbes(opened);
    const link = hasApi && typeof firstRun === 'object' ? ownerLink(this.url, firstRun.token) : null;
    const files = this.#options.isTerminal === true ? null : this.#secretFiles;
    await this.#secretFiles.keep(
      opened.database.kysely,
      { link, newKeys: opened.provisioned.newKeys },
      files !== null,
    );
    return startReport({
      ownerLink: link,
      needsFirstRun: firstRun === 'expired',
      files,
      url: this.url,
      hasApi,
      listening: this.#calls?.listening() ?? null,
      engines: this.#engines(),
      better: this.#better(),
      warnings: this.#calls?.report().checks.filter(({ ok, detail }) => !ok || detail !== undefined) ?? [],
      provisioned: opened.provisioned,
      allowsEveryCountry: this.#config.allowedCountries.length === 0,
    });
  }

  #engines(): Started['engines'] {
    const engines = this.#calls?.workers.engines;
    const inUse = this.#calls?.engines;
    return engines == null || inUse == null ? null : { vad: engines.vad, llm: engines.llm, inUse };
  }

  /** Advice where this machine hears the calls first, and lacks a part of the English pack. */
  #better(): string | null {
    const [first] = this.#calls?.workers.engines?.stt.split(',') ?? [];
    if (first !== 'offline') return null;
    return openLocalModels(this.#config, this.#log).better(this.#config.modelsFetch === 'start');
  }

  /**
   * Applies PROVISION_FILE again; every process on the database follows changes of trunks. Returns the lines to print
   * once.
   */
  async reload(): Promise<readonly string[]> {
    const provisioned = await this.#reload?.();
    this.#calls?.reloadTrunks();
    if (provisioned == null) return [];
    // Only a process without a terminal reloads: SIGHUP ends one with a terminal.
    await this.#secretFiles.addKeys(provisioned.newKeys);
    return [...newKeyLines(provisioned, this.#secretFiles), ...provisioned.lines];
  }

  /** Takes no more calls, waits for live calls up to `DRAIN_LIMIT_MS`, then stops. */
  async drainAndStop(): Promise<void> {
    this.#draining = true;
    await this.#calls?.drain(DRAIN_LIMIT_MS);
    await this.stop();
  }

  /**
   * Hangs up live calls, then stops everything else. Safe after a failed start, and during a drain. Rejects after
   * `STOP_SECONDS` when a part still hangs; the caller then exits the process.
   */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#draining = true;
    const { stopMs } = this.#config;
    const databaseMs = Math.min(DATABASE_STOP_MS, stopMs / 2);
    const isStopped = await settlesWithin(stopMs - databaseMs, this.#stopParts());
    if (!isStopped) this.#log.error({}, 'the stop is over its time: unfinished work is dropped');
    const closed = this.#installation.close(this.#control?.stop('database'));
    const isClosed = await settlesWithin(databaseMs, closed);
    this.#scratch?.close();
    // Last: until then this process uses the folder. A lock that stays behind is free once the process has ended.
    if (isStopped && isClosed) await this.#lock?.release().catch(() => undefined);
    if (!isStopped || !isClosed) throw new Error(`the stop took longer than ${stopMs} ms`);
  }

  /** Base URL of the API for clients. */
  get url(): string {
    return apiUrl(this.#config, this.#port);
  }

  async #stopParts(): Promise<void> {
    // Calls hang up while HTTP still closes: a slow client must not keep a conversation alive.
    await Promise.all([this.#calls?.stop(), this.#control?.stop('http'), this.#probes?.stop()]);
    await this.#wake?.close();
    await this.#reaping?.stop();
    await Promise.all([this.#speech.close(), this.#ears.close(), this.#models?.stop()]);
    await this.#control?.stop('work');
    await this.#keeper?.stop();
    await this.#diskWatch.stop();
    await this.#calls?.leave();
  }

  async #tryAddress(): Promise<void> {
    await tryAddress(this.#config).catch((error: unknown) => {
      throw listenFailure({ port: 'PORT', host: 'HOST' }, this.#config, error);
    });
  }

  #createCallPlane(config: Config): CallPlane {
    return new CallPlane({
      config,
      dataDir: this.#dataDir,
      clock: this.#clock,
      space: this.#space,
      log: this.#log,
      notices: new CapNotices({ log: this.#log, clock: this.#clock }),
      nodeName: this.#options.nodeName,
      processId: this.#processId,
      providers: this.#options.providers,
      testCarrierRingMs: this.#options.testCarrierRingMs,
      publicUrl: () => this.url,
      innerAddress: () => innerAddress(config, this.#port),
      connectSpeech: (port) => this.#speech.connect(port),
      ears: this.#ears,
      onSettled: () => {
        this.#control?.callSettled();
        this.#keeper?.kick();
      },
      onFenced: () => this.#onFenced(),
    });
  }

  #openLinks({ database: { kysely: db }, seal }: Opened): Promise<SignedLinks> {
    return openLinks(this.#config, { db, clock: this.#clock, seal }, () => this.url);
  }

  async #startCalls(
    calls: CallPlane,
    { database, url }: Opened,
    links: SignedLinks,
    keeper: RecordingKeeper,
  ): Promise<void> {
    const db = database.kysely;
    const wake = new SchedulerWake({ db, log: this.#log });
    this.#wake = wake;
    const meaning = await openMeaning(this.#config.embeddings, {
      db,
      clock: this.#clock,
      log: this.#log,
      prices: this.#config.unitPrices,
      notices: calls.notices,
    });
    await calls.start(
      database,
      url,
      wake,
      (workspaceId, callId) => recordingUrl(links, workspaceId, callId),
      keeper,
      meaning?.search ?? null,
    );
  }

  async #openKeeper({ database }: Opened, links: SignedLinks): Promise<RecordingKeeper> {
    const disk = new Disk(join(this.#dataDir, 'recordings'));
    this.#keeper = new RecordingKeeper({
      db: database.kysely,
      clock: this.#clock,
      log: this.#log,
      disk,
      diskName: await disk.name(),
      store: this.#config.s3 === null ? null : new S3(this.#config.s3, disk),
      recordingUrl: (workspaceId, callId) => recordingUrl(links, workspaceId, callId),
    });
    return this.#keeper;
  }

  #createControlThread(calls: CallPlane): ControlThread {
    return new ControlThread({
      log: this.#log,
      isLogPretty: this.#options.isTerminal === true,
      calls: {
        wake: () => this.#wake?.wake(),
        hangup: (workspaceId, callId) => calls.live.hangup(workspaceId, callId),
        control: (workspaceId, callId, order) => calls.live.control(workspaceId, callId, order),
        watch: (...args) => calls.live.watch(...args),
        watchAll: (...args) => calls.live.watchAll(...args),
        web: calls.web,
        report: () => calls.report(),
        checkTrunk: (name) => calls.checkTrunk(name),
        connectSpeech: (port) => this.#speech.connect(port),
      },
    });
  }

  #controlSetup({ url, hasWalls }: Opened): ControlSetup {
    const { providers } = this.#options;
    return {
      config: this.#config,
      dataDir: this.#dataDir,
      databaseUrl: url,
      processId: this.#processId,
      hasWalls,
      clockOffset: this.#clock.offset,
      analyst: providers === undefined ? this.#config.llm : (providers.models ?? []),
      chatBrain: providers ?? {
        llm: 'offline',
        modelsDir: this.#config.modelsDir,
        models: this.#config.llm,
        recognisers: this.#config.stt,
      },
    };
  }

  #startProbes({ database }: Opened): Promise<ProcessProbes | null> {
    return ProcessProbes.start({
      clock: this.#clock,
      space: this.#space,
      config: this.#config,
      dataDir: this.#dataDir,
      database,
      log: this.#log,
      calls: this.#calls,
      isDraining: () => this.#draining,
      chatFallbacks: () => this.#chatFallbacks(),
    });
  }

  /** Runs the control plane on this thread, which carries no calls. */
  async #startControl(opened: Opened): Promise<number | null> {
    const { ControlPlane } = await import('./app/control-plane.ts');
    const calls = noCalls({
      isDraining: () => this.#draining,
      connectSpeech: (port) => this.#speech.connect(port),
    });
    const control = new ControlPlane(this.#controlSetup(opened), { log: this.#log, calls });
    this.#control = control;
    this.#chatFallbacks = () => control.chatFallbacks;
    return control.start();
  }

  /** A process without calls also fences dead ones: none of those that carry calls may be left to do it. */
  #startReaping({ database: { kysely: db } }: Opened, links: SignedLinks, disk: RecordingKeeper): void {
    const { billing: rate, allowedCountries: countries, traces } = this.#config;
    const url = (workspaceId: string, callId: string): string => recordingUrl(links, workspaceId, callId);
    const deps = { db, clock: this.#clock, rate, countries, recordingUrl: url, disk, traces };
    const settled = (): void => this.#control?.callSettled();
    this.#reaping = reapingPoller(new Reaper(deps, null), this.#log, settled);
    this.#reaping.start();
  }

  /**
   * Other nodes have settled this node's calls: no call of it may continue, so the process hangs up, ends and is
   * restarted clean.
   */
  #onFenced(): void {
    this.#log.fatal('this process was taken for dead and its calls were settled; it ends to start clean');
    this.#hangUpAndExit();
  }

  #hangUpAndExit(): void {
    this.#calls?.cut('crashed');
    process.exitCode = 1;
    setTimeout(() => process.exit(1), FENCED_LIMIT_MS);
    const exit = (): void => process.exit(1);
    this.stop().then(exit, exit);
  }
}
