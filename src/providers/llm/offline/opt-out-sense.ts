import type { BrainContext, OptOutSense } from '../../../voice/ports.ts';
import { wantedBy } from './answer-kind.ts';
import { optOutKey, optOutKeyOf } from './opt-out-key.ts';
import { sentences } from './text.ts';
import { intentOf } from './understanding/intents.ts';
import { wordingFor } from './wording/for-language.ts';

/** Answers that are typed as digits: a key among them is one of theirs. */
const IN_DIGITS: readonly string[] = ['number', 'digits', 'time'];

/** The built-in brain's understanding of who wants no more calls, for calls that any brain holds. */
export function optOutSense(context: BrainContext): OptOutSense {
  const { language, secondaryLanguage } = context;
  const wordings = [language, ...(secondaryLanguage === null ? [] : [secondaryLanguage])].map(wordingFor);
  const key = optOutKeyOf(context);
  return {
    words: (text) => wordings.some((wording) => intentOf(text, wording) === 'stop_calling'),
    keys: (keys, { expected, question }) => {
      if (keys !== key) return false;
      const kinds = expected?.kinds ?? kindsAsked(question);
      return !/\d/.test(keys) || !kinds.some((kind) => IN_DIGITS.includes(kind));
    },
  };
}

/** What a line asks for, where the brain does not tell. A line that names the key asks for nothing else by key. */
function kindsAsked(line: string): string[] {
  if (optOutKey([line]) !== null) return [];
  return sentences(line)
    .filter((sentence) => sentence.endsWith('?'))
    .map((sentence) => wantedBy(sentence).answer);
}
