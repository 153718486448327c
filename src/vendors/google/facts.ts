import type { Vendor } from '../vendor.ts';

export const google = {
  name: 'google',
  needsKey: true,
  apiKey: { about: 'API key of Google Gemini.' },
  baseUrl: { default: 'https://generativelanguage.googleapis.com', about: 'Google Gemini: the URL.' },
  voice: { default: 'Puck', about: 'Gemini Live: the voice.' },
  llm: {
    model: { default: 'gemini-3.5-flash-lite', about: 'Google Gemini: the language model.' },
    version: '/v1beta',
  },
  s2s: {
    product: 'Gemini Live',
    minutes: 10,
    model: { default: 'gemini-3.8-live', about: 'Gemini Live: the model that hears and speaks.' },
    voice: 'Puck',
  },
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
