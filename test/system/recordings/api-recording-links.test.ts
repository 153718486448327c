import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseCall } from '../../../src/domain/privacy/erase-call.ts';
import { signedName } from '../../../src/domain/links/signed-name.ts';
import { newId } from '../../../src/shared/ids.ts';
import { recordingToken, TEST_LINK_KEY, testToken } from '../../helpers/database/links.ts';
import { insertLivedCall } from '../../helpers/calls/complete-call.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

/** The response to this file name. */
const LIVED = /-\d\.wav$/;
let reader: Reader;
beforeAll(async () => {
  reader = await createReader({
    recordings: {
      open: (path) =>
        Promise.resolve(
          path === 'gone.wav'
            ? null
            : LIVED.test(path)
              ? {
                  bytes: path.length + 2,
                  modifiedAt: new Date('2026-01-05T10:00:00Z'),
                  stream: () => Readable.from([Buffer.from(JSON.stringify(path))]),
                }
              : {
                  bytes: 1000,
                  modifiedAt: new Date('2026-01-05T10:00:00Z'),
                  stream: (start: number, end: number) =>
                    Readable.from([
                      Buffer.from(Array.from({ length: end - start + 1 }, (_, i) => (start + i) % 256)),
                    ]),
                },
        ),
    },
  });
});
afterAll(() => reader.api.close());

describe('GET /recordings/{token}', () => {
  const record = async (recording_path: string, recording_state: string): Promise<string> => {
    const id = await reader.insertCall();
    await reader.api.db
      .insertInto('call_records')
      .values({
        workspace_id: reader.tenant.workspaceId,
        call_id: id,
        recording_path,
        recording_state: recording_state as 'stored',
        updated_at: new Date(0),
      })
      .execute();
    return `/recordings/${recordingToken(reader.tenant.workspaceId, id)}`;
  };

  it('answers range and conditional requests', async () => {
    const path = await record('a.wav', 'stored');
    const whole = await reader.get(`${path}.wav`, { key: null });
    expect([whole.status, whole.headers['content-length'], whole.headers['accept-ranges']]).toEqual([
      200,
      '1000',
      'bytes',
    ]);
    for (const [range, status, contentRange] of [
      ['bytes=0-99', 206, 'bytes 0-99/1000'],
      ['bytes=900-', 206, 'bytes 900-999/1000'],
      ['bytes=-10', 206, 'bytes 990-999/1000'],
      ['bytes=0-99999', 206, 'bytes 0-999/1000'],
      ['bytes=-99999', 206, 'bytes 0-999/1000'],
      ['bytes=1000-', 416, 'bytes */1000'],
      ['bytes=-0', 416, 'bytes */1000'],
      ['bytes=9-5', 200, undefined],
      ['bytes=0-1,5-6', 200, undefined],
      ['items=0-1', 200, undefined],
      ['bytes=-', 200, undefined],
    ] as const) {
      const answer = await reader.get(`${path}.wav`, { key: null, headers: { range } });
      expect([range, answer.status, answer.headers['content-range']]).toEqual([range, status, contentRange]);
    }
    const etag = String(whole.headers['etag']);
    expect((await reader.get(`${path}.wav`, { key: null, headers: { 'if-none-match': etag } })).status).toBe(
      304,
    );
    const changed = await reader.get(`${path}.wav`, {
      key: null,
      headers: { range: 'bytes=0-1', 'if-range': '"other"' },
    });
    expect(changed.status).toBe(200);
    expect((await reader.get(`${path}.mp3`, { key: null })).headers['content-type']).toBe('audio/mpeg');
  });

  it('returns the recording of the signed attempt', async () => {
    const { api, tenant } = reader;
    const call = await insertLivedCall(api, tenant, reader);
    const details = async (): Promise<any> =>
      (await reader.get(`/api/v0/calling/call-details?id=${call.id}`)).body['data'];
    const { recording_url: last, attempts } = await details();
    const urls = attempts.map((attempt: any) => new URL(attempt.recording_url));
    const opened = async (url: URL): Promise<unknown> => {
      const { status, text } = await reader.get(`${url.pathname}${url.search}`, { key: null });
      return status === 200 ? text : status;
    };
    const path = (attempt: number): string => `"${call.workspaceId}/${call.id}-${attempt}.wav"`;
    expect(await Promise.all([...urls, new URL(last)].map(opened))).toEqual([path(1), path(2), path(2)]);
    for (const [address, query] of [
      [urls[0].pathname, ''],
      [urls[0].pathname, '?attempt=2'],
      [new URL(last).pathname, '?attempt=1'],
      [urls[0].pathname, '?attempt=3'],
    ]) {
      expect(await opened(new URL(`${address}${query}`, 'http://x'))).toBe(404);
    }
    const peaks = `/api/v0/calling/${call.id}/recording/peaks`;
    expect((await reader.get(`${peaks}?attempt=1`)).text).toBe(path(1));
    expect((await reader.get(`${peaks}?attempt=0`)).status).toBe(422);
    expect((await reader.get(`${peaks}?attempt=3`)).status).toBe(404);

    await eraseCall(api, tenant.workspaceId, null, call.id);
    expect(await Promise.all(urls.map(opened))).toEqual([404, 404]);
    expect((await details()).attempts.map((attempt: any) => attempt.recording_url)).toEqual([null, null]);
  });

  it('answers 410 for a link that has expired, and 404 for one that was changed', async () => {
    const named = { workspaceId: reader.tenant.workspaceId, id: newId() };
    const expired = signedName(TEST_LINK_KEY, 'recording', named, 1000);
    const answer = await reader.get(`/recordings/${expired}.wav`, { key: null });
    expect([answer.status, answer.body['message']]).toEqual([410, 'The link has ended, fetch a new one']);
    const changed = expired.slice(0, -1) + (expired.endsWith('A') ? 'B' : 'A');
    expect((await reader.get(`/recordings/${changed}.wav`, { key: null })).status).toBe(404);
  });

  it('answers the same 404 for every invalid token', async () => {
    const failed = await record('b.wav', 'failed');
    const gone = await record('gone.wav', 'stored');
    const good = await record('c.wav', 'partial');
    expect((await reader.get(`${good}.wav`, { key: null })).status).toBe(200);
    const forged = `/recordings/${testToken('recording', reader.tenant.workspaceId, newId(), 'other-secret')}.wav`;
    for (const path of [
      `${failed}.wav`,
      `${gone}.wav`,
      forged,
      `${good}.ogg`,
      good,
      '/recordings/x.wav',
      '/recordings/..%2f..%2fetc%2fpasswd.wav',
      `/recordings/${newId()}.wav`,
    ]) {
      const answer = await reader.get(path, { key: null });
      expect([path, answer.status, answer.body['message']]).toEqual([path, 404, 'Recording not found']);
    }
  });
});
