import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { runReplay } from '../../../src/cli/replay.ts';
import { newId } from '../../../src/shared/ids.ts';
import { findEventLog } from '../../../src/store/calls/records.ts';
import { firstDifference, readLog } from '@callwright/turns';
import { createTenant } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';
import { packedFixture } from '../../helpers/sip/replays.ts';
import { conversationResult, settlingOfFile } from '../../helpers/calls/settling-node.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

const insertTalk = async (fixture: string | null): Promise<string> => {
  const at = new Date(reader.api.clock.now());
  const id = await reader.insertCall({ ended_at: at });
  await reader.api.db
    .insertInto('call_records')
    .values({
      workspace_id: reader.tenant.workspaceId,
      call_id: id,
      transcript: '[]',
      event_log: fixture === null ? null : packedFixture(fixture),
      updated_at: at,
    })
    .execute();
  return id;
};
const logOfCall = (id: string) => findEventLog(reader.api.db, reader.tenant.workspaceId, id);

describe('the settlement', () => {
  const settling = settlingOfFile();

  it('stores the event log of the conversation', async () => {
    const call = await settling.answered();
    const packed = packedFixture('booking');
    await settling.settle(call, { result: conversationResult({ eventLog: packed.toString('base64') }) });
    expect(await findEventLog(settling.ground.db, call.workspaceId, call.callId)).toEqual(packed);
  });

  it('stores none for a conversation that a crash cut off', async () => {
    const call = await settling.answered();
    await settling.settle(call, { end: { kind: 'crashed' } });
    expect(await findEventLog(settling.ground.db, call.workspaceId, call.callId)).toBe(null);
  });
});

describe('GET /calling/replay', () => {
  it('returns the time line, and that the replay decides the same', async () => {
    const { status, body } = await reader.get(`/api/v0/calling/replay?id=${await insertTalk('booking')}`);
    expect(status).toBe(200);
    expect(body['data']).toMatchObject({
      cut_after_seconds: null,
      decides_the_same: true,
      first_difference: null,
      time_line: expect.arrayContaining([
        { seconds: 0, source: 'call', text: 'the call is answered' },
        { seconds: 4.5, source: 'caller', text: 'is understood: "yes"' },
        { seconds: 6.98, source: 'call', text: 'the agent hangs up: AGENT_ENDED' },
      ]),
    });
    expect(body['data']).not.toHaveProperty('log');
  });

  it('returns how the flow of the agent moved', async () => {
    const lines = gunzipSync(packedFixture('booking')).toString().split('\n');
    const at = lines.findIndex((line) => line.includes('"type":"reply_done"'));
    const moved = lines[at]!.replace(
      '"type":"reply_done"',
      '"type":"reply_done","steps":["day → slot (default)"]',
    );
    const id = await insertTalk(null);
    await reader.api.db
      .updateTable('call_records')
      .set({ event_log: gzipSync(lines.with(at, moved).join('\n')) })
      .where('call_id', '=', id)
      .execute();
    const { body } = await reader.get(`/api/v0/calling/replay?id=${id}`);
    const [ms] = JSON.parse(moved) as [number];
    expect(body['data']).toMatchObject({
      flow_steps: [{ seconds: ms / 1000, from: 'day', to: 'slot', by: 'default' }],
    });
  });

  it('adds the event log with send_log', async () => {
    const { body } = await reader.get(
      `/api/v0/calling/replay?send_log=true&id=${await insertTalk('hidden-keys')}`,
    );
    const { log } = body['data'] as { log: string };
    expect(readLog(log).entries.length).toBeGreaterThan(10);
    expect(firstDifference(readLog(log))).toBe(null);
  });

  it('returns 404 for an unknown call, a call without a log, and a call of another workspace', async () => {
    const without = await reader.get(`/api/v0/calling/replay?id=${await insertTalk(null)}`);
    expect([without.status, without.body['code']]).toEqual([404, 'EVENT_LOG_NOT_FOUND']);
    const unknown = await reader.get(`/api/v0/calling/replay?id=${newId()}`);
    expect([unknown.status, unknown.body['code']]).toEqual([404, 'CALL_NOT_FOUND']);
    const { key } = await createTenant(reader.api);
    const path = `/api/v0/calling/replay?id=${await insertTalk('booking')}`;
    expect((await reader.get(path, { key })).body['code']).toBe('CALL_NOT_FOUND');
  });

  it('is audited like reading the transcript', async () => {
    const id = await insertTalk('booking');
    await reader.get(`/api/v0/calling/replay?id=${id}`);
    const logged = async (): Promise<unknown> => {
      const { rows } = await sql<{ action: string }>`
        select action from audit_log where objects ->> 'call_id' = ${id}`.execute(reader.api.db);
      return rows;
    };
    await expect.poll(logged).toEqual([{ action: 'replayCall' }]);
  });
});

describe('the event log of a call', () => {
  it('is erased with the personal data, and cannot be written again', async () => {
    const id = await insertTalk('booking');
    const erased = await reader.api.request('DELETE', `/api/v0/calling/${id}/data`, {
      key: reader.tenant.key,
    });
    expect(erased.status).toBe(200);
    expect(await logOfCall(id)).toBe(null);
    await reader.api.db
      .updateTable('call_records')
      .set({ event_log: packedFixture('booking') })
      .where('call_id', '=', id)
      .execute();
    expect(await logOfCall(id)).toBe(null);
  });
});

describe('callwright replay', () => {
  let folder: string;
  let url: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'callwright-replay-'));
    await reader.api.server.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(reader.api.server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  afterEach(() => void vi.restoreAllMocks());

  /** Runs the command; returns its exit code and output. */
  async function run(call: string, file?: string, more: Partial<Parameters<typeof runReplay>[2]> = {}) {
    const lines: string[] = [];
    for (const method of ['log', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((line: string) => void lines.push(line));
    const code = await runReplay(call, file, {
      url,
      key: reader.tenant.key,
      save: file !== undefined,
      words: false,
      ...more,
    });
    return { code, text: lines.join('\n') };
  }

  it('prints the time line of a call and that every decision is the same', async () => {
    const { code, text } = await run(await insertTalk('interruption'));
    expect(text).toContain('caller  is understood: "friday please"');
    expect(text).toMatch(/ 0:\d\d\.\d{3} {2}agent {3}stops speaking/);
    expect(text).toMatch(/All decisions on \d+ events are the same\.$/);
    expect(code).toBe(0);
  });

  it('saves a fixture without words, or with them, which replays from the file', async () => {
    const call = await insertTalk('interruption');
    const masked = join(folder, 'masked.jsonl');
    const whole = join(folder, 'whole.jsonl');
    expect((await run(call, masked)).text).toContain('without personal words');
    expect((await run(call, whole, { words: true })).text).toContain('treat the file like a transcript');
    const [without, withWords] = [await readFile(masked, 'utf8'), await readFile(whole, 'utf8')];
    expect([without.includes('Friday'), withWords.includes('Friday')]).toEqual([false, true]);
    for (const file of [masked, whole]) expect(await run(file)).toMatchObject({ code: 0 });
  });

  it('names the first different decision, with exit code 1', async () => {
    const path = join(folder, 'changed.jsonl');
    await run(await insertTalk('booking'), path, { words: true });
    await writeFile(path, (await readFile(path, 'utf8')).replace('"completeMs":280', '"completeMs":900'));
    const { code, text } = await run(path);
    expect(text).toMatch(
      /The first different decision is at 0:02\.\d{3}, on the event wake:\n {2}call {4}release\n {2}replay {2}nothing$/,
    );
    expect(code).toBe(1);
  });

  it('says what is missing: the key, the call, a readable log', async () => {
    expect(await run(newId(), undefined, { key: undefined })).toMatchObject({
      code: 2,
      text: expect.stringContaining('No API key'),
    });
    expect(await run(newId())).toEqual({ code: 1, text: '404: Call not found' });
    expect((await run(join(folder, 'none.jsonl'))).code).toBe(1);
  });
});
