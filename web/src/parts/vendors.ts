import { LOCALE } from '../words/language.ts';

/** The parts of a conversation that vendors do. */
export const PART_NAMES: Readonly<Record<string, string>> = {
  stt: 'Recognition',
  llm: 'Model',
  tts: 'Voice',
  s2s: 'Speech to speech',
};

/** How the vendors write themselves. */
const TITLES: Readonly<Record<string, string>> = {
  deepgram: 'Deepgram',
  sarvam: 'Sarvam',
  openai: 'OpenAI',
  assemblyai: 'AssemblyAI',
  elevenlabs: 'ElevenLabs',
  cartesia: 'Cartesia',
  anthropic: 'Anthropic',
  google: 'Google',
  'openai-compatible': 'OpenAI-compatible',
  vosk: 'Vosk',
  sherpa: 'Sherpa',
};
/** The name of a vendor, or of the engine of this machine. */
export const vendorTitle = (name: string): string => TITLES[name] ?? name;

const moneyIn = (currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(LOCALE, { style: 'currency', currency, maximumFractionDigits: 4 });
/** An amount with the digits that calls for fractions of a cent need. */
export const formatMoney = (amount: number, currency: string): string => moneyIn(currency).format(amount);
/** Amounts between two; one where they are equal. */
export const formatMoneyRange = (least: number, most: number, currency: string): string =>
  least === most ? formatMoney(least, currency) : moneyIn(currency).formatRange(least, most);
