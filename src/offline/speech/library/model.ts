import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { onnxMetadata } from '../../sherpa/onnx-metadata.ts';
import { KOKORO_TOKENS } from './kokoro-tokens.ts';
import { copyWithMetadata } from './with-metadata.ts';

interface NetConfig {
  readonly model: string;
  readonly tokens: string;
  readonly dataDir: string;
  /** Kokoro and Kitten: the styles of their voices, one after the other. */
  readonly voices?: string;
  /** Kokoro from its version 1.0 on: dictionaries, joined by commas. */
  readonly lexicon?: string;
}

/** The configuration of sherpa-onnx's `OfflineTts`. */
export interface TtsConfig {
  readonly model: {
    readonly vits?: NetConfig;
    readonly kokoro?: NetConfig;
    readonly kitten?: NetConfig;
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
  /** Of the net that `prepare` copies; 0: it copies none. */
  readonly bytes: number;
  /**
   * Writes what sherpa-onnx reads into a folder, which may be removed once the model is loaded: published nets lack its metadata.
   * Throws when a file cannot be read. `espeakData`: the folder of espeak-ng's phonemes.
   */
  prepare(folder: string, espeakData: string): TtsConfig;
}

/**
 * The model of a voice: a style of Kokoro's in a folder of styles (.bin), or a net with the number of the speaker behind `#`
 * (absent: 0), which Piper publishes with a .json, and sherpa-onnx with metadata.
 */
export function ttsModel(voice: string): TtsModel {
  if (voice.endsWith('.bin')) return kokoro(voice);
  const [, net = voice, number = '0'] = /^(.*)#(\d+)$/.exec(voice) ?? [];
  return existsSync(`${net}.json`) ? piper(net, Number(number)) : packed(net, Number(number));
}

/** What is used of the file that Piper publishes beside a net. */
export interface PiperFile {
  readonly audio: { readonly sample_rate: number };
  readonly espeak: { readonly voice: string };
  readonly num_speakers: number;
  readonly dataset?: string;
  readonly language?: { readonly code?: string; readonly name_english: string };
  readonly speaker_id_map?: Readonly<Record<string, number>>;
  readonly phoneme_id_map: Readonly<Record<string, readonly [number, ...number[]]>>;
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const tokensOf = (ids: readonly (readonly [string, number])[]): string =>
  ids.map(([token, id]) => `${token} ${id}\n`).join('');

const piper = (net: string, speaker: number): TtsModel => ({
  key: net,
  speaker,
  bytes: sizeOf(net),
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
  const source = join(styles, '..');
  const net = readdirSync(source).find((file) => file.endsWith('.onnx'));
  return {
    key: `${styles} ${letter}`,
    speaker: voices.indexOf(name),
    bytes: net === undefined ? 0 : sizeOf(join(source, net)),
    prepare(folder, dataDir) {
      if (voice === undefined) throw new Error(`no phonemes of the language of ${name}`);
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

/** Kokoro or Kitten as sherpa-onnx publishes them: the net has its metadata, and everything it needs stands beside it. */
const packed = (net: string, speaker: number): TtsModel => ({
  key: net,
  speaker,
  bytes: 0,
  prepare(_, espeakData) {
    const source = dirname(net);
    const file = (name: string): string => join(source, name);
    const lexicon = readdirSync(source)
      .filter((name) => /^lexicon-(?:us|gb)-en\.txt$/.test(name))
      .toSorted()
      .slice(-1)
      .map(file)
      .join(',');
    const config = {
      model: net,
      voices: file('voices.bin'),
      tokens: file('tokens.txt'),
      dataDir: existsSync(file('espeak-ng-data')) ? file('espeak-ng-data') : espeakData,
    };
    const isKokoro = onnxMetadata(net).get('model_type') === 'kokoro';
    const kind = isKokoro ? { kokoro: lexicon === '' ? config : { ...config, lexicon } } : { kitten: config };
    return { model: { ...kind, numThreads: KOKORO_THREADS, provider: 'cpu' }, maxNumSentences: 1 };
  },
});
