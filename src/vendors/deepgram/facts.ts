import { ENGLISH, ENGLISH_ONLY, NO_LANGUAGES, only } from '../language-codes.ts';
import { heard, spoken } from '../price.ts';
import type { Vendor } from '../vendor.ts';

const ENGLISHES = { 'en-US': 'en-US', 'en-GB': 'en-GB', 'en-AU': 'en-AU', 'en-IN': 'en-IN' } as const;
const NOVA_3 = {
  ...ENGLISHES,
  'hi-IN': 'hi',
  'ta-IN': 'ta',
  'te-IN': 'te',
  'bn-IN': 'bn',
  'mr-IN': 'mr',
  'kn-IN': 'kn',
  'ms-MY': 'ms',
  'zh-CN': 'zh-CN',
  'od-IN': null,
  'pa-IN': 'pa',
  'my-MM': null,
  'gu-IN': 'gu',
  'ar-AE': 'ar-AE',
} as const;

export const deepgram = {
  name: 'deepgram',
  needsKey: true,
  apiKey: { about: 'API key of Deepgram.' },
  baseUrl: {
    default: 'https://api.deepgram.com',
    about: 'Deepgram: the URL, for example of a regional host.',
  },
  voice: { about: 'Deepgram: the same, as an id of a voice; it comes before the model.' },
  stt: {
    model: {
      about:
        'Deepgram: the model, such as flux-general-en or nova-3. Default: Flux for English and Hindi, else Nova-3.',
    },
    languages: {
      any: NOVA_3,
      models: [
        [/^flux-.*-en$/, ENGLISH_ONLY],
        [/^flux/, { ...ENGLISH_ONLY, 'hi-IN': 'hi' }],
        [/^nova-3-medical/, ENGLISH_ONLY],
        [/^nova-2/, { ...NO_LANGUAGES, ...ENGLISHES, 'hi-IN': 'hi', 'ms-MY': 'ms', 'zh-CN': 'zh-CN' }],
      ],
    },
  },
  tts: {
    model: {
      about:
        'Deepgram: the voice model of agents that name none, such as aura-2-thalia-en. Default: one with the accent of the language.',
    },
    languages: only(...ENGLISH),
  },
  prices: [
    heard('deepgram', 'flux-general-en', 0.0065),
    heard('deepgram', 'flux-*', 0.0078),
    heard('deepgram', 'nova-3', 0.0048),
    spoken('deepgram', 'aura-2*', 0.03),
    spoken('deepgram', 'aura-*', 0.015),
  ],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
