import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { readPrices } from './config/price-file.ts';
import { fail, Invalid } from './config/readers.ts';
import { ROLE_NAMES, SETTINGS, type LOG_LEVELS, type Role, type Setting } from './config/settings.ts';
import {
  LLM_VENDOR_NAMES,
  LLM_VENDORS,
  settingPrefix,
  STT_VENDOR_NAMES,
  STT_VENDORS,
  TTS_VENDOR_NAMES,
  TTS_VENDORS,
  type LlmVendorName,
  type ModelAccount,
  type SttVendorName,
  type TtsVendorName,
  type VendorSettings,
} from './shared/vendors.ts';
import { DEFAULT_PRICES, type PriceTable } from './shared/prices.ts';
import {
  isVendorOf,
  VENDOR_NAMES,
  type OperatorAccount,
  type OperatorAccounts,
  type VendorName,
  type OperatorProviders,
} from './shared/vendor-accounts.ts';
import { nearMisses } from './shared/near-miss.ts';

export interface Config {
  port: number;
  host: string;
  /** Where /metrics is served; null: beside the API. */
  metricsAt: { host: string; port: number } | null;
  /** Without a trailing slash; null: derived from the listening address. */
  publicUrl: string | null;
  /** Addresses of reverse proxies whose X-Forwarded-For is trusted. */
  trustProxy: readonly string[];
  dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  /** `publicAddress`: an address or `stun:host[:port]`; null: the bound address. */
  sip: { port: number; host: string; publicAddress: string | null };
  rtpPorts: { first: number; last: number };
  /** How long a link to a recording is valid; 0: as long as the recording is kept. */
  recordingLinkDays: number;
  /** Retention time of the webhook delivery log. */
  webhookLogDays: number;
  /** Recordings stop when fewer bytes are free on their disk. */
  recordingsKeepFree: number;
  /** Countries and prefixes that the installation may call; empty: all. */
  allowedCountries: readonly string[];
  provisionFile: string | null;
  /** The WhatsApp Business Cloud API, and the wait for a status after a lost answer. */
  whatsapp: { baseUrl: string; confirmMs: number };
  safeFetchAllow: readonly string[];
  roles: readonly Role[];
  /** Deadline of a stop, from the end of the drain. */
  stopMs: number;
  logLevel: (typeof LOG_LEVELS)[number];
  billing: { creditsPerMinute: number; pulseSeconds: number };
  /** What vendors charge. */
  prices: PriceTable;
  callWorkers: number;
  /** How long the callee's phone rings before the call ends as not picked up. */
  ringTimeoutMs: number;
  /** Null: the key file in `dataDir`. */
  secretKey: string | null;
  /** The key before SECRET_KEY, for `callwright rotate-key`; null: the key file. */
  secretKeyPrevious: string | null;
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
  /** Requests a minute per workspace and class, and wrong keys a minute per address; 0: unlimited. */
  rateLimits: { read: number; write: number; dial: number; authFailures: number };
  /** Browser calls that pages begin: a minute per address and per public key (0: unlimited), and their longest duration. */
  webCalls: { perAddress: number; perKey: number; maxMs: number };
}

/** Default with the embedded database, which shares the disk: its WAL grows by this much between two checkpoints. */
const EMBEDDED_KEEP_FREE_MB = 256;

type Settings = typeof SETTINGS;
type Name = keyof Settings;
type Read = { [N in Name]: ReturnType<Settings[N]['read']> | null };

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
  const values: Partial<Record<Name, unknown>> = {};
  for (const [name, spec] of Object.entries(SETTINGS) as [Name, Setting<unknown>][]) {
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
  const known = (Object.entries(SETTINGS) as [Name, Setting<unknown>][]).flatMap(([name, spec]) =>
    spec.secret ? [name, `${name}_FILE`] : [name],
  );
  const warnings = nearMisses(Object.keys(env), known).map(
    (m) => `${m.given} is not a setting of this service; did you mean ${m.meant}?`,
  );
  return problems.length > 0
    ? { ok: false, problems, warnings }
    : { ok: true, config: { ...toConfig(read), prices }, warnings };
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
  name: Name,
  spec: Setting<unknown>,
  readText: (path: string) => string,
): string | null {
  const direct = env[name]?.trim() ?? '';
  const path = spec.secret ? (env[`${name}_FILE`]?.trim() ?? '') : '';
  if (path === '') return direct === '' ? spec.default : direct;
  if (direct !== '') fail(`and ${name}_FILE are both set; keep one`);
  try {
    return readText(path).trim() || fail('comes from an empty file');
  } catch (error) {
    if (error instanceof Invalid) throw error;
    return fail(`cannot be read from ${name}_FILE`);
  }
}

function crossProblems(read: Read): string[] {
  const problems: string[] = [];
  problems.push(...modelProblems(read));
  const { EMBEDDINGS_BASE_URL: embeddings, EMBEDDINGS_MODEL: embeddingModel } = read;
  if (embeddings !== null && embeddingModel === null) {
    problems.push('EMBEDDINGS_MODEL is required when EMBEDDINGS_BASE_URL is set');
  }
  const ofEmbeddings = [embeddingModel, read.EMBEDDINGS_API_KEY, read.EMBEDDINGS_DIMENSIONS];
  if (embeddings === null && ofEmbeddings.some((value) => value !== null)) {
    problems.push('EMBEDDINGS_BASE_URL is required when another setting of the embeddings is set');
  }
  for (const name of recognisersOf(read)) {
    const { apiKey, baseUrl, modelDir } = vendorSettings(read, name);
    const missing =
      STT_VENDORS[name].needsKey && apiKey === null ? 'API_KEY' : baseUrl === null ? 'BASE_URL' : null;
    if (name === 'sherpa' && (baseUrl === null) === (modelDir === undefined)) {
      problems.push(
        'SHERPA_BASE_URL or SHERPA_MODEL_DIR, one of them, is required when STT_PROVIDER names sherpa',
      );
      continue;
    }
    if (modelDir !== undefined) continue;
    if (missing !== null) {
      problems.push(`${settingPrefix(name)}_${missing} is required when STT_PROVIDER names ${name}`);
    }
  }
  const s2s = read.S2S_PROVIDER ?? 'pipeline';
  if (s2s !== 'pipeline' && vendorSettings(read, s2s).apiKey === null) {
    problems.push(`${settingPrefix(s2s)}_API_KEY is required when S2S_PROVIDER names ${s2s}`);
  }
  for (const name of voicesOf(read)) {
    if (TTS_VENDORS[name].needsKey && voiceSettings(read, name).apiKey === null) {
      problems.push(`${settingPrefix(name)}_API_KEY is required when TTS_PROVIDER names ${name}`);
    }
    if (voiceSettings(read, name).baseUrl === null) {
      problems.push(`${settingPrefix(name)}_BASE_URL is required when TTS_PROVIDER names ${name}`);
    }
  }
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
  if (read.ROLES?.length === 0) problems.push(`ROLES must name at least one of ${ROLE_NAMES.join(', ')}`);
  return problems;
}

const recognisersOf = (read: Read): SttVendorName[] =>
  STT_VENDOR_NAMES.filter((name) => read.STT_PROVIDER?.includes(name)).toSorted(
    (a, b) => read.STT_PROVIDER!.indexOf(a) - read.STT_PROVIDER!.indexOf(b),
  );

const voicesOf = (read: Read): TtsVendorName[] =>
  TTS_VENDOR_NAMES.filter((name) => read.TTS_PROVIDER?.includes(name)).toSorted(
    (a, b) => read.TTS_PROVIDER!.indexOf(a) - read.TTS_PROVIDER!.indexOf(b),
  );

/** The account of a vendor with the model of its voices. */
function voiceSettings(
  read: Read,
  name: TtsVendorName,
): Omit<VendorSettings, 'baseUrl'> & { baseUrl: string | null } {
  const values: Readonly<Record<string, unknown>> = read;
  const text = (part: string): string | null =>
    (values[`${settingPrefix(name)}_${part}`] as string | undefined) ?? null;
  return {
    apiKey: text('API_KEY'),
    baseUrl: text('BASE_URL'),
    model: text('TTS_MODEL'),
    voice: text('VOICE'),
  };
}

/** `baseUrl` is null where a required one is missing. */
function vendorSettings(
  read: Read,
  name: VendorName,
): Omit<VendorSettings, 'baseUrl'> & { baseUrl: string | null } {
  const values: Readonly<Record<string, unknown>> = read;
  const prefix = settingPrefix(name);
  const text = (part: string): string | null => (values[`${prefix}_${part}`] as string | undefined) ?? null;
  const languages = (values[`${prefix}_LANGUAGES`] as string[] | undefined) ?? [];
  return {
    apiKey: text('API_KEY'),
    baseUrl: text('BASE_URL'),
    model: text('MODEL'),
    ...(languages.length === 0 ? {} : { languages }),
    ...(name === 'sherpa' && read.SHERPA_MODEL_DIR !== null ? { modelDir: read.SHERPA_MODEL_DIR } : {}),
  };
}

/** The account of a vendor with what its voices have of their own. */
function operatorAccount(read: Read, name: VendorName): OperatorAccount {
  const { baseUrl, apiKey, model, languages } = vendorSettings(read, name);
  const account = { apiKey, baseUrl, model, ...(languages === undefined ? {} : { languages }) };
  if (name === 'google') return { ...account, s2sModel: read.GOOGLE_S2S_MODEL, voice: read.GOOGLE_VOICE };
  if (!isVendorOf('tts', name)) return account;
  const { model: ttsModel, voice } = voiceSettings(read, name);
  const s2sModel = name === 'openai' ? read.OPENAI_S2S_MODEL : null;
  return { ...account, ttsModel, voice: voice ?? null, ...(s2sModel === null ? {} : { s2sModel }) };
}

function modelProblems(read: Read): string[] {
  const problems: string[] = [];
  if (read.LLM_BASE_URL !== null && read.LLM_MODEL === null) {
    problems.push('LLM_MODEL is required when LLM_BASE_URL is set');
  }
  if (read.LLM_BASE_URL === null && (read.LLM_MODEL !== null || read.LLM_API_KEY !== null)) {
    problems.push('LLM_BASE_URL is required when LLM_MODEL or LLM_API_KEY is set');
  }
  for (const vendor of modelsOf(read)) {
    if (vendor === 'openai-compatible' && read.LLM_BASE_URL !== null) continue;
    const { key, baseUrl, model } = modelAccount(read, vendor);
    const { needsKey, modelSetting } = LLM_VENDORS[vendor];
    const missing = [
      ...(needsKey && key === null ? [`${settingPrefix(vendor)}_API_KEY`] : []),
      ...(baseUrl === null ? [`${settingPrefix(vendor)}_BASE_URL`] : []),
      ...(model === null ? [modelSetting] : []),
    ];
    problems.push(...missing.map((name) => `${name} is required when LLM_PROVIDER names ${vendor}`));
  }
  return problems;
}

/** Without LLM_PROVIDER, the server of LLM_BASE_URL. */
function modelsOf(read: Read): LlmVendorName[] {
  const named = read.LLM_PROVIDER ?? (read.LLM_BASE_URL === null ? [] : ['openai-compatible']);
  return [...new Set(named)].filter((name): name is LlmVendorName => name in LLM_VENDORS);
}

/** Whether a model can be reached. */
const isComplete = (account: ReturnType<typeof modelAccount>): account is ModelAccount =>
  account.baseUrl !== null &&
  account.model !== null &&
  (account.key !== null || !LLM_VENDORS[account.vendor].needsKey);

/** `baseUrl` and `model` are null where a required one is missing. */
function modelAccount(
  read: Read,
  vendor: LlmVendorName,
): Omit<ModelAccount, 'baseUrl' | 'model'> & { baseUrl: string | null; model: string | null } {
  if (vendor === 'openai-compatible' && read.LLM_BASE_URL !== null) {
    const { LLM_API_KEY: key, LLM_BASE_URL: baseUrl, LLM_MODEL: model } = read;
    return { vendor, key, baseUrl, isWholeUrl: true, model };
  }
  const { apiKey: key, baseUrl } = vendorSettings(read, vendor);
  return { vendor, key, baseUrl, model: read[LLM_VENDORS[vendor].modelSetting] };
}

function toConfig(read: Read): Omit<Config, 'prices'> {
  return {
    port: read.PORT!,
    host: read.HOST!,
    metricsAt: read.METRICS_PORT === null ? null : { host: read.METRICS_HOST!, port: read.METRICS_PORT },
    publicUrl: read.PUBLIC_URL,
    trustProxy: read.TRUST_PROXY ?? [],
    dataDir: read.DATA_DIR!,
    databaseUrl: read.DATABASE_URL,
    sip: { port: read.SIP_PORT!, host: read.SIP_HOST!, publicAddress: read.PUBLIC_ADDRESS },
    rtpPorts: read.RTP_PORTS!,
    recordingLinkDays: read.RECORDING_LINK_DAYS!,
    webhookLogDays: read.WEBHOOK_LOG_DAYS!,
    recordingsKeepFree:
      (read.RECORDINGS_KEEP_FREE_MB ?? (read.DATABASE_URL === null ? EMBEDDED_KEEP_FREE_MB : 0)) * 1_048_576,
    allowedCountries: read.ALLOWED_COUNTRIES ?? [],
    provisionFile: read.PROVISION_FILE,
    whatsapp: {
      baseUrl: read.WHATSAPP_BASE_URL!.replace(/\/$/, ''),
      confirmMs: read.WHATSAPP_CONFIRM_SECONDS! * 1000,
    },
    safeFetchAllow: read.SAFE_FETCH_ALLOW ?? [],
    roles: [...new Set(read.ROLES ?? [])],
    stopMs: read.STOP_SECONDS! * 1000,
    logLevel: read.LOG_LEVEL!,
    billing: { creditsPerMinute: read.CREDITS_PER_MINUTE!, pulseSeconds: read.BILLING_PULSE_SECONDS! },
    callWorkers: read.CALL_WORKERS ?? Math.max(1, availableParallelism() - 1),
    ringTimeoutMs: read.RING_TIMEOUT_SECONDS! * 1000,
    secretKey: read.SECRET_KEY,
    secretKeyPrevious: read.SECRET_KEY_PREVIOUS,
    turnModel: read.TURN_MODEL,
    llm: modelsOf(read).map((vendor) => modelAccount(read, vendor) as ModelAccount),
    stt: recognisersOf(read).map((name) => ({
      name,
      settings: { ...vendorSettings(read, name), baseUrl: vendorSettings(read, name).baseUrl ?? '' },
    })),
    providers: {
      accounts: Object.fromEntries(
        VENDOR_NAMES.map((name) => [name, operatorAccount(read, name)]),
      ) as unknown as OperatorAccounts,
      models: Object.fromEntries(
        LLM_VENDOR_NAMES.map((name) => modelAccount(read, name))
          .filter(isComplete)
          .map((account) => [account.vendor, account]),
      ),
      chains: { stt: recognisersOf(read), llm: modelsOf(read), tts: voicesOf(read) },
      s2s: read.S2S_PROVIDER ?? 'pipeline',
    },
    tts: voicesOf(read).map((name) => ({
      name,
      settings: voiceSettings(read, name) as VendorSettings,
    })),
    embeddings:
      read.EMBEDDINGS_BASE_URL === null
        ? null
        : {
            baseUrl: read.EMBEDDINGS_BASE_URL,
            apiKey: read.EMBEDDINGS_API_KEY,
            model: read.EMBEDDINGS_MODEL!,
            dimensions: read.EMBEDDINGS_DIMENSIONS,
            waitMs: read.EMBEDDINGS_WAIT_MS!,
          },
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
