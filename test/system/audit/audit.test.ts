import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepRetention } from '../../../src/domain/privacy/retention.ts';
import { newId } from '../../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { makeKey } from '../../helpers/api/principals.ts';
import { recordingToken } from '../../helpers/database/links.ts';
import { insertLivedCall } from '../../helpers/calls/complete-call.ts';
import { eventually } from '../../helpers/service/service.ts';

let api: TestApi;
beforeAll(async () => {
  const file = Buffer.from(`{}${' '.repeat(998)}`);
  const recording = {
    bytes: file.length,
    modifiedAt: new Date(0),
    stream: (start: number, end: number) => Readable.from([file.subarray(start, end + 1)]),
  };
  api = await createTestApi({ recordings: { open: () => Promise.resolve(recording) } });
});
afterAll(() => api?.close());

const log = async (who: Tenant, query = ''): Promise<{ entries: any[]; next_before: string | null }> => {
  const { status, body } = await api.request('GET', `/api/v0/workspace/audit-log${query}`, { key: who.key });
  expect(status).toBe(200);
  return body as never;
};
const placeBody = (who: Tenant, agentId: string, over: object = {}): object => ({
  name: 'Zebulon',
  mobile_number: '+14155550123',
  agent_id: agentId,
  from_number_id: who.numberId,
  custom_args_values: { pet: 'petcanary' },
  ...over,
});

/** The signed URL of a call's recording. */
async function recordingOf(workspaceId: string, callId: string): Promise<string> {
  await api.db
    .insertInto('call_records')
    .values({
      workspace_id: workspaceId,
      call_id: callId,
      recording_path: 'there.wav',
      recording_state: 'stored',
      updated_at: new Date(api.clock.now()),
    })
    .execute();
  return `/recordings/${recordingToken(workspaceId, callId)}.wav`;
}

describe('the audit log', () => {
  it('has actor, action and ids of every change and refusal, and no body', async () => {
    const who = await createTenant(api);
    const { agentId } = await createTestAgent(api, who);
    const post = (body: unknown, headers = {}) =>
      api.request('POST', '/api/v0/calling/outbound/individual', { key: who.key, body, headers });
    const placed = await post(placeBody(who, agentId), { 'x-request-id': 'my-request-1' });
    const callId = (placed.body['data'] as { call_id: string }).call_id;
    expect((await post(placeBody(who, agentId, { mobile_number: 'x' }))).status).toBe(422);
    expect((await post(placeBody(who, newId()))).status).toBe(404);
    await api.request('PATCH', '/api/v0/agent/v1', {
      key: who.key,
      body: { operation: 'edit_intro_message', agent_id: agentId, intro_message: 'introcanary' },
    });
    await api.request('GET', '/api/v0/calling/history', { key: who.key });

    const { entries, next_before: next } = await log(who);
    expect(next).toBeNull();
    expect(entries.map((entry) => [entry.action, entry.status])).toEqual([
      ['editAgent', 200],
      ['placeCall', 404],
      ['placeCall', 422],
      ['placeCall', 200],
      ['createAgent', 200],
    ]);
    expect(entries[3]).toMatchObject({
      actor: { type: 'api_key', name: `cw_live_…${who.key.slice(-4)}` },
      method: 'POST',
      route: '/api/v0/calling/outbound/individual',
      objects: { agent_id: agentId, from_number_id: who.numberId, call_id: callId },
      request_id: 'my-request-1',
      address: '127.0.0.1',
    });
    expect(entries[0].objects).toEqual({ operation: 'edit_intro_message', agent_id: agentId });
    expect(entries[4].objects).toMatchObject({ id: agentId });
    const text = JSON.stringify(entries);
    for (const secret of ['Zebulon', 'petcanary', 'introcanary', '+14155550123', who.key]) {
      expect(text).not.toContain(secret);
    }
  });

  it('is filtered and paged, and has entries of the key’s workspace only', async () => {
    const who = await createTenant(api);
    const other = await createTenant(api);
    for (let at = 0; at < 5; at += 1) {
      api.clock.advance(60_000);
      await createTestAgent(api, who);
    }
    const all = await log(who);
    expect(all.entries).toHaveLength(5);
    const first = await log(who, '?limit=2');
    const second = await log(who, `?limit=2&before=${first.next_before}`);
    const third = await log(who, `?limit=2&before=${second.next_before}`);
    expect([...first.entries, ...second.entries, ...third.entries]).toEqual(all.entries);
    expect(third.next_before).toBeNull();
    const [newest] = all.entries;
    expect((await log(who, `?object_id=${newest.objects.id}`)).entries).toEqual([newest]);
    expect((await log(who, `?request_id=${newest.request_id}`)).entries).toEqual([newest]);
    expect((await log(who, '?action=createAgent')).entries).toHaveLength(5);
    expect((await log(who, '?action=placeCall')).entries).toEqual([]);
    const since = encodeURIComponent(newest.at);
    expect((await log(who, `?start_date=${since}`)).entries).toEqual([newest]);
    expect((await log(who, `?actor=${encodeURIComponent(newest.actor.name)}`)).entries).toHaveLength(5);
    expect((await log(other)).entries).toEqual([]);
    const refused = async (query: string): Promise<number> =>
      (await api.request('GET', `/api/v0/workspace/audit-log?${query}`, { key: who.key })).status;
    expect(await refused('limit=201')).toBe(400);
    expect(await refused('limit=0')).toBe(422);
    expect(await refused('before=x')).toBe(422);
    expect(await refused('start_date=x')).toBe(422);
    expect((await api.request('GET', '/api/v0/workspace/audit-log')).status).toBe(401);
  });

  it('has entries for reads of the signing secret and of reports', async () => {
    const who = await createTenant(api);
    const { body } = await api.request('GET', '/api/v0/webhooks/signing-secret', { key: who.key });
    const campaign = newId();
    await api.request('GET', `/api/v0/campaign/${campaign}/report`, { key: who.key });
    await api.request('GET', '/api/v0/workspace', { key: who.key });
    const { entries } = await log(who);
    expect(entries.map((entry) => [entry.action, entry.status, entry.objects])).toEqual([
      ['reportCampaign', 404, { campaign_id: campaign }],
      ['getSigningSecret', 200, {}],
    ]);
    const secrets = JSON.stringify(body).match(/whsec_[\w+/=-]+/g) ?? [];
    expect(secrets).not.toEqual([]);
    for (const secret of secrets) expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it('has one entry a minute for the playback of a recording', async () => {
    const who = await createTenant(api);
    const callId = newId();
    const url = await recordingOf(who.workspaceId, callId);
    await api.request('GET', url);
    api.clock.advance(59_000);
    await api.request('GET', url, { headers: { range: 'bytes=0-99' } });
    api.clock.advance(1000);
    await api.request('GET', url, { headers: { range: 'bytes=0-99' } });
    await api.request('GET', url, { headers: { range: 'bytes=100-199' } });
    await api.request('GET', `/api/v0/calling/${callId}/recording/peaks`, { key: who.key });
    await api.request('GET', url.replace('/recordings/A', '/recordings/B'));
    const { entries } = await log(who);
    expect(entries.map((entry) => [entry.action, entry.actor.type, entry.objects])).toEqual([
      ['getRecordingPeaks', 'api_key', { call_id: callId, format: 'peaks' }],
      ['getRecording', 'signed_link', { call_id: callId, format: 'wav' }],
      ['getRecording', 'signed_link', { call_id: callId, format: 'wav' }],
    ]);
  });

  it('names the objects of its entries, as far as the reader may read them', async () => {
    const who = await createTenant(api);
    const agent = await createTestAgent(api, who);
    const call = await insertLivedCall(api, who, agent);
    const url = `/recordings/${recordingToken(who.workspaceId, call.id)}.wav`;
    expect((await api.request('GET', url)).status).toBe(200);
    const names = async (key: string): Promise<unknown> =>
      (await api.request('GET', '/api/v0/workspace/audit-log', { key })).body['names'];
    expect(await names(who.key)).toEqual({ [agent.agentId]: 'Reminder', [call.id]: 'Zebulon' });
    const keyOf = async (...scopes: string[]): Promise<string> => (await makeKey(api, who, scopes)).key;
    expect(await names(await keyOf('audit:read'))).toEqual({});
    expect(await names(await keyOf('audit:read', 'agents:read'))).toEqual({ [agent.agentId]: 'Reminder' });
    // An id of another workspace has no name here.
    const other = await createTenant(api);
    await api.request('GET', `/api/v0/campaign/${call.id}/report`, { key: other.key });
    expect((await log(other)).entries).toHaveLength(1);
    expect(await names(other.key)).toEqual({});
    await api.db
      .updateTable('calls')
      .set({ callee_name: '', to_number: '+1415•••0123' })
      .where('id', '=', call.id)
      .execute();
    expect(await names(who.key)).toMatchObject({ [call.id]: '+1415•••0123' });
  });

  it('has one entry per call, reader and minute for reads of a transcript, behind the answer', async () => {
    const who = await createTenant(api);
    const agent = await createTestAgent(api, who);
    const call = await insertLivedCall(api, who, agent);
    const read = async (): Promise<void> => {
      const answer = await api.request('GET', `/api/v0/calling/call-details?id=${call.id}`, { key: who.key });
      expect((answer.body['data'] as { transcription_url: unknown }).transcription_url).not.toBeNull();
    };
    const reads = async (): Promise<any[]> =>
      (await log(who)).entries.filter(({ action }) => action === 'getCall');
    const readsOf = (count: number) =>
      eventually(`${count} entries`, async () => ((await reads()).length === count ? await reads() : null));
    await read();
    await read();
    expect(await readsOf(1)).toMatchObject([{ actor: { type: 'api_key' }, objects: { call_id: call.id } }]);
    api.clock.advance(60_000);
    await Promise.all(Array.from({ length: 20 }, read));
    await readsOf(2);
    // A queued call has no transcript.
    const placed = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: who.key,
      body: placeBody(who, agent.agentId),
    });
    const { call_id: queued } = placed.body['data'] as { call_id: string };
    await api.request('GET', `/api/v0/calling/call-details?id=${queued}`, { key: who.key });
    // Another entry is inserted behind this one.
    await api.request('GET', await recordingOf(who.workspaceId, newId()));
    expect(await reads()).toHaveLength(2);
  });

  it.each<[string, Record<string, string>, number]>([
    ['bytes=1-', {}, 206],
    ['bytes=5-6,0-', {}, 200],
    ['bytes=5-', { 'if-range': 'another' }, 200],
    ['bytes=9-5', {}, 200],
    ['bytes=-50', {}, 206],
    ['Bytes=5-', {}, 200],
  ])('has an entry for range %s of a recording', async (range, others, status) => {
    const who = await createTenant(api);
    const callId = newId();
    const url = await recordingOf(who.workspaceId, callId);
    const options = { headers: { range, ...others } };
    expect((await api.request('GET', url, options)).status).toBe(status);
    expect((await log(who)).entries).toHaveLength(1);
    api.clock.advance(60_000);
    await api.request('GET', url, options);
    // Later parts count as the same playback for an hour.
    expect((await log(who)).entries).toHaveLength(status === 200 ? 2 : 1);
    expect((await api.request('GET', url, { headers: { range: 'bytes=999999-' } })).status).toBe(416);
    expect((await log(who)).entries).toHaveLength(status === 200 ? 2 : 1);
  });

  it('commits the entry of an erasure with the erasure', async () => {
    const who = await createTenant(api);
    const body = { mobile_numbers: ['+14155550123'] };
    const answer = await api.request('POST', '/api/v0/calling/erase', { key: who.key, body });
    const { entries } = await log(who);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      action: 'eraseNumbers',
      objects: { erasure_id: answer.body['erasure_id'] },
    });
    await sql`alter table audit_log add constraint no_more check (action <> 'setRetention') not valid`.execute(
      api.db,
    );
    try {
      const path = '/api/v0/workspace/retention';
      const refused = await api.request('PATCH', path, { key: who.key, body: { audit_days: 5 } });
      expect(refused.status).toBe(500);
      expect((await api.request('GET', path, { key: who.key })).body).toMatchObject({ audit_days: null });
    } finally {
      await sql`alter table audit_log drop constraint no_more`.execute(api.db);
    }
  });

  it('has one entry, with the id, for an erasure that cancels calls first', async () => {
    const who = await createTenant(api);
    const { agentId } = await createTestAgent(api, who);
    const queued = await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: who.key,
      body: placeBody(who, agentId),
    });
    expect(queued.status).toBe(200);
    const body = { mobile_numbers: ['+14155550123'] };
    const answer = await api.request('POST', '/api/v0/calling/erase', { key: who.key, body });
    expect(answer.body).toMatchObject({ cancelled_count: 1 });
    const { entries } = await log(who, '?action=eraseNumbers');
    expect(entries.map((entry) => [entry.status, entry.objects])).toEqual([
      [200, { erasure_id: answer.body['erasure_id'] }],
    ]);
  });

  it('has entries for the change and for the failure of a partially failed request', async () => {
    const who = await createTenant(api);
    const { agentId } = await createTestAgent(api, who);
    await api.request('POST', '/api/v0/calling/outbound/individual', {
      key: who.key,
      body: placeBody(who, agentId),
    });
    await sql`alter table erasures add constraint none check (false) not valid`.execute(api.db);
    try {
      const body = { mobile_numbers: ['+14155550123'] };
      const answer = await api.request('POST', '/api/v0/calling/erase', { key: who.key, body });
      expect(answer.status).toBe(500);
    } finally {
      await sql`alter table erasures drop constraint none`.execute(api.db);
    }
    const { entries } = await log(who, '?action=eraseNumbers');
    expect(entries.map((entry) => entry.status)).toEqual([500, 200]);
  });

  it('does not block a refusal when its entry cannot be inserted', async () => {
    const who = await createTenant(api);
    await sql`alter table audit_log add constraint none check (action <> 'createAgent') not valid`.execute(
      api.db,
    );
    try {
      const refused = await api.request('POST', '/api/v0/public/agent', { key: who.key, body: {} });
      expect(refused.status).toBe(422);
    } finally {
      await sql`alter table audit_log drop constraint none`.execute(api.db);
    }
    await createTestAgent(api, who);
    expect((await log(who)).entries).toHaveLength(1);
  });

  it('is append-only; only retention deletes entries', async () => {
    const who = await createTenant(api);
    await createTestAgent(api, who);
    const rows = (): Promise<number> => log(who).then(({ entries }) => entries.length);
    const final = 'the audit log is append-only';
    await expect(api.db.updateTable('audit_log').set({ actor: 'x' }).execute()).rejects.toThrow(final);
    await expect(api.db.deleteFrom('audit_log').execute()).rejects.toThrow(final);
    await expect(sql`truncate audit_log`.execute(api.db)).rejects.toThrow(final);
    const body = { audit_days: 30 };
    await api.request('PATCH', '/api/v0/workspace/retention', { key: who.key, body });
    expect(await rows()).toBe(2);
    await sweepRetention(api);
    expect(await rows()).toBe(2);
    const later = { now: () => Date.now() + 31 * 86_400_000, monotonic: () => 0 };
    await sweepRetention({ db: api.db, clock: later });
    expect(await rows()).toBe(0);
  });
});
