import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forgetOldAnswers } from '../../src/domain/idempotency.ts';
import { stepErasure } from '../../src/domain/privacy/erase-numbers.ts';
import { sweepRetention } from '../../src/domain/privacy/retention.ts';
import { PrivacyWorker } from '../../src/jobs/privacy-worker.ts';
import { newId } from '../../src/shared/ids.ts';
import { silentLog } from '../../src/shared/log.ts';
import type { CallStatus, Schema } from '../../src/store/schema.ts';
import { createTenant, createTestAgent, createTestApi, type Tenant, type TestApi } from '../helpers/api.ts';
import { uploadList } from '../helpers/contact-list.ts';
import { eventually } from '../helpers/service.ts';

const PERSON = '+14155551234';
const OTHER = '+14155555678';
/** What only this person's calls hold, wherever it is copied to. */
const CANARIES = [
  'Zebulon',
  'petcanary',
  'saidcanary',
  'toolcanary',
  'analysiscanary',
  'answercanary',
  PERSON,
];

let api: TestApi;
let tenant: Tenant;
let agent: { agentId: string; versionId: string };
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api, { unlimited: true });
  agent = await createTestAgent(api, tenant);
});
afterAll(() => api?.close());
const workers: PrivacyWorker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

interface Made {
  id: string;
  workspaceId: string;
}

/** A call as a whole life leaves it: record, recording of two attempts, events, deliveries, a kept answer. */
async function made(
  options: {
    number?: string;
    inbound?: boolean;
    status?: CallStatus;
    endedAt?: number;
    tenant?: Tenant;
    callback?: boolean;
  } = {},
): Promise<Made> {
  const { number = PERSON, inbound = false, status = 'completed', tenant: who = tenant } = options;
  const id = newId();
  const workspaceId = who.workspaceId;
  const at = new Date(options.endedAt ?? api.clock.now());
  const [from, to] = inbound ? [number, '+14155550100'] : ['+14155550100', number];
  await api.db
    .insertInto('calls')
    .values({
      workspace_id: workspaceId,
      id,
      agent_id: agent.agentId,
      version_id: agent.versionId,
      call_type: inbound ? 'inbound' : 'outbound',
      from_number: from,
      to_number: to,
      callee_name: 'Zebulon',
      args: JSON.stringify({ pet: 'petcanary' }),
      callback: options.callback === true ? JSON.stringify({ url: 'http://x.test/?q=petcanary' }) : null,
      status,
      sub_status: 'AGENT_ENDED',
      attempt: 2,
      dialed_at: at,
      cost: 2_000_000,
      created_at: at,
      updated_at: at,
      ended_at: status === 'ongoing' ? null : at,
      duration_ms: 60_000,
    })
    .execute();
  await api.db
    .insertInto('call_attempts')
    .values(
      [1, 2].map((attempt) => ({
        workspace_id: workspaceId,
        call_id: id,
        attempt,
        node_id: newId(),
        status: 'ended' as const,
        claimed_at: at,
        to_number: inbound ? null : number,
        cost: 1_000_000,
      })),
    )
    .execute();
  const path = (attempt: number): string => `${workspaceId}/${id}-${attempt}.wav`;
  await api.db
    .insertInto('call_records')
    .values({
      workspace_id: workspaceId,
      call_id: id,
      transcript: JSON.stringify([{ role: 'caller', text: 'saidcanary', startedAt: at.getTime() }]),
      tool_log: JSON.stringify([{ name: 'x', args: { v: 'toolcanary' }, result: null, at: 1 }]),
      latency: '[]',
      platform_analysis: JSON.stringify({ summary: 'analysiscanary' }),
      client_analysis: JSON.stringify({ pet: 'petcanary' }),
      recording_path: path(2),
      recording_state: 'stored',
      recording_ms: 60_000,
      recording_bytes: 1000,
      updated_at: at,
    })
    .execute();
  await api.db
    .insertInto('recording_files')
    .values(
      [1, 2].map((attempt) => ({
        workspace_id: workspaceId,
        call_id: id,
        attempt,
        path: path(attempt),
        state: 'kept' as const,
        due_at: at,
        created_at: at,
      })),
    )
    .execute();
  const body = {
    call_id: id,
    call_type: inbound ? 'inbound' : 'outbound',
    from_number: from,
    to_number: to,
    custom_args_values: { pet: 'petcanary' },
    transcript: [{ user: 'saidcanary' }],
    tool_call_logs: [{ args: 'toolcanary' }],
    platform_analysis: { summary: 'analysiscanary' },
    client_analysis: { pet: 'petcanary' },
    recording_url: 'http://x/recordings/x.wav',
    call_cost: 2,
    status,
  };
  for (const [n, state] of (['delivered', 'due'] as const).entries()) {
    const eventId = newId();
    const { seq } = await api.db
      .insertInto('events')
      .values({
        workspace_id: workspaceId,
        id: eventId,
        call_id: id,
        dedup: `event ${n}`,
        event_type: 'call_completed',
        body: JSON.stringify(body),
        occurred_at: at,
      })
      .returning('seq')
      .executeTakeFirstOrThrow();
    await api.db
      .insertInto('deliveries')
      .values({
        workspace_id: workspaceId,
        id: newId(),
        event_id: eventId,
        call_id: id,
        event_seq: seq,
        event_type: 'call_completed',
        target: 'POST http://x.test/?q=petcanary',
        host: 'x.test',
        url: 'http://x.test/?q=petcanary',
        method: 'POST',
        headers: '{}',
        state,
        due_at: at,
        attempts: JSON.stringify([{ attempt: 1, status: 500, body: 'answercanary' }]),
        created_at: at,
      })
      .execute();
  }
  await api.db
    .insertInto('idempotency_keys')
    .values({
      workspace_id: workspaceId,
      key: id,
      route: 'POST /api/v0/calling/outbound/individual',
      body_hash: 'x',
      status: 200,
      response: JSON.stringify({
        data: { call_id: id, custom_args_values: { pet: 'petcanary', mobile_number: number } },
      }),
      created_at: at,
    })
    .execute();
  return { id, workspaceId };
}

const TABLES = [
  'calls',
  'call_attempts',
  'call_records',
  'events',
  'deliveries',
  'idempotency_keys',
] as const;
/** Everything the database holds about a call, as text. */
async function everything(call: Made): Promise<string> {
  const found: unknown[] = [];
  for (const table of TABLES) {
    const rows: object[] = await api.db
      .selectFrom(table as keyof Schema)
      .selectAll()
      .execute();
    found.push(rows.filter((row) => JSON.stringify(row).includes(call.id)));
  }
  return JSON.stringify(found);
}
const found = async (call: Made, canaries = CANARIES): Promise<string[]> => {
  const text = await everything(call);
  return canaries.filter((canary) => text.includes(canary));
};
const detailsOf = async (call: Made, key = tenant.key): Promise<any> =>
  (await api.request('GET', `/api/v0/calling/call-details?id=${call.id}&send_analysis=true`, { key })).body[
    'data'
  ];
const filesOf = (call: Made) =>
  api.db
    .selectFrom('recording_files')
    .select(['attempt', 'state'])
    .where('call_id', '=', call.id)
    .orderBy('attempt')
    .execute();
const erase = (id: string, key: string | null = tenant.key) =>
  api.request('DELETE', `/api/v0/calling/${id}/data`, { key });
const eraseNumbers = (numbers: unknown, headers: Record<string, string> = {}) =>
  api.request('POST', '/api/v0/calling/erase', {
    key: tenant.key,
    body: { mobile_numbers: numbers },
    headers,
  });
const sweepAll = async (): Promise<void> => {
  while (await stepErasure(api)) {
    // Until nothing is due.
  }
};

describe('DELETE /calling/{call_id}/data', () => {
  it('leaves nothing of the person in any table, and the call in history and sums', async () => {
    const call = await made();
    const untouched = await made({ number: OTHER });
    expect(await found(call)).toEqual(CANARIES);
    const answer = await erase(call.id);
    expect(answer).toMatchObject({ status: 200, body: { call_id: call.id } });

    // The receiver of a delivery still due is told at its own address; its query may be what leads it there.
    const text = (await everything(call)).replaceAll('http://x.test/?q=petcanary', '');
    expect(CANARIES.filter((canary) => text.includes(canary))).toEqual([]);
    expect(await detailsOf(call)).toMatchObject({
      call_status: 'completed',
      call_cost: 2,
      call_duration: 60,
      callee_name: '',
      custom_args_values: {},
      from_number: '+14155550100',
      to_number: '+1**********',
      transcription_url: null,
      recording_url: null,
      tool_call_logs: [],
    });
    expect(await detailsOf(call)).not.toHaveProperty('platform_analysis');
    expect(await filesOf(call)).toEqual([
      { attempt: 1, state: 'delete' },
      { attempt: 2, state: 'delete' },
    ]);
    expect(await found(untouched, CANARIES.slice(0, 6))).toEqual(CANARIES.slice(0, 6));
    expect((await filesOf(untouched)).map(({ state }) => state)).toEqual(['kept', 'kept']);
  });

  it('keeps events for their receivers, in their shape', async () => {
    const call = await made();
    await erase(call.id);
    const events = await api.db.selectFrom('events').select('body').where('call_id', '=', call.id).execute();
    expect(events).toHaveLength(2);
    for (const { body } of events) {
      expect(body).toEqual({
        call_id: call.id,
        call_type: 'outbound',
        from_number: '+14155550100',
        to_number: '+1**********',
        custom_args_values: {},
        transcript: [],
        tool_call_logs: [],
        platform_analysis: null,
        client_analysis: null,
        recording_url: null,
        call_cost: 2,
        status: 'completed',
        erased: true,
      });
    }
    const states = await api.db
      .selectFrom('deliveries')
      .select(['state', 'attempts'])
      .where('call_id', '=', call.id)
      .execute();
    expect(states.map(({ state }) => state).toSorted()).toEqual(['delivered', 'due']);
    for (const { attempts } of states) expect(attempts).toEqual([{ attempt: 1, status: 500 }]);
  });

  it("strips what a call's own receiver was addressed with", async () => {
    const call = await made({ callback: true });
    await erase(call.id);
    const rows = await api.db
      .selectFrom('deliveries')
      .select(['state', 'url', 'target'])
      .where('call_id', '=', call.id)
      .execute();
    const delivered = rows.find(({ state }) => state === 'delivered');
    expect(delivered?.url).toBe('http://x.test/');
    expect(delivered?.target).not.toContain('petcanary');
  });

  it('cuts the address of a receiver still to be told when it was told', async () => {
    const call = await made({ callback: true });
    await erase(call.id);
    const due = () =>
      api.db
        .selectFrom('deliveries')
        .select(['state', 'url', 'headers'])
        .where('call_id', '=', call.id)
        .where('finished_at', 'is not', null)
        .execute();
    await api.db
      .updateTable('deliveries')
      .set({ state: 'dead', finished_at: new Date(api.clock.now()) })
      .where('call_id', '=', call.id)
      .where('state', '=', 'due')
      .execute();
    expect(await due()).toEqual([{ state: 'dead', url: 'http://x.test/', headers: {} }]);
  });

  it('masks the caller of an inbound call', async () => {
    const call = await made({ inbound: true });
    await erase(call.id);
    expect(await detailsOf(call)).toMatchObject({ from_number: '+1**********', to_number: '+14155550100' });
    expect((await everything(call)).includes(PERSON)).toBe(false);
  });

  it('again changes nothing more, and nobody writes into an erased record', async () => {
    const call = await made();
    await erase(call.id);
    const before = await everything(call);
    api.clock.advance(1000);
    expect((await erase(call.id)).status).toBe(200);
    const stamps = /"(updated_at|erased_at)":"[^"]*"/g;
    expect((await everything(call)).replace(stamps, '')).toBe(before.replace(stamps, ''));
    await api.db
      .updateTable('call_records')
      .set({ transcript: '[{"text":"saidcanary"}]', platform_analysis: '{"summary":"analysiscanary"}' })
      .where('call_id', '=', call.id)
      .execute();
    expect(await found(call, ['saidcanary', 'analysiscanary'])).toEqual([]);
  });

  it.each(['ongoing', 'registered', 'retry'] as const)('is refused while the call is %s', async (status) => {
    const call = await made({ status });
    expect(await erase(call.id)).toMatchObject({ status: 409, body: { code: 'CALL_NOT_ENDED' } });
    expect(await found(call, ['saidcanary'])).toEqual(['saidcanary']);
  });

  it('answers 401, and the same 404 for what is not there and what is not theirs', async () => {
    const stranger = await createTenant(api);
    const call = await made();
    expect((await erase(call.id, null)).status).toBe(401);
    const theirs = await erase(call.id, stranger.key);
    const absent = await erase(newId(), stranger.key);
    const malformed = await erase('nothing', stranger.key);
    for (const answer of [theirs, absent, malformed]) {
      expect(answer).toMatchObject({ status: 404, body: { message: 'Call not found' } });
    }
    expect(await found(call, ['saidcanary'])).toEqual(['saidcanary']);
  });
});

describe('POST /calling/erase', () => {
  it('erases every call to and from the numbers, whichever process goes on with it', async () => {
    const number = '+14155552222';
    const calls = [await made({ number }), await made({ number, inbound: true }), await made({ number })];
    const others = [await made({ number: OTHER }), await made({ number, tenant: await createTenant(api) })];
    const answer = await eraseNumbers([number, number]);
    expect(answer).toMatchObject({ status: 200, body: { cancelled_count: 0 } });
    const id = answer.body['erasure_id'] as string;
    const status = () => api.request('GET', `/api/v0/calling/erase/${id}`, { key: tenant.key });
    expect((await status()).body).toMatchObject({ status: 'running', erased_calls: 0, done_at: null });
    for (const worker of [0, 1]) {
      workers.push(new PrivacyWorker({ db: api.db, clock: api.clock, log: silentLog, pollMs: 10 + worker }));
    }
    for (const worker of workers) worker.start();
    await eventually('the walk to end', async () => {
      api.clock.advance(5000);
      return (await status()).body['status'] === 'done' ? true : null;
    });
    expect((await status()).body).toMatchObject({ erased_calls: 3, waiting_calls: 0 });
    for (const call of calls) expect(await found(call, ['saidcanary', number])).toEqual([]);
    for (const call of others) expect(await found(call, ['saidcanary'])).toEqual(['saidcanary']);
    const row = await api.db
      .selectFrom('erasures')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.mobile_numbers).toEqual([]);
    const other = await createTenant(api);
    const foreign = await api.request('GET', `/api/v0/calling/erase/${id}`, { key: other.key });
    expect(foreign).toMatchObject({ status: 404, body: { message: 'Erasure not found' } });
  });

  it('cancels queued calls at once and waits for live ones', async () => {
    const number = '+14155553333';
    const live = await made({ number, status: 'ongoing' });
    const queued = await made({ number, status: 'registered' });
    const answer = await eraseNumbers([number]);
    expect(answer.body).toMatchObject({ cancelled_count: 1 });
    expect(await detailsOf(queued)).toMatchObject({ call_status: 'cancelled' });
    await sweepAll();
    const id = answer.body['erasure_id'] as string;
    const status = () => api.request('GET', `/api/v0/calling/erase/${id}`, { key: tenant.key });
    expect((await status()).body).toMatchObject({ status: 'running', erased_calls: 1, waiting_calls: 1 });
    expect(await found(queued, ['saidcanary', number])).toEqual([]);
    expect(await found(live, ['saidcanary'])).toEqual(['saidcanary']);
    await api.db.updateTable('calls').set({ status: 'completed' }).where('id', '=', live.id).execute();
    api.clock.advance(5000);
    await sweepAll();
    expect((await status()).body).toMatchObject({ status: 'done', erased_calls: 2, waiting_calls: 0 });
    expect(await found(live, ['saidcanary', number])).toEqual([]);
  });

  it('goes on from where it was when the process died between two steps', async () => {
    const number = '+14155554444';
    const first = await made({ number });
    const { body } = await eraseNumbers([number]);
    await stepErasure(api);
    expect(await found(first, ['saidcanary'])).toEqual([]);
    const row = () =>
      api.db
        .selectFrom('erasures')
        .select(['after_call', 'walked', 'state'])
        .where('id', '=', body['erasure_id'] as string)
        .executeTakeFirstOrThrow();
    expect(await row()).toMatchObject({ walked: false, state: 'due' });
    expect((await row()).after_call).not.toBeNull();
    await sweepAll();
    expect(await row()).toMatchObject({ walked: true, state: 'done' });
  });

  it('waits for lists that were handed in before, and cancels and erases what becomes of them', async () => {
    const number = '+14155555555';
    const csv = 'mobile_number,callee_name\n+14155555555,Zebulon\n(415) 555-5555,Zebulon\n415,Other\n';
    const fields = { agent_id: agent.agentId, country_code: '+1', remove_invalid_rows: 'true' };
    const taken = await uploadList(api, 'upload-csv', tenant.key, { file: csv, fields });
    const list = taken.body['list_id'] as string;
    const { body } = await eraseNumbers([number]);
    const status = async () =>
      (await api.request('GET', `/api/v0/calling/erase/${body['erasure_id'] as string}`, { key: tenant.key }))
        .body;
    await sweepAll();
    expect(await status()).toMatchObject({ status: 'running', erased_calls: 0 });

    api.clock.advance(1000);
    const task = { workspaceId: tenant.workspaceId, uploadId: list, at: api.clock.now(), request: null };
    expect(await api.importer.run(task)).toMatchObject({ kind: 'done' });
    // Made afterwards, and no matter of what was asked before.
    const later = await made({ number, endedAt: api.clock.now() });
    for (let step = 0; step < 3; step += 1) {
      api.clock.advance(5000);
      await sweepAll();
    }
    expect(await status()).toMatchObject({ status: 'done', erased_calls: 1 });
    const contacts = await api.db
      .selectFrom('calls')
      .select(['to_number', 'callee_name', 'status', 'sub_status'])
      .where('lane_id', '=', list)
      .execute();
    expect(contacts).toEqual([
      { to_number: '+1**********', callee_name: '', status: 'cancelled', sub_status: 'USER_TERMINATED' },
    ]);
    const upload = await api.request('GET', `/api/v0/campaign/upload-status/${list}`, { key: tenant.key });
    expect(upload.body['invalid_rows']).toMatchObject([{ row: 3, value: '415' }]);
    const rejects = await api.request(
      'GET',
      new URL(String(upload.body['invalidated_rows_csv_url'])).pathname,
    );
    expect(rejects.text).not.toContain('Zebulon');
    expect(rejects.text).toContain('Other');
    expect(await found(later, ['saidcanary'])).toEqual(['saidcanary']);
  });

  it('does not wait for a list whose request died', async () => {
    const at = new Date(api.clock.now());
    await api.db
      .insertInto('campaign_uploads')
      .values({
        workspace_id: tenant.workspaceId,
        id: newId(),
        flow: 'save',
        state: 'receiving',
        beat_at: at,
        created_at: at,
      })
      .execute();
    const { body } = await eraseNumbers(['+14155556666']);
    const state = async () =>
      (await api.request('GET', `/api/v0/calling/erase/${body['erasure_id'] as string}`, { key: tenant.key }))
        .body['status'];
    await sweepAll();
    expect(await state()).toBe('running');
    for (let step = 0; step < 3; step += 1) {
      api.clock.advance(600_000);
      await sweepAll();
    }
    expect(await state()).toBe('done');
  });

  it('is done once under one Idempotency-Key, and refuses what are no numbers', async () => {
    const key = { 'idempotency-key': newId() };
    const one = await eraseNumbers([OTHER], key);
    const again = await eraseNumbers([OTHER], key);
    expect(again.body['erasure_id']).toBe(one.body['erasure_id']);
    expect(again.headers['idempotency-replayed']).toBe('true');
    for (const wrong of [
      [],
      ['4155551234'],
      [''],
      'x',
      undefined,
      Array.from({ length: 101 }, () => OTHER),
    ]) {
      expect((await eraseNumbers(wrong)).status).toBe(422);
    }
    await sweepAll();
  });
});

describe('answers kept', () => {
  it('are deleted when nobody can ask for them any more', async () => {
    const keys = () => api.db.selectFrom('idempotency_keys').select('key').execute();
    await eraseNumbers([OTHER], { 'idempotency-key': 'an old one' });
    api.clock.advance(86_400_000);
    await eraseNumbers([OTHER], { 'idempotency-key': 'a new one' });
    await forgetOldAnswers(api);
    expect((await keys()).map(({ key }) => key).slice(-2)).toContain('an old one');
    api.clock.advance(1);
    await forgetOldAnswers(api);
    expect((await keys()).map(({ key }) => key)).toEqual(['a new one']);
    await sweepAll();
  });
});

describe('the table of places', () => {
  it('has every table of the database', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
      api.db,
    );
    const text = await readFile(new URL('../../docs/records.md', import.meta.url), 'utf8');
    const missing = rows.filter(({ name }) => !text.includes(`\`${name}\``));
    expect(missing).toEqual([]);
    expect(rows.length).toBeGreaterThan(35);
  });
});

describe('retention', () => {
  const DAY = 86_400_000;
  const path = '/api/v0/workspace/retention';

  it('is read and changed rule by rule', async () => {
    const who = await createTenant(api, { settings: { allow_premium_numbers: true } });
    const get = () => api.request('GET', path, { key: who.key });
    const set = (body: unknown) => api.request('PATCH', path, { key: who.key, body });
    const none = { recording_days: null, transcript_days: null, audit_days: null };
    expect((await get()).body).toEqual(none);
    expect((await set({ recording_days: 30 })).body).toEqual({ ...none, recording_days: 30 });
    expect((await set({ transcript_days: 90, audit_days: 400 })).body).toEqual({
      recording_days: 30,
      transcript_days: 90,
      audit_days: 400,
    });
    expect((await set({ recording_days: null })).body).toMatchObject({ recording_days: null });
    for (const wrong of [
      {},
      { recording_days: 0 },
      { recording_days: 1.5 },
      { days: 3 },
      { audit_days: 'x' },
    ]) {
      expect((await set(wrong)).status).toBe(422);
    }
    expect((await get()).body).toEqual({ recording_days: null, transcript_days: 90, audit_days: 400 });
    const { settings } = await api.db
      .selectFrom('workspaces')
      .select('settings')
      .where('id', '=', who.workspaceId)
      .executeTakeFirstOrThrow();
    expect(settings).toMatchObject({ allow_premium_numbers: true });
  });

  it('deletes what is over, in batches, and nothing of others', async () => {
    const who = await createTenant(api);
    const now = api.clock.now();
    // Ids carry their time: these calls were made, and ended, when they say.
    const aged = async (days: number): Promise<Made> => {
      const call = await made({ tenant: who, endedAt: now - days * DAY });
      const id = `${(now - days * DAY).toString(16).padStart(12, '0')}${call.id.replaceAll('-', '').slice(12)}`;
      const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
      for (const table of ['call_records', 'recording_files', 'events', 'deliveries'] as const) {
        await api.db.updateTable(table).set({ call_id: uuid }).where('call_id', '=', call.id).execute();
      }
      await api.db.updateTable('calls').set({ id: uuid }).where('id', '=', call.id).execute();
      return { ...call, id: uuid };
    };
    const [fresh, month, year] = [await aged(5), await aged(40), await aged(400)];
    const elsewhere = await made({ endedAt: now - 400 * DAY });
    await api.request('PATCH', path, { key: who.key, body: { recording_days: 30, transcript_days: 90 } });
    expect(await sweepRetention(api)).toMatchObject({ recordings: 2, transcripts: 1 });
    expect(await sweepRetention(api)).toEqual({ recordings: 0, transcripts: 0, audit: 0 });

    expect((await filesOf(fresh)).map(({ state }) => state)).toEqual(['kept', 'kept']);
    for (const call of [month, year]) {
      expect((await filesOf(call)).map(({ state }) => state)).toEqual(['delete', 'delete']);
      expect((await detailsOf(call, who.key)).recording_url).toBeNull();
    }
    for (const call of [fresh, month]) expect(await found(call, ['saidcanary'])).toEqual(['saidcanary']);
    const said = ['saidcanary', 'toolcanary', 'analysiscanary', 'answercanary'];
    expect(await found(year, said)).toEqual([]);
    // Whom it was with and how it was paid stays until it is erased.
    expect(await detailsOf(year, who.key)).toMatchObject({ to_number: PERSON, call_cost: 2 });
    expect(await found(elsewhere, ['saidcanary'])).toEqual(['saidcanary']);
  });
});
