import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalModels } from '../../../src/app/local-models.ts';
import { WORK } from '../../../src/offline/models/get.ts';
import { takeFolder } from '../../../src/shared/folder-lock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { makeOperator } from '../../../src/store/tenants/users.ts';
import {
  createTenant,
  createTestApi,
  type Answer,
  type Tenant,
  type TestApi,
} from '../../helpers/api/api.ts';
import { signedIn, type Browser } from '../../helpers/browser/browser.ts';
import { startFileServer, type FileServer } from '../../helpers/models/file-server.ts';
import { smallModel } from '../../helpers/models/small-model.ts';

const NET = 'n'.repeat(300_000);
const MODELS = '/api/v0/workspace/models';

let api: TestApi;
let tenant: Tenant;
let operator: Browser;
let server: FileServer;
let models: LocalModels;
let modelsDir: string;
beforeAll(async () => {
  modelsDir = mkdtempSync(join(tmpdir(), 'callwright-models-'));
  server = await startFileServer({ net: NET });
  const elsewhere = smallModel('elsewhere', NET, `${server.url}/net`);
  models = new LocalModels({
    modelsDir,
    mirror: null,
    floorBytes: 0,
    log: silentLog,
    catalogue: [
      smallModel('small', NET, `${server.url}/net`),
      { ...elsewhere, files: elsewhere.files.map((file) => ({ ...file, platform: 'plan9-mips' })) },
    ],
  });
  const inUse = { ears: 'expected phrases', voices: 'espeak-ng and flite' };
  api = await createTestApi({ models, enginesInUse: () => Promise.resolve(inUse) });
  tenant = await createTenant(api);
  const member = await signedIn(api, tenant.workspaceId, 'viewer');
  await makeOperator(api.db as never, member.person.userId);
  member.workspaceId = null;
  operator = member;
});
afterAll(async () => {
  await models?.stop();
  await api?.close();
  await server?.close();
  rmSync(modelsDir, { recursive: true, force: true });
});
beforeEach(async () => {
  server.hangUp();
  server.set('net', NET);
  await models.remove('small');
});

const list = async (): Promise<any[]> =>
  (await operator.request('GET', MODELS)).body['models'] as Record<string, unknown>[];
const small = async (): Promise<any> => (await list()).find(({ id }) => id === 'small');
const get = (id = 'small'): Promise<Answer> => operator.request('POST', `${MODELS}/${id}/get`);
const remove = (id = 'small'): Promise<Answer> => operator.request('DELETE', `${MODELS}/${id}`);
const outcome = ({ status, body }: Answer): unknown[] => [status, body['code'] ?? body['message']];
const POLLED = { timeout: 60_000, interval: 10 };
/** The model is installed, and its download has ended: it is seen as installed a moment before. */
async function installed(): Promise<void> {
  const stateOf = ({ state, download }: any): unknown[] => [state, download];
  await expect.poll(async () => stateOf(await small()), POLLED).toEqual(['installed', null]);
}

describe('GET /workspace/models', () => {
  it('shows operators every model with its state, size, licence, quality and gain', async () => {
    expect(await list()).toMatchObject([
      {
        id: 'small',
        part: 'ears',
        engine: 'test',
        languages: ['en-US'],
        bytes: 300_000,
        licence: 'MIT',
        quality: 'free words',
        cost: 'little',
        improves: 'every word is heard',
        is_pinned: true,
        runs_here: true,
        state: 'absent',
        download: null,
      },
      { id: 'elsewhere', runs_here: false },
    ]);
  });

  it('says what hears and speaks in the calls of the process', async () => {
    expect((await operator.request('GET', MODELS)).body).toMatchObject({
      in_use: { ears: 'expected phrases', voices: 'espeak-ng and flite' },
      // The catalogue of this test has no English pack.
      better: null,
    });
  });

  it('shows a model whose file was changed as damaged', async () => {
    await get();
    await installed();
    writeFileSync(join(modelsDir, 'small/net.onnx'), 'other');
    expect((await small()).state).toBe('damaged');
  });

  it('is closed to a customer, and so are get and removal', async () => {
    const owner = await signedIn(api, tenant.workspaceId, 'owner');
    const requests = [
      ['GET', MODELS],
      ['POST', `${MODELS}/small/get`],
      ['DELETE', `${MODELS}/small`],
    ] as const;
    for (const [method, path] of requests) {
      expect(outcome(await owner.request(method, path))).toEqual([403, 'OPERATORS_ONLY']);
      expect((await api.request(method, path, { key: tenant.key })).status).toBe(401);
    }
    expect((await small()).download).toBeNull();
  });
});

describe('POST /workspace/models/{model_id}/get', () => {
  it('fetches in the background with progress, once however often it is sent', async () => {
    const asked = server.ranges('net').length;
    server.stallAfter('net', 100_000);
    const started = await get();
    expect(outcome(started)).toEqual([200, 'The model is being fetched']);
    await expect.poll(async () => (await small()).download?.done_bytes, POLLED).toBe(100_000);
    expect((await small()).download).toMatchObject({
      state: 'running',
      file: 'net.onnx',
      total_bytes: 300_000,
      failure: null,
    });
    expect((await get()).body['model']).toMatchObject({ download: { state: 'running' } });
    server.hangUp();
    await installed();
    expect(outcome(await get())).toEqual([200, 'The model is installed']);
    // The download that was cut and its rest.
    expect(server.ranges('net').length - asked).toBe(2);
  });

  it('says why a download failed, and the next one succeeds', async () => {
    server.set('net', 'x'.repeat(NET.length));
    await get();
    await expect.poll(async () => (await small()).download?.state, POLLED).toBe('failed');
    const failed = await small();
    expect([failed.state, failed.download.failure.message]).toEqual([
      'absent',
      expect.stringContaining('has another net.onnx'),
    ]);
    server.set('net', NET);
    await get();
    await installed();
  });

  it('refuses a model that the catalogue lacks, and one for another system', async () => {
    expect(outcome(await get('other'))).toEqual([404, 'MODEL_NOT_FOUND']);
    expect(outcome(await get('elsewhere'))).toEqual([400, 'MODEL_NOT_FOR_SYSTEM']);
  });
});

describe('DELETE /workspace/models/{model_id}', () => {
  it('deletes the files', async () => {
    await get();
    await installed();
    expect(outcome(await remove())).toEqual([200, 'Model removed successfully']);
    expect((await small()).state).toBe('absent');
    expect(outcome(await remove())).toEqual([404, 'MODEL_NOT_INSTALLED']);
    expect(outcome(await remove('other'))).toEqual([404, 'MODEL_NOT_FOUND']);
  });

  it('stops a download', async () => {
    server.stallAfter('net', 100_000);
    await get();
    await expect.poll(async () => (await small()).download?.done_bytes, POLLED).toBe(100_000);
    expect(outcome(await remove())).toEqual([200, 'The download was stopped']);
    expect((await small()).download).toBeNull();
  });

  it('names the process that changes the folder', async () => {
    await get();
    await installed();
    // The download is seen as installed a moment before it frees the folder.
    const lock = await vi.waitUntil(
      async () => {
        const taken = await takeFolder(join(modelsDir, WORK, 'lock'), 'models');
        return 'lock' in taken ? taken.lock : null;
      },
      { timeout: 60_000 },
    );
    const { status, body } = await remove();
    expect([status, body['code'], body['message']]).toEqual([
      409,
      'MODELS_BUSY',
      expect.stringContaining(`process ${process.pid} on`),
    ]);
    await lock.release();
    expect((await remove()).status).toBe(200);
  });
});

describe('the log of the operator', () => {
  it('has each download and each removal, and the audit log names the model', async () => {
    const actionsOf = async (): Promise<string[]> =>
      ((await operator.request('GET', '/dashboard-api/account-log')).body['entries'] as any[]).map(
        ({ action }) => action,
      );
    const known = (await actionsOf()).length;
    await get();
    await installed();
    await get();
    await remove();
    await remove();
    expect((await actionsOf()).slice(0, -known)).toEqual(['model_removed', 'model_download_started']);
    const audit = await api.request('GET', '/api/v0/workspace/audit-log', { key: tenant.key });
    expect((audit.body['entries'] as any[]).slice(0, 2)).toMatchObject([
      { action: 'account.model_removed', objects: { model_id: 'small' } },
      { action: 'account.model_download_started', objects: { model_id: 'small' } },
    ]);
  });
});
