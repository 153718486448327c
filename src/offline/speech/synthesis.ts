import { type Language, isEnglish } from '@callwright/language';
import { libraryVoice } from './library/voices.ts';
import { asciiText, opening, speechClauses, spokenText } from './spoken-text.ts';

interface Spoken<Engine extends string> {
  readonly engine: Engine;
  readonly voice: string;
  /** 0.5 (slow) to 2 (fast). */
  readonly speed: number;
  readonly text: string;
}
/** `instead`: the espeak-ng voice used where flite is not installed. */
type FliteSynthesis = Spoken<'flite'> & { readonly instead: string };
/** `instead`: the flite voice used where the natural one is not installed, or fails. */
type HibariSynthesis = Spoken<'hibari'> & { readonly instead: FliteSynthesis };

/** `instead`: the espeak-ng voice used where this one is not installed, or fails. */
type LibrarySynthesis = Spoken<'library'> & { readonly instead: string };

/** One job for an engine. */
export type Synthesis = Spoken<'espeak'> | FliteSynthesis | HibariSynthesis | LibrarySynthesis;

/** espeak-ng voices by language (`cmn` would read tone digits as English words). */
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
/** Natural voices, and the flite voice that is most like each. */
const HIBARI_VOICES: ReadonlyMap<string, string> = new Map([
  ['heart', 'slt'],
  ['kore', 'slt'],
  ['fenrir', 'rms'],
]);
const ESPEAK_VARIANT = /^[a-z]{0,3}\+?([fm][1-8])$/;

/** Chooses engine, voice and speed for a text. Null when nothing in it is speakable. */
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
  const library = libraryVoice(options.voiceKey);
  if (library !== null) {
    const espeak = `${language}+${library.instead}`;
    const speaks = library.languages.includes(options.language);
    if (!speaks) return { engine: 'espeak', voice: espeak, speed, text };
    return { engine: 'library', voice: library.name, speed, text, instead: espeak };
  }
  const likeness = engine === 'hibari' ? HIBARI_VOICES.get(name) : undefined;
  const flite = likeness ?? (engine === 'flite' ? name : '');
  const variantInstead = FLITE_VOICES.get(flite);
  if (variantInstead !== undefined) {
    const plain = isEnglish(options.language) ? asciiText(text) : null;
    const espeak = `${language}+${variantInstead}`;
    if (plain === null || plain === '') return { engine: 'espeak', voice: espeak, speed, text };
    const byFlite = { engine: 'flite', voice: flite, speed, text: plain, instead: espeak } as const;
    return likeness === undefined ? byFlite : { ...byFlite, engine: 'hibari', voice: name, instead: byFlite };
  }
  const variant = ESPEAK_VARIANT.exec(name)?.[1] ?? 'f3';
  return { engine: 'espeak', voice: `${language}+${variant}`, speed, text };
}

/** The cache key of a synthesis: equal keys yield equal audio. */
export const synthesisKey = (synthesis: Synthesis, sampleRate: number): string =>
  `${synthesis.engine}\n${synthesis.voice}\n${synthesis.speed}\n${sampleRate}\n${synthesis.text}`;

/** The same text by the engine behind: flite for hibari, espeak-ng for flite and sherpa-onnx. */
export const engineBehind = (synthesis: Exclude<Synthesis, { readonly engine: 'espeak' }>): Synthesis =>
  synthesis.engine === 'hibari'
    ? { ...synthesis.instead, text: synthesis.text }
    : { engine: 'espeak', voice: synthesis.instead, speed: synthesis.speed, text: synthesis.text };

/** A part of an utterance that one engine run synthesises. */
export interface Clip {
  readonly synthesis: Synthesis;
  /** Silence between this clip and the next. */
  readonly pauseMs: number;
  /** Part of the first sentence, which is synthesised ahead of the answer. */
  readonly isFirst: boolean;
}

/** Silence between two clips at speed 1, as flite leaves it inside a text. */
const PAUSE_MS = { sentence: 320, clause: 100 } as const;

/**
 * flite and the natural voices make no sound before the whole text is synthesised, so they get one sentence at a time, and of
 * the first one its opening alone; calls whose messages differ in one part share the others. espeak-ng streams: its texts
 * are one clip.
 */
export function clipsOf(synthesis: Synthesis): Clip[] {
  if (synthesis.engine === 'espeak') return [{ synthesis, pauseMs: 0, isFirst: true }];
  const [first = '', ...others] = speechClauses(synthesis.text);
  const clip = (text: string, isFirst: boolean): Clip => {
    const pauseMs = /[.!?]["')]?$/.test(text) ? PAUSE_MS.sentence : PAUSE_MS.clause;
    return { synthesis: { ...synthesis, text }, pauseMs: pauseMs / synthesis.speed, isFirst };
  };
  return [
    ...(opening(first) ?? [first]).map((text) => clip(text, true)),
    ...others.map((text) => clip(text, false)),
  ];
}
