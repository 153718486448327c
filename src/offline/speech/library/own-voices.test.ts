import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planSynthesis } from '../synthesis.ts';
import { ttsModel } from './model.ts';
import { ownFolders, ownVoiceList, ownVoices } from './own-voices.ts';
import { copyWithMetadata } from './with-metadata.ts';

let models = '';
beforeEach(() => {
  models = mkdtempSync(join(tmpdir(), 'own-voices-'));
});
afterEach(() => rmSync(models, { recursive: true }));

function put(folder: string, files: Readonly<Record<string, string>>): string {
  const path = join(models, 'own-voices', folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return path;
}
/** A net with the metadata of sherpa-onnx, beside its other files. */
function putPacked(
  folder: string,
  metadata: Readonly<Record<string, string>>,
  others: readonly string[],
): string {
  const path = put(folder, Object.fromEntries(['weights', ...others].map((name) => [name, name])));
  copyWithMetadata(join(path, 'weights'), join(path, 'model.onnx'), metadata);
  rmSync(join(path, 'weights'));
  return path;
}
const piper = (about: object): string =>
  JSON.stringify({
    audio: { sample_rate: 22_050 },
    espeak: { voice: 'en-us' },
    num_speakers: 1,
    phoneme_id_map: { a: [1] },
    ...about,
  });
const infos = () => ownVoices(models).map(({ info }) => info);
const faults = () =>
  ownFolders(models).map(({ name, found }) => [name, found instanceof Error ? found.message : null]);

describe("the operator's folders of voices", () => {
  it('offer a voice of Piper in its language, the same at every look', () => {
    put('amy', {
      'en_GB-amy.onnx': 'net',
      'en_GB-amy.onnx.json': piper({ dataset: 'amy', language: { code: 'en_GB', name_english: 'English' } }),
    });
    const [amy] = infos();
    expect(amy).toMatchObject({
      name: 'Amy (amy)',
      gender: 'neutral',
      voiceKey: 'own:amy/amy:f3:en-GB,en-US,en-AU,en-IN',
    });
    expect(amy?.languages[0]).toBe('en-GB');
    expect(amy?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(infos()[0]?.id).toBe(amy?.id);
  });

  it('offer each speaker of a model by the number that the model knows', () => {
    put('many', {
      'hi.onnx': 'net',
      'hi.onnx.json': piper({
        language: { code: 'hi_IN', name_english: 'Hindi' },
        speaker_id_map: { 'rohan k': 0, priyamvada: 7 },
      }),
    });
    const found = ownVoices(models);
    expect(found.map(({ info }) => [info.name, info.languages])).toEqual([
      ['Rohan k (many)', ['hi-IN']],
      ['Priyamvada (many)', ['hi-IN']],
    ]);
    expect(found.map(({ net }) => ttsModel(net).speaker)).toEqual([0, 7]);
    expect(new Set(found.map(({ net }) => ttsModel(net).key)).size).toBe(1);
  });

  it("offer the styles of Kokoro that speak agents' languages", () => {
    put('kokoro', {
      'kokoro.onnx': 'net',
      ...Object.fromEntries(
        ['af_bella', 'bm_lewis', 'hf_alpha', 'ef_dora'].map((name) => [`voices/${name}.bin`, name]),
      ),
    });
    expect(infos().map(({ name, gender, languages }) => [name, gender, languages[0]])).toEqual([
      ['Bella (kokoro)', 'female', 'en-US'],
      ['Lewis (kokoro)', 'male', 'en-GB'],
      ['Alpha (kokoro)', 'female', 'hi-IN'],
    ]);
  });

  it('offer the speakers that the metadata of Kitten and of a packed Kokoro name', () => {
    const kitten = putPacked(
      'kitten',
      { model_type: 'kitten-tts', speaker_names: 'expr-voice-2-m,expr-voice-2-f' },
      ['voices.bin', 'tokens.txt', 'espeak-ng-data/phontab'],
    );
    putPacked('packed', { model_type: 'kokoro', id2speaker: '0->am_adam,1->zf_xiaobei' }, [
      'voices.bin',
      'tokens.txt',
      'lexicon-us-en.txt',
    ]);
    expect(infos().map(({ name, gender, voiceKey }) => [name, gender, voiceKey.split(':')[1]])).toEqual([
      ['Expr-voice-2-m (kitten)', 'male', 'kitten/expr-voice-2-m'],
      ['Expr-voice-2-f (kitten)', 'female', 'kitten/expr-voice-2-f'],
      ['Adam (packed)', 'male', 'packed/am_adam'],
    ]);
    const [, second, adam] = ownVoices(models).map(({ net }) => ttsModel(net));
    expect(second?.speaker).toBe(1);
    const prepared = second?.prepare('/unused', '/espeak').model.kitten;
    expect(prepared?.dataDir).toBe(join(kitten, 'espeak-ng-data'));
    expect(readFileSync(prepared?.voices ?? '', 'utf8')).toBe('voices.bin');
    const { kokoro } = adam?.prepare('/unused', '/espeak').model ?? {};
    expect([kokoro?.dataDir, kokoro?.lexicon?.endsWith('lexicon-us-en.txt')]).toEqual(['/espeak', true]);
  });

  it('name what a folder lacks', () => {
    put('a-empty', { 'readme.txt': 'x' });
    put('b-alone', { 'en.onnx': 'net' });
    put('c-broken', { 'en.onnx': 'net', 'en.onnx.json': '{' });
    put('d-other', { 'en.onnx': 'net', 'en.onnx.json': '{"audio":{}}' });
    put('e-french', { 'fr.onnx': 'net', 'fr.onnx.json': piper({ espeak: { voice: 'fr' } }) });
    put('f-styles', { 'k.onnx': 'net', 'voices/readme.txt': 'x' });
    putPacked('g-kitten', { model_type: 'kitten-tts' }, ['tokens.txt']);
    put('h name', { 'x.onnx': 'net' });
    expect(faults()).toEqual([
      ['a-empty', 'it has no net (.onnx)'],
      [
        'b-alone',
        'its net is of neither Piper (the .json beside the net is missing), Kokoro (voices) nor Kitten',
      ],
      ['c-broken', 'the .json of its net cannot be read'],
      ['d-other', 'the .json of its net is none of Piper: espeak, audio or phoneme_id_map is missing'],
      ['e-french', 'none of its voices speaks a language of agents'],
      ['f-styles', 'voices has no style (.bin)'],
      ['g-kitten', 'voices.bin of Kitten is missing'],
      ['h name', 'its name may have letters, digits, ".", "_" and "-" alone'],
    ]);
    expect(infos()).toEqual([]);
  });

  it('are read again after ten seconds, and may be absent', () => {
    let at = 0;
    const list = ownVoiceList(models, () => at);
    expect(list()).toEqual([]);
    put('amy', { 'a.onnx': 'net', 'a.onnx.json': piper({}) });
    expect(list()).toEqual([]);
    at = 10_000;
    expect(list()).toHaveLength(1);
  });

  it('speak by their key, and leave other languages and missing voices to espeak-ng', () => {
    put('hindi', { 'k.onnx': 'net', 'voices/hm_omega.bin': 'x' });
    const [voice] = infos();
    const plan = (language: 'hi-IN' | 'en-US') =>
      planSynthesis({ voiceKey: voice?.voiceKey ?? '', language, speed: 1, text: 'Hello.' });
    expect(plan('hi-IN')).toEqual({
      engine: 'library',
      voice: 'hindi/hm_omega',
      speed: 1,
      text: 'Hello.',
      instead: 'hi+m3',
    });
    expect(plan('en-US')).toMatchObject({ engine: 'espeak', voice: 'en-us+m3' });
  });
});
