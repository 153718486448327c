import { FREE } from '../../../src/domain/credits/price.ts';
import type { RawBuilder } from 'kysely';
import { chatAnalysisRunner } from '../../../src/app/analyses.ts';
import { WatchedChats } from '../agents/watched-chats.ts';
import {
  callEntrance,
  chatEntrance,
  listenEntrance,
  receiveWebSockets,
} from '../../../src/app/web-sockets.ts';
import { carrierEntrance } from '../../../src/app/carrier-entrance.ts';
import { StreamTickets } from '../../../src/domain/trunks/stream-tickets.ts';
import {
  type CustomerSays,
  FAKE_BUSINESS_ACCOUNT_ID,
  FAKE_PHONE_NUMBER_ID,
  type FakeWhatsapp,
  startFakeWhatsapp,
} from '@callwright/stand-ins';
import type { RecogniserChoice } from '../../../src/providers/choose/recognisers.ts';
import { peerAddress } from '../../../src/http/server/peer-address.ts';
import { silentLog, type Log } from '../../../src/shared/log.ts';
import { NO_OPERATOR_PROVIDERS } from '../../../src/vendors/accounts.ts';
import type { Db } from '../../../src/store/database.ts';
import { analystsWith } from '../analysis/analysis-api.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  TEST_SEAL,
  type Answer,
  type TestApi,
} from '../api/api.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { eventually } from '../service/service.ts';

type Sent = FakeWhatsapp['accepted'][number];

/** A WhatsApp agent that repeats the customer, on one number of the stand-in. */
export interface WhatsappDesk {
  readonly db: Db;
  readonly fake: FakeWhatsapp;
  readonly api: TestApi;
  readonly key: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly numberId: string;
  readonly webhookUrl: string;
  /** Address of the server. */
  readonly url: string;
  readonly verifyToken: string;
  /** The system's time, set forward to end chats. */
  readonly clock: { ahead: number; now(): number };
  /** PATCH /agent/v1 of the agent. */
  patch(body: object): Promise<Answer>;
  /** A customer's message with a new id. */
  message(from: string, text: string, more?: Partial<CustomerSays>): CustomerSays;
  sentTo(to: string): Sent[];
  /** Waits for the first `count` messages to a customer. */
  answers(to: string, count: number): Promise<Sent[]>;
  rows(query: RawBuilder<any>): Promise<any[]>;
  close(): Promise<void>;
}

/** `opened`: a migrated database; absent: a fresh one of the test run. `recognisers`: of the installation. */
export async function openWhatsappDesk(
  opened?: TestDatabase,
  recognisers: readonly RecogniserChoice[] = [],
  log: Log = silentLog,
): Promise<WhatsappDesk> {
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead, monotonic: () => performance.now() };
  const database = opened ?? (await createTestDatabase({ maxConnections: 20 }));
  const fake = await startFakeWhatsapp({ now: () => clock.now() });
  const base = { db: database.db, clock, log };
  // One analysis begins when another has ended, instead of at the next poll.
  const analyses = chatAnalysisRunner({
    ...base,
    analystOf: analystsWith(),
    onEvents: () => analyses.kick(),
  });
  const chats = new WatchedChats({
    ...base,
    seal: TEST_SEAL,
    config: {
      safeFetchAllow: [],
      embeddings: null,
      providers: NO_OPERATOR_PROVIDERS,
      whatsapp: { baseUrl: fake.baseUrl, confirmMs: 2_000 },
      unitPrices: FREE,
    },
    brain: { llm: 'fake', recognisers },
    meaning: null,
    onEvents: () => analyses.kick(),
    onRefused: () => undefined,
  });
  const api = await createTestApi({ chats: chats.desk, clock, log }, database);
  await api.server.listen({ port: 0, host: '127.0.0.1' });
  const tokens = { db: database.db, now: () => new Date(clock.now()) };
  const streams = { db: database.db, clock, seal: TEST_SEAL };
  const entrances = {
    call: callEntrance(null, tokens),
    carrier: carrierEntrance({
      ...streams,
      calls: null,
      tickets: new StreamTickets(streams),
      bases: () => [],
      ownAddress: () => null,
    }),
    chat: chatEntrance(chats.web),
    listen: listenEntrance(null, tokens),
  };
  const peerOf = peerAddress([]);
  receiveWebSockets(api.server.server, entrances, { log, clock, peerOf });
  const tenant = await createTenant(api);
  const { key } = tenant;
  const agent = { agent_type: 'whatsapp', intro_message: 'Welcome.' };
  const { agentId } = await createTestAgent(api, tenant, agent);
  const added = await api.request('POST', '/api/v0/whatsapp/numbers', {
    key,
    body: {
      agent_id: agentId,
      phone_number_id: FAKE_PHONE_NUMBER_ID,
      number: '+15550783881',
      business_account_id: FAKE_BUSINESS_ACCOUNT_ID,
      access_token: 'a token',
      app_secret: 'the app secret',
    },
  });
  if (added.status !== 200) throw new Error(`the number was not added: ${added.text}`);
  const numberId = String(added.body['id']);
  const { port } = api.server.server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const webhookUrl = `${url}/whatsapp/webhook/${numberId}`;
  fake.connect({ url: webhookUrl, appSecret: 'the app secret' });
  chats.start();
  analyses.start();
  let serial = 0;
  const sentTo = (to: string): Sent[] => fake.accepted.filter((message) => message.to === to);
  return {
    db: database.db,
    fake,
    api,
    key,
    workspaceId: tenant.workspaceId,
    agentId,
    numberId,
    webhookUrl,
    url,
    verifyToken: String(added.body['verify_token']),
    clock,
    patch: (body) => api.request('PATCH', '/api/v0/agent/v1', { key, body: { agent_id: agentId, ...body } }),
    message: (from, text, more = {}) => ({
      from,
      id: `wamid.IN${(serial += 1)}`,
      timestamp: Math.floor(clock.now() / 1000),
      text,
      ...more,
    }),
    sentTo,
    answers: (to, count) =>
      eventually('the answers to arrive', () => {
        const sent = sentTo(to);
        return Promise.resolve(sent.length >= count ? sent : null);
      }),
    rows: async (query) => (await query.execute(database.db)).rows,
    async close() {
      await fake.close();
      await analyses.stop();
      await chats.stop();
      await api.close();
    },
  };
}
