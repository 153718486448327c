import { type Language, languageOf } from '@callwright/language';
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
