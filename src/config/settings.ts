import {
  bucket,
  decimal,
  fail,
  host,
  hostOrRange,
  integer,
  keyPrefix,
  list,
  oneOf,
  portRange,
  text,
  url,
} from './readers.ts';

export const ROLE_NAMES = ['api', 'dialer', 'media', 'jobs'] as const;
export type Role = (typeof ROLE_NAMES)[number];
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

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
