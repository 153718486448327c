import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onnxMetadata } from '../../sherpa/onnx-metadata.ts';
import { ttsModel } from './model.ts';
import { copyWithMetadata } from './with-metadata.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sherpa-voice-'));
  mkdirSync(join(folder, 'made'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const at = (...parts: readonly string[]): string => join(folder, ...parts);

describe('a voice of Piper', () => {
  it('becomes what sherpa-onnx reads, from its net and the file beside it', () => {
    const net = at('en_US-joe-medium.onnx');
    writeFileSync(net, 'weights');
    writeFileSync(
      `${net}.json`,
      JSON.stringify({
        audio: { sample_rate: 22_050 },
        espeak: { voice: 'en-us' },
        num_speakers: 1,
        language: { name_english: 'English' },
        phoneme_id_map: { _: [0], ' ': [3], a: [14] },
      }),
    );
    const model = ttsModel(net);
    const { vits } = model.prepare(at('made'), '/espeak').model;
    expect([model.speaker, vits?.dataDir]).toEqual([0, '/espeak']);
    expect(readFileSync(vits?.tokens ?? '', 'utf8')).toBe('_ 0\n  3\na 14\n');
    expect(Object.fromEntries(onnxMetadata(vits?.model ?? ''))).toEqual({
      model_type: 'vits',
      comment: 'piper',
      language: 'English',
      voice: 'en-us',
      has_espeak: '1',
      n_speakers: '1',
      sample_rate: '22050',
    });
  });
});

describe('a voice of Kokoro', () => {
  it('shares its model with the voices of its language', () => {
    mkdirSync(at('voices'));
    writeFileSync(at('kokoro.onnx'), 'weights');
    for (const name of ['af_bella', 'hf_alpha', 'hm_omega', 'hf_beta'])
      writeFileSync(at('voices', `${name}.bin`), name);
    const [alpha, omega, bella] = ['hf_alpha', 'hm_omega', 'af_bella'].map((name) =>
      ttsModel(at('voices', `${name}.bin`)),
    );
    expect([alpha?.speaker, omega?.speaker, bella?.speaker]).toEqual([0, 2, 0]);
    expect(alpha?.key).toBe(omega?.key);
    expect(alpha?.key).not.toBe(bella?.key);
    const made = omega?.prepare(at('made'), '/espeak').model.kokoro;
    expect(readFileSync(made?.voices ?? '', 'utf8')).toBe('hf_alphahf_betahm_omega');
    expect(Object.fromEntries(onnxMetadata(made?.model ?? ''))).toMatchObject({
      voice: 'hi',
      n_speakers: '3',
    });
    expect(readFileSync(made?.tokens ?? '', 'utf8')).toContain('ˈ 156\n');
  });
});

it('adds metadata of any length behind the net, which stays as it was', () => {
  const text = fc.string({ minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(
      fc.dictionary(text, text, { maxKeys: 4 }),
      fc.uint8Array({ maxLength: 50 }),
      (metadata, bytes) => {
        const [from, to] = [at('from.onnx'), at('to.onnx')];
        writeFileSync(from, bytes);
        copyWithMetadata(from, to, metadata);
        const made = readFileSync(to);
        expect(made.subarray(0, bytes.length).equals(bytes)).toBe(true);
        const found = onnxMetadata(to);
        for (const [key, value] of Object.entries(metadata)) expect(found.get(key)).toBe(value);
      },
    ),
    { seed: 31, numRuns: 50 },
  );
});
