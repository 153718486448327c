import { LANGUAGES, type Language } from '@callwright/language';
import { namedUuid } from '../shared/named-uuid.ts';
import { speakerCode } from './speaker-languages.ts';
import type { TtsVendorName } from './catalogue.ts';

/** A voice of a speech vendor. `voiceKey` is `<vendor>:<the vendor's own name>`. */
export interface VendorVoice {
  /** The same in every process and at every time. */
  readonly id: string;
  readonly vendor: TtsVendorName;
  readonly name: string;
  /** The first one is that which the vendor names, if it names one. */
  readonly languages: readonly Language[];
  readonly gender: 'female' | 'male' | 'neutral';
  readonly description: string;
  /** A sample of the vendor's; null: there is none. */
  readonly sampleUrl: string | null;
  readonly voiceKey: string;
}

const LONGEST_NAME = 100;
const LONGEST_DESCRIPTION = 300;

/** The id of a vendor's voice. */
export const vendorVoiceId = (vendor: TtsVendorName, voice: string): string =>
  namedUuid(`${vendor}:${voice}`);

export interface VoiceFacts {
  /** The vendor's own name of the voice. */
  readonly voice: string;
  readonly name: string;
  readonly gender: VendorVoice['gender'];
  readonly languages: readonly Language[];
  readonly description?: string;
  readonly sampleUrl?: string | null;
}

/** A voice without the languages that the vendor cannot speak; null: none is left. */
export function vendorVoice(
  vendor: TtsVendorName,
  { voice, name, gender, languages, description = '', sampleUrl = null }: VoiceFacts,
  served?: readonly string[],
): VendorVoice | null {
  const spoken = [...new Set(languages)].filter((language) => speakerCode(vendor, language, served) !== null);
  if (spoken.length === 0 || voice === '') return null;
  return {
    id: vendorVoiceId(vendor, voice),
    vendor,
    name: name.trim().slice(0, LONGEST_NAME) || voice.slice(0, LONGEST_NAME),
    languages: spoken,
    gender,
    description: description.trim().slice(0, LONGEST_DESCRIPTION),
    sampleUrl: sampleUrl !== null && /^https?:\/\//.test(sampleUrl) ? sampleUrl : null,
    voiceKey: `${vendor}:${voice}`,
  };
}

/** The languages of a locale (`en-IN`) or a language (`hi`); an accent says which English. */
export function languagesOf(code: string, accent = ''): readonly Language[] {
  const exact = LANGUAGES.find((language) => language.toLowerCase() === code.toLowerCase());
  if (exact !== undefined) return [exact];
  const language = code.toLowerCase().split('-')[0] ?? '';
  if (language === 'en') {
    const english = ACCENTS.find(([sign]) => accent.toLowerCase().includes(sign))?.[1];
    return [english ?? 'en-US'];
  }
  // The interface spells Odia differently from ISO 639-1.
  const own = language === 'or' ? 'od' : language;
  return LANGUAGES.filter((one) => one.startsWith(`${own}-`));
}

const ACCENTS: readonly (readonly [string, Language])[] = [
  ['brit', 'en-GB'],
  ['austral', 'en-AU'],
  ['indian', 'en-IN'],
];

/** A vendor's word for a gender. */
export function genderOf(word: string): VendorVoice['gender'] {
  const said = word.toLowerCase();
  if (/^(?:f|fem)/.test(said)) return 'female';
  return /^(?:m|masc)/.test(said) ? 'male' : 'neutral';
}

/** A word with a capital. */
export const titled = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** The voices that speak one of our languages. */
export const listed = (voices: readonly (VendorVoice | null)[]): readonly VendorVoice[] =>
  voices.filter((voice) => voice !== null);

/** Voices of a vendor without a list to read; `names` are separated by spaces. */
export const fixedVoices = (
  vendor: TtsVendorName,
  lists: readonly (readonly [gender: VendorVoice['gender'], names: string])[],
  languages: readonly Language[],
  description: string,
): readonly VendorVoice[] =>
  listed(
    lists.flatMap(([gender, names]) =>
      names
        .split(' ')
        .map((voice) => vendorVoice(vendor, { voice, name: titled(voice), gender, languages, description })),
    ),
  );
