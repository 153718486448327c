import { join } from 'node:path';
import type { Config } from '../config.ts';
import { isLanguage } from '@callwright/language';
import { EarSlots } from '../dialer/ear-slots.ts';
import { installedModel } from '../offline/models/installed.ts';
import { turnFiles } from '../offline/models/onnx-runtime.ts';
import type { EarModel } from '../offline/words/ear-api.ts';
import type { EarThreads } from '../offline/words/ears.ts';
import { earModels } from '../offline/words/models.ts';
import { isCarrierKind } from '../shared/carrier-kinds.ts';
import { CARRIER_WEBHOOKS } from '../wire/carriers/kinds.ts';
import { provenUrl } from '../wire/carriers/shared-secret.ts';
import { upgradeFault } from '../wire/carriers/upgrades.ts';
import { sealOrder } from '../domain/trunks/transfer-order.ts';
import { createScheduler, type Clock } from '../shared/clock.ts';
import { webSocketUrl } from '../http/server/web-socket-paths.ts';
import { SafeFetcher } from '../net/safe-fetch.ts';
import type { EntranceName } from '../shared/ingress/entrance.ts';
import type { Log } from '../shared/log.ts';
import { Poller } from '../shared/poller.ts';
import type { Seal } from '../shared/seal.ts';
import type { Db } from '../store/database.ts';
import type { RecogniserFault } from '../providers/ports/recogniser.ts';
import { listTrunks } from '../store/numbers/trunks.ts';
import {
  callSignalling,
  isCarrierTrunk,
  type AnyTrunk,
  type CallSignalling,
} from '../telephony/call-signalling.ts';
import type { CarrierTrunk } from '../telephony/carriers/carrier-trunk.ts';
import { CarrierCalls } from '../telephony/carriers/carrier-calls.ts';
import { createSignalling, type SipSignalling } from '../telephony/signalling.ts';
import { stunAddress } from '../telephony/stun.ts';
import { TlsFiles } from '../telephony/tls-files.ts';
import type { Trunk } from '../telephony/trunks/trunk.ts';
import { CallWorkers, spawnCallWorker } from '../workers/call-workers.ts';
import { audioSocketAddress } from './audio-socket.ts';
import type { CallPlaneOptions } from './call-plane-options.ts';
import { unsealSecret } from './secrets.ts';
import { rtpHost } from './sip-hosts.ts';
import { stunFailure, tlsFailure } from './start-failure.ts';
import { SpeechWatch, type OfflineUse } from './speech-watch.ts';
import { TrunkWatch } from './trunk-watch.ts';

/** The trunks of the database, as they change; the test trunk leads to the built-in carrier. */
export const trunkWatch = (deps: {
  readonly db: Db;
  readonly seal: Seal;
  readonly log: Log;
  readonly carrierPort: number;
}): TrunkWatch =>
  new TrunkWatch({
    log: deps.log,
    list: () => listTrunks(deps.db),
    toTrunk: (trunk) => {
      const password = unsealSecret(deps.seal, trunk, trunk.password, deps.log);
      const { kind, id, name, uri, username, authUsername, application } = trunk;
      if (isCarrierKind(kind)) {
        const signingKey = unsealSecret(deps.seal, trunk, trunk.signingKey, deps.log);
        return { id, name, kind, uri, username, authUsername, application, password, signingKey };
      }
      return {
        ...trunk,
        codecs: trunk.codecs?.map((codec) => codec.toUpperCase()) ?? null,
        password,
        uri: kind === 'test' ? `sip:127.0.0.1:${deps.carrierPort}` : uri,
        transport: trunk.transport ?? 'auto',
      };
    },
  });

export interface SignallingDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly mayRepeatInvite: () => boolean;
  /** A request of a call was refused, because the call sends more than its budget. */
  readonly onRefused: (entrance: EntranceName) => void;
  /** Of the API, for carriers. */
  readonly publicUrl: () => string;
  readonly nodeId: () => string;
  readonly seal: Seal;
}

/** SIP at the addresses of the settings, and calls by the APIs of carriers. */
export async function openSignalling(
  { config, clock, log, mayRepeatInvite, onRefused, publicUrl, nodeId, seal }: SignallingDeps,
  trunks: readonly AnyTrunk[],
): Promise<CallSignalling> {
  const certificates = await TlsFiles.open(config.sip.tls, { log, clock }).catch((error: unknown) => {
    throw tlsFailure(error);
  });
  const signalling = createSignalling({
    hosts: config.sip.hosts,
    udpPort: config.sip.port,
    tcpPort: config.sip.port,
    tls: { port: config.sip.tlsPort, material: () => certificates.current },
    publicAddress: await announcedAddress(config.sip.publicAddress),
    localNetworks: config.sip.localNetworks,
    trunks: trunks.filter((trunk): trunk is Trunk => !isCarrierTrunk(trunk)),
    mayRepeatInvite,
    sharesAccounts: true,
    onRefused,
    clock,
    log,
  });
  certificates.start();
  const fetcher = new SafeFetcher({ allow: config.safeFetchAllow, purpose: 'tools' });
  const mediaUrl = (): string => config.mediaUrl ?? publicUrl();
  const urlOf = ({ id, kind, signingKey }: CarrierTrunk, path: string): string =>
    provenUrl(`${mediaUrl()}/carriers/${id}/${path}`, kind, signingKey);
  const carriers = new CarrierCalls({
    scheduler: createScheduler(clock),
    log,
    fetch: (request) => fetcher.fetch(request),
    audioSocketAt: () => audioSocketAddress(config, publicUrl()),
    streamUrl: (token) => `${webSocketUrl(mediaUrl(), 'carrier')}/${token}`,
    statusUrl: (trunk, attemptId) => urlOf(trunk, `status/${attemptId}`),
    answerUrl: (trunk, token) => urlOf(trunk, `answer/${token}`),
    transferUrl: (trunk, order) => urlOf(trunk, `transfer/${sealOrder(seal, order)}`),
    nodeId,
    upgradeFault: ({ kind, password, signingKey }, upgrade) => {
      const webhooks = CARRIER_WEBHOOKS[kind];
      return upgradeFault(webhooks, upgrade, webhooks.provenBy === 'password' ? password : signingKey);
    },
  });
  carriers.setTrunks(trunks.filter(isCarrierTrunk));
  return {
    ...callSignalling(signalling, carriers),
    async stop() {
      await certificates.stop();
      await Promise.all([signalling.stop(), carriers.stop()]);
      await fetcher.close();
    },
  };
}

/** The address to announce: as set, or as the STUN server reports it. */
const announcedAddress = async (setting: string | null): Promise<string | null> =>
  setting !== null && setting.startsWith('stun:')
    ? stunAddress(setting).catch((error: unknown) => {
        throw stunFailure(setting, error);
      })
    : setting;

const STUN_MS = 60_000;

/** Asks the STUN server of PUBLIC_ADDRESS again: routers and cloud machines get new addresses. Null without one. */
export function publicAddressPoller(
  setting: string | null,
  signalling: Pick<SipSignalling, 'setPublicAddress'>,
  log: Log,
  pollMs = STUN_MS,
): Poller | null {
  if (setting === null || !setting.startsWith('stun:')) return null;
  return new Poller({
    poll: async () => signalling.setPublicAddress(await stunAddress(setting)),
    pollMs,
    onError: (error) => log.warn({ err: error }, 'the STUN server did not answer; the address stays'),
  });
}

/** Watches the offline voices and recogniser, as far as the settings or a test use them. */
export const speechWatch = (
  { log, connectSpeech, providers, config }: CallPlaneOptions,
  recogniserFault: () => RecogniserFault | null,
): SpeechWatch => {
  const use = (name: string | undefined, vendors: readonly unknown[]): OfflineUse =>
    name !== undefined && name !== 'offline' ? 'unused' : vendors.length > 0 ? 'behind vendors' : 'first';
  return new SpeechWatch({
    log,
    connectSpeech,
    voices: use(providers?.tts, providers === undefined ? config.tts : (providers.voices ?? [])),
    recogniser: use(providers?.stt, providers === undefined ? config.stt : (providers.recognisers ?? [])),
    recogniserFault,
  });
};

const MEDIA_TIMEOUT_MS = 20_000;
const MAX_CALLS_PER_WORKER = 250;

/** The model that most agents need is loaded before the first call; those of other languages with their first call. */
const FIRST_LANGUAGE = 'en-US';

/** The slots of this machine's recognisers: as many as RECOGNISER_CALLS, or as the machine measured when it loaded them. */
export const earSlots = (
  { config, ears, providers, clock }: CallPlaneOptions,
  models: ReturnType<typeof earModelsOf>,
): EarSlots =>
  new EarSlots({
    limit: () => {
      const first = models(FIRST_LANGUAGE);
      if (first !== null && ears.calls === null) void loadEars(ears, first);
      return config.recogniserCalls ?? ears.calls;
    },
    hears: (language) => isLanguage(language) && models(language) !== null,
    hasVendors: (providers === undefined ? config.stt : (providers.recognisers ?? [])).length > 0,
    now: () => clock.monotonic(),
  });

/** The recognisers of this machine by language: what is installed in MODELS_DIR now. */
export const earModelsOf = ({ config, providers }: Pick<CallPlaneOptions, 'config' | 'providers'>) => {
  const folder = providers === undefined ? config.modelsDir : providers.modelsDir;
  const find = (id: string) => (folder === undefined ? null : installedModel(folder, id));
  return earModels(find, () => turnFiles(find, config.turnModel));
};

/** Loads the recogniser of this machine, if one is installed. */
export const startEars = async (ears: EarThreads, models: ReturnType<typeof earModelsOf>): Promise<void> => {
  const model = models(FIRST_LANGUAGE);
  if (model !== null) await loadEars(ears, model);
};

/** The threads log why a model cannot be loaded; calls hear phrases then. */
const loadEars = (ears: EarThreads, model: EarModel): Promise<unknown> =>
  ears.load(model).catch(() => undefined);

/** The call workers with the providers of the settings, or with those of a test. */
export const createCallWorkers = ({
  config,
  dataDir,
  clock,
  log,
  connectSpeech,
  ears,
  providers,
}: CallPlaneOptions): CallWorkers =>
  new CallWorkers({
    count: config.callWorkers,
    maxCallsPerWorker: MAX_CALLS_PER_WORKER,
    spawn: spawnCallWorker(log, config.callWorkerHeapMb),
    log,
    connectSpeech,
    connectEar: (port, model) => ears.connect(port, model),
    data: {
      rtpAddress: rtpHost(config.sip.hosts),
      rtpPorts: config.rtpPorts,
      mediaTimeoutMs: MEDIA_TIMEOUT_MS,
      clockOffset: clock.offset,
      recordingsDir: join(dataDir, 'recordings'),
      diskFloorBytes: config.diskFloorBytes,
      logLevel: config.logLevel,
      fetchAllow: config.safeFetchAllow,
      providers: providers ?? {
        vad: 'auto',
        ...(config.turnModel === null ? {} : { turnModel: config.turnModel }),
        modelsDir: config.modelsDir,
        stt: 'offline',
        tts: 'offline',
        llm: 'offline',
        models: config.llm,
        recognisers: config.stt,
        voices: config.tts,
      },
    },
  });
