import { ENGLISH_ONLY } from '../language-codes.ts';
import { heard } from '../price.ts';
import type { LanguageCodes, Vendor } from '../vendor.ts';

/** Languages with a published vosk model. */
const PUBLISHED: LanguageCodes = {
  ...ENGLISH_ONLY,
  'hi-IN': 'hi',
  'te-IN': 'te',
  'zh-CN': 'cn',
  'gu-IN': 'gu',
  'ar-AE': 'ar',
};

export const vosk = {
  name: 'vosk',
  needsKey: false,
  baseUrl: { about: 'URL of a vosk-server with a model for 16 kHz, such as http://127.0.0.1:2700.' },
  served: { about: 'Languages of its model, such as en. Default: every one.' },
  stt: { languages: { any: PUBLISHED } },
  prices: [heard('vosk', '*', 0)],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
