import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  FAKE_PHONE_NUMBER_ID,
  startFakeWhatsapp,
  type FakeWhatsapp,
} from '../../src/providers/fake/vendors/whatsapp.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { provisionWith } from '../helpers/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service.ts';

// The service is killed between receiving messages and answering them, three times. Meanwhile WhatsApp goes on.

const CUSTOMERS = 50;
const KILLS = 3;

let database: TestDatabase;
let fake: FakeWhatsapp;
let service: Service;
let numberId: string;

const start = async (): Promise<void> => {
  const env = {
    DATABASE_URL: database.url,
    WHATSAPP_BASE_URL: fake.baseUrl,
    // The sender starts before the service is ready, and the statuses of a killed process arrive after that.
    WHATSAPP_CONFIRM_SECONDS: '15',
  };
  service = await startService({ env, provision: provisionWith({}), readyTimeoutMs: 90_000 });
};
const connect = (): void =>
  fake.connect({ url: `${service.url}/whatsapp/webhook/${numberId}`, appSecret: 'the app secret' });

beforeAll(async () => {
  database = await createTestDatabase();
  fake = await startFakeWhatsapp({ switches: { duplicates: true } });
  await start();
  const voices = await service.request('GET', '/api/v0/agent/voices?language=en-US');
  const agent = await service.request('POST', '/api/v0/public/agent', {
    agent_name: 'Reception',
    agent_type: 'whatsapp',
    introduction_and_objective: 'You answer for City Dental.',
    response_guidelines: 'Be brief.',
    task: '1. Ask: "Does Monday suit you?"',
    primary_language: 'en-US',
    voice_id: voices.body.voices[0].id,
    intro_message: 'Welcome to City Dental.',
  });
  const number = await service.request('POST', '/api/v0/whatsapp/numbers', {
    agent_id: agent.body.data.id,
    phone_number_id: FAKE_PHONE_NUMBER_ID,
    number: '+15550783881',
    access_token: 'a token',
    app_secret: 'the app secret',
  });
  numberId = number.body.id;
  connect();
}, 120_000);
afterAll(async () => {
  await fake?.close();
  await service?.dispose();
  await database?.close();
});

const one = async (query: ReturnType<typeof sql<any>>): Promise<any> =>
  (await query.execute(database.db)).rows[0];

it(
  'a service that is killed between receiving and answering answers every message once',
  { timeout: 420_000 },
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = fake.accepted.length;
      const from = (at: number): string => `9198${kill}${String(at).padStart(7, '0')}`;
      const timestamp = Math.floor(Date.now() / 1000);
      fake.say(
        ...Array.from({ length: CUSTOMERS }, (_, at) => ({
          from: from(at),
          id: `wamid.IN${kill}-${at}`,
          timestamp,
          text: 'Hello, is Monday free?',
        })),
      );
      await eventually(
        'some answers to leave',
        async () => fake.accepted.length > before + 10 || null,
        60_000,
      );
      await service.end('SIGKILL');
      // The leases of the killed process are over.
      await sql`update chats set leased_until = '-infinity' where leased_until > 'epoch'`.execute(
        database.db,
      );
      await sql`update chat_messages set due_at = 'epoch' where state = 'sending'`.execute(database.db);
      await start();
      connect();
    }
    const all = KILLS * CUSTOMERS;
    await eventually(
      'every message to be answered and sent',
      async () => {
        const found = await one(sql`
        select count(*) filter (where role = 'customer' and turn is not null)::int as answered,
          count(*) filter (where role = 'agent' and state in ('sent', 'delivered', 'read'))::int as sent
        from chat_messages`);
        return (found.answered === all && found.sent === all) || null;
      },
      120_000,
    );
    expect(
      await one(sql`select count(*)::int as messages from chat_messages where role = 'customer'`),
    ).toEqual({ messages: all });
    const customers = fake.accepted.map(({ to }) => to);
    expect(new Set(customers).size).toBe(all);
    expect(customers).toHaveLength(all);
  },
);
