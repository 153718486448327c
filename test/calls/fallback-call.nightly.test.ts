import { afterAll, beforeAll, expect, it } from 'vitest';
import { edit } from '../helpers/sip/phone-service.ts';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({
    provision: provisionWith({}),
    // Nothing listens there.
    env: { LLM_PROVIDER: 'openai-compatible', LLM_BASE_URL: 'http://127.0.0.1:1/v1', LLM_MODEL: 'any' },
  });
});
afterAll(() => service?.dispose());

it('a call whose model failed shows the script engine beside its replies, in the metrics and in the log', async () => {
  const agentId = await createAgent(service, {
    task: '1. Ask "Which day would suit you?"\n2. Thank them and say goodbye.',
  });
  await edit(service, agentId, 'edit_llm', {
    llm: { provider: 'default', on_model_failure: 'script' },
  });
  const callId = await place(service, agentId, '+14155550123');
  const call = await whenOver(service, callId, 100_000);
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED' });
  const replies = call.transcript.filter(({ role }: { role: string }) => role === 'agent').slice(1);
  expect(replies.length).toBeGreaterThan(0);
  const script = { engine: 'script', vendor: null, model: null, is_fallback: true };
  for (const reply of replies) expect(reply).toMatchObject(script);
  expect(call.latency.turns.at(-1)).toMatchObject(script);
  expect(call.vendor_faults[0]).toMatchObject({
    part: 'llm',
    vendor: 'openai-compatible',
    effect: 'switched',
  });

  // The figures may be counted after the end of the call is stored.
  const counted = async (): Promise<number> => {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    const found = /^callwright_fallback_replies_total\{channel="call",engine="script"\} (\d+)$/m.exec(
      metrics,
    );
    return Number(found?.[1]);
  };
  await expect.poll(counted).toBe(replies.length);
  const logged = (): string[] =>
    service
      .output()
      .split('\n')
      .filter((line) => line.includes("another engine than the agent's model"));
  await expect.poll(logged).toHaveLength(replies.length);
  expect(logged()[0]).toContain(callId);
}, 240_000);
