import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportHistory } from '../../src/domain/calls/history.ts';
import { historyCsv } from '../../src/http/calls/history-csv.ts';
import { newId } from '../../src/shared/ids.ts';
import {
  createTenant,
  createTestAgent,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../helpers/api/api.ts';
import { openTestLinks } from '../helpers/database/links.ts';
import { eventually } from '../helpers/service/service.ts';

let api: TestApi;
let tenant: Tenant;
let agentId: string;
beforeAll(async () => {
  api = await createTestApi();
  tenant = await createTenant(api, { unlimited: true });
  ({ agentId } = await createTestAgent(api, tenant));
  await api.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => api.close());

const EVERYTHING = {
  campaignId: null,
  agentId: null,
  status: null,
  callType: null,
  fromNumber: null,
  toNumber: null,
  result: null,
  finding: null,
  followedUp: null,
  dialled: null,
  since: null,
  before: null,
};
const download = (body?: unknown, key = tenant.key): Promise<Answer> =>
  api.request('POST', '/api/v0/calling/history/download', { key, ...(body === undefined ? {} : { body }) });
const place = async (change: Record<string, unknown> = {}, who = tenant): Promise<string> => {
  api.clock.advance(1000);
  const answer = await api.request('POST', '/api/v0/calling/outbound/individual', {
    key: who.key,
    body: {
      name: 'P',
      mobile_number: '+14155550002',
      agent_id: agentId,
      from_number_id: who.numberId,
      ...change,
    },
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.body['data'] as { call_id: string }).call_id;
};
const rowsOf = (answer: Answer): string[][] =>
  answer.text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.split(','));
const columnOf = (answer: Answer, column: string): string[] => {
  const [header = [], ...rows] = rowsOf(answer);
  return rows.map((row) => row[header.indexOf(column)] ?? '');
};
const leases = () => api.db.selectFrom('history_exports').selectAll().execute();
const released = async (): Promise<void> => {
  while ((await leases()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
};
/** Inserts many calls as copies of one. */
async function copy(callId: string, count: number): Promise<void> {
  const row = await api.db.selectFrom('calls').selectAll().where('id', '=', callId).executeTakeFirstOrThrow();
  const copies = Array.from({ length: count }, () => ({
    ...row,
    id: newId(),
    args: JSON.stringify(row.args),
    call_config: null,
    callback: null,
  }));
  for (let at = 0; at < count; at += 1000) {
    await api.db
      .insertInto('calls')
      .values(copies.slice(at, at + 1000))
      .execute();
  }
}

describe('POST /calling/history/download', () => {
  it('streams matching calls as CSV, newest first', async () => {
    const first = await place({ name: '=HYPERLINK("x")' });
    const second = await place({ mobile_number: '+14155550003', custom_args_values: { day: 'a, "b"' } });
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="call-history-2026-01-05.csv"',
      'cache-control': 'no-store',
    });
    expect(columnOf(answer, 'call_id')).toEqual([second, first]);
    expect(columnOf(answer, 'to_number')).toEqual(['+14155550003', '+14155550002']);
    expect(columnOf(answer, 'from_number')).toEqual([tenant.number, tenant.number]);
    expect(answer.text).toContain(`"'=HYPERLINK(""x"")"`);
    expect(answer.text).toContain('""day"":""a, \\""b\\""""');
    await released();
    for (const [filter, expected] of [
      [{ to_number: '+14155550003' }, [second]],
      [{ agent_id: agentId, status: 'registered', call_type: 'outbound' }, [second, first]],
      [{ from_number: '+1' }, []],
      [{ status: 'completed' }, []],
      [{ start_date: new Date(api.clock.now()).toISOString() }, [second]],
      [{ end_date: new Date(api.clock.now() - 1).toISOString() }, [first]],
      [{ start_date: '2026-01-05', end_date: '2026-01-05' }, [second, first]],
      [{ agent_id: newId() }, []],
      [{ bulk_list_id: 'x' }, []],
    ] as const) {
      expect(columnOf(await download(filter), 'call_id')).toEqual(expected);
      await released();
    }
  });

  it('adds the analyses with send_analysis', async () => {
    const who = await createTenant(api, { unlimited: true });
    const own = await createTestAgent(api, who);
    const [without, with_] = [
      await place({ agent_id: own.agentId }, who),
      await place({ agent_id: own.agentId }, who),
    ];
    await api.db
      .insertInto('call_records')
      .values({
        workspace_id: who.workspaceId,
        call_id: with_,
        platform_analysis: JSON.stringify({
          status: 'analyzed',
          summary: '=cmd()',
          key_points: ['one', 'two'],
          callback_requested: false,
          callback_requested_time: null,
        }),
        client_analysis: JSON.stringify({ pet: 'cat' }),
        updated_at: new Date(api.clock.now()),
      })
      .execute();
    const plain = await download({}, who.key);
    expect(rowsOf(plain)[0]).not.toContain('analysis_summary');
    await released();
    const answer = await download({ send_analysis: true }, who.key);
    expect(columnOf(answer, 'call_id')).toEqual([with_, without]);
    const [header, newest, oldest] = answer.text.split('\r\n');
    expect(header).toMatch(
      /,analysis_status,analysis_summary,analysis_classification,.*,analysis_call_disconnect_reason,client_analysis$/,
    );
    expect(newest).toMatch(/,analyzed,'=cmd\(\),,,"one; two",,false,,,"\{""pet"":""cat""\}"$/);
    expect(oldest).toMatch(/",,,,,,,,,,,,$/);
    await released();
  });

  it('exports each of many calls exactly once', async () => {
    const many = await createTenant(api, { unlimited: true });
    const own = await createTestAgent(api, many);
    const id = await place({ agent_id: own.agentId }, many);
    // Equal timestamps: only the ids order the calls.
    await copy(id, 1300);
    const ids = columnOf(await download(undefined, many.key), 'call_id');
    expect(ids).toHaveLength(1301);
    expect(new Set(ids).size).toBe(1301);
    expect([...ids].sort().toReversed()).toEqual(ids);
    await released();
  });

  it('uses constant memory for 200,000 calls', async () => {
    const many = await createTenant(api, { unlimited: true });
    const own = await createTestAgent(api, many);
    const id = await place({ agent_id: own.agentId }, many);
    const columns = Object.keys(
      await api.db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    );
    const others = sql.raw(columns.filter((name) => name !== 'id').join(', '));
    for (let batch = 0; batch < 10; batch += 1) {
      const first = batch * 20_000 + 1;
      await sql`insert into calls (id, ${others}) select md5(n::text)::uuid, ${others} from calls,
        generate_series(${first}::int, ${Math.min(first + 19_999, 199_999)}::int) n where id = ${id}`.execute(
        api.db,
      );
    }
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heapMb = (): number => {
      collect();
      return process.memoryUsage().heapUsed / 1_048_576;
    };
    const filter = EVERYTHING;
    const link = await openTestLinks(api.clock);
    const deps = { db: api.db, clock: api.clock, link };
    const { pieces, release } = await exportHistory(deps, many.workspaceId, filter, true);
    let [rows, bytes, largest, atFirst, mostMb] = [-1, 0, 0, 0, 0];
    for await (const piece of historyCsv(pieces, true)) {
      const lines = piece.split('\r\n').length - 1;
      rows += lines;
      bytes += piece.length;
      largest = Math.max(largest, lines);
      if (rows === 5000) atFirst = heapMb();
      if (rows % 50_000 === 0) mostMb = Math.max(mostMb, heapMb());
    }
    await release();
    expect(rows).toBe(200_000);
    expect(bytes).toBeGreaterThan(40_000_000);
    expect(largest).toBeLessThanOrEqual(500);
    expect(mostMb - atFirst).toBeLessThan(8);
  }, 240_000);

  it('answers 409 while the same filters of a workspace are exported', async () => {
    const stranger = await createTenant(api);
    const { port } = api.server.server.address() as AddressInfo;
    const busy = await createTenant(api, { unlimited: true });
    const own = await createTestAgent(api, busy);
    const long = { name: 'x'.repeat(200), custom_args_values: { note: 'y'.repeat(1000) } };
    await copy(await place({ agent_id: own.agentId, ...long }, busy), 12_000);
    // A client that does not read keeps the export running.
    const running = await fetch(`http://127.0.0.1:${port}/api/v0/calling/history/download`, {
      method: 'POST',
      headers: { 'x-api-key': busy.key },
    });
    expect(running.status).toBe(200);
    const second = await download({}, busy.key);
    expect([second.status, second.body['message']]).toEqual([
      409,
      'The same call history export is already running',
    ]);
    expect((await download({ status: 'completed' }, busy.key)).status).toBe(200);
    expect((await download({ status: 'completed', send_analysis: true }, busy.key)).status).toBe(200);
    expect((await download({}, stranger.key)).status).toBe(200);
    await running.body?.cancel();
    await released();
    expect((await download({ status: 'failed' }, busy.key)).status).toBe(200);
  });

  it('keeps its lease for a paused reader', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const filter = { ...EVERYTHING, toNumber: 'paused' };
      const deps = { db: api.db, clock: api.clock, link: await openTestLinks(api.clock) };
      const { pieces, release } = await exportHistory(deps, tenant.workspaceId, filter);
      api.clock.advance(60_001);
      vi.advanceTimersByTime(15_000);
      await eventually('the beat', async () =>
        (await leases())[0]?.beat_at.getTime() === api.clock.now() ? true : null,
      );
      expect((await download({ to_number: 'paused' })).status).toBe(409);
      for await (const piece of historyCsv(pieces)) expect(piece).toMatch(/^call_id,/);
      await release();
      expect(vi.getTimerCount()).toBe(0);
      expect((await download({ to_number: 'paused' })).status).toBe(200);
      await released();
    } finally {
      vi.useRealTimers();
    }
  });

  it('releases its lease if the client disconnects before the first page', async () => {
    // A lock blocks the query of the first page.
    const [hold, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = api.db.transaction().execute(async (tx) => {
      await sql`lock table call_records in access exclusive mode`.execute(tx);
      held.resolve();
      await hold.promise;
    });
    await held.promise;
    const { port } = api.server.server.address() as AddressInfo;
    const left = new AbortController();
    const running = fetch(`http://127.0.0.1:${port}/api/v0/calling/history/download`, {
      method: 'POST',
      headers: { 'x-api-key': tenant.key },
      signal: left.signal,
    });
    try {
      await eventually('the claim', async () => ((await leases()).length === 1 ? true : null));
    } finally {
      left.abort();
      await expect(running).rejects.toThrow('aborted');
      hold.resolve();
      await lock;
    }
    await eventually('the claim to be free', async () => ((await leases()).length === 0 ? true : null));
    expect((await download()).status).toBe(200);
    await released();
  });

  it('takes over the lease of a dead export', async () => {
    const filter = { ...EVERYTHING, toNumber: 'probe' };
    await api.db
      .insertInto('history_exports')
      .values({
        workspace_id: tenant.workspaceId,
        filter_hash: createHash('sha256').update(JSON.stringify(filter)).digest('hex'),
        token: newId(),
        beat_at: new Date(api.clock.now()),
      })
      .execute();
    expect((await download({ to_number: 'probe' })).status).toBe(409);
    api.clock.advance(60_001);
    expect((await download({ to_number: 'probe' })).status).toBe(200);
    await released();
  });

  it.each<[unknown, string]>([
    [{ status: 'done' }, 'status must be one of'],
    [{ call_type: 'x' }, 'call_type must be one of'],
    [{ start_date: 'x' }, 'start_date must be a date'],
    [{ end_date: '2026-02-30' }, 'end_date must be a date'],
    [{ agent_id: 5 }, 'agent_id must be a string'],
    [[], 'body must be an object'],
  ])('%j answers 422', async (body, message) => {
    const answer = await download(body);
    expect(answer.status).toBe(422);
    expect(String(answer.body['message'])).toContain(message);
    expect(await leases()).toEqual([]);
  });

  it('exports no calls of other workspaces', async () => {
    const stranger = await createTenant(api);
    expect(rowsOf(await download({ agent_id: agentId }, stranger.key))).toHaveLength(1);
  });
});
