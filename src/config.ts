import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fail, Invalid } from './config/readers.ts';
import { ROLE_NAMES, SETTINGS, type LOG_LEVELS, type Role, type Setting } from './config/settings.ts';
import { nearMisses } from './shared/near-miss.ts';

export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash; null: made from the address the service listens on. */
  publicUrl: string | null;
  /** Addresses of reverse proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly string[];
  dataDir: string;
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null;
  sip: { port: number; host: string };
  rtpPorts: { first: number; last: number };
  /** How long the log of webhook deliveries is kept. */
  webhookLogDays: number;
  /** Bytes that recordings leave free on their disk. */
  recordingsKeepFree: number;
  provisionFile: string | null;
  safeFetchAllow: readonly string[];
  roles: readonly Role[];
  logLevel: (typeof LOG_LEVELS)[number];
  billing: { creditsPerMinute: number; pulseSeconds: number };
  callWorkers: number;
  /** How long the far side may ring before its call ends as not picked up. */
  ringTimeoutMs: number;
  /** Null: the key file in `dataDir`. */
  secretKey: string | null;
  llm: { baseUrl: string; apiKey: string | null; model: string } | null;
  /** Null: knowledge is searched by its words alone. */
  embeddings: {
    baseUrl: string;
    apiKey: string | null;
    model: string;
    /** Null: as many as the model gives. */
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
  /** The largest contact list that is taken. */
  uploadLimits: { maxRows: number; maxBytes: number };
  /** Requests a minute per workspace and class, and wrong keys a minute per address; 0 turns one off. */
  rateLimits: { read: number; write: number; dial: number; authFailures: number };
}

/** Of the disk that the embedded database shares: its journal grows by as much between two checkpoints of a busy hour. */
const EMBEDDED_KEEP_FREE_MB = 256;

type Settings = typeof SETTINGS;
type Name = keyof Settings;
type Read = { [N in Name]: ReturnType<Settings[N]['read']> | null };

export type LoadedConfig =
  | { ok: true; config: Config; warnings: string[] }
  | { ok: false; problems: string[]; warnings: string[] };

/**
 * Reads and checks the whole environment at once: either a config, or every problem as `NAME rule`. Names that
 * are not ours are left alone; likely misspellings of ours come back as warnings. An empty value means unset.
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
  if (problems.length === 0) problems.push(...crossProblems(read));
  const known = (Object.entries(SETTINGS) as [Name, Setting<unknown>][]).flatMap(([name, spec]) =>
    spec.secret ? [name, `${name}_FILE`] : [name],
  );
  const warnings = nearMisses(Object.keys(env), known).map(
    (m) => `${m.given} is not a setting of this service; did you mean ${m.meant}?`,
  );
  return problems.length > 0
    ? { ok: false, problems, warnings }
    : { ok: true, config: toConfig(read), warnings };
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
  if (read.LLM_BASE_URL !== null && read.LLM_MODEL === null) {
    problems.push('LLM_MODEL is required when LLM_BASE_URL is set');
  }
  if (read.LLM_BASE_URL === null && (read.LLM_MODEL !== null || read.LLM_API_KEY !== null)) {
    problems.push('LLM_BASE_URL is required when LLM_MODEL or LLM_API_KEY is set');
  }
  const { EMBEDDINGS_BASE_URL: embeddings, EMBEDDINGS_MODEL: embeddingModel } = read;
  if (embeddings !== null && embeddingModel === null) {
    problems.push('EMBEDDINGS_MODEL is required when EMBEDDINGS_BASE_URL is set');
  }
  const ofEmbeddings = [embeddingModel, read.EMBEDDINGS_API_KEY, read.EMBEDDINGS_DIMENSIONS];
  if (embeddings === null && ofEmbeddings.some((value) => value !== null)) {
    problems.push('EMBEDDINGS_BASE_URL is required when another setting of the embeddings is set');
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

function toConfig(read: Read): Config {
  return {
    port: read.PORT!,
    host: read.HOST!,
    publicUrl: read.PUBLIC_URL,
    trustProxy: read.TRUST_PROXY ?? [],
    dataDir: read.DATA_DIR!,
    databaseUrl: read.DATABASE_URL,
    sip: { port: read.SIP_PORT!, host: read.SIP_HOST! },
    rtpPorts: read.RTP_PORTS!,
    webhookLogDays: read.WEBHOOK_LOG_DAYS!,
    recordingsKeepFree:
      (read.RECORDINGS_KEEP_FREE_MB ?? (read.DATABASE_URL === null ? EMBEDDED_KEEP_FREE_MB : 0)) * 1_048_576,
    provisionFile: read.PROVISION_FILE,
    safeFetchAllow: read.SAFE_FETCH_ALLOW ?? [],
    roles: [...new Set(read.ROLES ?? [])],
    logLevel: read.LOG_LEVEL!,
    billing: { creditsPerMinute: read.CREDITS_PER_MINUTE!, pulseSeconds: read.BILLING_PULSE_SECONDS! },
    callWorkers: read.CALL_WORKERS ?? Math.max(1, availableParallelism() - 1),
    ringTimeoutMs: read.RING_TIMEOUT_SECONDS! * 1000,
    secretKey: read.SECRET_KEY,
    llm:
      read.LLM_BASE_URL === null
        ? null
        : { baseUrl: read.LLM_BASE_URL, apiKey: read.LLM_API_KEY, model: read.LLM_MODEL! },
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
    rateLimits: {
      read: read.RATE_LIMIT_READ!,
      write: read.RATE_LIMIT_WRITE!,
      dial: read.RATE_LIMIT_DIAL!,
      authFailures: read.RATE_LIMIT_AUTH_FAILURES!,
    },
  };
}
