import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { createAgent, place, subscribe, whenCall, whenOver } from '../helpers/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts';

/** Values that nobody else would write, by where they enter the program. */
const CANARY = {
  apiKey: 'cw_live_canarykeycanarykeycanarykey1',
  wrongKey: 'cw_live_wrongcanarywrongcanarywrong1',
  calleeName: 'Zebulon Quixworth',
  calleeNumber: '+14155559317',
  callerNumber: '+14155558264',
  argument: 'argcanary-5551',
  prompt: 'Quillfeather',
  introMessage: 'Marmaduke',
  hookHeader: 'Bearer hookcanary77',
  hookToken: 'urlcanary88',
  trunkPassword: 'trunkcanary99',
  ownerPassword: 'ownercanary66',
  ownerEmail: 'canary.owner@example.com',
  badBody: 'bodycanary44',
  secretKey: 'sealcanarysealcanarysealcanaryseal',
};

let database: TestDatabase;
let receiver: WebhookReceiver;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  // The first answer makes the program report a failed delivery.
  receiver = await startWebhookReceiver((n) => (n === 1 ? 500 : 200));
  service = await startService({
    key: CANARY.apiKey,
    env: {
      DATABASE_URL: database.url,
      SAFE_FETCH_ALLOW: '127.0.0.1',
      LOG_LEVEL: 'trace',
      SECRET_KEY: CANARY.secretKey,
    },
    provision: {
      trunks: [{ name: 'away', uri: 'sip:127.0.0.1:9', username: 'u', password: CANARY.trunkPassword }],
      workspaces: [
        {
          name: 'Test',
          api_key: CANARY.apiKey,
          credits: 1000,
          owner: { email: CANARY.ownerEmail, password: CANARY.ownerPassword },
          numbers: [{ number: CANARY.callerNumber, trunk: 'test' }],
        },
      ],
    },
  });
});
afterAll(async () => {
  await service?.dispose();
  await receiver?.close();
  await database?.close();
});

it('nothing personal and no secret is in what the program prints, even at its most talkative', async () => {
  const agentId = await createAgent(service, {
    introduction_and_objective: `You are ${CANARY.prompt} of Riverside Dental.`,
    intro_message: `Hello, this is ${CANARY.introMessage}.`,
    task: '1. Ask "Can you make it, {{pet}}?"\n2. Say goodbye.',
    custom_variables: ['pet'],
  });
  await subscribe(service, agentId, `${receiver.url}?token=${CANARY.hookToken}`, {
    authorization: CANARY.hookHeader,
  });
  const callId = await place(service, agentId, CANARY.calleeNumber, {
    name: CANARY.calleeName,
    from_number: CANARY.callerNumber,
    custom_args_values: { pet: CANARY.argument },
  });
  await whenCall(service, callId, 'answered', (call) => call.answered_at !== null);
  await whenOver(service, callId);
  await eventually('events', async () =>
    receiver.received.some((e) => e.body?.event_type === 'call_ringing') ? true : null,
  );
  // What goes wrong is reported too: a wrong key, a body that is none, a number that is none, a busy one.
  const raw = (headers: Record<string, string>, body: string): Promise<Response> =>
    fetch(`${service.url}/api/v0/calling/outbound/individual`, { method: 'POST', headers, body });
  expect((await raw({ 'x-api-key': CANARY.wrongKey }, '')).status).toBe(401);
  const json = { 'x-api-key': CANARY.apiKey, 'content-type': 'application/json' };
  expect((await raw(json, `{"name": "${CANARY.badBody}`)).status).toBe(400);
  expect((await raw(json, JSON.stringify({ mobile_number: CANARY.badBody }))).status).toBe(422);
  await whenOver(
    service,
    await place(service, agentId, '+14155550002', {
      name: CANARY.calleeName,
      from_number: CANARY.callerNumber,
      custom_args_values: { pet: CANARY.argument },
      call_config: { call_retry_config: { retry_count: 0 } },
    }),
  );
  expect(await service.end()).toBe(0);

  const output = service.output();
  expect(output).toContain('Callwright is ready.');
  const found = Object.entries(CANARY).filter(([, value]) =>
    output.includes(value.replace(/^\+|^Bearer /, '')),
  );
  expect(found).toEqual([]);
});
