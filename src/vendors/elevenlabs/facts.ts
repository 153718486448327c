import { ENGLISH, ISO, only } from '../language-codes.ts';
import { heard } from '../price.ts';
import type { Vendor } from '../vendor.ts';

export const elevenlabs = {
  name: 'elevenlabs',
  needsKey: true,
  apiKey: { about: 'API key of ElevenLabs.' },
  baseUrl: { default: 'https://api.elevenlabs.io', about: 'ElevenLabs: the URL.' },
  voice: { about: 'ElevenLabs: id of the voice of agents that name none of its voices. Default: Rachel.' },
  stt: {
    model: { about: 'ElevenLabs: the recogniser. Default: scribe_v2_realtime.' },
    languages: { any: ISO },
  },
  tts: {
    rank: 1,
    model: { about: 'ElevenLabs: the model of the voices. Default: eleven_flash_v2_5.' },
    // Flash and Turbo v2.5; v3, which speaks more, has no WebSocket.
    languages: only(...ENGLISH, 'hi-IN', 'ta-IN', 'ms-MY', 'zh-CN', 'ar-AE'),
  },
  prices: [heard('elevenlabs', '*', 0.39 / 60)],
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
