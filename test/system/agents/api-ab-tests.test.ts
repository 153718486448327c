import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { takeInbound } from '../../../src/domain/calls/take-inbound.ts';
import { openAgentDesk, split, type AgentDesk, type DeskAbVersion } from '../../helpers/agents/agent-api.ts';
import { createNode } from '../../helpers/database/workspace.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true, agent: { agent_type: 'outbound_inbound' } });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

describe('an A/B test', () => {
  it('returns 422 unless shares sum to 100 and versions are distinct', async () => {
    const second = await desk.create();
    const off = await desk.edit({
      operation: 'set_ab_test',
      versions: [
        { version_id: desk.first, call_traffic: 50 },
        { version_id: second, call_traffic: 49 },
      ],
    });
    expect([off.status, off.body['message']]).toEqual([
      422,
      'versions must have call_traffic that sums to 100 (it is 99)',
    ]);
    const twice = await desk.edit(split(desk.first, desk.first.toUpperCase()));
    expect([twice.status, twice.body['message']]).toEqual([422, 'versions must name each version once']);
  });

  it('splits outbound and inbound calls by weight and reports results per version', async () => {
    const second = await desk.create();
    // A call from before the test does not count.
    await desk.place();
    desk.api.clock.advance(1000);
    expect((await desk.edit(split(desk.first, second, 30))).status).toBe(200);
    const counts = new Map<string, number>();
    const ids: string[] = [];
    for (let i = 0; i < 120; i += 1) {
      const id = await desk.place();
      ids.push(id);
      const version = await desk.versionOf(id);
      counts.set(version, (counts.get(version) ?? 0) + 1);
    }
    // 36 of 120 are expected; five standard deviations are 25.
    expect(counts.get(desk.first)).toBeGreaterThan(11);
    expect(counts.get(desk.first)).toBeLessThan(61);
    expect((counts.get(desk.first) ?? 0) + (counts.get(second) ?? 0)).toBe(120);
    const [a, b] = [ids[0], ids[1]];
    for (const [id, durationMs] of [
      [a, 10_000],
      [b, 25_000],
    ] as const) {
      await desk.api.db
        .updateTable('calls')
        .set({ version_id: second, status: 'completed', answered_at: new Date(), duration_ms: durationMs })
        .where('id', '=', id!)
        .execute();
    }
    for (const [id, analysis] of [
      [a, { status: 'completed', classification: 'Interested' }],
      [b, { status: 'failed', classification: 'Interested' }],
    ] as const) {
      await desk.api.db
        .insertInto('call_records')
        .values({
          workspace_id: desk.tenant.workspaceId,
          call_id: id!,
          transcript: JSON.stringify([]),
          tool_log: JSON.stringify([]),
          platform_analysis: JSON.stringify(analysis),
          updated_at: new Date(),
        })
        .execute();
    }
    const record = await desk.read();
    expect(record.is_ab_live).toBe(true);
    expect(record.ab_versions.map((v) => [v.version_id, v.call_traffic])).toEqual([
      [desk.first, 30],
      [second, 70],
    ]);
    expect(record.ab_versions.reduce((sum, v) => sum + v.calls, 0)).toBe(120);
    expect(record.ab_versions[1]).toMatchObject({
      answered: 2,
      completed: 2,
      average_duration: 17.5,
      classifications: [{ label: 'Interested', calls: 1 }],
    });
    expect(record.ab_versions[0]).toMatchObject({
      answered: 0,
      completed: 0,
      average_duration: null,
      classifications: [],
    });

    await desk.edit({ operation: 'attach_inbound_number', number_id: desk.tenant.numberId });
    const nodeId = await createNode(desk.api.db, 'n', desk.api.clock.now());
    const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
    const inbound = new Set<string>();
    await desk.api.db
      .updateTable('workspaces')
      .set({ call_limit: 1000 })
      .where('id', '=', desk.tenant.workspaceId)
      .execute();
    for (let i = 0; i < 40; i += 1) {
      const decision = await takeInbound(
        { db: desk.api.db, clock: desk.api.clock, rate, nodeId: () => nodeId },
        {
          trunkIds: [desk.tenant.trunkId],
          from: '+12125550000',
          to: desk.tenant.number,
          displayName: null,
          callId: newId(),
          sipCallId: `s${i}`,
        },
      );
      expect(decision).toHaveProperty('taken');
      if ('taken' in decision) inbound.add(await desk.versionOf(decision.taken.callId));
    }
    expect(inbound).toEqual(new Set([desk.first, second]));
    await desk.edit({ operation: 'remove_inbound_number', number_id: desk.tenant.numberId });
  });

  it('applies edits without a version to the live version that was changed last', async () => {
    const second = await desk.create();
    const idle = await desk.create();
    await desk.edit(split(desk.first, second));
    const speed = async (voice_speed: number, version_id?: string): Promise<(number | undefined)[]> => {
      desk.api.clock.advance(1000);
      await desk.edit({
        operation: 'edit_voice_speed',
        voice_speed,
        ...(version_id === undefined ? {} : { version_id }),
      });
      const { version_details: versions } = await desk.read();
      return [desk.first, second, idle].map((id) => versions[id]?.agent_config.voice_speed);
    };
    expect(await speed(1.2)).toEqual([1, 1.2, 1]);
    expect(await speed(1.3, desk.first)).toEqual([1.3, 1.2, 1]);
    expect(await speed(1.4, idle)).toEqual([1.3, 1.2, 1.4]);
    expect(await speed(1.5)).toEqual([1.5, 1.2, 1.4]);
  });

  it('keeps an active version among the live ones, and ends on activate_version', async () => {
    const second = await desk.create();
    const third = await desk.create();
    await desk.edit(split(second, third, 20));
    expect(await desk.read()).toMatchObject({ is_ab_live: true, active_agent_version_id: third });
    const listed = await desk.api.request('GET', '/api/v0/agent/all', { key: desk.tenant.key });
    const agents = (listed.body['data'] as { agents: { id: string; ab_versions: DeskAbVersion[] }[] }).agents;
    expect(agents.find((agent) => agent.id === desk.agentId)?.ab_versions).toHaveLength(2);
    await desk.edit({ operation: 'activate_version', version_id: desk.first });
    expect(await desk.read()).toMatchObject({
      is_ab_live: false,
      active_agent_version_id: desk.first,
      ab_versions: [],
    });
  });
});
