import { verbatim, type Unit } from './instruction.ts';
import { hasPhrase, normal, sentences, spoken } from './text.ts';
import type { Condition } from './script.ts';
import type { Wording } from './wording/types.ts';

/**
 * Script lines written in the agent's own non-Latin language. Quoted speech and questions are said as written;
 * an instruction is known by its marker verb ("पूछें", "கேளுங்கள்"), which is taken off.
 */
export function readNative(sentence: string, wording: Wording): Unit[] {
  const quotes = [...sentence.matchAll(/["“「『«]([^"“”「」『』«»]{2,500})["”」』»]/gu)].map(
    (match) => match[1] ?? '',
  );
  if (quotes.length > 0) return quotes.map((quote) => nativeLine(quote, wording));
  const { ask, tell, close } = wording.instructions;
  const text = normal(sentence);
  if (close.some((marker) => text.includes(marker))) return [{ type: 'close', text: '' }];
  const asking = ask.find((marker) => text.includes(marker));
  const colon = /^[^:：]{1,60}[:：]\s*(.+)$/su.exec(sentence);
  if (asking !== undefined) {
    if (colon?.[1] !== undefined) return [nativeLine(colon[1], wording)];
    if (/[?？؟]/.test(sentence)) return [nativeLine(sentence.replace(asking, ''), wording)];
    return [nativeQuestion(text, wording)];
  }
  const telling = tell.find((marker) => text.includes(marker));
  if (telling !== undefined) {
    const said =
      colon?.[1] ?? sentence.replace(new RegExp(`\\S*${telling}\\S*(?:\\s+(?:कि|যে|کہ))?`, 'u'), '');
    return [nativeLine(addressed(said, wording), wording)];
  }
  return [nativeLine(sentence, wording)];
}

/** "उन्हें … उनका …" said to the caller: "आपका …". */
function addressed(text: string, wording: Wording): string {
  return (wording.address ?? []).reduce(
    (line, [third, second]) => line.replace(new RegExp(`(^|\\s)${third}(?=\\s|$)`, 'gu'), `$1${second}`),
    text,
  );
}

/** An instruction to ask whose words cannot be turned: the language's own question for what it names. */
function nativeQuestion(text: string, wording: Wording): Unit {
  const slot = (['time', 'date', 'name', 'digits', 'number'] as const).find((kind) =>
    wording.slotWords[kind].some((word) => text.includes(word)),
  );
  const question = slot === undefined ? wording.ask.free : wording.ask[slot];
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
    wording.slotQuestions[kind].some((word) => text.includes(word)),
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

/** "अगर हाँ, …": a branch in the language's own words; null when the line is none. */
export function readNativeBranch(
  sentence: string,
  words: {
    yes: readonly string[];
    no: readonly string[];
    conditions: readonly string[];
    otherwise: readonly string[];
  },
): { when: Condition; body: string } | null {
  const comma = /^(.{1,60}?)\s*[,，、:：–—-]\s*(.+)$/su.exec(sentence);
  if (!comma) return null;
  const head = normal(comma[1] ?? '');
  const body = comma[2] ?? '';
  if (words.otherwise.some((word) => head === word)) return { when: { type: 'otherwise' }, body };
  const short = head.split(' ').length <= 5;
  const conditional = words.conditions.some((word) => hasPhrase(head, word) || head.endsWith(word));
  if (!short || (!conditional && head.split(' ').length > 1)) return null;
  if (words.no.some((word) => hasPhrase(head, word))) return { when: { type: 'no' }, body };
  if (words.yes.some((word) => hasPhrase(head, word))) return { when: { type: 'yes' }, body };
  return null;
}
