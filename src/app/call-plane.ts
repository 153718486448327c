import { join } from 'node:path';
import type { Config } from '../config.ts';
import { createAttemptLog } from '../dialer/attempt-log.ts';
import { callSpec, type SpecDeps } from '../dialer/call-spec.ts';
import type { Claimed } from '../dialer/claim.ts';
import type { VersionConfig } from '../domain/agents/agent-version.ts';
import { HangupWatch } from '../dialer/hangup-watch.ts';
import { takeInboundCall } from '../dialer/inbound-call.ts';
import { LiveCalls } from '../dialer/live-calls.ts';
import { DialerLoop } from '../dialer/loop.ts';
import { NodePresence } from '../dialer/node-presence.ts';
import { placeOutbound, type DialDeps } from '../dialer/outbound-call.ts';
import { Reaper } from '../dialer/reaper.ts';
import { permitTransfer } from '../dialer/transfer-gate.ts';
import { OUTBOUND_BUDGET_MS, toolPreparer, type PrepareTools } from '../dialer/tool-preparer.ts';
import type { RecordingDisk } from '../domain/calls/recordings.ts';
import { takeInbound } from '../domain/calls/take-inbound.ts';
import { callKnowledge } from '../domain/knowledge/call-knowledge.ts';
import { lookUpKnowledge } from '../domain/knowledge/look-up.ts';
import type { MeaningSearch } from '../domain/knowledge/meaning-search.ts';
import type { ReadyCheck } from '../http/server-deps.ts';
import { SafeFetcher } from '../jobs/safe-fetch.ts';
import { openMcp } from '../providers/mcp.ts';
import type { ProviderChoice } from '../providers/registry.ts';
import type { Clock } from '../shared/clock.ts';
import type { KnowledgeItem } from '../shared/knowledge/knowledge-index.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import { removeTransferLeg } from '../store/transfer-legs.ts';
import { listTrunks } from '../store/trunks.ts';
import { acceptAnswer, answerOffer, createOffer } from '../telephony/sdp/offer-answer.ts';
import { createSignalling, type SipSignalling } from '../telephony/sip/signalling.ts';
import { TestCarrier } from '../telephony/test-carrier/test-carrier.ts';
import { CallWorkers } from '../workers/call-workers.ts';
import { specDeps } from './adapters.ts';
import { openSeal, unsealPassword } from './secrets.ts';
import { listenFailure } from './start-failure.ts';

export interface CallPlaneOptions {
  readonly config: Config;
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly nodeName: string;
  readonly providers: ProviderChoice | undefined;
  readonly testCarrierRingMs: number | undefined;
  /** An attempt was settled: events wait to be delivered. */
  onSettled(): void;
  /** Others took this process for dead and settled its calls. */
  onFenced(): void;
}

const MEDIA_TIMEOUT_MS = 20_000;
const MAX_CALLS_PER_WORKER = 250;
const REAP_MS = 1000;

/** What carries calls: SIP, call workers, the test carrier, the dialer and the reaper. */
export class CallPlane {
  readonly live = new LiveCalls();
  readonly workers: CallWorkers;
  readonly #options: CallPlaneOptions;
  readonly #carrier: TestCarrier;
  readonly #warm: Promise<[number, void]>;
  readonly #fetcher: SafeFetcher;
  #signalling: SipSignalling | null = null;
  #presence: NodePresence | null = null;
  #dialer: DialerLoop | null = null;
  #hangups: HangupWatch | null = null;
  #reapTimer: NodeJS.Timeout | null = null;
  #draining = false;

  /** Threads and the test carrier come up at once, while the database does. */
  constructor(options: CallPlaneOptions) {
    this.#options = options;
    const { config } = options;
    this.#carrier = new TestCarrier({
      logLevel: config.logLevel === 'debug' || config.logLevel === 'trace' ? 'info' : 'warn',
      ...(options.testCarrierRingMs === undefined ? {} : { ringMs: options.testCarrierRingMs }),
    });
    this.#fetcher = new SafeFetcher({ allow: config.safeFetchAllow, connectionsPerOrigin: 32 });
    this.workers = new CallWorkers({
      count: config.callWorkers,
      maxCallsPerWorker: MAX_CALLS_PER_WORKER,
      log: options.log,
      data: {
        rtpAddress: config.sip.host,
        rtpPorts: config.rtpPorts,
        mediaTimeoutMs: MEDIA_TIMEOUT_MS,
        recordingsDir: join(options.dataDir, 'recordings'),
        recordingsKeepFree: config.recordingsKeepFree,
        logLevel: config.logLevel,
        fetchAllow: config.safeFetchAllow,
        providers: options.providers ?? {
          vad: 'auto',
          stt: 'offline',
          tts: 'offline',
          llm: config.llm === null ? 'offline' : 'openai-compatible',
          openai: config.llm,
        },
      },
    });
    this.#warm = Promise.all([this.#carrier.start(), this.workers.start()]);
    // Whoever starts the plane hears of a failure; until then it is not an unhandled one.
    this.#warm.catch(() => undefined);
  }

  async start(
    db: Db,
    databaseUrl: string,
    recordingUrl: (workspaceId: string, callId: string) => string,
    disk: RecordingDisk,
    meaning: MeaningSearch | null,
  ): Promise<void> {
    const { config, clock, log, dataDir } = this.#options;
    const rate = config.billing;
    const presence = new NodePresence({
      db,
      clock,
      log,
      name: `${this.#options.nodeName}:${dataDir}`,
      roles: config.roles.join(','),
      onFenced: () => this.#options.onFenced(),
    });
    this.#presence = presence;
    await presence.start();
    const [carrierPort] = await this.#warm;
    const seal = await openSeal(config.secretKey, dataDir);
    const signalling = await this.#openSignalling(db, carrierPort, seal);
    this.#signalling = signalling;
    const settleDeps = { db, clock, rate, recordingUrl, disk };
    const deps: DialDeps = {
      attempts: createAttemptLog({ ...settleDeps, log }),
      live: this.live,
      clock,
      log,
      onSettled: () => {
        this.kick();
        this.#options.onSettled();
      },
      signalling,
      sdp: { createOffer, acceptAnswer, answerOffer },
      mediaAddress: config.sip.host,
      permit: (ref, trunkId, to) => permitTransfer({ db, clock }, ref, trunkId, to),
      released: (ref) =>
        removeTransferLeg(db, ref).catch((error: unknown) => {
          log.warn({ err: error, callId: ref.callId }, 'the end of a transfer was not noted yet');
        }),
      allocate: (callId, events) => this.workers.allocate(callId, events),
    };
    const spec = specDeps(seal);
    const prepare = toolPreparer({
      fetcher: this.#fetcher,
      seal,
      clock,
      log,
      openMcp: (server) => openMcp(this.#fetcher.stream, server),
      lookUp: (at, args) =>
        lookUpKnowledge({ db, log, meaning, waitMs: config.embeddings?.waitMs ?? 0 }, at, args),
    });
    const knowledge = knowledgeReader(db, log, meaning);
    const inbound = { db, clock, rate, nodeId: () => presence.nodeId };
    signalling.onInbound((leg) => {
      void takeInboundCall(
        { ...deps, knowledge, spec, prepare, take: (incoming) => takeInbound(inbound, incoming) },
        leg,
      );
    });
    await signalling.start().catch((error: unknown) => {
      throw listenFailure({ port: 'SIP_PORT', host: 'SIP_HOST' }, config.sip, error);
    });
    const reaper = new Reaper(settleDeps, presence.nodeId, {
      nodeId: () => presence.nodeId,
      holds: (callId) => this.live.has(callId),
    });
    await reaper.run();
    this.#reapTimer = setInterval(() => {
      reaper.run().catch((error: unknown) => log.warn({ err: error }, 'the reaper could not look'));
    }, REAP_MS);
    const hangups = new HangupWatch({
      db,
      clock,
      log,
      nodeId: () => presence.nodeId,
      hangup: (workspaceId, callId) => this.live.hangup(workspaceId, callId),
    });
    this.#hangups = hangups;
    hangups.start();
    this.#dialer = new DialerLoop({
      onNotified: () => hangups.kick(),
      db,
      clock,
      rate,
      log,
      nodeId: () => presence.nodeId,
      capacity: () => (this.#draining ? 0 : this.workers.freeCapacity()),
      place: (claimed) => place({ ...deps, spec, prepare }, knowledge, config.ringTimeoutMs, claimed),
      listenUrl: databaseUrl,
    });
    this.#dialer.start();
  }

  /** There may be something to dial. */
  kick(): void {
    this.#dialer?.kick();
  }

  listening(): readonly string[] {
    return this.#signalling?.health().listening ?? [];
  }

  ready(): ReadyCheck[] {
    const workers = this.workers.health();
    return [
      { name: 'sip', ok: this.listening().length > 0 },
      unsettledNote(this.live.unsettled),
      { name: 'call workers', ok: workers.length > 0 && workers.every((worker) => worker.ready) },
    ];
  }

  /** Takes and places no more calls; resolves when the last live one is settled, or after `limitMs`. */
  async drain(limitMs: number): Promise<void> {
    this.#draining = true;
    await this.#dialer?.drain();
    this.#signalling?.drain();
    await this.#presence?.drain().catch(() => undefined);
    const until = this.#options.clock.monotonic() + limitMs;
    while (this.live.size > 0 && this.#options.clock.monotonic() < until) {
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Hangs up what is live and stops. The node leaves last: see `leave`. */
  async stop(): Promise<void> {
    this.#draining = true;
    if (this.#reapTimer !== null) clearInterval(this.#reapTimer);
    await this.#dialer?.drain();
    await this.#hangups?.stop();
    await this.#signalling?.stop();
    await this.workers.stop();
    await this.#carrier.stop();
    await this.#fetcher.close();
  }

  /** Takes this process off the list of those that may hold calls. */
  async leave(): Promise<void> {
    await this.#presence?.stop().catch(() => undefined);
  }

  async #openSignalling(db: Db, carrierPort: number, seal: Seal): Promise<SipSignalling> {
    const { config, clock, log } = this.#options;
    return createSignalling({
      hosts: [config.sip.host],
      udpPort: config.sip.port,
      tcpPort: config.sip.port,
      publicAddress: null,
      trunks: (await listTrunks(db)).map((trunk) => ({
        ...trunk,
        password: unsealPassword(seal, trunk, log),
        uri: trunk.kind === 'test' ? `sip:127.0.0.1:${carrierPort}` : trunk.uri,
        transport: trunk.transport ?? 'auto',
      })),
      mayRepeatInvite: () => this.#presence?.holdsLease === true,
      clock,
      log,
    });
  }
}

type ReadKnowledge = (workspaceId: string, config: VersionConfig) => Promise<readonly KnowledgeItem[]>;

/** A call goes on without what cannot be read: the agent then says that it does not know. */
const knowledgeReader =
  (db: Db, log: Log, meaning: MeaningSearch | null): ReadKnowledge =>
  (workspaceId, config) => {
    meaning?.warm(workspaceId, config.knowledge_base_ids ?? []);
    return callKnowledge(db, workspaceId, config).catch((error: unknown) => {
      log.error({ err: error, workspaceId }, 'the knowledge of a call could not be read');
      return [];
    });
  };

function place(
  deps: DialDeps & { spec: SpecDeps; prepare: PrepareTools },
  knowledge: ReadKnowledge,
  ringTimeoutMs: number,
  claimed: Claimed,
): void {
  const { versionConfig: config, fromNumber: from, toNumber: to } = claimed;
  const variables = { callee_name: claimed.calleeName, mobile_number: to, ...claimed.args };
  const direction = 'outbound';
  const spec = callSpec(deps.spec, { ...claimed, direction, config, variables });
  void placeOutbound(deps, {
    workspaceId: claimed.workspaceId,
    callId: claimed.callId,
    attempt: claimed.attempt,
    nodeId: claimed.nodeId,
    trunkId: claimed.trunkId,
    from,
    to,
    displayName: claimed.numberDisplayName === '' ? null : claimed.numberDisplayName,
    ringTimeoutMs,
    spec,
    knowledge: knowledge(claimed.workspaceId, config),
    prepare: () =>
      deps.prepare({
        ...claimed,
        config,
        variables,
        direction,
        from,
        to,
        callTime: claimed.callConfig?.call_time ?? null,
        budgetMs: OUTBOUND_BUDGET_MS,
      }),
  });
}

/** Calls are not lost while their outcomes wait, but neither should there be more of them. */
function unsettledNote(unsettled: number): ReadyCheck {
  if (unsettled === 0) return { name: 'outcomes', ok: true };
  return {
    name: 'outcomes',
    ok: false,
    detail: `${unsettled} calls wait for the database to take their outcome`,
  };
}
