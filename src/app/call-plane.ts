import { orderIn } from '../store/calls/call-orders.ts';
import { WALL_REQUESTS } from '../store/calls/wall-news.ts';
import { hangupPoller, Listening, LiveCalls, type Cut } from '../dialer/live-calls.ts';
import { WallShare } from '../dialer/wall-share.ts';
import { LiveAccess } from '../domain/access/live-access.ts';
import { takeInboundCall, type InboundDeps } from '../dialer/inbound.ts';
import { InboundOutage } from '../dialer/inbound-outage.ts';
import { SchedulerLoop, type SchedulerWake } from '../scheduler/loop.ts';
import { WebCalls } from '../dialer/web.ts';
import type { EarSlots } from '../dialer/ear-slots.ts';
import { NodePresence } from '../dialer/presence.ts';
import { placeOutbound } from '../dialer/outbound.ts';
import { Reaper, reapingPoller } from '../dialer/reaper.ts';
import type { RecordingDisk } from '../domain/calls/recordings.ts';
import { storeLateInbound, takeInbound } from '../domain/calls/take-inbound.ts';
import { takeWebCall } from '../domain/web-calls/take-web-call.ts';
import type { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import { InboundPace } from '../domain/trunks/inbound-pace.ts';
import { FullStorage } from '../domain/workspaces/full-storage.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import { createScheduler, systemClock } from '../shared/clock.ts';
import type { EnginesInUse } from '../shared/engines-in-use.ts';
import type { Poller } from '../shared/poller.ts';
import { settlesWithin } from '../shared/settles-within.ts';
import type { Database } from '../store/database.ts';
import { Heartbeat } from '../store/nodes.ts';
import { nodeFigures } from './node-figures.ts';
import type { CallSignalling } from '../telephony/call-signalling.ts';
import { dropSocket } from '../telephony/web/handover.ts';
import { TestCarrier } from '../telephony/test-carrier/test-carrier.ts';
import type { CallWorkers } from '../workers/call-workers.ts';
import { voicesHere } from './adapters.ts';
import type { CallReport, PoolUse, WebCallLink } from './call-link.ts';
import type { CallPlaneOptions } from './call-plane-options.ts';
import { callReport } from './call-report.ts';
import { dialDeps } from './dial-deps.ts';
import { enginesInUse } from './engines-in-use.ts';
import { LoopDelay } from './loop-delay.ts';
import { openSeal } from './secrets.ts';
import { sipFailure } from './sip-hosts.ts';
import type { SpeechWatch } from './speech-watch.ts';
import {
  createCallWorkers,
  earModelsOf,
  earSlots,
  openSignalling,
  speechWatch,
  startEars,
  trunkWatch,
} from './telephony.ts';
import { SipUpkeep } from './sip-upkeep.ts';
import { openedStream } from './carrier-entrance.ts';
import { audioSocketAddress } from './audio-socket.ts';
import { CarrierReports } from './carrier-reports.ts';

const NOT_STARTED = { refuse: 503, reason: 'this process has not started yet' } as const;
/** How long a drain waits for the claim in progress and for its own mark; a hung database must not delay it further. */
const DRAIN_WRITES_MS = 5_000;
/** How long a stop waits for the settlement of the calls that it cut. */
const SETTLE_MS = 5_000;

/** Everything that carries calls: SIP, call workers, test carrier, scheduler, dialer and reaper. */
export class CallPlane {
  readonly live = new LiveCalls(
    (failure) => {
      if (failure.code === 'VOICE_FAILED') this.#speech.kick();
    },
    (callId) => this.#slots.release(callId),
    () => {
      this.#presence?.hasten();
      this.#hangups?.kick();
    },
  );
  readonly workers: CallWorkers;
  /** Of reached caps. */
  readonly notices: CapNotices;
  readonly #options: CallPlaneOptions;
  readonly #carrier: TestCarrier;
  readonly #started: Promise<[number, void, void, void]>;
  readonly #fetcher: SafeFetcher;
  readonly #loopDelay = new LoopDelay({ clock: systemClock, isBusy: () => this.live.size > 0 });
  readonly #speech: SpeechWatch;
  readonly #slots: EarSlots;
  readonly #earModels: ReturnType<typeof earModelsOf>;
  #signalling: CallSignalling | null = null;
  #presence: NodePresence | null = null;
  #scheduler: SchedulerLoop | null = null;
  #hangups: Poller | null = null;
  #wallShare: WallShare | null = null;
  #reaping: Poller | null = null;
  #pool: PoolUse | null = null;
  #upkeep: SipUpkeep | null = null;
  #webCalls: WebCalls | null = null;
  #listening: Listening | null = null;
  #access: LiveAccess | null = null;
  #fullStorage: FullStorage | null = null;
  #reports: CarrierReports | null = null;
  #draining = false;
  /** The last heartbeat without calls found another process, or something to reap. */
  #hasReaping = true;
  /** Claimed calls that may still be released. */
  #placing = 0;

  /** Starts the worker threads and the test carrier, while the database starts. */
  constructor(options: CallPlaneOptions) {
    this.#options = options;
    this.notices = options.notices;
    const { config } = options;
    this.#carrier = new TestCarrier({
      log: options.log,
      logLevel: config.logLevel === 'debug' || config.logLevel === 'trace' ? 'info' : 'warn',
      ...(options.testCarrierRingMs === undefined ? {} : { ringMs: options.testCarrierRingMs }),
    });
    this.#fetcher = new SafeFetcher({
      allow: config.safeFetchAllow,
      purpose: 'tools',
      connectionsPerOrigin: 32,
    });
    this.workers = createCallWorkers(options);
    this.#earModels = earModelsOf(options);
    this.#slots = earSlots(options, this.#earModels);
    this.#speech = speechWatch(options, () => this.workers.recogniserFault);
    this.#started = Promise.all([
      this.#carrier.start(),
      this.workers.start(),
      this.#speech.start(),
      startEars(options.ears, this.#earModels),
    ]);
    // `start` awaits it and throws its failure; this handler only keeps the rejection from being unhandled until then.
    this.#started.catch(() => undefined);
  }

  async start(
    database: Database,
    databaseUrl: string,
    wake: SchedulerWake,
    recordingUrl: (workspaceId: string, callId: string) => string,
    disk: RecordingDisk,
    meaning: MeaningSearch | null,
  ): Promise<void> {
    const { config, clock, log, dataDir, notices } = this.#options;
    const db = database.kysely;
    this.#pool = database.pool;
    const { billing: rate, allowedCountries: countries, traces } = config;
    const presence = new NodePresence({
      db,
      heartbeat: new Heartbeat(databaseUrl),
      clock,
      log,
      name: `${this.#options.nodeName}:${dataDir}`,
      roles: config.roles.join(','),
      figures: () =>
        nodeFigures(
          config.rtpPorts,
          this.live.size,
          { health: () => this.workers.health(), freeCapacity: () => this.#freeCalls() },
          disk.hasStore ? null : disk.name,
          {
            address: this.#options.innerAddress(),
            mediaUrl: config.mediaUrl,
            audioSocket: audioSocketAddress(config, this.#options.publicUrl()),
          },
        ),
      isIdle: () => this.live.size === 0,
      onLook: ({ dueAt, hasReaping }) => {
        if (hasReaping && !this.#hasReaping) this.#reaping?.kick();
        const isNew = hasReaping !== this.#hasReaping;
        this.#hasReaping = hasReaping;
        if (isNew) this.#scheduler?.kick();
        else this.#scheduler?.expect(dueAt);
      },
      onLookEnd: () => {
        this.#reaping?.kick();
        this.#scheduler?.kick();
      },
      onFenced: () => this.#options.onFenced(),
    });
    this.#presence = presence;
    await presence.start();
    const [carrierPort] = await this.#started;
    const seal = await openSeal(config.secretKey, dataDir);
    const trunks = trunkWatch({ db, seal, log, carrierPort });
    const signalling = await openSignalling(
      {
        config,
        clock,
        log,
        mayRepeatInvite: () => presence.holdsLease,
        onRefused: (entrance) => this.workers.notes.refused(entrance),
        publicUrl: this.#options.publicUrl,
        nodeId: () => presence.nodeId,
        seal,
      },
      await trunks.first(),
    );
    this.#signalling = signalling;
    const reports = new CarrierReports({ db, log, status: (report) => signalling.carrierStatus(report) });
    this.#reports = reports;
    const settleDeps = { db, clock, rate, countries, recordingUrl, disk, traces };
    this.#access = new LiveAccess({ db, clock });
    const listening = new Listening({
      db,
      clock,
      log,
      live: this.live,
      access: this.#access,
      drop: dropSocket,
    });
    this.#listening = listening;
    const full = new FullStorage({ db, log });
    this.#fullStorage = full;
    full.start();
    const deps = dialDeps({
      settle: settleDeps,
      config,
      log,
      notices,
      live: this.live,
      listening,
      signalling,
      workers: this.workers,
      slots: this.#slots,
      fetcher: this.#fetcher,
      seal,
      meaning,
      full,
      onSettled: () => {
        wake.wake();
        this.#options.onSettled();
      },
    });
    const outbound = { ...deps, ringTimeoutMs: config.ringTimeoutMs };
    const inboundPace = new InboundPace(() => clock.monotonic());
    const inbound = { db, clock, rate, notices, inboundPace, nodeId: () => presence.nodeId };
    const outage = new InboundOutage({
      clock,
      scheduler: createScheduler(clock),
      log,
      nodeId: () => presence.nodeId,
      take: (incoming) => takeInbound(inbound, incoming),
      store: (late) => storeLateInbound(inbound, late),
    });
    signalling.onInbound((leg) => {
      const take: InboundDeps['take'] = (incoming) => this.#takes(() => outage.take(incoming));
      void takeInboundCall({ ...deps, take, busyLine: config.recogniserBusyLine }, leg);
    });
    this.#webCalls = new WebCalls({
      ...deps,
      take: (request) => this.#takes(() => takeWebCall(inbound, request)),
      takeInbound: (incoming) => this.#takes(() => takeInbound(inbound, incoming)),
      transferStream: (...order) => signalling.transferStream(...order),
      allocate: (callId, events, kind) => this.workers.allocate(callId, events, kind),
      isDraining: () => this.#draining,
      drop: dropSocket,
    });
    await signalling.start().catch((error: unknown) => {
      throw sipFailure(config.sip, error);
    });
    const nodeId = (): string => presence.nodeId;
    const { publicAddress } = config.sip;
    this.#upkeep = new SipUpkeep({ db, clock, log, nodeId, signalling, trunks, publicAddress });
    this.#upkeep.start();
    const reaper = new Reaper(settleDeps, presence.nodeId, {
      nodeId: () => presence.nodeId,
      holds: (callId) => this.live.has(callId),
      isLooking: () => presence.isLooking && !this.#hasReaping,
    });
    await reaper.run();
    this.#reaping = reapingPoller(reaper, log, wake.wake);
    this.#reaping.start();
    const hangups = hangupPoller({
      db,
      clock,
      log,
      nodeId: () => presence.nodeId,
      hasCalls: () => this.live.size > 0,
      hangup: (workspaceId, callId) => this.live.hangup(workspaceId, callId),
    });
    this.#hangups = hangups;
    hangups.start();
    this.#scheduler = new SchedulerLoop({
      wake,
      db,
      clock,
      rate,
      countries,
      log,
      notices,
      nodeId: () => presence.nodeId,
      capacity: () => this.#freeCalls(),
      engines: this.#slots,
      takesStreams: config.roles.includes('api'),
      isAloneAndIdle: () => this.#placing + this.live.size === 0 && !reaper.hasPeers && !this.#hasReaping,
      isLooking: () => presence.isLooking,
      place: (claimed) => {
        this.#slots.reserve(claimed.callId, claimed.versionId);
        this.#placing += 1;
        void placeOutbound(outbound, claimed).finally(() => (this.#placing -= 1));
      },
    });
    this.#scheduler.start();
    const share = new WallShare({ db, clock, log, live: this.live, processId: this.#options.processId });
    this.#wallShare = share;
    const onNotified = (payload: string): void => {
      hangups.kick();
      this.live.receive(orderIn(payload));
      reports.receive(payload);
    };
    wake.listen(databaseUrl, onNotified, { [WALL_REQUESTS]: (payload) => share.receive(payload) });
  }

  /** Calls that this process can still take; none while it stops, could not speak with the caller, or has no disk space. */
  #freeCalls(): number {
    const isAble = this.#speech.isAble && this.#options.space.last !== 'critical';
    return this.#draining || !isAble ? 0 : this.workers.freeCapacity();
  }

  /** Refuses a call that would be answered and fail. */
  #takes<T>(take: () => Promise<T>): Promise<T | { refuse: 503; reason: string }> {
    return this.#speech.isAble
      ? take()
      : Promise.resolve({ refuse: 503, reason: 'voices or recogniser of this process do not work' });
  }

  listening(): readonly string[] {
    return this.#signalling?.health().listening ?? [];
  }

  /** The browser calls of this process, and the listeners of its calls. */
  readonly web: WebCallLink = {
    open: async (request) => {
      if (!('placed' in request)) return this.#webCalls?.open(request) ?? NOT_STARTED;
      return openedStream(this.#signalling?.openStream(request.placed, request.upgrade) ?? null);
    },
    connect: (callId, socket) => {
      if (this.#signalling?.connectStream(callId, socket) !== true) this.#webCalls?.connect(callId, socket);
    },
    carrierStatus: (status) => this.#reports?.take(status),
    openListener: async (request) => this.#listening?.open(request) ?? NOT_STARTED,
    listen: (listenerId, socket) => this.#listening?.connect(listenerId, socket),
  };

  /** Null: no worker has started yet. */
  get engines(): EnginesInUse | null {
    const { engines, recogniserFault } = this.workers;
    if (engines === null) return null;
    const { hasNatural, own } = voicesHere(this.#options.config.modelsDir);
    return enginesInUse(engines, this.#earModels, { hasPhrases: recogniserFault === null, hasNatural, own });
  }

  report(): CallReport {
    return callReport({
      engines: this.engines,
      live: this.live,
      workers: this.workers,
      freeCalls: this.#freeCalls(),
      ears: { used: this.#slots.used, limit: this.#slots.limit, share: this.#options.ears.share },
      earFault: this.#options.ears.fault,
      speech: this.#speech.checks(),
      signalling: this.#signalling,
      pool: this.#pool,
      isDraining: this.#draining,
      capsReached: this.#options.notices.counts,
      lateLoopP99Ms: this.#loopDelay.p99Ms,
    });
  }

  /** Probes a trunk now; false: it is not in service here. */
  checkTrunk(name: string): boolean {
    return this.#signalling?.checkTrunk(name) ?? false;
  }

  /** Follows a change of trunks in the database at once instead of within seconds. */
  reloadTrunks(): void {
    this.#upkeep?.kick();
  }

  /** Takes and places no more calls; resolves when every live call is settled, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    this.#draining = true;
    const unregistered = this.#signalling?.drain();
    const marked = this.#presence?.drain().catch(() => undefined);
    const writes = Promise.all([this.#scheduler?.drain(), marked, this.#upkeep?.release(unregistered)]);
    await settlesWithin(DRAIN_WRITES_MS, writes);
    const until = this.#options.clock.monotonic() + limitMs;
    while (this.live.size > 0 && this.#options.clock.monotonic() < until) {
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Hangs up every live call. */
  cut(cause: Cut): void {
    this.live.cutAll(cause);
  }

  /**
   * Hangs up live calls, then stops. The BYEs leave before the first wait, so that a hung database cannot hold a call
   * open. The node leaves last: see `leave`.
   */
  async stop(): Promise<void> {
    this.#draining = true;
    this.cut('stopped');
    this.#signalling?.hangUpAll();
    this.#wallShare?.stop();
    await this.#speech.stop();
    await this.#reaping?.stop();
    await this.#upkeep?.stop();
    await this.#scheduler?.drain();
    this.#access?.close();
    await this.#fullStorage?.stop();
    await this.#hangups?.stop();
    await this.#signalling?.stop();
    await this.#upkeep?.release();
    await this.#settled();
    await this.workers.stop();
    await this.#carrier.stop();
    await this.#fetcher.close();
    this.#loopDelay.stop();
  }

  /** Waits until the calls that were cut have reported and are stored; the reaper settles the others. */
  async #settled(): Promise<void> {
    const until = this.#options.clock.monotonic() + SETTLE_MS;
    while (this.live.size > this.live.unsettled && this.#options.clock.monotonic() < until) {
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** Removes this node's row, after its calls are settled. */
  async leave(): Promise<void> {
    await this.#presence?.stop().catch(() => undefined);
  }
}
