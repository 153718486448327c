import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordingPath } from '../../../src/domain/calls/recordings.ts';
import { Disk } from '../../../src/recordings/disk.ts';
import { Recordings } from '../../../src/recordings/recordings.ts';
import { S3 } from '../../../src/recordings/s3.ts';
import { writeWav } from '@callwright/audio';
import { createTenant, createTestAgent, createTestApi, type TestApi } from '../../helpers/api/api.ts';
import { recordingToken } from '../../helpers/database/links.ts';
import { insertLivedCall } from '../../helpers/calls/complete-call.ts';
import { startS3Server, type S3Server } from '../../helpers/recordings/s3-server.ts';

// Range requests for a recording in an object store and for its derived files.
let api: TestApi;
let s3: S3Server;
let root: string;
let recordings: Recordings;
let address: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'callwright-ranges-'));
  s3 = await startS3Server('calls/of-test/');
  const disk = new Disk(root);
  const store = new S3(s3.settings, disk);
  recordings = new Recordings(disk, store);
  api = await createTestApi({ recordings });
  const tenant = await createTenant(api);
  const call = await insertLivedCall(api, tenant, await createTestAgent(api, tenant));
  await api.db
    .updateTable('recording_files')
    .set({ place: 'store' })
    .where('call_id', '=', call.id)
    .execute();
  const pcm = Int16Array.from({ length: 32_000 }, (_, at) => Math.round(8000 * Math.sin(at / 9)));
  const part = await disk.part('a recording');
  await writeFile(part, writeWav({ sampleRate: 8000, channels: 2 }, pcm));
  await store.put(recordingPath(call.workspaceId, call.id, 2), part, 'audio/wav');
  await rm(part);
  const token = recordingToken(call.workspaceId, call.id);
  const url = await api.server.listen({ port: 0, host: '127.0.0.1' });
  address = `${url}/recordings/${token}`;
});
afterAll(async () => {
  await api?.close();
  await recordings?.close();
  await s3?.close();
  await rm(root, { recursive: true });
});

it.each([
  { extension: '.wav', type: 'audio/wav' },
  { extension: '.mp3', type: 'audio/mpeg' },
  { extension: '.peaks.json', type: 'application/json' },
])('$extension is answered by ranges of its bytes', async ({ extension, type }) => {
  const get = async (range?: string) => {
    const response = await fetch(`${address}${extension}`, range === undefined ? {} : { headers: { range } });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      range: response.headers.get('content-range'),
      length: response.headers.get('content-length'),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };
  const whole = await get();
  expect([whole.status, whole.type, whole.length]).toEqual([200, type, String(whole.bytes.length)]);
  const size = whole.bytes.length;
  expect(size).toBeGreaterThan(1000);
  for (const [range, from, to] of [
    ['bytes=0-99', 0, 99],
    ['bytes=700-', 700, size - 1],
    ['bytes=-10', size - 10, size - 1],
    [`bytes=-${size + 5}`, 0, size - 1],
    [`bytes=5-${size + 5}`, 5, size - 1],
    [`bytes=${size - 1}-`, size - 1, size - 1],
  ] as const) {
    const part = await get(range);
    expect([range, part.status, part.type, part.range]).toEqual([
      range,
      206,
      type,
      `bytes ${from}-${to}/${size}`,
    ]);
    expect(part.length).toBe(String(to - from + 1));
    expect(part.bytes.equals(whole.bytes.subarray(from, to + 1))).toBe(true);
  }
  for (const range of [`bytes=${size}-`, 'bytes=-0']) {
    expect(await get(range)).toMatchObject({ status: 416, range: `bytes */${size}` });
  }
});
