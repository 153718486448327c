import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({
    provision: provisionWith({}),
    // Nothing listens there.
    env: { STT_PROVIDER: 'vosk', VOSK_BASE_URL: 'http://127.0.0.1:1' },
  });
});
afterAll(() => service?.dispose());

it('a recogniser that failed in three calls is named by each of them, by the readiness and in the log', async () => {
  const agentId = await createAgent(service, { task: '1. Thank them and say goodbye.' });
  const placed = await Promise.all([1, 2, 3].map(() => place(service, agentId, '+14155550123')));
  const calls = await Promise.all(placed.map((callId) => whenOver(service, callId, 100_000)));
  for (const call of calls)
    expect(call.vendor_faults).toContainEqual(
      expect.objectContaining({ part: 'stt', vendor: 'vosk', effect: 'switched' }),
    );
  const answer = await fetch(`${service.url}/readyz`);
  const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean; detail?: string }[] };
  expect([answer.status, checks.find(({ name }) => name === 'recognisers')]).toEqual([
    200,
    {
      name: 'recognisers',
      ok: true,
      detail: expect.stringMatching(
        /^recogniser vosk failed in each of its last 3 calls: .+; callwright doctor tries it$/,
      ),
    },
  ]);
  const lines = (): string[] => service.output().split('\n');
  await expect
    .poll(() => lines().filter((line) => line.includes('a recogniser fails in every call')))
    .toHaveLength(1);
}, 240_000);
