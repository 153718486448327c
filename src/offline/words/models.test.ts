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
    });
    expect([models('hi-IN')?.id, models('ta-IN'), models('te-IN')]).toEqual(['vosk-small-hi', null, null]);
  });

  it('is the Indian one for Indian English, where it is installed', () => {
    expect(earModels(installed('libvosk', 'vosk-small-en-us'))('en-IN')?.id).toBe('vosk-small-en-us');
    const both = earModels(installed('libvosk', 'vosk-small-en-us', 'vosk-small-en-in'));
    expect([both('en-IN')?.id, both('en-US')?.id]).toEqual(['vosk-small-en-in', 'vosk-small-en-us']);
  });

  it('is none without the library', () => {
    expect(earModels(installed('vosk-small-en-us'))('en-US')).toBeNull();
  });

  it('is looked for again after ten seconds', () => {
    let [now, ids] = [0, ['libvosk']];
    const models = earModels(
      (id) => installed(...ids)(id),
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
