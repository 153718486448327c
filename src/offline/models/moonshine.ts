import type { CatalogueModel, ModelFile } from './catalogue.ts';

const ADDRESS = 'https://download.moonshine.ai/model/tiny-en/quantized/tiny-en';

const file = (name: string, bytes: number, sha256: string): ModelFile => ({
  name,
  bytes,
  sha256,
  sources: [
    { from: 'url', url: `${ADDRESS}/${name}` },
    {
      from: 'pip',
      name: 'moonshine-voice',
      version: '0.0.73',
      inside: `moonshine_voice/assets/tiny-en/${name}`,
    },
  ],
});

/** The net that reads whole English utterances. */
export const MOONSHINE_TINY: CatalogueModel = {
  id: 'moonshine-tiny-en',
  part: 'ears',
  engine: 'Moonshine',
  languages: ['en-US', 'en-GB', 'en-AU', 'en-IN'],
  files: [
    file('encoder_model.ort', 13_281_600, '94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221'),
    file(
      'decoder_model_merged.ort',
      30_412_256,
      'cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0',
    ),
    file('tokenizer.bin', 249_974, '6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d'),
  ],
  bytes: 43_943_830,
  licence: 'MIT',
  quality:
    'reads whole utterances: 6.5 % of the words of callers wrong, 15 % with noise at 15 dB (10 and 38 % as they come)',
  cost: '2.5 % of a core while a caller speaks, 50 ms at the end of an utterance, 100 MB a thread',
  improves:
    'the final words of English callers are read again, with the recogniser of English words and onnxruntime-node',
};
