import courtesies from './courtesies.json' with { type: 'json' };
import { intentOf } from './intents.ts';
import type { Intent, PhraseTable } from './phrases/phrase-table.ts';
import { normal, normalPhrase, words } from './text.ts';

/** Intents whose line is whole by itself: their patterns fit whole lines. */
const WHOLE: ReadonlySet<Intent> = new Set<Intent>(['what', 'hello', 'why_asked']);
/** Intents whose words may also stand in a longer answer. */
const INSIDE: ReadonlySet<Intent> = new Set<Intent>(['repeat', 'hold', 'who', 'robot']);
/** Longer lines are words of the caller's own. */
const MOST_WORDS = 10;

/** English words of these intents; the rest of such a line is courtesy. */
const ENGLISH =
  /\b(?:repeat|say (?:that|it|this) again|say again|come again|once (?:more|again)|one more time|(?:didnt|did not|couldnt|could not|cant|cannot) (?:really |quite )?(?:hear|catch|get|understand)(?: you| that| it)?|what did you (?:just )?say|what was (?:the|your|that) (?:question|again)|pardon(?: me)?|speak (?:up|louder)|more (?:slowly|clearly)|hold on|hang on|hold please|(?:one|a|1) (?:moment|minute|second|sec)|(?:give|gimme) (?:me )?(?:a|one) (?:moment|minute|second|sec)|let me (?:check|see|think|look)|bear with me|who is (?:this|that|calling|speaking|it)|whos (?:this|that|calling|speaking|there)|who (?:are|r) you|who am i (?:speaking|talking) (?:to|with)|where are you calling from|(?:which|what) company|(?:are you|is (?:this|that|it)|am i (?:talking|speaking) (?:to|with)) (?:a |an )?(?:real |human |automated )?(?:robot|human|bot|machine|ai|computer|person|recording|chatbot|real))\b/g;

const lists: Readonly<Record<string, string>> = courtesies;
const known = new Map<string, ReadonlySet<string>>();
/** Words of courtesy of a language and of English, in `normal` form. */
export function courtesiesOf(locale: string): ReadonlySet<string> {
  let found = known.get(locale);
  if (found === undefined) {
    found = new Set([...words(lists[locale] ?? ''), ...words(lists['en']!)]);
    known.set(locale, found);
  }
  return found;
}

/**
 * What a line is that answers no question: the caller asks back, greets or wants a moment ("sorry, can you say that again?").
 * Null: it is no such line, or says more ("hold on, it is Friday").
 */
export function asideIn(text: string, table: PhraseTable): Intent | null {
  const line = normal(text);
  const count = line.split(' ').length;
  if (line === '' || count > MOST_WORDS) return null;
  const courteous = courtesiesOf(table.locale);
  const intent = intentOf(line, table) ?? intentOf(withoutLead(line, courteous), table);
  if (intent === null) return null;
  if (WHOLE.has(intent)) return intent;
  if (!INSIDE.has(intent)) return null;
  const rest = without(line.replaceAll(ENGLISH, ' '), table.intents[intent] ?? []);
  return isCourteous(rest, courteous) ? intent : null;
}

/** "Sorry, what was that": the intent stands behind the courtesy. */
function withoutLead(line: string, courteous: ReadonlySet<string>): string {
  const all = line.split(' ');
  const from = all.findIndex((word) => !courteous.has(word) || word === 'what');
  return from === -1 ? '' : all.slice(from).join(' ');
}

/** The line without these phrases; the last word of a phrase may have an ending. */
function without(line: string, phrases: readonly string[]): string {
  let rest = ` ${line} `;
  for (const phrase of phrases.map(normalPhrase).toSorted((a, b) => b.length - a.length)) {
    const isApart = !NO_SPACES.test(phrase);
    const found = isApart ? ` ${phrase}` : phrase;
    const at = phrase === '' ? -1 : rest.indexOf(found);
    if (at === -1) continue;
    const behind = rest.slice(at + found.length);
    rest = `${rest.slice(0, at)} ${isApart ? behind.replace(/^[\p{L}\p{M}]+/u, '') : behind}`;
  }
  return rest;
}
const NO_SPACES = /[\p{Script=Han}\p{Script=Myanmar}]/u;

/** Whether nothing but courtesy is left of a line. */
export function isCourteous(rest: string, courteous: ReadonlySet<string>): boolean {
  return rest
    .split(' ')
    .filter((word) => word !== '' && !courteous.has(word))
    .every((word) => NO_SPACES.test(word) && withoutSigns(word, courteous) === '');
}

/** A word of a script without blanks, without the courtesies in it. */
function withoutSigns(word: string, courteous: ReadonlySet<string>): string {
  const signs = [...courteous].filter((sign) => NO_SPACES.test(sign)).toSorted((a, b) => b.length - a.length);
  let rest = word;
  for (const sign of signs) rest = rest.replaceAll(sign, '');
  return rest;
}
