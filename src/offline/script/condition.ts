import { toSecondPerson } from './person.ts';
import { yesNoQuestion } from './question.ts';
import { words } from '@callwright/language';
import type { Condition } from './script.ts';

/** A conditional script line: its condition as written, and the instruction that follows on the same line. */
export interface Conditional {
  when: Condition;
  /** The condition worded as a question, where possible ("if they are interested" → "Are you interested?"). */
  question: string | null;
  /** "if they ask about the price": the subject, answered as a FAQ at any point of the call. */
  subject: string | null;
  body: string;
}

const LEAD = /^(?:and\s+|but\s+|then\s+|only\s+)?(?:if|when|in case|should|whenever|unless)\s+/i;
const SHORT =
  /^(?:(?:on|for|if|in case of)\s+(?:a\s+|an\s+)?)?["“']?(yes|no|positive|negative|agreed?|declined?|busy|not interested|interested|no answer|wrong (?:number|person))["”']?(?:\s+(?:answer|response|reply))?\s*(?::|,|->|=>|→|–|—|-)\s*(.*)/is;
const IF_NOT =
  /^(?:and\s+)?if not(?=(?<!\s)(?:\s*[,:;–—]|\s+(?:then|ask|tell|end|thank|say|offer|apologi[sz]e)\b|\s*$))[\s,:;–—-]*(?:then\s+)?(.*)/is;
const OTHERWISE =
  /^(?:otherwise|else|if neither|in (?:any|all) other cases?|or else)\b[\s,:;–—-]*(?:then\s+)?(.*)/is;

/** A condition without commas at the end of a sentence. */
const TRAILING =
  /(?<!\s)\s+(?:only\s+)?if\s+(?=(?:they|the \w+|he|she|it|asked|yes|no|not|needed|busy|interested)\b)/i;

/** Reads "If …, …", "Yes: …" and "Otherwise …"; null when the sentence is not conditional. */
export function readConditional(sentence: string): Conditional | null {
  const text = sentence.trim();
  const ifNot = IF_NOT.exec(text);
  if (ifNot) return { when: { type: 'no' }, question: null, subject: null, body: ifNot[1] ?? '' };
  const otherwise = OTHERWISE.exec(text);
  if (otherwise)
    return { when: { type: 'otherwise' }, question: null, subject: null, body: otherwise[1] ?? '' };
  const short = SHORT.exec(text);
  if (short) return conditional(short[1] ?? '', short[2] ?? '', false);
  if (!LEAD.test(text)) return trailing(text);
  const unless = /^(?:\w+\s+)?unless\b/i.test(text);
  const rest = text.replace(LEAD, '');
  const cut = splitCondition(rest);
  return conditional(cut.condition, cut.body, unless);
}

/** "Offer a discount if they hesitate": the condition follows the instruction. Indirect questions are no conditions. */
function trailing(text: string): Conditional | null {
  const line = text.replace(/(?<![.!])[.!]+$/, '');
  const from = line.lastIndexOf(',') + 1;
  const match = TRAILING.exec(line.slice(from));
  const instruction = match === null ? '' : line.slice(0, from + match.index);
  if (
    match === null ||
    instruction === '' ||
    /\b(?:ask|check|confirm|verify|know|tell|see|find out|enquire|inquire|clarify|whether)\b/i.test(
      instruction,
    )
  )
    return null;
  return conditional(line.slice(from + match.index + match[0].length), instruction, false);
}

const ACTS =
  'ask|tell|inform|say|thank|end|close|confirm|offer|collect|note|record|schedule|apologi[sz]e|wish|politely|let|remind|explain|get|' +
  'transfer|proceed|move|go|verify|share|mention|skip|reschedule|book|give|provide|respond|answer|suggest|connect|hang|continue|then|reassure|repeat';
const ACT_AFTER_COMMA = new RegExp(`,\\s*(?:then\\s+)?(?=(?:please\\s+)?(?:${ACTS})\\b)`, 'i');
const ACT = new RegExp(
  `(?<!\\s)\\s+(?=(?:${ACTS})\\b(?!(?<!\\s)\\s+(?:about|for|you|if|what|how|why|when)))`,
  'i',
);

function splitCondition(rest: string): { condition: string; body: string } {
  const quoted = rest.replace(/["“][^"“”]*["”]/g, (quote) => '\u0002'.repeat(quote.length));
  const mark = /(?:(?<!\s)\s+)?(?:->|=>|→|:|\s[–—-]\s)\s*|,\s*(?:then\s+)?|(?<!\s)\s+then\s+/i.exec(quoted);
  if (mark) {
    const later = ACT_AFTER_COMMA.exec(quoted);
    const at =
      later &&
      mark[0].trim().startsWith(',') &&
      /^(?:\w+\s){0,6}or\b/i.test(quoted.slice(mark.index + mark[0].length))
        ? later
        : mark;
    return { condition: rest.slice(0, at.index), body: rest.slice(at.index + at[0].length) };
  }
  const act = ACT.exec(quoted);
  if (act && act.index > 2 && !/\b(?:to|not|who|can|will|would)$/i.test(quoted.slice(0, act.index))) {
    return { condition: rest.slice(0, act.index), body: rest.slice(act.index).trim() };
  }
  return { condition: rest.replace(/(?<![\s.:])[\s.:]+$/, ''), body: '' };
}

const NEGATIVE =
  /\b(?:no|not|never|cannot|can['’]?t|won['’]?t|don['’]?t|doesn['’]?t|isn['’]?t|didn['’]?t|hasn['’]?t|aren['’]?t|wasn['’]?t|unable|decline[sd]?|refuse[sd]?|reject(?:s|ed)?|den(?:y|ies|ied)|disagree[sd]?|negative|unavailable|unwilling|hesitant)\b/i;
const POSITIVE =
  /\b(?:yes|agree[sd]?|accept(?:s|ed)?|confirm(?:s|ed)?|positive|affirmative|okay|correct|right|sure|willing|approve[sd]?|consents?)\b/i;

function conditional(condition: string, body: string, unless: boolean): Conditional {
  const text = condition.trim();
  const asks =
    /\b(?:asks?|enquires?|inquires?|wants? to know|questions?|says?)\s+(?:you\s+|about\s+|for\s+|how\s+|what\s+|why\s+|who\s+|when\s+|where\s+|whether\s+|if\s+|["“']).*/is.exec(
      text,
    );
  const asking = /\b(?:ask|asks|enquires?|inquires?|wants? to know)\b/i.test(text)
    ? (asks?.[0] ?? null)
    : null;
  const words = conditionWords(text);
  return {
    when: whenOf(text, unless, words),
    question: questionOf(text),
    subject: asking?.replace(/^(?:asks?|enquires?|inquires?|wants? to know)\s*/i, '') ?? null,
    body: body.trim(),
  };
}

function whenOf(text: string, unless: boolean, words: readonly string[]): Condition {
  const negative = NEGATIVE.test(text) !== unless;
  if (/\b(?:wrong (?:number|person)|someone else|not the right person|different person)\b/i.test(text))
    return { type: 'wrong_person' };
  if (
    /\b(?:busy|not a good time|bad time|call(?:ed)? (?:back|later)|can['’]?t talk|cannot talk|another time|not free|driving|in a meeting)\b/i.test(
      text,
    )
  )
    return { type: 'busy' };
  if (/\b(?:not interested|uninterested|no interest)\b/i.test(text)) return { type: 'not_interested' };
  const bare = words.filter(
    (word) =>
      !/^(?:yes|no|not|agree\w*|declin\w*|refus\w*|confirm\w*|accept\w*|answer|response|negative|positive|interested|say|respond|reply|correct|right|sure)$/.test(
        word,
      ),
  );
  if (bare.length === 0 || isPlainPolarity(text)) {
    if (negative) return { type: 'no' };
    return { type: 'yes' };
  }
  if (POSITIVE.test(text) && !negative && bare.length <= 1) return { type: 'yes' };
  return { type: 'words', words: bare, negative };
}

/** "they can attend", "the customer is available": the condition is the answer "yes" or "no". */
const isPlainPolarity = (text: string): boolean =>
  /^(?:(?:they|he|she|you|the \w+)\s+)?(?:are |is |do |does |can(?:not|['’]t)? |will |would |did |have |has |(?:says? |answers? |responds? |repl(?:y|ies) (?:with )?)?["“']?(?:yes|no)\b["”']?|agrees?|declines?|refuses?|accepts?|confirms?|not|available|unavailable|interested)(?:\s*(?:not|n['’]t|available|unavailable|interested|attend|able|unable|come|make it|agree|ready|to attend|to come|it|so|did|do|willing|happy|okay|ok|free|to talk|the right person|speaking))*$/i.test(
    text.trim().replace(/(?<![.,;])[.,;]+$/, ''),
  );

const STOP = new Set(
  'the a an they he she it you user customer caller client patient person lead prospect is are was were be been do does did has have had to of for in on at by with and or that this if says say said wants want would like will can could their his her your them asks ask mentions mention respond responds reply replies any some already'.split(
    ' ',
  ),
);
const conditionWords = (text: string): string[] =>
  words(text)
    .filter((word) => !STOP.has(word))
    .slice(0, 12);

/** What the agent hears itself. */
const OF_LINE = /^the (?:line|call|connection|audio|sound|voice|signal|reception)\b/i;

function questionOf(text: string): string | null {
  if (OF_LINE.test(text)) return null;
  if (!/^(?:they|he|she|the \w+|you)\s/i.test(text)) return null;
  const clause = text.trim();
  const positive = clause
    .replace(/\b(?:is|are) not\b/i, 'are')
    .replace(/\b(?:do|does) not\b\s*/i, '')
    .replace(/\bcannot\b/i, 'can');
  const want = /^(?:they|he|she|the \w+)\s+wants?\s+(\S.*)$/is.exec(positive);
  if (want) return `Would you like ${toSecondPerson(want[1] ?? '').replace(/(?<![.?])[.?]+$/, '')}?`;
  return yesNoQuestion(positive);
}
