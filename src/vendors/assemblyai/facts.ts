import { ENGLISH_ONLY, WHISPER } from '../language-codes.ts';
import { heard } from '../price.ts';
import type { LanguageCodes, Vendor } from '../vendor.ts';

const UNIVERSAL_PRO: LanguageCodes = { ...ENGLISH_ONLY, 'hi-IN': 'hi', 'zh-CN': 'zh', 'ar-AE': 'ar' };

export const assemblyai = {
  name: 'assemblyai',
  needsKey: true,
  apiKey: { about: 'API key of AssemblyAI.' },
  baseUrl: { default: 'https://streaming.assemblyai.com', about: 'AssemblyAI: the URL.' },
  stt: {
    model: {
      about: 'AssemblyAI: the model. Default: universal-3-5-pro for its languages, else whisper-rt.',
    },
    languages: {
      any: WHISPER,
      models: [
        [/^universal-3-6/, { ...UNIVERSAL_PRO, 'mr-IN': 'mr' }],
        [/^(?:universal-3|u3)/, UNIVERSAL_PRO],
        [/^universal-streaming/, ENGLISH_ONLY],
      ],
    },
  },
  prices: [heard('assemblyai', 'universal-3*', 0.45 / 60), heard('assemblyai', '*', 0.15 / 60)],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
