import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { onnxMetadata } from './onnx-metadata.ts';

/** The networks of a model, under the names that sherpa-onnx gives its families. */
type Networks = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

interface ModelConfig {
  readonly tokens: string;
  readonly numThreads: number;
  readonly provider: 'cpu';
}

/** The configuration of sherpa-onnx's `OnlineRecognizer` or `OfflineRecognizer`. */
export interface SherpaConfig {
  readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
  readonly modelConfig: ModelConfig & Readonly<Record<string, unknown>>;
  readonly decodingMethod: 'greedy_search';
  readonly enableEndpoint?: true;
  /** Seconds of silence that end an utterance without words and with them, and its longest length. */
  readonly rule1MinTrailingSilence?: number;
  readonly rule2MinTrailingSilence?: number;
  readonly rule3MinUtteranceLength?: number;
}

/** A model that writes words while the caller speaks, or one of whole utterances, which our own speech detection ends. */
export interface SherpaFound {
  readonly streams: boolean;
  readonly config: SherpaConfig;
}

/** Sample rate of the models; telephone audio is resampled to it. */
export const SHERPA_RATE = 16_000;

/** Why a folder holds no model. */
export class NoModel extends Error {}

/** Reads which model a folder holds. Throws `NoModel`. */
export function sherpaModel(folder: string): SherpaFound {
  let names: string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch {
    throw new NoModel('the folder of SHERPA_MODEL_DIR cannot be read');
  }
  const tokens = names.find((name) => /(?:^|-)tokens\.txt$/.test(name));
  if (tokens === undefined) throw new NoModel('tokens.txt is missing in SHERPA_MODEL_DIR');
  const { streams, networks } = familyOf(names, folder);
  const common = {
    featConfig: { sampleRate: SHERPA_RATE, featureDim: 80 },
    modelConfig: { ...networks, tokens: join(folder, tokens), numThreads: 1, provider: 'cpu' },
    decodingMethod: 'greedy_search',
  } as const;
  if (!streams) return { streams, config: common };
  return {
    streams,
    config: {
      ...common,
      enableEndpoint: true,
      rule1MinTrailingSilence: 2.4,
      rule2MinTrailingSilence: 0.5,
      rule3MinUtteranceLength: 20,
    },
  };
}

interface Family {
  readonly streams: boolean;
  readonly networks: Networks;
}

function familyOf(names: readonly string[], folder: string): Family {
  const files = names.filter((name) => /\.(?:onnx|ort)$/.test(name));
  /** Of two forms of a network the smaller one, which a processor runs faster. */
  const find = (part: RegExp): string | null => {
    const found = files.filter((name) => part.test(name));
    const name = found.find((one) => one.includes('int8')) ?? found[0];
    return name === undefined ? null : join(folder, name);
  };
  const moonshine = moonshineOf(find);
  if (moonshine !== null) return { streams: false, networks: { moonshine } };
  const [encoder, decoder, joiner] = [find(/encoder/), find(/decoder/), find(/joiner/)];
  if (encoder !== null && decoder !== null && joiner !== null) {
    return transducerOf({ encoder, decoder, joiner });
  }
  if (encoder !== null && decoder !== null) return encoderDecoderOf(encoder, decoder);
  const missing = Object.entries({ encoder, decoder, joiner }).flatMap(([part, file]) =>
    file === null ? [part] : [],
  );
  const model = missing.length === 3 ? find(/./) : null;
  if (model === null) {
    throw new NoModel(
      `SHERPA_MODEL_DIR has no ${missing.join(', ')} (.onnx); docs/providers.md lists the models that can be used`,
    );
  }
  return singleOf(model);
}

/** Moonshine has four networks, and from version 2 on two. */
function moonshineOf(find: (part: RegExp) => string | null): Record<string, string> | null {
  const [preprocessor, encoder] = [find(/^preprocess/), find(/^encode/)];
  const [uncachedDecoder, cachedDecoder] = [find(/^uncached_decode/), find(/^cached_decode/)];
  if (preprocessor !== null && encoder !== null && uncachedDecoder !== null && cachedDecoder !== null) {
    return { preprocessor, encoder, uncachedDecoder, cachedDecoder };
  }
  const mergedDecoder = find(/^decoder.*merged/);
  return encoder !== null && mergedDecoder !== null ? { encoder, mergedDecoder } : null;
}

/** What a network's metadata, or the name of its folder, says of how it is used. */
function natureOf(file: string): { readonly type: string; readonly streams: boolean } {
  const metadata = onnxMetadata(file);
  const folder = basename(join(file, '..'));
  const words = [folder, metadata.get('comment') ?? '', metadata.get('model_type') ?? ''].join(' ');
  const streams =
    metadata.has('decode_chunk_len') ||
    metadata.has('chunk_shift') ||
    /streaming|chunk-\d/.test(`${words} ${basename(file)}`);
  const type = metadata.get('model_type') ?? '';
  return { type: type === '' ? words.toLowerCase() : type, streams: metadata.size === 0 || streams };
}

function transducerOf(transducer: Record<string, string>): Family {
  const { type, streams } = natureOf(transducer['encoder'] ?? '');
  const isNemo = /EncDec|nemo|parakeet/i.test(type);
  const modelType: Networks = isNemo && !streams ? { modelType: 'nemo_transducer' } : {};
  return { streams, networks: { transducer, ...modelType } };
}

function encoderDecoderOf(encoder: string, decoder: string): Family {
  const { type, streams } = natureOf(encoder);
  if (/paraformer/i.test(type)) return { streams, networks: { paraformer: { encoder, decoder } } };
  if (/canary/i.test(type)) return { streams: false, networks: { canary: { encoder, decoder } } };
  return { streams: false, networks: { whisper: { encoder, decoder } } };
}

function singleOf(model: string): Family {
  const { type, streams } = natureOf(model);
  if (/EncDec|nemo/i.test(type)) return { streams, networks: { nemoCtc: { model } } };
  if (/sense_?voice/i.test(type)) return { streams: false, networks: { senseVoice: { model } } };
  if (/paraformer/i.test(type)) return { streams: false, networks: { paraformer: { model } } };
  if (/dolphin/i.test(type)) return { streams: false, networks: { dolphin: { model } } };
  return streams
    ? { streams, networks: { zipformer2Ctc: { model } } }
    : { streams, networks: { zipformerCtc: { model } } };
}
