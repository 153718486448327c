import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { earModels, type FindInstalled } from './models.ts';

const installed =
  (...ids: string[]): FindInstalled =>
  (id) =>
    ids.includes(id) ? { id, folder: `/models/${id}`, file: (name) => `/models/${id}/${name}` } : null;

describe('the recogniser of a language', () => {
  it('is the model of the language, by the installed library', () => {
    const models = earModels(installed('libvosk', 'vosk-small-en-us', 'vosk-small-hi'));
    expect(models('en-GB')).toEqual({
      id: 'vosk-small-en-us',
      folder: '/models/vosk-small-en-us',
      library: '/models/libvosk/libvosk.so',
      reader: null,
    });
    expect([models('hi-IN')?.id, models('ta-IN'), models('te-IN')]).toEqual(['vosk-small-hi', null, null]);
  });

  it('is the Indian one for Indian English, where it is installed', () => {
    expect(earModels(installed('libvosk', 'vosk-small-en-us'))('en-IN')?.id).toBe('vosk-small-en-us');
    const both = earModels(installed('libvosk', 'vosk-small-en-us', 'vosk-small-en-in'));
    expect([both('en-IN')?.id, both('en-US')?.id]).toEqual(['vosk-small-en-in', 'vosk-small-en-us']);
  });

  it('has a reader for English where its net and the native runtime are installed', () => {
    const runtime = import.meta.dirname;
    const find: FindInstalled = (id) => ({
      id,
      folder: `/models/${id}`,
      file: (name) => (id === 'onnxruntime-node' ? join(runtime, 'models.ts') : `/models/${id}/${name}`),
    });
    const module = join(runtime, 'models.ts');
    expect(earModels(find)('en-US')?.reader).toEqual({
      id: 'moonshine-tiny-en',
      folder: '/models/moonshine-tiny-en',
      module,
    });
    expect(earModels(find)('hi-IN')?.reader).toBeNull();
    const without: FindInstalled = (id) => (id === 'moonshine-tiny-en' ? null : find(id));
    expect(earModels(without)('en-US')?.reader).toBeNull();
  });

  it('is none without the library', () => {
    expect(earModels(installed('vosk-small-en-us'))('en-US')).toBeNull();
  });

  it('has the turn model where it judges the language, because each call runs it', () => {
    const turn = { path: '/models/turn.onnx', module: 'onnxruntime-node' };
    const find = installed('libvosk', 'vosk-small-en-us', 'vosk-small-te');
    expect(earModels(find, () => turn)('en-US')?.turn).toEqual(turn);
    expect(earModels(find, () => turn)('te-IN')).not.toHaveProperty('turn');
    expect(earModels(find)('en-US')).not.toHaveProperty('turn');
  });

  it('is looked for again after ten seconds', () => {
    let [now, ids] = [0, ['libvosk']];
    const models = earModels(
      (id) => installed(...ids)(id),
      () => null,
      () => now,
    );
    expect(models('en-US')).toBeNull();
    ids = ['libvosk', 'vosk-small-en-us'];
    now = 9_999;
    expect(models('en-US')).toBeNull();
    now = 10_000;
    expect(models('en-US')?.id).toBe('vosk-small-en-us');
  });
});
