import { type Language, conversationPhrases, languageOf } from '@callwright/language';
import type { TurnState } from '../state.ts';
import type { TurnSettings } from '../types.ts';

/** The language of the conversation now: that of the caller's last words, among the call's two languages. */
export function languageNow({ settings, history, caller }: TurnState): Language {
  const { language, secondary } = settings;
  if (secondary === undefined) return language;
  const said = history.findLast((item) => item.role === 'caller' && item.by !== 'keypad');
  const text = caller.text !== '' ? caller.text : said?.role === 'caller' ? said.text : '';
  return languageOf(text, language, secondary.language);
}

/** The turn machine's own phrases, in that language. */
export function phrasesNow(state: TurnState): TurnSettings['phrases'] {
  const { language, secondary, phrases } = state.settings;
  return secondary === undefined || languageNow(state) === language ? phrases : secondary.phrases;
}

/** The phrases of the call's language; lists to match hold the words of both. */
export function wordingOf(language: Language, secondary: Language | null) {
  const own = conversationPhrases(language);
  if (secondary === null || secondary === language) return { ...own, language };
  const other = conversationPhrases(secondary);
  const both = (name: Exclude<keyof typeof own, 'phrases'>) => [...new Set([...own[name], ...other[name]])];
  return {
    language,
    phrases: own.phrases,
    secondary: { language: secondary, phrases: other.phrases },
    backchannels: both('backchannels'),
    farewells: both('farewells'),
    greetings: both('greetings'),
    shortAnswers: both('shortAnswers'),
    waits: both('waits'),
    refusals: both('refusals'),
  };
}
