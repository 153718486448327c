import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isIP } from 'node:net';
import { nearMisses } from './shared/near-miss.ts';

export const ROLE_NAMES = ['api', 'dialer', 'media', 'jobs'] as const;
export type Role = (typeof ROLE_NAMES)[number];
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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

/** A rule that failed; its message follows the variable's name. */
class Invalid extends Error {}
const fail = (rule: string): never => {
  throw new Invalid(rule);
};

const text = (raw: string): string => raw;
const oneOf =
  <T extends string>(allowed: readonly T[]) =>
  (raw: string): T =>
    allowed.find((a) => a === raw) ?? fail(`must be one of ${allowed.join(', ')}`);
const integer =
  (min: number, max: number) =>
  (raw: string): number => {
    const value = /^\d{1,10}$/.test(raw) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : fail(`must be an integer from ${min} to ${max}`);
  };
const decimal =
  (min: number, max: number) =>
  (raw: string): number => {
    const value = /^\d{1,9}(\.\d{1,6})?$/.test(raw) ? Number(raw) : Number.NaN;
    return value >= min && value <= max ? value : fail(`must be a number from ${min} to ${max}`);
  };
const url =
  (...schemes: readonly string[]) =>
  (raw: string): string => {
    const parsed = URL.canParse(raw) ? new URL(raw) : null;
    return parsed !== null && schemes.includes(parsed.protocol.slice(0, -1))
      ? raw.replace(/\/+$/, '')
      : fail(`must be a URL that starts with ${schemes.map((s) => `${s}://`).join(' or ')}`);
  };
const host = (raw: string): string =>
  isIP(raw) !== 0 || /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?$/i.test(raw)
    ? raw
    : fail('must be an address or a host name');
const portRange = (raw: string): { first: number; last: number } => {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(raw);
  const [first, last] = [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
  return match !== null && first >= 1024 && last <= 65_535 && last - first >= 3
    ? { first, last }
    : fail('must be a range such as 16000-23999 within 1024 to 65535, of at least 4 ports');
};
const list =
  <T>(item: (raw: string) => T) =>
  (raw: string): T[] =>
    raw
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item);
const hostOrRange = (raw: string): string => {
  const [address = '', bits, extra] = raw.split('/');
  const family = isIP(address);
  const isRange =
    bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32) && !extra;
  if (bits === undefined ? family !== 0 : family !== 0 && isRange) return raw;
  return bits === undefined && /^[a-z0-9]([a-z0-9.-]{0,252}[a-z0-9])?(:\d{1,5})?$/i.test(raw)
    ? raw
    : fail(`must list hosts, addresses or CIDR ranges; ${JSON.stringify(raw.slice(0, 60))} is none`);
};

const bucket = (raw: string): string =>
  /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(raw) ? raw : fail('must be the name of a bucket');
const keyPrefix = (raw: string): string =>
  /^(?:[\w.=-]{1,100}\/){0,10}[\w.=-]{0,100}$/.test(raw) && !raw.split('/').includes('..')
    ? raw.replace(/([^/])$/, '$1/')
    : fail('must be folder names of letters, digits, ., _, = and - with / between them');

export interface Setting<T> {
  /** Shown in config.example.env; null: unset by default. */
  readonly default: string | null;
  readonly read: (raw: string) => T;
  readonly about: string;
  /** May also come from the file named by `<NAME>_FILE`. */
  readonly secret?: true;
}
const setting = <T>(fallback: string | null, read: (raw: string) => T, about: string): Setting<T> => ({
  default: fallback,
  read,
  about,
});
const secret = <T>(read: (raw: string) => T, about: string): Setting<T> => ({
  default: null,
  read,
  about,
  secret: true,
});
const tlsIsAbsent = (): never => fail('cannot be set: TLS is not part of this version');

/** Of the disk that the embedded database shares: its journal grows by as much between two checkpoints of a busy hour. */
const EMBEDDED_KEEP_FREE_MB = 256;

/** Every setting of the service, in the order config.example.env lists them. */
export const SETTINGS = {
  PORT: setting('8080', integer(0, 65_535), 'HTTP port; 0 takes a free one.'),
  HOST: setting('127.0.0.1', host, 'Address HTTP listens on. The default keeps the API on this machine.'),
  PUBLIC_URL: setting(
    null,
    url('http', 'https'),
    'How clients reach the service; recording links start with it.',
  ),
  TRUST_PROXY: setting('', list(hostOrRange), 'Reverse proxies whose X-Forwarded-For is believed.'),
  DATA_DIR: setting('./data', text, 'Recordings, caches and the embedded database live here.'),
  RECORDINGS_KEEP_FREE_MB: setting(
    null,
    integer(0, 1_000_000),
    'Recordings stop when less is left on their disk, so that a database beside them goes on: 256 with the embedded one, else 0.',
  ),
  DATABASE_URL: secret(url('postgres', 'postgresql'), 'A Postgres to use instead of the embedded one.'),
  SIP_PORT: setting('5060', integer(0, 65_535), 'SIP port, UDP and TCP; 0 takes a free one.'),
  SIP_HOST: setting('127.0.0.1', host, 'Address SIP and RTP bind to and announce; carriers must reach it.'),
  SIP_TLS_PORT: setting<null>(null, tlsIsAbsent, 'Reserved: TLS is not part of this version.'),
  RTP_PORTS: setting(
    '16000-23999',
    portRange,
    'UDP ports for audio: two for each call, four while it is transferred; they rest for 30 s after it.',
  ),
  PROVISION_FILE: setting(null, text, 'YAML or JSON that declares trunks, workspaces, keys and numbers.'),
  SAFE_FETCH_ALLOW: setting(
    '',
    list(hostOrRange),
    'Inner hosts, addresses or CIDR ranges that webhooks, knowledge addresses, tools and own models may reach.',
  ),
  WEBHOOK_LOG_DAYS: setting('30', integer(1, 3650), 'How long the log of webhook deliveries is kept.'),
  ROLES: setting(ROLE_NAMES.join(','), list(oneOf(ROLE_NAMES)), 'What this process does.'),
  LOG_LEVEL: setting('info', oneOf(LOG_LEVELS), `One of ${LOG_LEVELS.join(', ')}.`),
  CREDITS_PER_MINUTE: setting('1', decimal(0, 1_000_000), 'Price of a minute of talk, in credits.'),
  BILLING_PULSE_SECONDS: setting('60', integer(1, 3600), 'Talk is charged by started pulses of this length.'),
  CALL_WORKERS: setting(
    null,
    integer(1, 256),
    'Threads that carry calls; by default one less than the cores.',
  ),
  RING_TIMEOUT_SECONDS: setting(
    '45',
    integer(5, 180),
    'How long a call rings before it counts as not picked up.',
  ),
  SECRET_KEY: secret(
    (raw) => (raw.length >= 32 ? raw : fail('must have at least 32 characters')),
    'Encrypts stored secrets; processes on one database share it. Without it a key is kept in DATA_DIR.',
  ),
  LLM_BASE_URL: setting(
    null,
    url('http', 'https'),
    'An OpenAI-compatible chat API; without it the offline script engine answers.',
  ),
  LLM_API_KEY: secret(text, 'Its key.'),
  LLM_MODEL: setting(null, text, 'Its model name.'),
  EMBEDDINGS_BASE_URL: setting(
    null,
    url('http', 'https'),
    'An OpenAI-compatible embeddings API; with it knowledge is found by its meaning too.',
  ),
  EMBEDDINGS_API_KEY: secret(text, 'Its key.'),
  EMBEDDINGS_MODEL: setting(null, text, 'Its model name; another one has all knowledge embedded anew.'),
  EMBEDDINGS_DIMENSIONS: setting(
    null,
    integer(8, 4096),
    'Asks the model for vectors of this length; by default they are as long as the model makes them.',
  ),
  EMBEDDINGS_WAIT_MS: setting(
    '250',
    integer(20, 5000),
    'How long a call waits for the meaning of a question; after that what its words found stands.',
  ),
  S3_ENDPOINT: setting(
    null,
    url('http', 'https'),
    'An S3-compatible store that recordings are brought to after their call; without it they stay in DATA_DIR.',
  ),
  S3_BUCKET: setting(null, bucket, 'Its bucket, addressed by path.'),
  S3_REGION: setting('us-east-1', text, 'Its region, as signatures name it.'),
  S3_ACCESS_KEY_ID: setting(null, text, 'The id of its access key.'),
  S3_SECRET_ACCESS_KEY: secret(text, 'The secret of its access key.'),
  S3_PREFIX: setting('', keyPrefix, 'Put before the key of every recording.'),
  CAMPAIGN_MAX_ROWS: setting('2000000', integer(1, 10_000_000), 'Rows a contact list may have.'),
  CAMPAIGN_MAX_FILE_MB: setting('1024', integer(1, 65_536), 'Size a contact list may have, in MB.'),
  RATE_LIMIT_READ: setting(
    '12000',
    integer(0, 1_000_000),
    'GET requests a minute per workspace; 0: no limit.',
  ),
  RATE_LIMIT_WRITE: setting('6000', integer(0, 1_000_000), 'Changes a minute per workspace; 0: no limit.'),
  RATE_LIMIT_DIAL: setting(
    '6000',
    integer(0, 1_000_000),
    'Calls placed a minute per workspace; 0: no limit.',
  ),
  RATE_LIMIT_AUTH_FAILURES: setting(
    '600',
    integer(0, 1_000_000),
    'Wrong keys a minute per address before they are refused unread; 0: no limit.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

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
