import type { BrainContext } from '../ports/model.ts';

const UNCLEAR =
  '[not understood] means that the caller said something that was not recognised: never guess what it was.';

const PHRASES = `On this call only short answers are recognised, one at a time: yes or no; the choices that your question names; a day, a date or a time; a number up to one hundred; digits one by one. Everything else the caller says is lost.
- End each of your turns with one question that such an answer settles: "Is it for today?", "Would you prefer morning or evening?", "Which day suits you?"
- Do not ask by voice for a name, an address, an e-mail, an amount of money or a free answer. Offer two to four choices, or ask for keys ("Please enter your budget on your keypad, then press hash"), or say that you cannot take it down on this call.
- ${UNCLEAR} Do not repeat the same question: ask for yes or no, name choices, or offer keys ("Press 1 for morning, 2 for evening"). After a second [not understood], use keys or leave the question.`;

const KEYS = `Speech in this language cannot be understood on this line: offer keypad choices ("press 1 for yes"). ${UNCLEAR}`;

/** Prompt rules for a recogniser with limited capabilities; empty where it recognises free speech. */
export function hearingRules({
  understandsSpeech,
  onlyPhrases,
}: Pick<BrainContext, 'understandsSpeech' | 'onlyPhrases'>): string {
  if (!understandsSpeech) return KEYS;
  return onlyPhrases === true ? PHRASES : '';
}
