import { describe, expect, it } from 'vitest';
import type { CallTools } from '../domain/tools/call-tools.ts';
import type { CallSpec, NextAgent } from '../session/protocol.ts';
import type { VersionConfig } from '../store/json/agent-version.ts';
import { Handovers, type FoundAgent } from '../domain/agents/handovers.ts';
import { ToolUse, type ReadyAgent } from './tool-use.ts';

const BILLING: FoundAgent = { id: 'b', name: 'Billing', config: { language: 'en-US' } as VersionConfig };
const DESK: FoundAgent = { ...BILLING, id: 'd', name: 'Desk' };
const spec = { callId: 'c' } as CallSpec;
/** Tools that only name their agent. */
const toolsOf = (agent: string, closed: string[] = []): CallTools =>
  ({
    log: [],
    callback: null,
    transfer: () => null,
    run: async (name: string) => ({ ok: true, result: `${name} of ${agent}` }),
    close: async () => void closed.push(agent),
  }) as unknown as CallTools;

function agents(found: FoundAgent | null = BILLING, closed: string[] = []) {
  const passed: unknown[] = [];
  const taken: unknown[] = [];
  const handovers = new Handovers<ReadyAgent, NextAgent>({
    first: DESK,
    find: async () => found,
    prepare: async (agent, { variables, returnsTo, again }) => {
      passed.push(variables);
      taken.push([agent.name, returnsTo, again]);
      if (agent.name === 'Broken') return null;
      if (agent.name === 'Lost') throw new Error('no database');
      return { next: { id: agent.id, spec }, tools: toolsOf(agent.name, closed) };
    },
  });
  return { handovers, passed, taken };
}
const named = (name: string): FoundAgent => ({ ...BILLING, name });

describe('the agents that a call is handed over to', () => {
  it('run their own tools from then on, and all are closed at the end', async () => {
    const closed: string[] = [];
    const { handovers, passed } = agents(BILLING, closed);
    const use = new ToolUse({ callback: () => undefined });
    use.setTools(toolsOf('Desk', closed), handovers);
    const run = (name: string, args = {}) => use.use({ name, args, key: 'k' }, null);
    expect(await run('book')).toMatchObject({ result: 'book of Desk' });
    const answer = await run('hand_over', { agent_id: 'b', variables: { invoice: 42, isPaid: true } });
    expect(answer).toEqual({
      ok: true,
      result: { status: 'handed_over', agent_id: 'b', agent_name: 'Billing' },
      next: { id: 'b', spec },
    });
    expect(passed).toEqual([{ invoice: '42', isPaid: 'true' }]);
    expect(await run('book')).toMatchObject({ result: 'book of Billing' });
    use.close();
    expect(closed).toEqual(['Desk', 'Billing']);
  });

  it.each([
    [
      'is archived or of another workspace',
      null,
      'agent_id is no agent of this workspace, or it is archived',
    ],
    ['cannot be prepared', named('Broken'), 'Broken could not be prepared'],
    ['cannot be read', named('Lost'), 'the agent could not be read'],
  ])('are refused with the reason when the agent %s', async (_why, found, error) => {
    const { ready, answer } = await agents(found).handovers.handOver({ agent_id: 'b' });
    expect([ready, answer]).toEqual([null, { ok: false, result: { error } }]);
  });

  it('give the conversation back to the agent before, which counts as no handover', async () => {
    const { handovers, taken } = agents();
    for (let round = 0; round < 10; round += 1) {
      const there = await handovers.handOver({ agent_id: 'b', back: true });
      expect(there.answer.result).toMatchObject({ status: 'handed_over' });
      const back = await handovers.handOver({ comes_back: true });
      expect(back.answer.result).toEqual({ status: 'came_back', agent_id: 'd', agent_name: 'Desk' });
    }
    expect(taken.slice(0, 2)).toEqual([
      ['Billing', 'Desk', null],
      ['Desk', null, 'first'],
    ]);
    const eleventh = await handovers.handOver({ agent_id: 'b', back: true });
    expect(eleventh.answer.result).toEqual({ error: 'a conversation has at most 10 handovers' });
    const between = agents();
    await between.handovers.handOver({ agent_id: 'b' });
    await between.handovers.handOver({ agent_id: 'c', back: true });
    await between.handovers.handOver({ comes_back: true, agent_id: 'b' });
    expect(between.taken.slice(1)).toEqual([
      ['Billing', 'Billing', null],
      ['Billing', null, 'other'],
    ]);
  });

  it('are prepared once ahead, without a handover, and none that cannot be read', async () => {
    const prepared: string[] = [];
    const parts = (find: () => Promise<FoundAgent | null>) =>
      new Handovers<ReadyAgent, string>({
        first: DESK,
        find,
        prepare: async () => null,
        ahead: async ({ name }) => {
          prepared.push(name);
          return name;
        },
      });
    const known = parts(async () => BILLING);
    expect([await known.ahead('b'), await known.ahead('b')]).toEqual(['Billing', null]);
    expect(await parts(async () => null).ahead('b')).toBeNull();
    expect(await parts(() => Promise.reject(new Error('no database'))).ahead('b')).toBeNull();
    expect(prepared).toEqual(['Billing']);
    expect(await agents().handovers.ahead('b')).toBeNull();
  });

  it('are at most ten in a call', async () => {
    const { handovers } = agents();
    for (let times = 0; times < 10; times += 1) expect((await handovers.handOver({})).answer.ok).toBe(true);
    const { answer } = await handovers.handOver({});
    expect(answer).toEqual({ ok: false, result: { error: 'a conversation has at most 10 handovers' } });
  });

  it('are none for an agent whose flow hands nothing over', async () => {
    const use = new ToolUse({ callback: () => undefined });
    use.setTools(toolsOf('Desk'));
    const answer = await use.use({ name: 'hand_over', args: {}, key: 'k' }, null);
    expect(answer).toEqual({ ok: false, result: { error: 'this call cannot be handed over' } });
  });
});
