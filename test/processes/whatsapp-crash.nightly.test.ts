import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  FAKE_BUSINESS_ACCOUNT_ID,
  FAKE_PHONE_NUMBER_ID,
  type FakeWhatsapp,
  startFakeWhatsapp,
} from '@callwright/stand-ins';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { provisionWith } from '../helpers/service/scenario.ts';
import { startCampaign } from '../helpers/campaigns/service-campaign.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';

// The service is killed between receiving messages and answering them, three times, while it sends the messages of a
// campaign. Meanwhile WhatsApp goes on.

const CUSTOMERS = 50;
const CONTACTS = 30;
const KILLS = 3;

let database: TestDatabase;
let fake: FakeWhatsapp;
let service: Service;
let numberId: string;
let agentId: string;

const start = async (): Promise<void> => {
  const env = {
    DATABASE_URL: database.url,
    WHATSAPP_BASE_URL: fake.baseUrl,
    // The sender starts before the service is ready, and the statuses of a killed process arrive after that.
    WHATSAPP_CONFIRM_SECONDS: '45',
  };
  service = await startService({ env, provision: provisionWith({}), readyTimeoutMs: 240_000 });
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
  agentId = agent.body.data.id;
  const number = await service.request('POST', '/api/v0/whatsapp/numbers', {
    agent_id: agentId,
    business_account_id: FAKE_BUSINESS_ACCOUNT_ID,
    phone_number_id: FAKE_PHONE_NUMBER_ID,
    number: '+15550783881',
    access_token: 'a token',
    app_secret: 'the app secret',
  });
  numberId = number.body.id;
  connect();
}, 600_000);
afterAll(async () => {
  await fake?.close();
  await service?.dispose();
  await database?.close();
});

const toContact = ({ to }: { readonly to: string }): boolean => to.startsWith('9199');
/** Starts a campaign of messages to numbers that begin with `prefix`. */
const startMessages = (prefix: string): Promise<string> =>
  startCampaign(
    service,
    agentId,
    Array.from({ length: CONTACTS }, (_, at) => `+${prefix}${String(at).padStart(7, '0')}`),
    { from_numbers: [numberId] },
    {
      template: '{"name":"order_update","language":"en_US"}',
      variables_map: '{"body_1":"callee_name"}',
      call_config: '{"call_time":{"call_start_time":"00:00","call_end_time":"00:00"}}',
    },
  );

const one = async (query: ReturnType<typeof sql<any>>): Promise<any> =>
  (await query.execute(database.db)).rows[0];

it(
  'a service that is killed between receiving and answering answers every message once',
  { timeout: 600_000 },
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const answers = (): number => fake.accepted.filter((message) => !toContact(message)).length;
      const before = answers();
      await startMessages(`9199${kill}`);
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
      await eventually('some answers to leave', async () => answers() > before + 10 || null, 60_000);
      await service.end('SIGKILL');
      // The leases of the killed process are over.
      await sql`update chats set leased_until = '-infinity' where leased_until > 'epoch'`.execute(
        database.db,
      );
      await sql`update chat_messages set due_at = 'epoch' where state = 'sending'`.execute(database.db);
      await sql`update campaign_messages set due_at = 'epoch' where state = 'sending'`.execute(database.db);
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
      240_000,
    );
    expect(
      await one(sql`select count(*)::int as messages from chat_messages where role = 'customer'`),
    ).toEqual({ messages: all });
    const customers = fake.accepted.filter((message) => !toContact(message)).map(({ to }) => to);
    expect(new Set(customers).size).toBe(all);
    expect(customers).toHaveLength(all);

    const ended = await eventually(
      'every message of the campaigns to end',
      async () => {
        const found = await one(sql`
        select count(*) filter (where status in ('registered', 'retry', 'ongoing'))::int as open,
          count(*) filter (where status = 'completed')::int as completed,
          count(*) filter (where sub_status = 'UNKNOWN_AFTER_CRASH')::int as unknown from campaign_messages`);
        return found.open === 0 ? found : null;
      },
      120_000,
    );
    // A contact that WhatsApp never heard of stays unknown; no contact gets two messages.
    const reached = fake.accepted.filter(toContact).map(({ to }) => to);
    expect(new Set(reached).size).toBe(reached.length);
    expect(ended).toEqual({
      open: 0,
      completed: reached.length,
      unknown: KILLS * CONTACTS - reached.length,
    });
  },
);
