import { WHISPER, without } from '../language-codes.ts';
import { heard, spoken } from '../price.ts';
import type { Vendor } from '../vendor.ts';

export const openai = {
  name: 'openai',
  needsKey: true,
  apiKey: { about: 'API key of OpenAI.' },
  baseUrl: { default: 'https://api.openai.com', about: 'OpenAI: the URL.' },
  voice: { about: 'OpenAI: the voice of agents that name none of its voices. Default: marin.' },
  stt: {
    model: { about: 'OpenAI: the model of realtime transcription. Default: gpt-live-transcribe.' },
    languages: { any: WHISPER },
  },
  llm: { model: { default: 'gpt-5.4-mini', about: 'OpenAI: the language model.' }, version: '/v1' },
  s2s: {
    product: 'OpenAI Realtime',
    minutes: 60,
    model: {
      default: 'gpt-realtime-2.1',
      about:
        'OpenAI Realtime: the model that hears and speaks. Its voice is that of the agent, or OPENAI_VOICE.',
    },
    voice: 'marin',
  },
  tts: {
    model: { about: 'OpenAI: the model of the voices. Default: gpt-4o-mini-tts.' },
    languages: without('od-IN'),
  },
  prices: [
    heard('openai', 'gpt-live-transcribe', 0.017),
    heard('openai', 'gpt-transcribe', 0.0045),
    heard('openai', 'whisper-1', 0.006),
    spoken('openai', 'tts-1', 0.015),
  ],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
