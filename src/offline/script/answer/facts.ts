import { readFact } from './read-fact.ts';
import { isCommand } from '../instruction.ts';
import { readNative } from '../native-line.ts';
import { stripMarker } from '../read-script.ts';
import { kindOf, SPEAKER } from '../sections.ts';
import { isSpeakable } from '../unit.ts';
import { capitalise, isLatin, plainText, spoken } from '../text.ts';
import type { Faq } from '../script.ts';
import type { Wording } from '../wording.ts';
import { sentences } from '@callwright/language';
import type { Fact } from './find-answer.ts';

const MOST_FACTS = 600;
/** Two sentences that belong together, in characters. */
const LONGEST = 400;
/** A sentence that goes on with the subject of the one before. */
const GOES_ON =
  /^(?:(?:below|above|after|before|beyond|besides) that|it|its|they|their|this|that|these|those|there|then|after that|but|and|also|otherwise)\b/i;
const LABEL = /^([^\s:：][^:：.?!]{1,48})[:：]\s+(\S.*)$/su;
/** Labels of parts of a prompt, which name no fact. */
const NO_LABEL =
  /^(?:step|goal|objective|purpose|role|task|tone|style|persona|language|rules?|note|important|instructions?|greeting|opening|closing|intro\w*|script|guidelines?|example|sample|if .*|yes|no|otherwise|ask|say|tell|q\d*|a\d*|question|answer|your .*|name)$/i;

/** The facts of a prompt: its statements and labelled values, worded for the caller. Instructions are never among them. */
export function factsOf(
  sections: readonly { title: string; content: string }[],
  prompt: string,
  wording: Wording,
): Fact[] {
  const named = sections.filter(({ content }) => content.trim() !== '');
  const facts = (named.length > 0 ? named : [{ title: '', content: prompt }]).flatMap(({ title, content }) =>
    factsOfSection(title, content, wording),
  );
  return facts.slice(0, MOST_FACTS);
}

const isOfFaqs = (title: string): boolean => ['faqs', 'samples'].includes(kindOf(title) ?? '');

function factsOfSection(title: string, content: string, wording: Wording): Fact[] {
  const facts: Fact[] = [];
  const own = kindOf(title) === null ? title : '';
  let topic = own;
  let isSkipped = isOfFaqs(title);
  for (const raw of plainText(content).split('\n')) {
    const { text: line } = stripMarker(fromRow(raw));
    if (line === '') {
      topic = own;
      continue;
    }
    const name = headingIn(raw, line);
    if (name !== null) {
      isSkipped = isOfFaqs(name) || (isSkipped && kindOf(name) === null);
      topic = kindOf(name) === null ? name : own;
    } else if (!isSkipped && SPEAKER.exec(line) === null) facts.push(...factsOfLine(line, topic, wording));
  }
  return facts;
}

/** "# Prices" and "Prices:" are headings; null for any other line. */
function headingIn(raw: string, line: string): string | null {
  if (raw.trimStart().startsWith('#')) return line;
  const name = line.slice(0, -1);
  return /[:：]$/u.test(line) && name.length <= 60 && !/[.:?!।。]/u.test(name) ? name : null;
}

/** A row of a table as "cell: cell". */
function fromRow(line: string): string {
  const [before = '', first = '', second = ''] = line.split('|').map((cell) => cell.trim());
  return before === '' && first !== '' && second !== '' && line.trim().endsWith('|')
    ? `${first}: ${second}`
    : line;
}

function factsOfLine(line: string, topic: string, wording: Wording): Fact[] {
  const label = LABEL.exec(line);
  const name = label?.[1]?.trim() ?? '';
  if (label === null || NO_LABEL.test(name) || isOfFaqs(name)) return statements(line, topic, wording);
  const value = label[2] ?? '';
  const under = topic === '' ? name : `${topic} ${name}`;
  const told = statements(value, under, wording);
  if (told.length > 0) return told;
  const answer = labelled(name, value, wording);
  return answer === null ? [] : [{ topic: under, text: value, answer }];
}

/** "Address: 12 Main Street" is "Our address is 12 Main Street."; null for an instruction. */
function labelled(name: string, value: string, wording: Wording): string | null {
  if (value.length > 300 || /[?？؟]\s*$/u.test(value)) return null;
  const isInstruction = isEnglish(value, wording)
    ? isCommand(value.replace(/^(?:always |also |very )?welcome\b/i, ''))
    : readNative(value, wording).some(({ type }) => type !== 'skip');
  if (isInstruction || HEADER.test(value)) return null;
  if (wording.locale !== 'en' || /\d|day\b|days\b/i.test(name) || !isShort(value))
    return spoken(`${name}, ${value}`);
  const subject = /^(?:our|the|a|an)\b/i.test(name) ? capitalise(name) : `Our ${lowered(name)}`;
  const isPlural = /[^s]s$/i.test(name) && !/\b(?:for|of|per)\b/i.test(name);
  return spoken(`${subject} ${isPlural ? 'are' : 'is'} ${lowered(value)}`);
}

/** A value that goes on after "is". */
const SHORT_VALUE =
  /^(?:[\d$€£₹]|(?:from|until|till|in|on|at|behind|next|between|up|free|included|allowed|available|welcome|not|no|daily|by|about|approximately|around|closed|open|only|every|after|before|a|an|the)\b)/i;
const SHORT_WORDS = 4;
const isShort = (value: string): boolean =>
  SHORT_VALUE.test(value) || value.split(/\s+/u).length <= SHORT_WORDS;
const HEADER = /^(?:price|cost|fee|rate|duration|time|hour|description|detail|value|answer)s?$/i;

/** With a small first letter, unless it is a name's. */
const lowered = (text: string): string =>
  /^[A-Z][a-z]+(?:[-\s]+[a-z]|$)/.test(text) && !NAMED.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;

const NAMED = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|^I\b/;

/** The statements of a line. One that goes on with the subject before it is said with that sentence. */
function statements(line: string, topic: string, wording: Wording): Fact[] {
  const facts: Fact[] = [];
  for (const sentence of sentences(line)) {
    for (const text of said(sentence, wording)) {
      facts.push(withBefore(text, topic, facts.at(-1)));
    }
  }
  return facts;
}

/** A sentence as a fact; one that goes on with the subject of the sentence before is said with it. */
function withBefore(text: string, topic: string, before: Fact | undefined): Fact {
  if (before === undefined) return { topic, text, answer: text };
  const near = before.text;
  if (!GOES_ON.test(text) || near.length + text.length > LONGEST) return { topic, text, answer: text, near };
  return { topic, text: `${near} ${text}`, answer: `${near} ${text}` };
}

const isEnglish = (sentence: string, wording: Wording): boolean =>
  wording.locale === 'en' ||
  (wording.locale !== 'ms' && isLatin(sentence) && wording.romanised(sentence) === null);

function said(sentence: string, wording: Wording): string[] {
  const told = isEnglish(sentence, wording)
    ? readFact(sentence)
    : readNative(sentence, wording.romanised(sentence) ?? wording).flatMap((unit) =>
        unit.type === 'say' ? [unit.text] : [],
      );
  return told.filter((text) => text !== '' && isSpeakable(text));
}

/** The pairs of a FAQ as facts. */
export const factsOfFaqs = (faqs: readonly Faq[]): Fact[] =>
  faqs.map(({ question, answer }) => ({ topic: question, text: answer, answer: spoken(answer) }));

/** The sentences of a passage under its heading. */
export function factsOfPassage(heading: string, text: string): Fact[] {
  const facts: Fact[] = [];
  const parts = text.split('\n').flatMap((line) => sentences(stripMarker(line).text));
  for (const part of parts) {
    const sentence = spoken(part);
    if (sentence !== '') facts.push(withBefore(sentence, heading, facts.at(-1)));
  }
  return facts;
}
