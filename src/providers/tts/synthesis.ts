import { isEnglish, type Language } from '../../shared/languages.ts';
import { asciiText, spokenText } from './spoken-text.ts';

/** What an engine process is asked to make. `speed` is 0.5 (slow) to 2 (fast). */
export type Synthesis =
  | { readonly engine: 'espeak'; readonly voice: string; readonly speed: number; readonly text: string }
  | {
      readonly engine: 'flite';
      readonly voice: string;
      readonly speed: number;
      readonly text: string;
      /** The voice that speaks instead where flite is not installed. */
      readonly instead: string;
    };

/** Our languages as espeak-ng voices (speech notes; `cmn` would read tone digits as English words). */
const ESPEAK_LANGUAGE: Readonly<Record<Language, string>> = {
  'en-US': 'en-us',
  // The alias en-gb ignores voice variants; en is the same British voice and honours them.
  'en-GB': 'en',
  'en-AU': 'en-gb-x-rp',
  'en-IN': 'en',
  'hi-IN': 'hi',
  'ta-IN': 'ta',
  'te-IN': 'te',
  'bn-IN': 'bn',
  'mr-IN': 'mr',
  'kn-IN': 'kn',
  'ms-MY': 'ms',
  'zh-CN': 'cmn-latn-pinyin',
  'od-IN': 'or',
  'pa-IN': 'pa',
  'my-MM': 'my',
  'gu-IN': 'gu',
  'ar-AE': 'ar',
};

/** Flite voices and the espeak variant of the same gender. */
const FLITE_VOICES: ReadonlyMap<string, string> = new Map([
  ['slt', 'f3'],
  ['rms', 'm3'],
  ['awb', 'm1'],
  ['kal16', 'm7'],
]);
const ESPEAK_VARIANT = /^[a-z]{0,3}\+?([fm][1-8])$/;

/** How loud, fast and by which engine a text is spoken. Null when nothing in it can be spoken. */
export function planSynthesis(options: {
  voiceKey: string;
  language: Language;
  speed: number;
  text: string;
}): Synthesis | null {
  const text = spokenText(options.text);
  if (text === '') return null;
  const speed = Math.min(2, Math.max(0.5, Number.isFinite(options.speed) ? options.speed : 1));
  const language = ESPEAK_LANGUAGE[options.language];
  const [engine = '', name = ''] = options.voiceKey.split(':');
  const instead = FLITE_VOICES.get(name);
  if (engine === 'flite' && instead !== undefined) {
    const plain = isEnglish(options.language) ? asciiText(text) : null;
    const fallback = `${language}+${instead}`;
    if (plain === null || plain === '') return { engine: 'espeak', voice: fallback, speed, text };
    return { engine: 'flite', voice: name, speed, text: plain, instead: fallback };
  }
  const variant = ESPEAK_VARIANT.exec(name)?.[1] ?? 'f3';
  return { engine: 'espeak', voice: `${language}+${variant}`, speed, text };
}

/** The cache key of a synthesis: equal keys give equal sound. */
export const synthesisKey = (synthesis: Synthesis, sampleRate: number): string =>
  `${synthesis.engine}\n${synthesis.voice}\n${synthesis.speed}\n${sampleRate}\n${synthesis.text}`;
