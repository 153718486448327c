import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { diskCheck, DiskWatch } from '../../../src/app/disk-watch.ts';
import { Recorder } from '../../../src/session/recorder.ts';
import { FreeSpace } from '../../../src/shared/free-space.ts';
import { silentLog } from '../../../src/shared/log.ts';
import {
  createTenant,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { formBody } from '../../helpers/api/full-request.ts';

const MB = 1_048_576;
const FLOOR = 512 * MB;

/** A disk that a test fills and empties; each reading is a new one. */
class TestDisk extends FreeSpace {
  free = 10 * FLOOR;

  constructor() {
    let readings = 0;
    super('/', FLOOR, () => (readings += 1_000));
  }

  override bytes(): Promise<number> {
    return Promise.resolve(this.free);
  }
}

let disk: TestDisk;
let folder: string;
let api: TestApi;
let tenant: Tenant;
beforeAll(async () => {
  disk = new TestDisk();
  folder = await mkdtemp(join(tmpdir(), 'callwright-test-'));
  api = await createTestApi({ space: disk });
  tenant = await createTenant(api);
});
beforeEach(() => {
  disk.free = 10 * FLOOR;
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const EDGE = 'edge-of-a-part';
const upload = (path: string, method: 'POST' | 'PATCH' = 'POST'): Promise<Answer> =>
  api.request(method, `/api/v0${path}`, {
    key: tenant.key,
    raw: formBody({ kb_name: 'Terms' }, [path.includes('kb') ? 'files' : 'file', 'a.txt', 'Text.']),
    headers: { 'content-type': `multipart/form-data; boundary=${EDGE}` },
  });
const place = (): Promise<Answer> =>
  api.request('POST', '/api/v0/calling/outbound/individual', { key: tenant.key, body: {} });

describe('a disk below its floor', () => {
  it.each([
    ['a knowledge base', '/external/kb', 'POST'],
    ['a change of one', '/external/kb', 'PATCH'],
    ['a contact list', '/campaign/upload-csv', 'POST'],
    ['a contact list that is imported at once', '/campaign/save', 'POST'],
  ] as const)('refuses %s with 503, and takes it again when space is freed', async (_, path, method) => {
    disk.free = FLOOR;
    expect(await upload(path, method)).toMatchObject({ status: 503, body: { code: 'STORAGE_FULL' } });
    disk.free = FLOOR + 1;
    expect((await upload(path, method)).status).not.toBe(503);
  });

  it('takes calls, chats and changes until a quarter of the floor is left, and then no new calls', async () => {
    disk.free = FLOOR / 4 + 1;
    expect((await place()).status).not.toBe(503);
    disk.free = FLOOR / 4;
    expect(await place()).toMatchObject({ status: 503, body: { code: 'STORAGE_FULL' } });
    for (const path of ['/calling/webcall', '/chat/web']) {
      const opened = await api.request('POST', `/api/v0${path}`, { key: 'a public key', body: {} });
      expect([path, opened.status, opened.body['code']]).toEqual([path, 503, 'STORAGE_FULL']);
    }
    expect((await api.request('GET', '/api/v0/workspace', { key: tenant.key })).status).toBe(200);
  });

  it('ends a recording, and not its call', async () => {
    const failures: string[] = [];
    const record = async (name: string): Promise<boolean> => {
      const recorder = new Recorder(join(folder, name), 8000, (error) => failures.push(error.message), disk);
      recorder.start(0);
      for (let i = 0; i < 300; i += 1) recorder.agent(new Int16Array(160), 160, i * 20);
      return (await recorder.close()).failed;
    };
    disk.free = FLOOR;
    expect(await record('a.wav')).toBe(true);
    disk.free = FLOOR + 1;
    expect(await record('b.wav')).toBe(false);
    expect(failures).toEqual(['the disk is nearly full']);
  });
});

describe('the reserve file', () => {
  const size = async (): Promise<number> =>
    (await stat(join(folder, 'reserve')).catch(() => ({ size: 0 }))).size;
  const watch = (): DiskWatch =>
    new DiskWatch({ space: disk, dataDir: folder, hasReserve: true, log: silentLog, reserveBytes: 2 * MB });

  it('is released when the disk is almost full, and comes back when that would not fill the disk again', async () => {
    const watched = watch();
    await watched.check();
    expect(await size()).toBe(2 * MB);
    disk.free = FLOOR;
    await watched.check();
    expect(await size()).toBe(2 * MB);
    disk.free = FLOOR / 4;
    await watched.check();
    expect(await size()).toBe(0);
    disk.free = 2 * FLOOR;
    await watched.check();
    expect(await size()).toBe(0);
    disk.free = 2 * FLOOR + 2 * MB;
    await watched.check();
    expect(await size()).toBe(2 * MB);
  });

  it.each([
    ['free', []],
    ['low', [true]],
    ['critical', [false]],
  ] as const)('and the state %s of the disk show in the readiness checks', (state, ok) =>
    expect(diskCheck(state).map((check) => check.ok)).toEqual(ok),
  );
});
