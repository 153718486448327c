import { phrasesOf } from '../../../language/phrases.ts';
import type { PhraseTable } from '../../../language/phrases/phrase-table.ts';
import { hasPhrase, normal, sentences } from '../../../language/text.ts';
import type { Language } from '../../../shared/languages.ts';
import { type Unit, verbatim } from './unit.ts';
import type { Condition } from './script.ts';
import { spoken } from './text.ts';

/** A language's phrase table and its way to read branches of a script. */
export interface Wording extends PhraseTable {
  readsBranch(sentence: string): { when: Condition; body: string } | null;
}

export function wordingFor(language: Language): Wording {
  const table = phrasesOf(language);
  return {
    ...table,
    readsBranch: (sentence) => (table.locale === 'en' ? null : readNativeBranch(sentence, table)),
  };
}

/**
 * Parses script lines in a non-Latin language. Quoted speech and questions are spoken verbatim; a marker verb ("पूछें",
 * "கேளுங்கள்") identifies an instruction and is removed.
 */
export function readNative(sentence: string, wording: Wording): Unit[] {
  const quotes = [...sentence.matchAll(/["“「『«]([^"“”「」『』«»]{2,500})["”」』»]/gu)].map(
    (match) => match[1] ?? '',
  );
  if (quotes.length > 0) return quotes.map((quote) => nativeLine(quote, wording));
  const { ask, tell, close } = wording.script.instructions;
  const text = normal(sentence);
  if (close.some((marker) => text.includes(marker))) return [{ type: 'close', text: '' }];
  const askMarker = ask.find((marker) => text.includes(marker));
  const colon = /^[^:：]{1,60}[:：]\s*(.+)$/su.exec(sentence);
  if (askMarker !== undefined) {
    if (colon?.[1] !== undefined) return [nativeLine(colon[1], wording)];
    if (/[?？؟]/.test(sentence)) return [nativeLine(sentence.replace(askMarker, ''), wording)];
    return [nativeQuestion(text, wording)];
  }
  const tellMarker = tell.find((marker) => text.includes(marker));
  if (tellMarker !== undefined) {
    const content = colon?.[1] ?? withoutWord(sentence, tellMarker);
    return [nativeLine(addressed(content, wording), wording)];
  }
  return [nativeLine(sentence, wording)];
}

const WORD_AND_THAT = /\S*(?:\s+(?:कि|যে|کہ))?/uy;

/** Removes the first word that contains `marker`, and a "that" after it. */
function withoutWord(sentence: string, marker: string): string {
  const at = sentence.indexOf(marker);
  if (at < 0) return sentence;
  let from = at;
  while (from > 0 && /\S/.test(sentence.charAt(from - 1))) from -= 1;
  WORD_AND_THAT.lastIndex = at + marker.length;
  const end = WORD_AND_THAT.lastIndex + (WORD_AND_THAT.exec(sentence)?.[0].length ?? 0);
  return sentence.slice(0, from) + sentence.slice(end);
}

/** Turns the third person into the second: "उन्हें … उनका …" → "आपका …". */
function addressed(text: string, wording: Wording): string {
  return (wording.script.address ?? []).reduce(
    (line, [third, second]) => line.replaceAll(third, `$1${second}`),
    text,
  );
}

/** Replaces an instruction to ask, which cannot be reworded, by the phrase table's question for its slot. */
function nativeQuestion(text: string, wording: Wording): Unit {
  const slot = (['time', 'date', 'name', 'digits', 'number'] as const).find((kind) =>
    wording.script.slotWords[kind].some((word) => text.includes(word)),
  );
  const question = slot === undefined ? wording.script.ask.free : wording.script.ask[slot];
  return { type: 'ask', question, answer: slot ?? 'free', choices: [], slot: '', identity: false };
}

function nativeLine(text: string, wording: Wording): Unit {
  const unit = verbatim(text);
  if (unit.type === 'say') return /[?？؟]$/.test(unit.text) ? nativeAsk(unit.text, wording) : unit;
  if (unit.type === 'ask') return nativeAsk(unit.question, wording);
  return unit;
}

function nativeAsk(question: string, wording: Wording): Unit {
  const text = normal(sentences(question).at(-1) ?? question);
  const slot = (['time', 'date', 'name', 'digits', 'number'] as const).find((kind) =>
    wording.script.slotQuestions[kind].some((word) => text.includes(word)),
  );
  return {
    type: 'ask',
    question: spoken(question),
    answer: slot ?? 'yes_no',
    choices: [],
    slot: '',
    identity: false,
  };
}

/** Parses a branch in the language's own words ("अगर हाँ, …"); null for other lines. */
export function readNativeBranch(
  sentence: string,
  words: {
    yes: readonly string[];
    no: readonly string[];
    script: { conditions: readonly string[]; otherwise: readonly string[] };
  },
): { when: Condition; body: string } | null {
  const comma = /^(.{1,60}?)\s*[,，、:：–—-]\s*(.+)$/su.exec(sentence);
  if (!comma) return null;
  const head = normal(comma[1] ?? '');
  const body = comma[2] ?? '';
  if (words.script.otherwise.some((word) => head === word)) return { when: { type: 'otherwise' }, body };
  const short = head.split(' ').length <= 5;
  const conditional = words.script.conditions.some((word) => hasPhrase(head, word) || head.endsWith(word));
  if (!short || (!conditional && head.split(' ').length > 1)) return null;
  if (words.no.some((word) => hasPhrase(head, word))) return { when: { type: 'no' }, body };
  if (words.yes.some((word) => hasPhrase(head, word))) return { when: { type: 'yes' }, body };
  return null;
}
