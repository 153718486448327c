import { normal, polarity, sentences, words, type CallerLine, type PhraseTable } from '@callwright/language';
import type { HistoryItem } from '@callwright/turns';

/** Longer lines say more than yes, no or "I am here". */
const MOST_WORDS = 3;

/** English words of a caller who is there. */
const HERE = new Set(
  'yes yeah yep yup hello hi hey im i am still here there sure ok okay hm hmm mhm uh huh um sorry'.split(' '),
);

const lastWords = (history: readonly HistoryItem[]): Extract<HistoryItem, { role: 'agent' }> | null => {
  const last = history.findLast((item) => item.role === 'agent');
  return last?.role === 'agent' ? last : null;
};

/**
 * Whether a line answers the check-in on a silent caller ("Are you still there?") and nothing else: the question of the flow
 * still waits. "Yes, Friday" and "that is right" answer the question.
 */
export function isPresence(table: PhraseTable, history: readonly HistoryItem[], line: CallerLine): boolean {
  if (line.by === 'keypad' || lastWords(history)?.text !== table.conversation.phrases.idleCheckIn)
    return false;
  const said = words(line.text);
  const { greetings, backchannels } = table.conversation;
  const own = [...greetings, ...backchannels, ...(table.locale === 'en' ? [] : table.yes)];
  const isOwn = table.locale !== 'en' && own.some((phrase) => normal(phrase) === normal(line.text));
  return said.length > 0 && (isOwn || said.every((word) => HERE.has(word)));
}

/**
 * Whether a short yes or no came before the caller could hear what it would answer: the agent was cut off ahead of its
 * question. `asked`: the words of the last reply that ask.
 */
export function isUnheard(
  table: PhraseTable,
  asked: string | null,
  history: readonly HistoryItem[],
  line: CallerLine,
): boolean {
  const last = lastWords(history);
  if (line.by !== 'speech' || asked === null || last?.interrupted !== true) return false;
  const isShort = words(line.text).length <= MOST_WORDS && polarity(line.text, table) !== null;
  return isShort && !normal(last.text).includes(beginning(asked));
}

/** The first half of the question in a reply, or of its last sentence; scripts without blanks count signs. */
function beginning(asked: string): string {
  const parted = sentences(asked);
  const question = normal(parted.findLast((each) => /[?？؟]/u.test(each)) ?? parted.at(-1) ?? asked);
  const parts = question.split(' ');
  if (parts.length > 1) return parts.slice(0, Math.ceil(parts.length / 2)).join(' ');
  return question.slice(0, Math.ceil(question.length / 2));
}
