import type { Language } from '@callwright/language';

/**
 * A voice of the offline speech engines. A TtsProvider opens `voiceKey`: `hibari:<voice>`, `library:<voice>`, `flite:<voice>`,
 * `espeak:<variant>`, which takes its language at opening, or `own:…` for a voice of the operator's.
 */
export interface VoiceInfo {
  readonly id: string;
  readonly name: string;
  readonly languages: readonly Language[];
  readonly gender: 'female' | 'male' | 'neutral';
  readonly description: string;
  readonly voiceKey: string;
}

const INDIAN = [
  'hi-IN',
  'en-IN',
  'mr-IN',
  'gu-IN',
  'pa-IN',
  'bn-IN',
  'od-IN',
  'ta-IN',
  'te-IN',
  'kn-IN',
] as const;
const SOUTH_INDIAN = ['ta-IN', 'te-IN', 'kn-IN', 'en-IN', 'hi-IN'] as const;
const EAST_INDIAN = ['bn-IN', 'od-IN', 'en-IN', 'hi-IN'] as const;
const ENGLISH = ['en-GB', 'en-US', 'en-AU', 'en-IN'] as const;

const SYNTHETIC = 'Synthetic, clearly a machine, quick and intelligible.';
const BRITISH = 'Indian and Australian English are spoken with a British accent.';
const INDIC = `${SYNTHETIC} Indian English is spoken with a British accent; Indian languages sound even in tone.`;

/**
 * The catalogue: natural voices stand before synthetic ones, so that clients offer the natural voice of a language first. Where its model
 * is missing or the machine too slow, a synthetic voice speaks for it. Agents store voice ids, so an id never changes and never moves to
 * another voice.
 */
const CATALOGUE: readonly VoiceInfo[] = [
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e14',
    name: 'Claire',
    languages: ['en-US', 'en-IN', 'en-AU', 'en-GB'],
    gender: 'female',
    description:
      'Natural American English, also for Indian, Australian and British English. Without the model hibari-en-us, Grace speaks for her.',
    voiceKey: 'hibari:heart',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e15',
    name: 'Miles',
    languages: ['en-US', 'en-IN', 'en-AU'],
    gender: 'male',
    description:
      'Natural American English. Needs the model hibari-fenrir beside the English pack; without it, Henry speaks for him.',
    voiceKey: 'hibari:fenrir',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e16',
    name: 'Nora',
    languages: ['en-US', 'en-IN', 'en-AU'],
    gender: 'female',
    description:
      'Natural American English. Needs the model hibari-kore beside the English pack; without it, Grace speaks for her.',
    voiceKey: 'hibari:kore',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e17',
    name: 'Jack',
    languages: ['en-US', 'en-IN', 'en-AU'],
    gender: 'male',
    description:
      'Natural American English. Needs the model piper-en-us-joe and the package sherpa-onnx-node; without them, Oliver speaks for him.',
    voiceKey: 'library:joe',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e18',
    name: 'Anika',
    languages: ['hi-IN'],
    gender: 'female',
    description:
      'Natural Hindi. Needs the model kokoro-v1, the package sherpa-onnx-node and a quick machine; otherwise Asha speaks for her.',
    voiceKey: 'library:hf_alpha',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e19',
    name: 'Rohan',
    languages: ['hi-IN'],
    gender: 'male',
    description:
      'Natural Hindi. Needs the model kokoro-v1, the package sherpa-onnx-node and a quick machine; otherwise Arjun speaks for him.',
    voiceKey: 'library:hm_omega',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e01',
    name: 'Grace',
    languages: ['en-US'],
    gender: 'female',
    description: 'American English, synthetic; like an announcement line.',
    voiceKey: 'flite:slt',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e02',
    name: 'Henry',
    languages: ['en-US'],
    gender: 'male',
    description: 'American English. Calm and deep; like an announcement line.',
    voiceKey: 'flite:rms',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e03',
    name: 'Alan',
    languages: ['en-GB', 'en-US', 'en-AU'],
    gender: 'male',
    description:
      'Scottish English, also for British, American and Australian English; not an Australian voice.',
    voiceKey: 'flite:awb',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e04',
    name: 'Emma',
    languages: ENGLISH,
    gender: 'female',
    description: `${SYNTHETIC} British and American English; ${BRITISH}`,
    voiceKey: 'espeak:f2',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e05',
    name: 'Oliver',
    languages: ENGLISH,
    gender: 'male',
    description: `${SYNTHETIC} British and American English; ${BRITISH}`,
    voiceKey: 'espeak:m3',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e06',
    name: 'Asha',
    languages: INDIAN,
    gender: 'female',
    description: INDIC,
    voiceKey: 'espeak:f3',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e07',
    name: 'Arjun',
    languages: INDIAN,
    gender: 'male',
    description: INDIC,
    voiceKey: 'espeak:m1',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e08',
    name: 'Meena',
    languages: SOUTH_INDIAN,
    gender: 'female',
    description: INDIC,
    voiceKey: 'espeak:f1',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e09',
    name: 'Karthik',
    languages: SOUTH_INDIAN,
    gender: 'male',
    description: INDIC,
    voiceKey: 'espeak:m7',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e0a',
    name: 'Mitali',
    languages: EAST_INDIAN,
    gender: 'female',
    description: INDIC,
    voiceKey: 'espeak:f4',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e0b',
    name: 'Sourav',
    languages: EAST_INDIAN,
    gender: 'male',
    description: INDIC,
    voiceKey: 'espeak:m2',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e0c',
    name: 'Aisyah',
    languages: ['ms-MY', 'en-GB'],
    gender: 'female',
    description: `${SYNTHETIC} Malay, and British English as a second language.`,
    voiceKey: 'espeak:f4',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e0d',
    name: 'Hafiz',
    languages: ['ms-MY', 'en-GB'],
    gender: 'male',
    description: `${SYNTHETIC} Malay, and British English as a second language.`,
    voiceKey: 'espeak:m1',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e0e',
    name: 'Lin',
    languages: ['zh-CN', 'en-US'],
    gender: 'female',
    description: `${SYNTHETIC} Mandarin with foreign-sounding tones, and American English.`,
    voiceKey: 'espeak:f4',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e0f',
    name: 'Wei',
    languages: ['zh-CN', 'en-US'],
    gender: 'male',
    description: `${SYNTHETIC} Mandarin with foreign-sounding tones, and American English.`,
    voiceKey: 'espeak:m2',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e10',
    name: 'Thiri',
    languages: ['my-MM', 'en-GB'],
    gender: 'female',
    description: 'Burmese is experimental: syllables go missing. Try it before calling anyone with it.',
    voiceKey: 'espeak:f1',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e11',
    name: 'Kyaw',
    languages: ['my-MM', 'en-GB'],
    gender: 'male',
    description: 'Burmese is experimental: syllables go missing. Try it before calling anyone with it.',
    voiceKey: 'espeak:m4',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e12',
    name: 'Layla',
    languages: ['ar-AE', 'en-GB'],
    gender: 'female',
    description: `${SYNTHETIC} Standard Arabic; write short vowels where the reading matters.`,
    voiceKey: 'espeak:f3',
  },
  {
    id: '5b0d6d0e-6b1e-5f0a-9c55-0a4f3b1c7e13',
    name: 'Omar',
    languages: ['ar-AE', 'en-GB'],
    gender: 'male',
    description: `${SYNTHETIC} Standard Arabic; write short vowels where the reading matters.`,
    voiceKey: 'espeak:m7',
  },
];

const BY_ID: ReadonlyMap<string, VoiceInfo> = new Map(CATALOGUE.map((voice) => [voice.id, voice]));

/** Lists the voices that the operator keeps beside the models. */
let own: () => readonly VoiceInfo[] = () => [];

/** Offers the operator's voices before those of the catalogue, from now on, on this thread. */
export function offerVoices(list: () => readonly VoiceInfo[]): void {
  own = list;
}

/** Every voice, in the order clients should offer them: who adds a voice means to use it. */
export const voices = (): readonly VoiceInfo[] => [...own(), ...CATALOGUE];

export function voiceById(id: string): VoiceInfo | undefined {
  const wanted = id.toLowerCase();
  return BY_ID.get(wanted) ?? own().find((voice) => voice.id === wanted);
}

/** Voices that speak at least one of `languages`; all voices for an empty list. */
export const voicesFor = (languages: readonly string[]): readonly VoiceInfo[] =>
  languages.length === 0
    ? CATALOGUE
    : CATALOGUE.filter((voice) => voice.languages.some((language) => languages.includes(language)));

/** The engines that speak by a model of the catalogue. */
const NATURAL = /^(?:hibari|library):/;

/** The default voice of a language: the first natural one that speaks it, else one with it as first language, else any. */
export function defaultVoice(language: Language): VoiceInfo {
  const able = CATALOGUE.filter((voice) => voice.languages.includes(language));
  const voice =
    able.find(({ voiceKey }) => NATURAL.test(voiceKey)) ??
    able.find(({ languages }) => languages[0] === language) ??
    able[0];
  if (voice === undefined) throw new Error('no voice for a supported language');
  return voice;
}
