import type { Mailbox } from './shared/mailbox.ts';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defaultModelsDir, defaultModelsFetch } from './config/models-dir.ts';
import { settingsInForce } from './config/in-force.ts';
import { secretFileOf } from './config/secret-file.ts';
import { readPrices } from './config/price-file.ts';
import { fail, Invalid } from './config/readers.ts';
import {
  ROLE_NAMES,
  SETTINGS,
  type CLOCKS,
  type LOG_LEVELS,
  type Read,
  type Role,
} from './config/settings.ts';
import type { Setting } from './config/setting.ts';
import { vendorProblems, vendorsOf } from './config/vendor-settings.ts';
import { nearMisses } from './shared/near-miss.ts';
import type { PriceTable } from './shared/prices.ts';
import { DEFAULT_PRICES } from './vendors/prices.ts';
import type { SettingInForce } from './shared/setting-in-force.ts';
import type { OperatorProviders } from './vendors/accounts.ts';
import type { ModelAccount, SttVendorName, TtsVendorName, VendorSettings } from './vendors/catalogue.ts';

export interface Config {
  port: number;
  host: string;
  /** Where /metrics is served; null: beside the API. */
  metricsAt: { host: string; port: number } | null;
  /** Without a trailing slash; null: derived from the listening address. */
  publicUrl: string | null;
  /** Where carriers over WebSockets reach this process alone; null: at `publicUrl`. */
  mediaUrl: string | null;
  /** Where AudioSocket listens; null: nowhere. */
  audioSocket: { host: string; port: number } | null;
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly string[];
  dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** `publicAddress`: an address or `stun:host[:port]`; null: the bound address. */
  sip: {
    port: number;
    hosts: readonly string[];
    publicAddress: string | null;
    localNetworks: readonly string[];
    /** Null: TLS connections are not accepted. */
    tlsPort: number | null;
    /** Paths of PEM files. */
    tls: {
      certificate: string | null;
      key: string | null;
      authorities: string | null;
      clientAuthorities: string | null;
    };
  };
  rtpPorts: { first: number; last: number };
  /** How long a link to a recording is valid; 0: as long as the recording is kept. */
  recordingLinkDays: number;
  /** Retention time of the webhook delivery log. */
  webhookLogDays: number;
  keepCallsMonths: number;
  /** By which notices are mailed; null: they are not. */
  mail: { readonly url: string; readonly from: Mailbox } | null;
  /** Where traces of conversations are sent; null: nowhere. */
  traces: {
    readonly endpoint: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly serviceName: string;
    readonly hasContent: boolean;
  } | null;
  /** API requests kept in the log of each workspace. */
  /** The API's work for a workspace sees the rows of that workspace alone, where the database's user may make roles. */
  rowSecurity: boolean;
  requestLogEntries: number;
  /** Recordings stop when fewer bytes are free on their disk. */
  diskFloorBytes: number;
  /** Countries and prefixes that the installation may call; empty: all. */
  allowedCountries: readonly string[];
  provisionFile: string | null;
  /** The WhatsApp Business Cloud API, and the wait for a status after a lost answer. */
  whatsapp: { baseUrl: string; confirmMs: number };
  safeFetchAllow: readonly string[];
  roles: readonly Role[];
  /** Deadline of a stop, from the end of the drain. */
  stopMs: number;
  clock: (typeof CLOCKS)[number];
  logLevel: (typeof LOG_LEVELS)[number];
  billing: { creditsPerMinute: number; pulseSeconds: number };
  /** Credits for what is no talk. */
  unitPrices: { modelTurn: number; analysis: number; thousandEmbeddings: number; preview: number };
  /** What vendors charge. */
  prices: PriceTable;
  callWorkers: number;
  /** JavaScript heap of one call worker. */
  callWorkerHeapMb: number;
  /** How long the callee's phone rings before the call ends as not picked up. */
  ringTimeoutMs: number;
  /** Null: the key file in `dataDir`. */
  secretKey: string | null;
  /** The key before SECRET_KEY, for `callwright rotate-key`; null: the key file. */
  secretKeyPrevious: string | null;
  /** Folder of the models that were fetched. */
  modelsDir: string;
  /** URL or folder of the operator's own copy of the models; null: none. */
  modelsMirror: string | null;
  /** Whether a start fetches what is missing of the English pack. */
  modelsFetch: 'start' | 'off';
  /** Calls that the recogniser of this machine hears at once; null: as many as it measures. */
  recogniserCalls: number | null;
  /** What inbound callers hear while the recogniser has no room; null: busy. */
  recogniserBusyLine: string | null;
  /** File of a model that judges the ends of turns; null: none. */
  turnModel: string | null;
  /** Language models in order of preference; after them the offline script engine. */
  llm: readonly ModelAccount[];
  /** Recognisers in order of preference; after them the offline one. */
  stt: readonly { readonly name: SttVendorName; readonly settings: VendorSettings }[];
  /** Accounts of every vendor, and the chains; a workspace may choose among them. */
  providers: OperatorProviders;
  /** Voices of vendors in order of preference; after them the offline ones. */
  tts: readonly { readonly name: TtsVendorName; readonly settings: VendorSettings }[];
  /** Null: knowledge is searched by keywords only. */
  embeddings: {
    baseUrl: string;
    apiKey: string | null;
    model: string;
    /** Null: the model's default. */
    dimensions: number | null;
    waitMs: number;
  } | null;
  /** Null: recordings stay in `dataDir`. */
  s3: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
    prefix: string;
  } | null;
  /** Maximum size of a contact list. */
  uploadLimits: { maxRows: number; maxBytes: number };
  /** Bytes of all contact lists of a workspace that are being uploaded or wait for their import. */
  uploadsHeldBytes: number;
  /** Bytes of all knowledge of a workspace. */
  knowledgeMaxBytes: number;
  /** Storage quotas in MB of workspaces whose limits declare none; 0: no quota. */
  storageMb: { recordings: number; callRecords: number; chats: number; tests: number };
  /** Requests a minute per workspace and class, and wrong keys a minute per address; 0: unlimited. */
  rateLimits: { read: number; write: number; dial: number; authFailures: number };
  /** Browser calls that pages begin: a minute per address and per public key (0: unlimited), and their longest duration. */
  webCalls: { perAddress: number; perKey: number; maxMs: number };
  /** The value and the source of every setting; of secrets only whether they are set. */
  settings: readonly SettingInForce[];
}

/** Default with the embedded database, which shares the disk: its WAL grows by half of it between two checkpoints. */
const EMBEDDED_FLOOR_MB = 512;

type Name = keyof Read;

export type LoadedConfig =
  | { ok: true; config: Config; warnings: string[] }
  | { ok: false; problems: string[]; warnings: string[] };

/**
 * Validates the whole environment: returns a config, or every problem as `NAME rule`. Unknown variables are ignored, but
 * likely misspellings of known ones cause warnings. An empty value means unset.
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  readText: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): LoadedConfig {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(SETTINGS)) {
    try {
      const raw = rawValue(env, name, spec, readText);
      values[name] = raw === null ? null : spec.read(raw);
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      problems.push(`${name} ${error.message}`);
    }
  }
  const read = values as Read;
  let prices = DEFAULT_PRICES;
  try {
    prices = read.PRICES_FILE === null ? DEFAULT_PRICES : pricesOf(read.PRICES_FILE, readText);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    problems.push(`PRICES_FILE ${error.message}`);
  }
  if (problems.length === 0) problems.push(...crossProblems(read));
  const known = Object.entries(SETTINGS).flatMap(([name, spec]) =>
    spec.secret ? [name, `${name}_FILE`] : [name],
  );
  const warnings = nearMisses(Object.keys(env), known).map(
    (m) => `${m.given} is not a setting of this service; did you mean ${m.meant}?`,
  );
  return problems.length > 0
    ? { ok: false, problems, warnings }
    : { ok: true, config: { ...toConfig(read, env), prices, settings: settingsInForce(env) }, warnings };
}

function pricesOf(path: string, readText: (path: string) => string): PriceTable {
  let text: string;
  try {
    text = readText(path);
  } catch {
    return fail('cannot be read');
  }
  return readPrices(text);
}

function rawValue(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  spec: Setting<unknown>,
  readText: (path: string) => string,
): string | null {
  const direct = env[name]?.trim() ?? '';
  const path = spec.secret ? secretFileOf(env, name) : '';
  if (path === '') return direct === '' ? spec.default : direct;
  if (direct !== '') fail(`and ${name}_FILE are both set; keep one`);
  try {
    return readText(path).trim() || fail('comes from an empty file');
  } catch (error) {
    if (error instanceof Invalid) throw error;
    return fail(
      env[`${name}_FILE`] === undefined
        ? `cannot be read from the systemd credential ${path}`
        : `cannot be read from ${name}_FILE`,
    );
  }
}

function crossProblems(read: Read): string[] {
  const problems = vendorProblems(read);
  const s3 = [
    'S3_ENDPOINT',
    'S3_BUCKET',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
  ] as const satisfies readonly Name[];
  if (s3.some((name) => read[name] !== null)) {
    for (const name of s3) {
      if (read[name] === null)
        problems.push(`${name} is required when another setting of the S3 store is set`);
    }
  }
  const [certificate, key] = [read.SIP_TLS_CERT_FILE, read.SIP_TLS_KEY_FILE];
  if ((read.SIP_TLS_PORT !== null || key !== null) && certificate === null)
    problems.push('SIP_TLS_CERT_FILE is required when SIP_TLS_PORT or SIP_TLS_KEY_FILE is set');
  if (certificate !== null && key === null)
    problems.push('SIP_TLS_KEY_FILE is required when SIP_TLS_CERT_FILE is set');
  if ((read.SMTP_URL === null) !== (read.MAIL_FROM === null))
    problems.push('SMTP_URL and MAIL_FROM must be set together');
  if (read.ROLES?.length === 0) problems.push(`ROLES must name at least one of ${ROLE_NAMES.join(', ')}`);
  return problems;
}

function toConfig(
  read: Read,
  env: Readonly<Record<string, string | undefined>>,
): Omit<Config, 'prices' | 'settings'> {
  return {
    port: read.PORT!,
    host: read.HOST!,
    metricsAt: read.METRICS_PORT === null ? null : { host: read.METRICS_HOST!, port: read.METRICS_PORT },
    publicUrl: read.PUBLIC_URL,
    mediaUrl: read.MEDIA_URL,
    audioSocket:
      read.AUDIOSOCKET_PORT === null
        ? null
        : { host: read.AUDIOSOCKET_HOST ?? read.HOST!, port: read.AUDIOSOCKET_PORT },
    trustProxy: read.TRUST_PROXY ?? [],
    dataDir: read.DATA_DIR!,
    databaseUrl: read.DATABASE_URL,
    sip: {
      port: read.SIP_PORT!,
      hosts: read.SIP_HOST!,
      publicAddress: read.PUBLIC_ADDRESS,
      localNetworks: read.LOCAL_NETWORKS ?? [],
      tlsPort: read.SIP_TLS_PORT,
      tls: {
        certificate: read.SIP_TLS_CERT_FILE,
        key: read.SIP_TLS_KEY_FILE,
        authorities: read.SIP_TLS_CA_FILE,
        clientAuthorities: read.SIP_TLS_CLIENT_CA_FILE,
      },
    },
    rtpPorts: read.RTP_PORTS!,
    recordingLinkDays: read.RECORDING_LINK_DAYS!,
    webhookLogDays: read.WEBHOOK_LOG_DAYS!,
    keepCallsMonths: read.KEEP_CALLS_MONTHS!,
    mail:
      read.SMTP_URL === null || read.MAIL_FROM === null ? null : { url: read.SMTP_URL, from: read.MAIL_FROM },
    traces:
      read.OTEL_EXPORTER_OTLP_ENDPOINT === null
        ? null
        : {
            endpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: read.OTEL_EXPORTER_OTLP_HEADERS ?? {},
            serviceName: read.OTEL_SERVICE_NAME!,
            hasContent: read.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT === 'true',
          },
    rowSecurity: read.ROW_SECURITY === 'on',
    requestLogEntries: read.REQUEST_LOG_ENTRIES!,
    diskFloorBytes: (read.DISK_FLOOR_MB ?? (read.DATABASE_URL === null ? EMBEDDED_FLOOR_MB : 0)) * 1_048_576,
    allowedCountries: read.ALLOWED_COUNTRIES ?? [],
    provisionFile: read.PROVISION_FILE,
    whatsapp: {
      baseUrl: read.WHATSAPP_BASE_URL!.replace(/\/$/, ''),
      confirmMs: read.WHATSAPP_CONFIRM_SECONDS! * 1000,
    },
    safeFetchAllow: read.SAFE_FETCH_ALLOW ?? [],
    roles: [...new Set(read.ROLES ?? [])],
    stopMs: read.STOP_SECONDS! * 1000,
    clock: read.CLOCK!,
    logLevel: read.LOG_LEVEL!,
    billing: { creditsPerMinute: read.CREDITS_PER_MINUTE!, pulseSeconds: read.BILLING_PULSE_SECONDS! },
    unitPrices: {
      modelTurn: read.CREDITS_PER_MODEL_TURN!,
      analysis: read.CREDITS_PER_ANALYSIS!,
      thousandEmbeddings: read.CREDITS_PER_1000_EMBEDDINGS!,
      preview: read.CREDITS_PER_PREVIEW!,
    },
    callWorkers: read.CALL_WORKERS ?? Math.max(1, availableParallelism() - 1),
    callWorkerHeapMb: read.CALL_WORKER_HEAP_MB!,
    ringTimeoutMs: read.RING_TIMEOUT_SECONDS! * 1000,
    secretKey: read.SECRET_KEY,
    secretKeyPrevious: read.SECRET_KEY_PREVIOUS,
    modelsDir: read.MODELS_DIR ?? defaultModelsDir(env, read.DATA_DIR!),
    modelsMirror: read.MODELS_MIRROR,
    modelsFetch: read.MODELS_FETCH ?? defaultModelsFetch(),
    recogniserCalls: read.RECOGNISER_CALLS,
    recogniserBusyLine: read.RECOGNISER_BUSY_LINE,
    turnModel: read.TURN_MODEL,
    ...vendorsOf(read),
    s3:
      read.S3_ENDPOINT === null
        ? null
        : {
            endpoint: read.S3_ENDPOINT,
            bucket: read.S3_BUCKET!,
            region: read.S3_REGION!,
            accessKeyId: read.S3_ACCESS_KEY_ID!,
            secretAccessKey: read.S3_SECRET_ACCESS_KEY!,
            prefix: read.S3_PREFIX ?? '',
          },
    uploadLimits: { maxRows: read.CAMPAIGN_MAX_ROWS!, maxBytes: read.CAMPAIGN_MAX_FILE_MB! * 1_048_576 },
    knowledgeMaxBytes: read.KNOWLEDGE_MAX_MB! * 1_048_576,
    storageMb: {
      recordings: read.STORAGE_RECORDINGS_MB!,
      callRecords: read.STORAGE_CALL_RECORDS_MB!,
      chats: read.STORAGE_CHATS_MB!,
      tests: read.STORAGE_TESTS_MB!,
    },
    uploadsHeldBytes: read.CAMPAIGN_UPLOADS_MB! * 1_048_576,
    rateLimits: {
      read: read.RATE_LIMIT_READ!,
      write: read.RATE_LIMIT_WRITE!,
      dial: read.RATE_LIMIT_DIAL!,
      authFailures: read.RATE_LIMIT_AUTH_FAILURES!,
    },
    webCalls: {
      perAddress: read.RATE_LIMIT_WEBCALL_ADDRESS!,
      perKey: read.RATE_LIMIT_WEBCALL_KEY!,
      maxMs: read.WEBCALL_MAX_SECONDS! * 1000,
    },
  };
}
