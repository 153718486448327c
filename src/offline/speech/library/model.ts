import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KOKORO_TOKENS } from './kokoro-tokens.ts';
import { copyWithMetadata } from './with-metadata.ts';

interface NetConfig {
  readonly model: string;
  readonly tokens: string;
  readonly dataDir: string;
  /** Kokoro: the styles of its voices, one after the other. */
  readonly voices?: string;
}

/** The configuration of sherpa-onnx's `OfflineTts`. */
export interface TtsConfig {
  readonly model: {
    readonly vits?: NetConfig;
    readonly kokoro?: NetConfig;
    readonly numThreads: number;
    readonly provider: 'cpu';
  };
  readonly maxNumSentences: 1;
}

/** A model with the voices that it speaks, by their files. */
export interface TtsModel {
  /** Voices of the same key share a model. */
  readonly key: string;
  /** The number of the voice in the model. */
  readonly speaker: number;
  /**
   * Writes what sherpa-onnx reads into a folder, which may be removed once the model is loaded: published nets lack its metadata.
   * Throws when a file cannot be read. `espeakData`: the folder of espeak-ng's phonemes.
   */
  prepare(folder: string, espeakData: string): TtsConfig;
}

/** Where the folder of a catalogue entry keeps Kokoro's styles. */
const STYLES = 'voices';

/** The model of a voice's file: a style of Kokoro's in the folder `voices`, or the net of a voice of Piper. */
export const ttsModel = (net: string): TtsModel =>
  basename(dirname(net)) === STYLES ? kokoro(net) : piper(net);

/** What is used of the file that Piper publishes beside a net. */
interface PiperFile {
  readonly audio: { readonly sample_rate: number };
  readonly espeak: { readonly voice: string };
  readonly num_speakers: number;
  readonly language?: { readonly name_english: string };
  readonly phoneme_id_map: Readonly<Record<string, readonly [number, ...number[]]>>;
}

const tokensOf = (ids: readonly (readonly [string, number])[]): string =>
  ids.map(([token, id]) => `${token} ${id}\n`).join('');

const piper = (net: string): TtsModel => ({
  key: net,
  speaker: 0,
  prepare(folder, dataDir) {
    const about = JSON.parse(readFileSync(`${net}.json`, 'utf8')) as PiperFile;
    const [model, tokens] = [join(folder, 'model.onnx'), join(folder, 'tokens.txt')];
    copyWithMetadata(net, model, {
      model_type: 'vits',
      comment: 'piper',
      language: about.language?.name_english ?? about.espeak.voice,
      voice: about.espeak.voice,
      has_espeak: '1',
      n_speakers: String(about.num_speakers),
      sample_rate: String(about.audio.sample_rate),
    });
    const ids = Object.entries(about.phoneme_id_map).map(([token, [id]]) => [token, id] as const);
    writeFileSync(tokens, tokensOf(ids));
    return {
      model: { vits: { model, tokens, dataDir }, numThreads: 1, provider: 'cpu' },
      maxNumSentences: 1,
    };
  },
});

/** The phonemes of espeak-ng by the first letter of a voice's name, its language. */
const KOKORO_LANGUAGES: Readonly<Record<string, string>> = { a: 'en-us', b: 'en-gb', h: 'hi' };
/** Half of the time of one thread, measured on two cores. */
const KOKORO_THREADS = 2;

function kokoro(style: string): TtsModel {
  const [styles, name] = [dirname(style), basename(style)];
  const [letter = ''] = name;
  const voices = readdirSync(styles)
    .filter((file) => file.startsWith(letter))
    .toSorted();
  const voice = KOKORO_LANGUAGES[letter];
  return {
    key: `${styles} ${letter}`,
    speaker: voices.indexOf(name),
    prepare(folder, dataDir) {
      if (voice === undefined) throw new Error(`no phonemes of the language of ${name}`);
      const source = join(styles, '..');
      const net = readdirSync(source).find((file) => file.endsWith('.onnx'));
      if (net === undefined) throw new Error(`${source} holds no net`);
      const file = (part: string): string => join(folder, part);
      copyWithMetadata(join(source, net), file('model.onnx'), {
        model_type: 'kokoro',
        language: voice,
        voice,
        has_espeak: '1',
        version: '1',
        style_dim: '510,1,256',
        n_speakers: String(voices.length),
        sample_rate: '24000',
      });
      writeFileSync(file('voices.bin'), Buffer.concat(voices.map((one) => readFileSync(join(styles, one)))));
      writeFileSync(file('tokens.txt'), tokensOf(KOKORO_TOKENS));
      return {
        model: {
          kokoro: {
            model: file('model.onnx'),
            voices: file('voices.bin'),
            tokens: file('tokens.txt'),
            dataDir,
          },
          numThreads: KOKORO_THREADS,
          provider: 'cpu',
        },
        maxNumSentences: 1,
      };
    },
  };
}
