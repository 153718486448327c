import { type Intent, type Understood, numberIn, words } from '@callwright/language';
import type { Branch, Condition } from './script.ts';

/** The branch that an answer takes; null for the step's successor. */
export function branchFor(
  branches: readonly Branch[],
  turn: { question: string; text: string; answer: Understood | null; intent: Intent | null },
): Branch | null {
  const find = (test: (when: Condition) => boolean): Branch | null =>
    branches.find(({ when }) => test(when)) ?? null;
  const { answer, intent } = turn;
  if (intent === 'later' || intent === 'not_interested' || intent === 'wrong_person') {
    const type = intent === 'later' ? 'busy' : intent;
    const own = find((when) => when.type === type);
    if (own) return own;
  }
  const value = answer?.type === 'value' ? answer.value : turn.text;
  const byWords = find((when) => when.type === 'words' && matchesWords(when, value, turn.text, answer));
  if (byWords) return byWords;
  if (answer?.type === 'yes') {
    return (
      find((when) => when.type === 'yes') ??
      find((when) => when.type === 'words' && !when.negative && isTopicOf(when.words, turn.question)) ??
      (branches.length > 1 ? find((when) => when.type === 'otherwise') : null)
    );
  }
  if (answer?.type === 'no' || intent === 'not_interested') {
    return (
      find((when) => when.type === 'no') ??
      find(
        (when) => when.type === 'not_interested' || when.type === 'wrong_person' || when.type === 'busy',
      ) ??
      find((when) => when.type === 'otherwise') ??
      onlyAlternative(branches)
    );
  }
  if (answer?.type === 'value') {
    return (
      find((when) => when.type === 'yes' && branches.length > 1) ?? find((when) => when.type === 'otherwise')
    );
  }
  return null;
}

/** A "yes" takes the branch whose condition repeats the question: "Do you want to reschedule?" – "If they want to reschedule, …". */
const isTopicOf = (condition: readonly string[], question: string): boolean => {
  const questionWords = words(question);
  return condition.some((word) => word.length > 3 && questionWords.some((other) => sameStem(word, other)));
};

/** A plain "no" takes the only branch for the other case ("if they want another day"). */
function onlyAlternative(branches: readonly Branch[]): Branch | null {
  const others = branches.filter(({ when }) => when.type !== 'yes');
  const [only] = others;
  return only &&
    others.length === 1 &&
    (only.when.type !== 'words' || only.when.negative || branches.length > 1)
    ? only
    : null;
}

const BELOW = /^(?:below|under|less|lower|fewer|most)$/;
const ABOVE = /^(?:above|over|more|greater|higher|least|exceeds?)$/;

function matchesWords(
  when: Extract<Condition, { type: 'words' }>,
  value: string,
  text: string,
  answer: Understood | null,
): boolean {
  const number = numberIn(value);
  const limit = numberIn(when.words.join(' '));
  if (number !== null && limit !== null) {
    const inclusive =
      when.words.at(-1) !== undefined &&
      /^(?:less|below|more|above|higher|lower|fewer)$/.test(when.words.at(-1) ?? '') &&
      when.words.findIndex((word) => numberIn(word) !== null) < when.words.length - 1;
    const atEdge =
      number === limit && (inclusive || when.words.some((word) => word === 'least' || word === 'most'));
    if (when.words.some((word) => BELOW.test(word))) return number < limit || atEdge;
    if (when.words.some((word) => ABOVE.test(word))) return number > limit || atEdge;
    return number === limit;
  }
  const spoken = words(text);
  const hit = when.words.some((word) => word.length > 2 && spoken.some((other) => sameStem(word, other)));
  if (hit)
    return !(
      answer?.type === 'no' &&
      !when.negative &&
      spoken.length > 1 &&
      /\b(?:not|dont|never|no)\b/.test(spoken.join(' '))
    );
  return when.negative && answer?.type === 'no';
}

const sameStem = (left: string, right: string): boolean =>
  left === right ||
  (left.length > 3 &&
    right.length > 3 &&
    left.slice(0, Math.max(4, Math.min(left.length, right.length) - 3)) ===
      right.slice(0, Math.max(4, Math.min(left.length, right.length) - 3)));
