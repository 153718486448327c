import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CATALOGUE, ENGLISH_PACK, filesHere, modelOf, type CatalogueModel } from './catalogue.ts';
import { installedModel, MARKER } from './installed.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const MODEL: CatalogueModel = {
  id: 'small',
  part: 'ears',
  engine: 'test',
  languages: ['en-US'],
  files: [{ name: 'net.onnx', bytes: 4, sha256: hashOf('good'), sources: [] }],
  bytes: 4,
  licence: 'MIT',
  quality: '',
  cost: '',
  improves: null,
};

describe('an installed model', () => {
  let modelsDir: string;
  const file = (): string => join(modelsDir, 'small', 'net.onnx');
  const install = (text: string, sha256 = hashOf(text)): void => {
    mkdirSync(join(modelsDir, 'small'));
    writeFileSync(file(), text);
    const files = [{ name: 'net.onnx', bytes: text.length, sha256, mtimeMs: statSync(file()).mtimeMs }];
    const marker = { id: 'small', files, recorded: {} };
    writeFileSync(join(modelsDir, 'small', MARKER), JSON.stringify(marker));
  };
  const find = () => installedModel(modelsDir, 'small', [MODEL]);

  beforeEach(() => {
    modelsDir = mkdtempSync(join(tmpdir(), 'callwright-models-'));
  });
  afterEach(() => rmSync(modelsDir, { recursive: true }));

  it('is found with the paths of its files', () => {
    install('good');
    expect(find()?.folder).toBe(join(modelsDir, 'small'));
    expect(find()?.file('net.onnx')).toBe(file());
  });

  it('is absent while the get has not finished', () => {
    install('good');
    rmSync(join(modelsDir, 'small', MARKER));
    expect(find()).toBeNull();
  });

  it('is absent where the marker is cut off', () => {
    install('good');
    writeFileSync(join(modelsDir, 'small', MARKER), '{"id":"sm');
    expect(find()).toBeNull();
  });

  it('is absent when its files have another hash than the catalogue', () => {
    install('evil');
    expect(find()).toBeNull();
  });

  it('is absent when a file has lost bytes', () => {
    install('good');
    writeFileSync(file(), 'goo');
    expect(find()).toBeNull();
  });

  it('is absent when a file of the same size was changed', () => {
    install('good');
    writeFileSync(file(), 'evil');
    utimesSync(file(), new Date(), new Date(Date.now() + 5000));
    expect(find()).toBeNull();
  });

  it('is found when its files were copied, which changes their times', () => {
    install('good');
    utimesSync(file(), new Date(), new Date(0));
    expect(find()).not.toBeNull();
  });

  it('is absent when the catalogue does not know it', () => {
    install('good');
    expect(installedModel(modelsDir, 'small', [])).toBeNull();
  });
});

describe('the catalogue', () => {
  it('names each model, and each file of a model for one system, once', () => {
    expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
    for (const model of CATALOGUE) {
      const names = filesHere(model, 'linux-x64').map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('says the size on disk of the files for the most usual system', () => {
    for (const model of CATALOGUE.filter(({ files }) => files.every(({ sha256 }) => sha256 !== null))) {
      const bytes = filesHere(model, 'linux-x64').reduce((total, file) => total + file.bytes, 0);
      expect([model.id, bytes]).toEqual([model.id, model.bytes]);
    }
  });

  it('fetches over TLS only, and pins every file that a package carries', () => {
    const files = CATALOGUE.flatMap((model) => model.files);
    const urls = files.flatMap(({ sources }) =>
      sources.flatMap((one) => (one.from === 'url' ? [one.url] : [])),
    );
    expect(urls.filter((url) => !url.startsWith('https://'))).toEqual([]);
    const carried = files.filter(({ sources }) => sources.some(({ from }) => from !== 'url'));
    expect(carried.filter(({ sha256 }) => sha256 === null || !/^[0-9a-f]{64}$/.test(sha256))).toEqual([]);
  });

  it('has an English pack of pinned models below 250 MB that packages carry, too', () => {
    const models = ENGLISH_PACK.map((id) => modelOf(id));
    expect(models.every((model) => model?.files.every(({ sources }) => sources.length > 1))).toBe(true);
    expect(models.reduce((total, model) => total + (model?.bytes ?? Infinity), 0)).toBeLessThan(250e6);
  });
});
