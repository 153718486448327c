import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFileServer, type FileServer } from '../../../test/helpers/models/file-server.ts';
import { smallModel } from '../../../test/helpers/models/small-model.ts';
import { silentLog } from '../../shared/log.ts';
import type { CatalogueModel } from './catalogue.ts';
import { ModelDownloads } from './downloads.ts';
import { installedModel } from './installed.ts';

const NET = 'n'.repeat(300_000);
const POLLED = { timeout: 60_000, interval: 5 };

describe('downloads in the background', () => {
  let modelsDir: string;
  let server: FileServer;
  let one: CatalogueModel;
  let two: CatalogueModel;
  let downloads: ModelDownloads;

  beforeEach(async () => {
    modelsDir = mkdtempSync(join(tmpdir(), 'callwright-downloads-'));
    server = await startFileServer({ one: NET, two: NET });
    one = smallModel('one', NET, `${server.url}/one`);
    two = smallModel('two', NET, `${server.url}/two`);
    const catalogue = [one, two];
    downloads = new ModelDownloads({ modelsDir, mirror: null, floorBytes: 0, log: silentLog, catalogue });
  });
  afterEach(async () => {
    await downloads.stop();
    await server.close();
    rmSync(modelsDir, { recursive: true });
  });

  const isInstalled = (model: CatalogueModel): boolean =>
    installedModel(modelsDir, model.id, [one, two]) !== null;
  const ended = (model: CatalogueModel): Promise<void> =>
    vi.waitFor(() => expect([downloads.of(model.id), isInstalled(model)]).toEqual([null, true]), POLLED);

  it('show their progress, and nothing once the model is installed', async () => {
    server.stallAfter('one', 100_000);
    void downloads.start(one);
    await vi.waitFor(() => expect(downloads.of('one')?.doneBytes).toBe(100_000), POLLED);
    expect(downloads.of('one')).toEqual({
      state: 'running',
      file: 'net.onnx',
      source: new URL(server.url).host,
      doneBytes: 100_000,
      totalBytes: 300_000,
      failure: null,
    });
    server.hangUp();
    await ended(one);
  });

  it('run one after the other, each once however often it is started', async () => {
    server.stallAfter('one', 100_000);
    for (const model of [one, two, one, two]) void downloads.start(model);
    await vi.waitFor(() => expect(downloads.of('one')?.doneBytes).toBe(100_000), POLLED);
    expect([downloads.of('two')?.state, server.ranges('two')]).toEqual(['waiting', []]);
    server.hangUp();
    await ended(one);
    await ended(two);
    expect(server.ranges('two')).toEqual([null]);
  });

  it('that failed say why and what to do, until the next get succeeds', async () => {
    server.set('one', 'x'.repeat(NET.length));
    void downloads.start(one);
    await vi.waitFor(() => expect(downloads.of('one')?.state).toBe('failed'), POLLED);
    expect(downloads.of('one')?.failure).toEqual({
      message: expect.stringContaining('has another net.onnx: its hash is'),
      advice: 'get it again, or use another source or MODELS_MIRROR',
    });
    expect(isInstalled(one)).toBe(false);
    server.set('one', NET);
    void downloads.start(one);
    await ended(one);
  });

  it('that are cancelled end, leave the others alone, and continue at the next get', async () => {
    server.stallAfter('one', 100_000);
    void downloads.start(one);
    void downloads.start(two);
    await vi.waitFor(() => expect(downloads.of('one')?.doneBytes).toBe(100_000), POLLED);
    expect(await downloads.cancel('one')).toBe(true);
    expect([downloads.of('one'), await downloads.cancel('one')]).toEqual([null, false]);
    await ended(two);
    server.stallAfter('one', null);
    void downloads.start(one);
    await ended(one);
    expect(server.ranges('one').at(-1)).toBe('bytes=100000-');
  });

  it('that wait are cancelled before they fetch anything', async () => {
    server.stallAfter('one', 100_000);
    void downloads.start(one);
    void downloads.start(two);
    expect(await downloads.cancel('two')).toBe(true);
    server.hangUp();
    await ended(one);
    await downloads.stop();
    expect([server.ranges('two'), isInstalled(two)]).toEqual([[], false]);
  });

  it('end when the process stops', async () => {
    server.stallAfter('one', 100_000);
    void downloads.start(one);
    await vi.waitFor(() => expect(downloads.of('one')?.doneBytes).toBe(100_000), POLLED);
    await downloads.stop();
    expect([isInstalled(one), existsSync(join(modelsDir, 'one'))]).toEqual([false, false]);
  });
});
