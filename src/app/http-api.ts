import { StreamTickets } from '../domain/trunks/stream-tickets.ts';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Registry } from 'prom-client';
import type { WebChats } from '../chat/web/web-chats.ts';
import type { Config } from '../config.ts';
import { ClusterWalls } from '../domain/calls/cluster-walls.ts';
import type { RecordingStore } from '../domain/calls/recordings.ts';
import type { ChatDesk } from '../domain/chats/chat-desk.ts';
import type { SignedLinks } from '../domain/links/signed-links.ts';
import type { CapNotices } from '../domain/workspaces/cap-notices.ts';
import { limitConnections } from '../http/server/connection-limit.ts';
import { peerAddress, proxyCheck } from '../http/server/peer-address.ts';
import type { ReadyCheck } from '../http/server/server-deps.ts';
import { createServer } from '../http/server/server.ts';
import type { Server } from '../http/server/type-provider.ts';
import { readWebFiles, type WebFiles } from '../http/pages/web-files.ts';
import { keepWidgetVersion } from '../http/pages/widget-versions.ts';
import { AddressGuard } from '../net/address-guard.ts';
import { createOfflineTts } from '../offline/speech/tts.ts';
import { previewRenderer } from '../offline/speech/preview.ts';
import { voiceById } from '../providers/voices.ts';
import type { SchedulerWake } from '../scheduler/loop.ts';
import { createScheduler, type Clock } from '../shared/clock.ts';
import { isLanguage } from '@callwright/language';
import type { FreeSpace } from '../shared/free-space.ts';
import type { Entrance, EntranceName } from '../shared/ingress/entrance.ts';
import type { Log } from '../shared/log.ts';
import type { Seal } from '../shared/seal.ts';
import { settlesWithin } from '../shared/settles-within.ts';
import type { CallOrder } from '../shared/call-order.ts';
import { sendOrder } from '../store/calls/call-orders.ts';
import { requestHangup } from '../store/calls/hangup-requests.ts';
import { copyPiece } from '../store/campaigns/upload-pieces.ts';
import type { Database } from '../store/database.ts';
import { catalogue, hasModel, judgesMeaning, promptsOf } from './adapters.ts';
import type { BackgroundWork } from './background-work.ts';
import type { CallLink } from './call-link.ts';
import type { ContactLists } from './contact-lists.ts';
import type { LocalModels } from './local-models.ts';
import type { KnowledgeMeaning } from './knowledge-meaning.ts';
import type { HttpObserver } from './operation-metrics.ts';
import { readWorkbook } from './read-workbook.ts';
import { scriptRehearser } from './rehearsals.ts';
import { Replays } from './replays.ts';
import type { SecretFiles } from './secret-files.ts';
import { listenFailure } from './start-failure.ts';
import { vendorTester } from './try-vendor.ts';
import { WorkspaceModels } from './workspace-models.ts';
import { AccountVoices } from './vendor-voices.ts';
import {
  callEntrance,
  chatEntrance,
  connectionBudget,
  listenEntrance,
  receiveWebSockets,
} from './web-sockets.ts';
import { audioSocketAddress, AudioSocketEntrance } from './audio-socket.ts';
import { carrierAccounts } from './carrier-accounts.ts';
import { audioSocketBase, carrierEntrance, streamBase } from './carrier-entrance.ts';
import { CarrierReports } from './carrier-reports.ts';
import { innerAddress } from './stream-relay.ts';

/** The built dashboard. */
const WEB_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url));
/**
 * Length of the accept queue, where new connections wait while the API's thread is busy; the system may allow less
 * (net.core.somaxconn). The client of a connection that finds the queue full tries again after a second.
 */
const ACCEPT_QUEUE = 4_096;
/** How long a stop lets open HTTP requests finish before it destroys their connections. */
const HTTP_GRACE_MS = 2_000;

export interface HttpApiDeps {
  readonly config: Config;
  readonly database: Database;
  readonly databaseUrl: string;
  /** A random name of this process. */
  readonly processId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly calls: CallLink;
  readonly wake: SchedulerWake;
  readonly link: SignedLinks;
  readonly notices: CapNotices;
  readonly seal: Seal;
  readonly lists: ContactLists;
  readonly chats: ChatDesk;
  readonly webChats: WebChats;
  readonly meaning: KnowledgeMeaning | null;
  readonly recordings: RecordingStore;
  /** The background work of this process; null: other processes do it. */
  readonly work: BackgroundWork | null;
  readonly metrics: Registry;
  readonly space: FreeSpace;
  ready(): Promise<ReadyCheck[]>;
  freeBytes(): Promise<number>;
  readonly secretFiles: SecretFiles;
  readonly models: LocalModels;
  readonly observer: HttpObserver;
}

/** The HTTP server with everything that its routes use. */
export class HttpApi {
  readonly #deps: HttpApiDeps;
  readonly #voices: AccountVoices;
  readonly #replays = new Replays();
  readonly #walls: ClusterWalls;
  readonly #streamTickets: StreamTickets;
  #server: Server | null = null;
  #audioSocket: AudioSocketEntrance | null = null;
  #port: number | null = null;
  readonly #vendors: ReturnType<typeof vendorTester>;
  readonly #accounts: ReturnType<typeof carrierAccounts>;
  readonly #models: WorkspaceModels;

  constructor(deps: HttpApiDeps) {
    this.#deps = deps;
    this.#streamTickets = new StreamTickets({ ...deps, db: deps.database.kysely });
    const { config, database, ...rest } = deps;
    const { providers: operator, safeFetchAllow: allow } = config;
    const { preview: previewPrice } = config.unitPrices;
    this.#voices = new AccountVoices({ ...rest, db: database.kysely, operator, allow, previewPrice });
    this.#walls = new ClusterWalls({
      db: database.kysely,
      url: deps.databaseUrl,
      log: deps.log,
      local: deps.calls.watchAll,
      processId: deps.processId,
    });
    this.#vendors = vendorTester(allow);
    const { log, seal, clock } = deps;
    const now = (): number => clock.now();
    this.#accounts = carrierAccounts({ db: database.kysely, seal, log, allow, now });
    this.#models = new WorkspaceModels({ db: database.kysely, seal: deps.seal, config });
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    const { config } = this.#deps;
    const server = await this.#create();
    this.#server = server;
    const { calls, webChats, log, clock, observer } = this.#deps;
    const { web } = calls;
    const tokens = { db: this.#deps.database.kysely, now: () => new Date(clock.now()) };
    const entrances = {
      call: callEntrance(web, tokens),
      carrier: carrierEntrance({
        ...tokens,
        clock,
        seal: this.#deps.seal,
        calls: web,
        tickets: this.#streamTickets,
        bases: () => [config.mediaUrl ?? this.#deps.link.publicUrl, this.#deps.link.publicUrl],
        ownAddress: () => innerAddress(config, this.#port),
      }),
      chat: chatEntrance(webChats),
      listen: listenEntrance(web, tokens),
    };
    limitConnections(server.server, {
      isProxy: proxyCheck(config.trustProxy),
      onRefused: () => observer.refused('connection'),
    });
    const onRefused = (entrance: EntranceName): void => observer.refused(entrance);
    const carriers = connectionBudget('carrier', { clock, onRefused });
    receiveWebSockets(server.server, entrances, {
      log,
      clock,
      carriers,
      peerOf: peerAddress(config.trustProxy),
      onRefused,
    });
    const { port, host } = config;
    await server.listen({ port, host, backlog: ACCEPT_QUEUE }).catch((error: unknown) => {
      throw listenFailure({ port: 'PORT', host: 'HOST' }, config, error);
    });
    await this.#listenAudioSocket(carriers);
    const address = server.server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : port;
    return this.#port;
  }

  /** AudioSocket, where this process carries calls. */
  async #listenAudioSocket(budget: Entrance): Promise<void> {
    const { config, calls, clock, log, seal, database } = this.#deps;
    const { audioSocket: at } = config;
    if (at === null || calls.web === null) return;
    this.#audioSocket = new AudioSocketEntrance({
      db: database.kysely,
      seal,
      clock,
      log,
      scheduler: createScheduler(clock),
      budget,
      calls: calls.web,
      tickets: this.#streamTickets,
    });
    await this.#audioSocket.listen(at).catch((error: unknown) => {
      throw listenFailure({ port: 'AUDIOSOCKET_PORT', host: 'AUDIOSOCKET_HOST' }, at, error);
    });
  }

  /** Refuses new connections, lets open requests finish for `HTTP_GRACE_MS`, then destroys every connection. */
  async stop(): Promise<void> {
    await this.#voices.close();
    await this.#audioSocket?.stop();
    // The server waits for open connections, also for those of chats.
    await this.#deps.webChats.stop();
    if (this.#server !== null) await this.#closeServer(this.#server);
    const others = [this.#vendors, this.#accounts, this.#models, this.#replays].map((one) => one.close());
    await settlesWithin(HTTP_GRACE_MS, Promise.all(others));
  }

  async #webFiles(): Promise<WebFiles | null> {
    const earlier = join(resolve(this.#deps.config.dataDir), 'widget');
    await keepWidgetVersion(WEB_FOLDER, earlier).catch((error: unknown) => {
      this.#deps.log.warn(
        { err: error },
        'the widget of this version is not kept for the time after an upgrade',
      );
    });
    return readWebFiles(WEB_FOLDER, earlier);
  }

  async #closeServer(server: Server): Promise<void> {
    const closed = server.close();
    if (await settlesWithin(HTTP_GRACE_MS, closed)) return;
    this.#deps.log.warn({}, 'open HTTP connections are cut');
    server.server.closeAllConnections();
    // A handler of a cut request may still wait for the database; the stop goes on without it.
    await settlesWithin(HTTP_GRACE_MS, closed);
  }

  async #create(): Promise<Server> {
    const { config, database, calls, wake, lists, work, meaning, observer, secretFiles, ...deps } =
      this.#deps;
    const reports = new CarrierReports({ db: database.kysely, log: deps.log, status: null });
    const render = previewRenderer(createOfflineTts({ connect: calls.connectSpeech }));
    return createServer({
      ...deps,
      web: await this.#webFiles(),
      isProvisioned: config.provisionFile !== null,
      onFirstOwner: () => secretFiles.removeLink(),
      onKeyReplaced: () => secretFiles.removeDeadKeys(database.kysely),
      db: database.kysely,
      voices: catalogue,
      vendorVoices: this.#voices,
      prompts: promptsOf(config.modelsDir),
      observe: (answered) => observer.answered(answered),
      onRefused: (entrance) => observer.refused(entrance),
      requestLog: { kept: config.requestLogEntries, onDropped: (count) => observer.unlogged(count) },
      settings: config.settings,
      sendsMail: config.mail !== null,
      rate: config.billing,
      unitPrices: config.unitPrices,
      prices: config.prices,
      wakeScheduler: wake.wake,
      kickWebhooks: () => work?.kickWebhooks(),
      kickJobs: () => {
        work?.kickJobs();
        lists.kick();
      },
      kickPrivacy: () => work?.kickPrivacy(),
      hangUp: (call) => this.#hangUp(call),
      control: (call, order) => this.#control(call, order),
      modelOf: (workspaceId) => this.#models.of(workspaceId),
      rehearser: scriptRehearser,
      callScenario: (log, facts, id) => this.#replays.scenario(log, facts, id),
      replayLog: (log, workspaceId) => this.#replays.replay(log, workspaceId),
      readWorkbook,
      watch: calls.watch,
      watchAll: this.#walls.watchAll,
      probeTrunks: () =>
        calls.report().then(
          ({ trunks }) => trunks,
          () => [],
        ),
      checkTrunk: (name) => calls.checkTrunk(name),
      enginesInUse: () =>
        calls.report().then(
          ({ engines }) => engines,
          () => null,
        ),
      meaning: meaning?.search ?? null,
      renderPreview: (voiceId, language) => {
        const voice = voiceById(voiceId);
        if (voice === undefined || !isLanguage(language)) throw new Error('no such voice');
        return render(voice, language);
      },
      isReplaced: (voiceId) => !hasModel(config.modelsDir, voiceById(voiceId)?.voiceKey ?? ''),
      judgesMeaning: (language) => judgesMeaning(config.modelsDir, language),
      metricsAt: config.metricsAt,
      importer: lists.importer,
      copyPiece: (...piece) => copyPiece(database.pool, ...piece),
      uploadLimits: config.uploadLimits,
      knowledgeMaxBytes: config.knowledgeMaxBytes,
      uploadsHeldBytes: config.uploadsHeldBytes,
      rateLimits: config.rateLimits,
      webCalls: { ...config.webCalls, areHere: calls.web !== null },
      mediaUrl: config.mediaUrl,
      announcedStreams: {
        tickets: this.#streamTickets,
        base: () =>
          streamBase(
            { db: database.kysely, clock: deps.clock, carriesCalls: calls.web !== null },
            { mediaUrl: config.mediaUrl, publicUrl: deps.link.publicUrl },
          ),
        audioSocket: () =>
          audioSocketBase(
            { db: database.kysely, clock: deps.clock },
            calls.web === null ? null : audioSocketAddress(config, deps.link.publicUrl),
          ),
        answer: (answer) => void this.#accounts.answer(answer),
      },
      carrierStatus: (status) => {
        if (calls.web === null) reports.take(status);
        else calls.web.carrierStatus(status);
      },
      countries: config.allowedCountries,
      operator: config.providers,
      guard: new AddressGuard({ allow: config.safeFetchAllow }),
      tryVendor: this.#vendors.tryVendor,
      carrierAccounts: this.#accounts,
      trustProxy: config.trustProxy,
    });
  }

  /** Passes an order to a call of this process, or to the process that carries it. False when none does. */
  async #control(call: { workspaceId: string; callId: string }, order: CallOrder): Promise<boolean> {
    const { calls, database } = this.#deps;
    if (await calls.control(call.workspaceId, call.callId, order)) return true;
    return sendOrder(database.kysely, { ...call, order });
  }

  /** Hangs up a call of this process, or stores a request for the process that carries it. False when none does. */
  async #hangUp(call: { workspaceId: string; callId: string }): Promise<boolean> {
    const { calls, database, clock, wake } = this.#deps;
    if (await calls.hangup(call.workspaceId, call.callId)) return true;
    const isRequested = await requestHangup(database.kysely, call, new Date(clock.now()));
    if (isRequested) await wake.notify();
    return isRequested;
  }
}
