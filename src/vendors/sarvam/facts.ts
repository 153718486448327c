import { LANGUAGES } from '@callwright/language';
import { english, NO_LANGUAGES } from '../language-codes.ts';
import { heard, spoken } from '../price.ts';
import type { LanguageCodes, Vendor } from '../vendor.ts';

/** Sarvam charges rupees. */
const RUPEES = 85;

const INDIAN = Object.fromEntries(
  LANGUAGES.filter((language) => language.endsWith('-IN')).map((language) => [language, language]),
);
const HEARD: LanguageCodes = {
  ...NO_LANGUAGES,
  ...INDIAN,
  ...english('en-IN'),
  // The realtime API spells Odia differently from the interface.
  'od-IN': 'or-IN',
};
const SPOKEN: LanguageCodes = { ...NO_LANGUAGES, ...INDIAN, ...english('en-IN') };

export const sarvam = {
  name: 'sarvam',
  needsKey: true,
  apiKey: { about: 'API key of Sarvam.' },
  baseUrl: { default: 'https://api.sarvam.ai', about: 'Sarvam: the URL.' },
  voice: { about: 'Sarvam: the voice of agents that name none of its voices. Default: shubh.' },
  stt: {
    model: { about: 'Sarvam: the model. Default: saaras:v3-realtime.' },
    languages: { any: HEARD },
  },
  tts: {
    model: { about: 'Sarvam: the model of the voices. Default: bulbul:v3.' },
    languages: SPOKEN,
  },
  prices: [heard('sarvam', '*', 30 / RUPEES / 60), spoken('sarvam', '*', 30 / RUPEES / 10)],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
