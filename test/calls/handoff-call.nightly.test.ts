import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAgent, place, provisionWith, whenOver } from '../helpers/service/scenario.ts';
import { startService, type Service } from '../helpers/service/service.ts';
import { edit } from '../helpers/sip/phone-service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ provision: provisionWith({}) });
});
afterAll(() => service?.dispose());

it('a call goes on with the other agent, whose replies name it, and whose flow ends the call', async () => {
  const voices = await service.request('GET', '/api/v0/agent/voices?language=en-US');
  const billing = await createAgent(service, {
    agent_name: 'Billing',
    intro_message: 'This is billing.',
    voice_id: voices.body.voices.at(-1).id,
  });
  const end = { id: 'bye', type: 'end', say: 'All is paid. Goodbye.' };
  await edit(service, billing, 'edit_flow', { flow: { start: 'bye', nodes: [end] } });
  const desk = await createAgent(service, {});
  const handoff = { id: 'billing', type: 'handoff', agent_id: billing, say: 'My colleague takes over.' };
  await edit(service, desk, 'edit_flow', { flow: { start: 'billing', nodes: [handoff] } });
  const call = await whenOver(service, await place(service, desk, '+14155550123'), 100_000);
  expect(call).toMatchObject({ call_status: 'completed', call_sub_status: 'AGENT_ENDED', agent_id: desk });
  const replies = call.transcript.filter(({ role }: { role: string }) => role === 'agent');
  const said = replies.map(({ text, agent }: { text: string; agent: { agent_name: string } | null }) => [
    text,
    agent?.agent_name ?? null,
  ]);
  expect(said.slice(-2)).toEqual([
    ['My colleague takes over.', null],
    ['This is billing. All is paid. Goodbye.', 'Billing'],
  ]);
  const [first, second] = call.agents;
  expect([first.agent_id, second.agent_id, second.agent_name]).toEqual([desk, billing, 'Billing']);
  const whole = (of: (agent: { held_seconds: number; call_cost: number }) => number): number =>
    Math.round(1e6 * of(first)) + Math.round(1e6 * of(second));
  expect(whole((agent) => agent.held_seconds)).toBe(Math.round(1e6 * call.call_duration));
  expect(whole((agent) => agent.call_cost)).toBe(Math.round(1e6 * call.call_cost));
  expect(second.vendors.map(({ part }: { part: string }) => part)).toContain('tts');
  expect(replies.at(-1).agent).toEqual({ agent_id: billing, agent_name: 'Billing' });
}, 240_000);
