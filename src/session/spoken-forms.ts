import { type Language, languageOf, readAloud } from '@callwright/language';
import type { SpeechManner, TtsContext, TtsSession, TtsVoice } from '../providers/ports/voice.ts';
import type { SpokenForm } from './word-places.ts';

/** The languages and voices of a call. */
export interface SpokenLanguages {
  readonly language: Language;
  readonly secondaryLanguage: Language | null;
  /** The voice of the secondary language; absent: the same voice. */
  readonly secondaryVoiceKey?: string;
}

/**
 * A speaker whose sentences are worded as people say them: numbers, money, dates and identifiers in the language of the
 * sentence, which its voice speaks too. Marks refer to the sentence as it was written.
 */
export const inSpokenForms = (tts: TtsSession, call: SpokenLanguages): TtsSession => ({
  begin: () => inContext(tts.begin(), call),
  close: () => tts.close(),
});

/** The sentence as its voice speaks it. */
export const spokenForm = (text: string, call: SpokenLanguages): SpokenForm =>
  readAloud(text, voiceFor(text, call).language ?? call.language);

const inContext = (context: TtsContext, call: SpokenLanguages): TtsContext => ({
  say(text, onEvent, manner) {
    const own = { ...voiceFor(text, call), ...manner };
    const form = readAloud(text, own.language ?? call.language);
    context.say(
      form.text,
      (event) => {
        if (event.type !== 'marks') return onEvent(event);
        const marks = event.marks.map((mark) => ({ ...mark, textEnd: form.writtenEnd(mark.textEnd) }));
        return onEvent({ type: 'marks', marks });
      },
      mannerOf(own, text, form.text),
    );
  },
  end: () => context.end(),
  cancel: () => context.cancel(),
});

function mannerOf(own: SpeechManner, text: string, spoken: string): SpeechManner | undefined {
  const manner = spoken === text ? own : { ...own, written: text };
  return Object.keys(manner).length === 0 ? undefined : manner;
}

/** In what a sentence's voice differs from the call's. */
function voiceFor(text: string, call: SpokenLanguages): Partial<TtsVoice> {
  const { language, secondaryLanguage, secondaryVoiceKey } = call;
  if (secondaryLanguage === null || languageOf(text, language, secondaryLanguage) === language) return {};
  return {
    language: secondaryLanguage,
    ...(secondaryVoiceKey === undefined ? {} : { voiceKey: secondaryVoiceKey }),
  };
}
