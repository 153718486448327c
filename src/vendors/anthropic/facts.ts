import type { Vendor } from '../vendor.ts';

export const anthropic = {
  name: 'anthropic',
  needsKey: true,
  apiKey: { about: 'API key of Anthropic.' },
  baseUrl: { default: 'https://api.anthropic.com', about: 'Anthropic: the URL.' },
  llm: { model: { default: 'claude-haiku-5-5', about: 'Anthropic: the language model.' }, version: '/v1' },
  protocol: () => import('./protocol.ts'),
} as const satisfies Vendor;
