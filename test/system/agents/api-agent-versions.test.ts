import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { openAgentDesk, split, type AgentDesk } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

describe('versions', () => {
  it('are copied, edited separately and activated', async () => {
    await desk.edit({ operation: 'edit_voice_speed', voice_speed: 1.5 });
    const second = await desk.create({ description: 'Slower' });
    await desk.edit({ operation: 'edit_voice_speed', voice_speed: 0.8, version_id: second });
    const before = await desk.read();
    expect(before.active_agent_version_id).toBe(desk.first);
    expect(before.version_details[desk.first]).toMatchObject({
      version_slug: 'v1',
      agent_config: { voice_speed: 1.5 },
    });
    expect(before.version_details[second]).toMatchObject({
      version_slug: 'v2',
      description: 'Slower',
      call_traffic: 0,
      agent_config: { voice_speed: 0.8, intro_message: 'Hello, this is Asha.' },
    });
    expect(await desk.versionOf(await desk.place())).toBe(desk.first);
    expect((await desk.edit({ operation: 'activate_version', version_id: second })).status).toBe(200);
    const after = await desk.read();
    expect(after.active_agent_version_id).toBe(second);
    expect([
      after.version_details[desk.first]?.call_traffic,
      after.version_details[second]?.call_traffic,
    ]).toEqual([0, 100]);
    expect(await desk.versionOf(await desk.place())).toBe(second);
    await desk.edit({ operation: 'edit_voice_speed', voice_speed: 1.1 });
    expect((await desk.read()).version_details[second]?.agent_config.voice_speed).toBe(1.1);
    const third = await desk.create({ version_id: desk.first });
    expect((await desk.read()).version_details[third]).toMatchObject({
      version_slug: 'v3',
      agent_config: { voice_speed: 1.5 },
    });
  });

  it('are at most fifty', async () => {
    for (let i = 1; i < 50; i += 1) await desk.create();
    const answer = await desk.edit({ operation: 'create_version' });
    expect([answer.status, answer.body['code']]).toEqual([400, 'TOO_MANY_VERSIONS']);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ operation: 'activate_version' }, 'version_id is required'],
    [{ operation: 'create_version', description: 5 }, 'description must be a string'],
    [{ operation: 'create_version', description: 'x'.repeat(501) }, 'description must be at most 500'],
    [{ operation: 'set_ab_test' }, 'versions is required'],
    [{ operation: 'set_ab_test', versions: [] }, 'versions must hold at least 2 items'],
    [
      { operation: 'set_ab_test', versions: [{ call_traffic: 50 }, { version_id: 'x', call_traffic: 50 }] },
      'versions[0].version_id is required',
    ],
    [
      { operation: 'set_ab_test', versions: [{ version_id: 'x' }, { version_id: 'y', call_traffic: 50 }] },
      'versions[0].call_traffic is required',
    ],
    [{ ...split('x', 'y', 0) }, 'versions[0].call_traffic must be at least 1'],
    [{ ...split('x', 'y', 2.5) }, 'versions[0].call_traffic must be an integer'],
  ])('%j answers 422', async (body, message) => {
    const answer = await desk.edit(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
  });

  it('of another agent or workspace answer 404', async () => {
    const other = await createTestAgent(desk.api, desk.tenant);
    const stranger = await createTenant(desk.api);
    const theirs = await createTestAgent(desk.api, stranger);
    for (const id of [other.versionId, theirs.versionId, newId(), 'x']) {
      for (const body of [
        { operation: 'activate_version', version_id: id },
        { operation: 'create_version', version_id: id },
        split(desk.first, id),
      ]) {
        const answer = await desk.edit(body);
        expect([answer.status, answer.body['message']]).toEqual([404, 'Agent version not found']);
      }
    }
    expect((await desk.read()).is_ab_live).toBe(false);
  });
});
