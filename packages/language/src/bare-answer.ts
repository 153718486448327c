import { polarity } from './answers.ts';
import { courtesiesOf, isCourteous } from './asides.ts';
import { ENGLISH } from './phrases.ts';
import type { PhraseTable } from './phrases/phrase-table.ts';
import { hasPhrase, normal, normalPhrase } from './text.ts';

/** Longer lines are words of the caller's own. */
const MOST_WORDS = 8;
/** Words around a yes or no that say nothing more: "that is quite right, yes". */
const AROUND = new Set('that thats is it its all quite very so the one said just exactly'.split(' '));

/** Words by which a caller takes an answer back, by the locale of the phrase table. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  en: ['wrong', 'incorrect', 'not right', 'not correct', 'not true', 'isnt right', 'isnt correct'],
  hi: ['गलत', 'ग़लत', 'सही नहीं', 'ठीक नहीं', 'galat', 'sahi nahi', 'sahi nahin'],
  mr: ['चूक', 'चुकीचे', 'बरोबर नाही', 'barobar nahi'],
  bn: ['ভুল', 'ঠিক না', 'ঠিক নয়', 'bhul'],
  gu: ['ખોટું', 'બરાબર નથી', 'khotu'],
  pa: ['ਗਲਤ', 'ਗ਼ਲਤ', 'ਸਹੀ ਨਹੀਂ', 'galat'],
  or: ['ଭୁଲ୍', 'ଭୁଲ', 'ଠିକ୍ ନୁହେଁ'],
  ta: ['தவறு', 'தப்பு', 'சரியில்லை', 'சரி இல்லை', 'thappu'],
  te: ['తప్పు', 'సరి కాదు', 'thappu'],
  kn: ['ತಪ್ಪು', 'ಸರಿಯಲ್ಲ', 'ಸರಿ ಅಲ್ಲ', 'tappu'],
  ms: ['salah', 'tidak betul', 'tak betul'],
  zh: ['不对', '错', '不正确'],
  my: ['မှား', 'မမှန်'],
  ar: ['خطأ', 'غلط', 'غير صحيح', 'ليس صحيحا'],
};

const NO_SPACES = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** The line, in `normal` form, without these phrases; in scripts with spaces as whole words. */
function without(line: string, phrases: readonly string[]): string {
  let rest = ` ${line} `;
  for (const phrase of phrases.map(normalPhrase).toSorted((a, b) => b.length - a.length)) {
    if (phrase === '') continue;
    if (NO_SPACES.test(phrase)) rest = rest.replaceAll(phrase, ' ');
    else while (rest.includes(` ${phrase} `)) rest = rest.replaceAll(` ${phrase} `, ' ');
  }
  return rest;
}

/** The yes or no of a line that says nothing else ("that is right", "no, wrong"); null when it says more or neither. */
export function bareAnswer(text: string, table: PhraseTable): 'yes' | 'no' | null {
  const line = normal(text);
  const answer = polarity(line, table);
  if (answer === null || line.split(' ').length > MOST_WORDS) return null;
  const spoken = (of: PhraseTable): readonly string[] => (answer === 'yes' ? of.yes : [...of.no, ...of.yes]);
  const wrong = answer === 'no' ? [...(WRONG[table.locale] ?? []), ...WRONG['en']!] : [];
  const rest = without(line, [...spoken(table), ...spoken(ENGLISH), ...wrong])
    .split(' ')
    .filter((word) => !AROUND.has(word))
    .join(' ');
  return isCourteous(rest, courtesiesOf(table.locale)) ? answer : null;
}

/** Whether a line begins by calling wrong what was just agreed to: "no, that is wrong", "no, that is wrong, it is five". */
export function takesBack(text: string, table: PhraseTable): boolean {
  const isWrong = (line: string): boolean =>
    [...(WRONG[table.locale] ?? []), ...WRONG['en']!].some((phrase) => hasPhrase(line, normalPhrase(phrase)));
  const parts = text.split(/[,.;!।。，؛،]/u);
  return parts.some((_, at) => {
    const lead = parts.slice(0, at + 1).join(' ');
    return isWrong(normal(lead)) && bareAnswer(lead, table) === 'no';
  });
}
