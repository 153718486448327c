import { without } from '../language-codes.ts';
import type { Vendor } from '../vendor.ts';

export const cartesia = {
  name: 'cartesia',
  needsKey: true,
  apiKey: { about: 'API key of Cartesia.' },
  baseUrl: { default: 'https://api.cartesia.ai', about: 'Cartesia: the URL.' },
  voice: { about: 'Cartesia: id of the voice of agents that name none of its voices. Default: Katie.' },
  tts: {
    rank: 2,
    model: { about: 'Cartesia: the model of the voices. Default: sonic-3.5.' },
    languages: without('my-MM'),
  },
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
