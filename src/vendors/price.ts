import type { Price } from '../shared/prices.ts';

/** The price of a minute of audio that a recogniser hears. */
export const heard = (vendor: string, model: string, perMinute: number): Price => ({
  part: 'stt',
  vendor,
  model,
  perMinute,
});

/** The price of a thousand characters that a voice speaks. */
export const spoken = (vendor: string, model: string, perThousandCharacters: number): Price => ({
  part: 'tts',
  vendor,
  model,
  perThousandCharacters,
});
