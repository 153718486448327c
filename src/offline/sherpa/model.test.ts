import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoModel, sherpaModel } from './model.ts';
import { onnxMetadata } from './onnx-metadata.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sherpa-family-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const field = (tag: number, bytes: Buffer): Buffer => {
  const { length } = bytes;
  const size = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
};
/** The end of an ONNX file: weights, then its metadata. */
const network = (metadata: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat([
    Buffer.from([0x72, 0x05, 0x0a, 0x01, 0x72, 0x12, 0x09, 0x00]),
    ...Object.entries(metadata).map(([key, value]) =>
      field(0x72, Buffer.concat([field(0x0a, Buffer.from(key)), field(0x12, Buffer.from(value))])),
    ),
  ]);
const fill = (files: Readonly<Record<string, Readonly<Record<string, string>>>>): void => {
  writeFileSync(join(folder, 'tokens.txt'), '');
  for (const [name, metadata] of Object.entries(files)) writeFileSync(join(folder, name), network(metadata));
};
const TRANSDUCER = ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx'];

describe('the model of a folder', () => {
  it.each([
    ['a streaming zipformer', { model_type: 'zipformer2', decode_chunk_len: '32' }, true, undefined],
    ['a zipformer of utterances', { model_type: 'zipformer2' }, false, undefined],
    ['a NeMo transducer of utterances', { model_type: 'EncDecRNNTBPEModel' }, false, 'nemo_transducer'],
    ['a streaming NeMo transducer', { model_type: 'EncDecRNNTBPEModel', chunk_shift: '56' }, true, undefined],
  ])('with encoder, decoder and joiner is %s', (_, metadata, streams, modelType) => {
    fill(Object.fromEntries(TRANSDUCER.map((name) => [name, metadata])));
    const found = sherpaModel(folder);
    expect([found.streams, found.config.modelConfig['modelType']]).toEqual([streams, modelType]);
    expect(Object.keys(found.config.modelConfig['transducer'] ?? {})).toEqual([
      'encoder',
      'decoder',
      'joiner',
    ]);
    expect(found.config.enableEndpoint === true).toBe(streams);
  });

  it.each([
    ['nemoCtc', { model_type: 'EncDecCTCModelBPE' }, false],
    ['nemoCtc', { model_type: 'EncDecHybridRNNTCTCBPEModel', window_size: '65', chunk_shift: '56' }, true],
    ['senseVoice', { model_type: 'sense_voice_ctc' }, false],
    ['paraformer', { model_type: 'paraformer' }, false],
    ['zipformerCtc', { model_type: 'zipformer2_ctc' }, false],
    ['zipformer2Ctc', { model_type: 'zipformer2', decode_chunk_len: '32' }, true],
    ['zipformer2Ctc', {}, true],
  ])('with one network is %s (%j)', (family, metadata, streams) => {
    fill({ 'model.onnx': metadata });
    const found = sherpaModel(folder);
    expect([found.streams, found.config.modelConfig[family]]).toEqual([
      streams,
      { model: join(folder, 'model.onnx') },
    ]);
  });

  it('is Moonshine by its four networks, or by its two', () => {
    const four = [
      'preprocess.onnx',
      'encode.int8.onnx',
      'uncached_decode.int8.onnx',
      'cached_decode.int8.onnx',
    ];
    fill(Object.fromEntries(four.map((name) => [name, {}])));
    expect(sherpaModel(folder)).toMatchObject({
      streams: false,
      config: { modelConfig: { moonshine: { cachedDecoder: join(folder, 'cached_decode.int8.onnx') } } },
    });
    for (const name of four) rmSync(join(folder, name));
    fill({ 'encoder_model.ort': {}, 'decoder_model_merged.ort': {} });
    expect(sherpaModel(folder).config.modelConfig['moonshine']).toEqual({
      encoder: join(folder, 'encoder_model.ort'),
      mergedDecoder: join(folder, 'decoder_model_merged.ort'),
    });
  });

  it('is Whisper by encoder and decoder, whose tokens have the model’s name', () => {
    fill({ 'tiny.en-encoder.int8.onnx': { model_type: 'whisper-tiny.en' }, 'tiny.en-decoder.int8.onnx': {} });
    rmSync(join(folder, 'tokens.txt'));
    writeFileSync(join(folder, 'tiny.en-tokens.txt'), '');
    const { streams, config } = sherpaModel(folder);
    expect([streams, config.modelConfig.tokens]).toEqual([false, join(folder, 'tiny.en-tokens.txt')]);
    expect(Object.keys(config.modelConfig['whisper'] ?? {})).toEqual(['encoder', 'decoder']);
  });

  it('is none where a network is missing', () => {
    fill({ 'encoder.onnx': {}, 'joiner.onnx': {} });
    expect(() => sherpaModel(folder)).toThrow(NoModel);
  });
});

it('reads the metadata of a network, and of no other bytes', () => {
  const text = fc.string({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(
      fc.dictionary(text, text, { maxKeys: 5 }),
      fc.uint8Array({ maxLength: 300 }),
      (metadata, noise) => {
        const file = join(folder, 'network.onnx');
        writeFileSync(file, Buffer.concat([Buffer.from(noise), Buffer.from([0]), network(metadata)]));
        const found = onnxMetadata(file);
        for (const [key, value] of Object.entries(metadata)) expect(found.get(key)).toBe(value);
      },
    ),
    { seed: 34, numRuns: 200 },
  );
});
