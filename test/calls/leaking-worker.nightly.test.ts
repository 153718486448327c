import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import type { Mishap } from '../helpers/service/kill-threads.ts';
import { createAgent, place, provisionWith, whenCall, whenOver } from '../helpers/service/scenario.ts';
import { eventually, startService, type Service } from '../helpers/service/service.ts';
import { startLoggingCarrier, type LoggingCarrier } from '../helpers/sip/logging-carrier.ts';

let database: TestDatabase;
let carrier: LoggingCarrier;
let media: Socket;
let service: Service;
beforeAll(async () => {
  database = await createTestDatabase();
  media = createSocket('udp4');
  media.bind(0, '127.0.0.1');
  await once(media, 'listening');
  carrier = await startLoggingCarrier(() => 'talking', media.address().port);
  service = await startService({
    program: 'test/helpers/service/kill-threads.ts',
    env: {
      DATABASE_URL: database.url,
      CALL_WORKERS: '2',
      CALL_WORKER_HEAP_MB: '128',
      PROBED_PROVIDERS: JSON.stringify({ vad: 'light', stt: 'fake', tts: 'fake:ttsMs=20', llm: 'fake' }),
    },
    provision: provisionWith({
      trunks: [{ name: 'carrier', uri: `sip:127.0.0.1:${carrier.port};transport=udp` }],
      trunk: 'carrier',
    }),
  });
});
afterAll(async () => {
  await service?.dispose();
  await carrier?.close();
  media?.close();
  await database?.close();
});

async function talking(agentId: string, number: string): Promise<string> {
  const call = await place(service, agentId, number);
  await whenCall(service, call, 'answered', ({ answered_at }) => answered_at !== null);
  return call;
}

it('a call worker that leaks until its heap is full ends its own calls, and those of the other worker go on', async () => {
  const agentId = await createAgent(service, { call_config: { idle_timeout_warning: 0 } });
  const calls: string[] = [];
  // Each goes to the worker with fewer calls: two on each.
  for (const last of [1, 2, 3, 4]) calls.push(await talking(agentId, `+1212555000${last}`));

  service.child.send({ threads: 'call-worker-0', does: 'leak' } satisfies Mishap);
  const ended = await eventually('the calls of the leaking worker to end', async () => {
    const rows = await database.db.selectFrom('calls').select(['id', 'status']).execute();
    const over = rows.filter(({ status }) => status !== 'ongoing');
    return over.length >= 2 ? over.map(({ id }) => id) : null;
  });
  for (const call of ended) {
    expect(await whenOver(service, call)).toMatchObject({ failure: { code: 'WORKER_MEMORY' } });
  }

  // Another worker takes the place, and takes calls.
  const next = await talking(agentId, '+12125550005');
  const others = calls.filter((call) => !ended.includes(call));
  expect([ended.length, others.length]).toEqual([2, 2]);
  for (const call of [...others, next]) {
    expect((await service.request('POST', `/api/v0/calling/${call}/hangup`, {})).status).toBe(200);
    expect(await whenOver(service, call)).toMatchObject({
      call_sub_status: 'USER_TERMINATED',
      failure: null,
    });
  }
  await expect.poll(() => service.output()).toContain('a call worker ended; it is restarted');
  // The new worker may still be starting.
  await expect.poll(async () => (await service.request('GET', '/readyz')).status).toBe(200);
});
