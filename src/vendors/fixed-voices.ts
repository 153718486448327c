import { LANGUAGES, type Language } from '@callwright/language';
import { vendorVoice, type VendorVoice, type VoiceFacts } from './vendor-voice.ts';

/** Voices of the vendors that have no list to ask for. */
const BULBUL: readonly (readonly [gender: VendorVoice['gender'], names: string])[] = [
  [
    'male',
    'shubh aditya rahul rohan amit dev ratan varun manan sumit kabir aayan ashutosh advait anand tarun sunny mani gokul vijay mohit rehan soham',
  ],
  ['female', 'ritu priya neha pooja simran kavya ishita shreya roopa tanya shruti suhani kavitha rupali'],
];
const OPENAI: readonly (readonly [gender: VendorVoice['gender'], names: string])[] = [
  ['female', 'marin alloy coral nova sage shimmer'],
  ['male', 'cedar ash ballad echo fable onyx verse'],
];

const title = (name: string): string => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

const factsOf = (
  lists: readonly (readonly [VendorVoice['gender'], string])[],
  languages: readonly Language[],
  description: string,
): VoiceFacts[] =>
  lists.flatMap(([gender, names]) =>
    names.split(' ').map((voice) => ({ voice, name: title(voice), gender, languages, description })),
  );

const isVoice = (voice: VendorVoice | null): voice is VendorVoice => voice !== null;
const INDIAN = LANGUAGES.filter((language) => language.endsWith('-IN'));

export const sarvamVoices = (): readonly VendorVoice[] =>
  factsOf(BULBUL, INDIAN, 'Sarvam Bulbul v3: every Indian language.')
    .map((facts) => vendorVoice('sarvam', facts))
    .filter(isVoice);

export const openaiVoices = (): readonly VendorVoice[] =>
  factsOf(OPENAI, LANGUAGES, 'OpenAI: follows the language of the text; best in English.')
    .map((facts) => vendorVoice('openai', facts))
    .filter(isVoice);

const KOKORO: Readonly<Record<string, readonly Language[]>> = {
  a: ['en-US'],
  b: ['en-GB', 'en-AU', 'en-IN'],
  h: ['hi-IN'],
  z: ['zh-CN'],
};

/** A Kokoro voice by its name, such as `af_heart`: language, gender, name; null: another kind of name. */
export function kokoroVoice(voice: string): VendorVoice | null {
  const [, language = '', gender = '', name = ''] = /^([abhz])([fm])_([a-z0-9]+)$/.exec(voice) ?? [];
  return vendorVoice('openai-compatible', {
    voice,
    name: title(name),
    gender: gender === 'f' ? 'female' : 'male',
    languages: KOKORO[language] ?? [],
    description: 'Kokoro, on a server of the operator.',
  });
}
