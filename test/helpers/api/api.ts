import { Readable } from 'node:stream';
import { prompts } from '../../../src/app/adapters.ts';
import { readWorkbook } from '../../../src/app/read-workbook.ts';
import { scriptRehearser } from '../../../src/app/rehearsals.ts';
import { replayLog, scenarioIn } from '../../../src/app/replay-log.ts';
import { createServer } from '../../../src/http/server/server.ts';
import { ContactImporter } from '../../../src/jobs/import/contact-importer.ts';
import type { ServerDeps } from '../../../src/http/server/server-deps.ts';
import type { Server } from '../../../src/http/server/type-provider.ts';
import { newApiKey, storedForm } from '../../../src/domain/workspaces/api-key.ts';
import type { VoiceCatalogue } from '../../../src/domain/agents/voice-catalogue.ts';
import { voiceById, voices } from '../../../src/providers/voices.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { AddressGuard } from '../../../src/net/address-guard.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import { newId } from '../../../src/shared/ids.ts';
import { DEFAULT_PRICES } from '../../../src/vendors/prices.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { copyPiece } from '../../../src/store/campaigns/upload-pieces.ts';
import { openDatabase, type Db } from '../../../src/store/database.ts';
import { replaceKey } from '../../../src/store/tenants/keys.ts';
import { keyFor, ownerKeyRow } from './owner-key.ts';
import { openTestLinks } from '../database/links.ts';
import { offlineChats } from '../agents/offline-chats.ts';
import { TEST_SEAL } from '../database/seal.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { openToAll } from '../service/open-addresses.ts';

/** SECRET_KEY of the service under test. */
export { TEST_SEAL };

export const catalogue: VoiceCatalogue = {
  all: voices,
  byId: voiceById,
  speaks: (id, language) => voiceById(id)?.languages.includes(language) ?? false,
};

export const promptBook = prompts;

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
  text: string;
}

export interface TestApi {
  /** Sees every row. */
  db: Db;
  /** The database as requests use it: work for a tenant sees the rows of that tenant alone. */
  served: Db;
  /** URL of the database. */
  url: string;
  clock: ManualClock;
  server: Server;
  /** How often the dialer was woken. */
  notified: () => number;
  hungUp: string[];
  /** Operations of POST /calling/{call_id}/control, in order. */
  controlled: string[];
  /** Runs queued imports of contact lists. */
  importer: ContactImporter;
  request(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    options?: {
      key?: string | null;
      body?: unknown;
      raw?: string | Buffer;
      headers?: Record<string, string>;
      /** The client's address. */
      address?: string;
    },
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface Tenant {
  workspaceId: string;
  key: string;
  numberId: string;
  number: string;
  testNumberId: string;
  trunkId: string;
}

/** A language model that writes the same agent, whatever it is asked. */
const STAND_IN_MODEL = {
  name: 'stand-in',
  answer: () =>
    Promise.resolve(
      JSON.stringify({
        name: 'Table bookings',
        opening: 'Hello?',
        objective: 'Ask.',
        guidelines: 'Short.',
        task: '1. Ask.',
        scenarios: [{ name: 'Says yes', goal: 'To say yes.', temper: 'calm' }],
      }),
    ),
};

let tenants = 0;

/** The HTTP server over a fresh database, called without sockets. Monday 5 January 2026, 10:00 UTC. */
export async function createTestApi(
  overrides: Partial<ServerDeps> = {},
  opened: TestDatabase | null = null,
): Promise<TestApi> {
  const database = opened ?? (await createTestDatabase());
  const clock = new ManualClock();
  const hungUp: string[] = [];
  const controlled: string[] = [];
  let notified = 0;
  const importer = new ContactImporter({ db: database.db, url: database.url, clock, log: silentLog });
  const chats = offlineChats({ db: database.db, clock });
  // As the service opens it: the work of a workspace sees the rows of that workspace alone.
  const served = openDatabase(database.url, {
    maxConnections: 10,
    applicationName: 'test api',
    // Longer waits than in the service: a busy machine refuses no request of a test.
    shares: { parts: 1, waitMs: 60_000, heavy: { places: 6, parts: 1, waitMs: 60_000 } },
    hasWalls: true,
  });
  const server = await createServer({
    db: served.kysely,
    clock,
    log: silentLog,
    voices: catalogue,
    prompts: promptBook,
    rate: { creditsPerMinute: 1, pulseSeconds: 60 },
    prices: DEFAULT_PRICES,
    wakeScheduler: () => {
      notified += 1;
    },
    hangUp: ({ callId }) => {
      hungUp.push(callId);
      return Promise.resolve(true);
    },
    control: (_call, { operation }) => {
      controlled.push(operation);
      return Promise.resolve(true);
    },
    rehearser: scriptRehearser,
    callScenario: (text, facts) => Promise.resolve(scenarioIn(text, facts)),
    replayLog: (text) => Promise.resolve(replayLog(text)),
    readWorkbook,
    watch: () => Promise.resolve(null),
    watchAll: () => () => undefined,
    recordings: {
      open: (path) =>
        Promise.resolve(
          path === 'absent.wav'
            ? null
            : {
                bytes: 1000,
                modifiedAt: new Date(0),
                stream: (start, end) => Readable.from([Buffer.alloc(end - start + 1, start % 256)]),
              },
        ),
    },
    link: await openTestLinks(clock, 'http://callwright.test'),
    renderPreview: () => Promise.resolve(Buffer.from('RIFF')),
    ready: () => Promise.resolve([{ name: 'database', ok: true }]),
    seal: TEST_SEAL,
    operator: NO_OPERATOR_PROVIDERS,
    // Receivers and tool servers of tests listen there.
    guard: new AddressGuard({ allow: openToAll('127.0.0.1') }),
    tryVendor: () => Promise.resolve(1),
    modelOf: () => Promise.resolve(STAND_IN_MODEL),
    requestLog: { kept: 1000 },
    metrics: {
      contentType: 'text/plain; version=0.0.4',
      metrics: () => Promise.resolve('callwright_up 1\n'),
    },
    importer,
    copyPiece: (...piece) => copyPiece(served.pool, ...piece),
    uploadLimits: { maxRows: 2_000_000, maxBytes: 1_073_741_824 },
    knowledgeMaxBytes: 2_147_483_648,
    uploadsHeldBytes: 4 * 1_073_741_824,
    rateLimits: { read: 0, write: 0, dial: 0, authFailures: 0 },
    webCalls: { perAddress: 0, perKey: 0, maxMs: 900_000, areHere: true },
    trustProxy: [],
    chats: chats.desk,
    ...overrides,
  });
  await server.ready();
  return {
    db: database.db,
    served: served.kysely,
    url: database.url,
    clock,
    server,
    notified: () => notified,
    hungUp,
    controlled,
    importer,
    async request(method, path, options = {}) {
      const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
      const response = await server.inject({
        method,
        url: path,
        ...(options.address === undefined ? {} : { remoteAddress: options.address }),
        headers: {
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...(options.key == null ? {} : { 'x-api-key': keyFor(method, path, options.key) }),
          ...options.headers,
        },
        ...(payload === undefined ? {} : { payload }),
      });
      const isJson = String(response.headers['content-type']).startsWith('application/json');
      return {
        status: response.statusCode,
        headers: response.headers,
        body: isJson ? response.json<Record<string, unknown>>() : {},
        text: response.body,
      };
    },
    async close() {
      await server.close();
      await chats.stop();
      await importer.close();
      await served.close();
      await database.close();
    },
  };
}

/** A workspace with credits, a key, a trunk, one usable number and one shared test number. */
export async function createTenant(
  api: Pick<TestApi, 'db' | 'clock'>,
  options: { credits?: number; unlimited?: boolean; settings?: object; trunkKind?: string } = {},
): Promise<Tenant> {
  tenants += 1;
  const at = new Date(api.clock.now());
  const stamps = { created_at: at, updated_at: at };
  const workspaceId = newId();
  const key = newApiKey();
  await api.db
    .insertInto('workspaces')
    .values({
      id: workspaceId,
      name: `Tenant ${tenants}`,
      credits: options.credits ?? 1_000_000_000,
      unlimited: options.unlimited ?? false,
      settings: JSON.stringify(options.settings ?? {}),
      ...stamps,
    })
    .execute();
  await replaceKey(api.db, workspaceId, storedForm(key), at);
  await api.db
    .insertInto('api_keys')
    .values(ownerKeyRow(key, workspaceId, at))
    .execute();
  const trunkId = newId();
  await api.db
    .insertInto('trunks')
    .values({
      id: trunkId,
      name: `trunk ${tenants}`,
      settings: JSON.stringify({ kind: options.trunkKind ?? 'sip' }),
      ...stamps,
    })
    .execute();
  // A range of its own: numbers that tests write out begin with +1415555.
  const number = `+1628555${String(tenants).padStart(4, '0')}`;
  const [numberId, testNumberId] = [newId(), newId()];
  await api.db
    .insertInto('numbers')
    .values([
      { workspace_id: workspaceId, id: numberId, number, trunk_id: trunkId, display_name: 'Main', ...stamps },
      {
        workspace_id: workspaceId,
        id: testNumberId,
        number: `+1628556${String(tenants).padStart(4, '0')}`,
        trunk_id: trunkId,
        is_test_number: true,
        ...stamps,
      },
    ])
    .execute();
  return { workspaceId, key, numberId, number, testNumberId, trunkId };
}

const englishVoice = voices().find((v) => v.languages.includes('en-US'));

/** A create request with only the required fields. */
export const minimalAgent = (): Record<string, unknown> => ({
  agent_name: 'Reminder',
  introduction_and_objective: 'Remind {{callee_name}} of the appointment.',
  response_guidelines: 'Be brief.',
  task: '1. Ask whether the time suits.',
  primary_language: 'en-US',
  voice_id: englishVoice?.id ?? '',
  intro_message: 'Hello, this is Asha.',
});

/** Creates an agent and returns its IDs. */
export async function createTestAgent(
  api: TestApi,
  tenant: Tenant,
  change: Record<string, unknown> = {},
): Promise<{ agentId: string; versionId: string }> {
  const answer = await api.request('POST', '/api/v0/public/agent', {
    key: tenant.key,
    body: { ...minimalAgent(), ...change },
  });
  if (answer.status !== 200) throw new Error(`create agent answered ${answer.status}: ${answer.text}`);
  const data = answer.body['data'] as { id: string; version_id: string };
  return { agentId: data.id, versionId: data.version_id };
}
