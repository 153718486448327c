import { LOCALE } from '../words/language.ts';

/** The parts of a conversation that vendors do. */
export const PART_NAMES: Readonly<Record<string, string>> = {
  stt: 'Recognition',
  llm: 'Model',
  tts: 'Voice',
  s2s: 'Speech to speech',
};

/** An amount with the digits that calls for fractions of a cent need. */
export const formatMoney = (amount: number, currency: string): string =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount);
