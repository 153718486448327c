import type { CommandForms } from './command-forms.ts';
import { beginsWith, endsWith, holds, isOpenQuestion, normal, sentences } from '@callwright/language';
import { spoken } from './text.ts';
import { verbatim, type Unit } from './unit.ts';
import { isCondition, splitNative, type Wording } from './wording.ts';

const QUOTE = /["“「『«]([^"“”「」『』«»]{2,500})["”」』»]/gu;
const QUESTION = /[?？؟]["”’»」]?\s*$/u;
const EXCLAMATION = /[!！]["”’»」]?\s*$/u;
const COLON = /^[^:：]{1,60}[:：]\s*(\S.*)$/su;
const SPACELESS = /[\p{Script=Han}\p{Script=Myanmar}]/u;
/** Fewer words are a title, unless they speak to the caller. */
const STATEMENT_WORDS = 3;

/**
 * Parses a line of a script in another language than English. Quoted speech is spoken verbatim. What is left is said if it
 * speaks to the caller; a command is carried out by its verb ("पूछें", "கேளுங்கள்"), and left out when it has none that is
 * known. In doubt a line is left out.
 */
export function readNative(sentence: string, wording: Wording): Unit[] {
  const { forms } = wording;
  if (forms === null) return [{ type: 'skip' }];
  const text = normal(sentence);
  const speaks = isNativeSpeech(sentence, forms);
  const condition = splitNative(sentence, forms);
  // A condition that the conversation cannot check.
  if (condition !== null && isCondition(condition.head, wording) && !(speaks && holds(text, forms.you)))
    return [{ type: 'skip' }];
  const quotes = [...sentence.matchAll(QUOTE)].map((match) => match[1] ?? '');
  if (quotes.length > 0) return quotes.map((quote) => nativeLine(quote, wording));
  if (speaks) return [nativeLine(sentence, wording)];
  const { ask, tell, close } = wording.script.instructions;
  if (close.some((marker) => text.includes(normal(marker))) || holds(text, forms.close))
    return [{ type: 'close', text: '' }];
  const colon = COLON.exec(sentence)?.[1];
  const asks = markerIn(sentence, ask, forms.ask);
  if (asks !== null)
    return [colon === undefined ? asked(sentence, text, asks, wording) : nativeLine(colon, wording)];
  const tells = markerIn(sentence, tell, forms.tell);
  if (tells === null) return [{ type: 'skip' }];
  const content = addressed(colon ?? withoutWord(sentence, tells), wording, forms);
  return isTold(content, forms) ? [nativeLine(content, wording)] : [{ type: 'skip' }];
}

/** The manner of the conversation, which the agent keeps anyway: "Use short sentences", "Wait for the answer". */
export const isNativeManner = (sentence: string, wording: Wording): boolean => {
  const { forms } = wording.romanised(sentence) ?? wording;
  return forms !== null && holds(normal(sentence), forms.manner);
};

/** Whether a line speaks to the caller. */
function isNativeSpeech(sentence: string, forms: CommandForms): boolean {
  const text = normal(sentence);
  if (holds(text, forms.others) || holds(text, forms.manner)) return false;
  const you = holds(text, forms.you);
  if (QUESTION.test(sentence)) return you || !beginsWith(text, forms.begins);
  if (beginsWith(text, forms.pardons)) return true;
  if (beginsWith(text, forms.begins)) return you && holds(text, forms.please);
  const states = isStatement(text, forms);
  if (endsWith(text, forms.duties) || (endsWith(text, forms.ends) && !states)) return you;
  return EXCLAMATION.test(sentence) || you || states || beginsWith(text, forms.openers);
}

function isStatement(text: string, { statements: { begin, hold, end } }: CommandForms): boolean {
  if (!SPACELESS.test(text) && text.split(' ').length < STATEMENT_WORDS) return false;
  return endsWith(text, end) || beginsWith(text, begin) || holds(text, hold);
}

/** Where the third person cannot be turned into the second, only what already speaks to the caller is told. */
function isTold(content: string, forms: CommandForms): boolean {
  const text = normal(content);
  if (text === '' || holds(text, forms.others) || holds(text, forms.manner)) return false;
  return holds(text, forms.you) || (Object.keys(forms.swap).length > 0 && isStatement(text, forms));
}

/** The verb of a command as it is written; null: none of these. */
function markerIn(sentence: string, ofTable: readonly string[], more: readonly string[]): string | null {
  const words = [...ofTable, ...more.map((form) => form.replaceAll('*', ''))];
  const lower = sentence.toLowerCase();
  const found = words.find((word) => lower.includes(word));
  if (found === undefined) return null;
  const at = lower.indexOf(found);
  return sentence.slice(at, at + found.length);
}

/** An indirect question in the words of the script, or the phrase table's own. */
function asked(sentence: string, text: string, marker: string, wording: Wording): Unit {
  const { forms } = wording;
  if (forms !== null && QUESTION.test(sentence)) {
    const question = addressed(withoutWord(sentence, marker), wording, forms);
    if (isNativeSpeech(question, forms)) return nativeLine(question, wording);
  }
  return nativeQuestion(text, wording);
}

const WORD_AND_THAT = /\S*(?:\s+(?:कि|যে|کہ))?/uy;

/** Removes the first word that contains `marker`, and a "that" after it. */
function withoutWord(sentence: string, marker: string): string {
  const at = sentence.indexOf(marker);
  if (at < 0) return sentence;
  if (SPACELESS.test(marker)) return sentence.slice(0, at) + sentence.slice(at + marker.length);
  let from = at;
  while (from > 0 && /\S/.test(sentence.charAt(from - 1))) from -= 1;
  WORD_AND_THAT.lastIndex = at + marker.length;
  const end = WORD_AND_THAT.lastIndex + (WORD_AND_THAT.exec(sentence)?.[0].length ?? 0);
  return sentence.slice(0, from) + sentence.slice(end);
}

/** What is to be told, to the caller: "to the customer that their …" → "your …". */
function addressed(content: string, wording: Wording, forms: CommandForms): string {
  const table = wording.script.address.reduce(
    (line, [third, second]) => line.replaceAll(third, `$1${second}`),
    content,
  );
  const bare = withoutEnds(table.replaceAll(/\s+/gu, ' ').trim(), forms.drop);
  return Object.entries(forms.swap).reduce(
    (line, [third, second]) =>
      SPACELESS.test(third)
        ? line.replaceAll(third, second)
        : ` ${line} `.replaceAll(` ${third} `, ` ${second} `).trim(),
    bare,
  );
}

/** Without these words at its beginning and end. */
function withoutEnds(content: string, words: readonly string[]): string {
  let line = content;
  for (let round = 0; round < 4; round++) {
    const before = line;
    for (const word of words) {
      const gap = SPACELESS.test(word) ? '' : ' ';
      if (line.toLowerCase().startsWith(word + gap)) line = line.slice(word.length).trim();
      const end = line.replace(/(?<![.。।။])[.。।။]+$/u, '').trim();
      if (end.toLowerCase().endsWith(gap + word)) line = end.slice(0, end.length - word.length).trim();
    }
    if (line === before) break;
  }
  return line;
}

/** Tamil nouns lose it before an ending. */
const FINAL_PULLI = /்$/u;
const SLOTS = ['time', 'date', 'name', 'digits', 'number'] as const;

/** Replaces an instruction to ask, which cannot be reworded, by the phrase table's question for its slot. */
function nativeQuestion(text: string, { script }: Wording): Unit {
  const slot = SLOTS.find((kind) =>
    script.slotWords[kind].some((word) => text.includes(normal(word).replace(FINAL_PULLI, ''))),
  );
  const question = slot === undefined ? script.ask.free : script.ask[slot];
  return { type: 'ask', question, answer: slot ?? 'free', choices: [], slot: '', identity: false };
}

function nativeLine(text: string, wording: Wording): Unit {
  const unit = verbatim(text);
  if (unit.type === 'say') return QUESTION.test(unit.text) ? nativeAsk(unit.text, wording) : unit;
  if (unit.type === 'ask') return nativeAsk(unit.question, wording);
  return unit;
}

function nativeAsk(question: string, wording: Wording): Unit {
  const text = normal(sentences(question).at(-1) ?? question);
  const slot = SLOTS.find((kind) => wording.slotQuestions[kind].some((word) => text.includes(normal(word))));
  return {
    type: 'ask',
    question: spoken(question),
    answer: slot ?? (isOpenQuestion(question, wording) ? 'free' : 'yes_no'),
    choices: [],
    slot: '',
    identity: false,
  };
}
