import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The configuration of sherpa-onnx's `OnlineRecognizer`. */
export interface SherpaConfig {
  readonly featConfig: { readonly sampleRate: number; readonly featureDim: number };
  readonly modelConfig: {
    readonly transducer?: { readonly encoder: string; readonly decoder: string; readonly joiner: string };
    readonly zipformer2Ctc?: { readonly model: string };
    readonly tokens: string;
    readonly numThreads: number;
    readonly provider: 'cpu';
  };
  readonly decodingMethod: 'greedy_search';
  readonly enableEndpoint: true;
  /** Seconds of silence that end an utterance without words and with them, and its longest length. */
  readonly rule1MinTrailingSilence: number;
  readonly rule2MinTrailingSilence: number;
  readonly rule3MinUtteranceLength: number;
}

/** Sample rate of the models; telephone audio is resampled to it. */
export const SHERPA_RATE = 16_000;

/** Why a folder holds no streaming model. */
export class NoModel extends Error {}

/** Reads which model a folder holds: a transducer (encoder, decoder, joiner) or a CTC model. Throws `NoModel`. */
export function sherpaConfig(folder: string): SherpaConfig {
  let names: string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch {
    throw new NoModel('the folder of SHERPA_MODEL_DIR cannot be read');
  }
  if (!names.includes('tokens.txt')) throw new NoModel('tokens.txt is missing in SHERPA_MODEL_DIR');
  return {
    featConfig: { sampleRate: SHERPA_RATE, featureDim: 80 },
    modelConfig: {
      ...networksOf(names, folder),
      tokens: join(folder, 'tokens.txt'),
      numThreads: 1,
      provider: 'cpu',
    },
    decodingMethod: 'greedy_search',
    enableEndpoint: true,
    rule1MinTrailingSilence: 2.4,
    rule2MinTrailingSilence: 0.5,
    rule3MinUtteranceLength: 20,
  };
}

function networksOf(
  names: readonly string[],
  folder: string,
): Pick<SherpaConfig['modelConfig'], 'transducer' | 'zipformer2Ctc'> {
  const networks = names.filter((name) => name.endsWith('.onnx'));
  /** Of two forms of a network the smaller one, which a processor runs faster. */
  const find = (part: string): string | null => {
    const found = networks.filter((name) => name.includes(part));
    const name = found.find((one) => one.includes('int8')) ?? found[0];
    return name === undefined ? null : join(folder, name);
  };
  const [encoder, decoder, joiner] = [find('encoder'), find('decoder'), find('joiner')];
  if (encoder !== null && decoder !== null && joiner !== null) {
    return { transducer: { encoder, decoder, joiner } };
  }
  const missing = ['encoder', 'decoder', 'joiner'].filter((part) => find(part) === null);
  const model = missing.length === 3 ? find('') : null;
  if (model === null) {
    throw new NoModel(
      `SHERPA_MODEL_DIR has no ${missing.join(', ')} (.onnx); a streaming transducer or zipformer2 CTC model is needed`,
    );
  }
  return { zipformer2Ctc: { model } };
}
