import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language, isEnglish } from '@callwright/language';
import { onnxMetadata } from '../../sherpa/onnx-metadata.ts';
import type { PiperFile } from './model.ts';

/** One voice of a model in a folder. */
export interface FolderVoice {
  /** Its name in the model. */
  readonly speaker: string;
  readonly gender: 'female' | 'male' | 'neutral';
  readonly languages: readonly Language[];
  /** What `ttsModel` loads. */
  readonly net: string;
}

export interface VoiceFolder {
  readonly kind: 'Piper' | 'Kokoro' | 'Kitten';
  readonly voices: readonly FolderVoice[];
}

/** Why a folder holds no voice. */
export class NoVoice extends Error {}

/** Of a model with hundreds of speakers. */
const MOST_VOICES = 60;
const ENGLISH = LANGUAGES.filter(isEnglish);

/** Reads which voices a folder holds: of Piper, Kokoro or Kitten, as their projects or sherpa-onnx publish them. Throws `NoVoice`. */
export function readVoiceFolder(folder: string): VoiceFolder {
  let names: string[];
  try {
    names = readdirSync(folder).toSorted();
  } catch {
    throw new NoVoice('the folder cannot be read');
  }
  const nets = names.filter((name) => name.endsWith('.onnx'));
  const net = nets.find((name) => name.includes('int8')) ?? nets[0];
  if (net === undefined) throw new NoVoice('it has no net (.onnx)');
  const path = join(folder, net);
  const found = names.includes('voices')
    ? byStyles(join(folder, 'voices'))
    : names.includes(`${net}.json`)
      ? byPiper(path)
      : byMetadata(path, names);
  const voices = found.voices.filter(({ languages }) => languages.length > 0).slice(0, MOST_VOICES);
  if (voices.length === 0) throw new NoVoice('none of its voices speaks a language of agents');
  return { ...found, voices };
}

/** Kokoro with a file for each style. */
function byStyles(styles: string): VoiceFolder {
  let files: string[];
  try {
    files = readdirSync(styles).filter((name) => name.endsWith('.bin'));
  } catch {
    throw new NoVoice('voices is no folder of styles');
  }
  if (files.length === 0) throw new NoVoice('voices has no style (.bin)');
  const voices = files.toSorted().map((file) => ({
    ...kokoroVoice(file.slice(0, -'.bin'.length)),
    net: join(styles, file),
  }));
  return { kind: 'Kokoro', voices };
}

/** The net of Piper with the file beside it. */
function byPiper(net: string): VoiceFolder {
  let about: PiperFile;
  try {
    about = JSON.parse(readFileSync(`${net}.json`, 'utf8')) as PiperFile;
  } catch {
    throw new NoVoice(`the .json of its net cannot be read`);
  }
  const isWhole =
    typeof about.espeak?.voice === 'string' &&
    typeof about.audio?.sample_rate === 'number' &&
    typeof about.phoneme_id_map === 'object';
  if (!isWhole)
    throw new NoVoice('the .json of its net is none of Piper: espeak, audio or phoneme_id_map is missing');
  const languages = languagesOf(about.language?.code ?? about.espeak.voice);
  const speakers = Object.entries(about.speaker_id_map ?? {});
  const named: readonly (readonly [string, number])[] =
    speakers.length > 0 ? speakers : [[about.dataset ?? 'voice', 0]];
  const voices = named.map(([speaker, number]) => ({
    speaker,
    gender: 'neutral' as const,
    languages,
    net: `${net}#${number}`,
  }));
  return { kind: 'Piper', voices };
}

/** A net that sherpa-onnx publishes, with its styles in `voices.bin`; its metadata names the family and the speakers. */
function byMetadata(net: string, names: readonly string[]): VoiceFolder {
  const metadata = onnxMetadata(net);
  const type = metadata.get('model_type') ?? '';
  const kind = type === 'kokoro' ? 'Kokoro' : type === 'kitten-tts' ? 'Kitten' : null;
  if (kind === null) {
    throw new NoVoice(
      'its net is of neither Piper (the .json beside the net is missing), Kokoro (voices) nor Kitten',
    );
  }
  const missing = ['voices.bin', 'tokens.txt'].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new NoVoice(`${missing.join(' and ')} of ${kind} is missing`);
  const voices = speakersOf(metadata).map((speaker, number) => ({
    ...(kind === 'Kokoro' ? kokoroVoice(speaker, ['a', 'b']) : kittenVoice(speaker)),
    net: `${net}#${number}`,
  }));
  return { kind, voices };
}

/** The speakers in the order of their numbers. */
function speakersOf(metadata: ReadonlyMap<string, string>): string[] {
  const names = metadata.get('speaker_names');
  if (names !== undefined) return names.split(',');
  const numbered = metadata.get('id2speaker');
  if (numbered !== undefined) return numbered.split(',').map((pair) => pair.replace(/^\d+->/, ''));
  const count = Math.min(Number(metadata.get('n_speakers') ?? 1) || 1, MOST_VOICES);
  return Array.from({ length: count }, (_, number) => `a_${number}`);
}

/** The language and gender of a voice of Kokoro, which its first two letters say. */
function kokoroVoice(
  speaker: string,
  letters: readonly string[] = ['a', 'b', 'h'],
): Omit<FolderVoice, 'net'> {
  const [letter = '', sex = ''] = speaker;
  const spoken = letter === 'h' ? (['hi-IN'] as const) : ENGLISH;
  return {
    speaker,
    gender: sex === 'f' ? 'female' : sex === 'm' ? 'male' : 'neutral',
    languages: letters.includes(letter) ? first(letter === 'b' ? 'en-GB' : 'en-US', spoken) : [],
  };
}

/** A voice of Kitten, such as expr-voice-2-f; they speak English. */
function kittenVoice(speaker: string): Omit<FolderVoice, 'net'> {
  const gender = speaker.endsWith('-f') ? 'female' : speaker.endsWith('-m') ? 'male' : 'neutral';
  return { speaker, gender, languages: ENGLISH };
}

/** The languages of agents that a code such as `en_GB` or `hi` stands for; a voice of one English is offered for all. */
function languagesOf(code: string): readonly Language[] {
  const [language = '', place = ''] = code.toLowerCase().split(/[_-]/);
  if (language === 'en') return first(`en-${place.toUpperCase()}`, ENGLISH);
  // ISO 639-1 spells Odia and Mandarin differently from the agents.
  const own = language === 'or' ? 'od' : language === 'cmn' ? 'zh' : language;
  return LANGUAGES.filter((one) => one.startsWith(`${own}-`));
}

const first = (language: string, languages: readonly Language[]): readonly Language[] => [
  ...languages.filter((one) => one === language),
  ...languages.filter((one) => one !== language),
];
