import type { ClientAnalysis } from '../agents/agent-version.ts';
import type { AnalysisInput, ClientValue, LanguageSense } from './analysis.ts';
import { askedDate } from './asked-time.ts';
import { exchangesOf, topicWords, type Exchange } from './exchanges.ts';
import { clip } from './platform-by-rules.ts';

type Key = ClientAnalysis['keys'][string];
const LONGEST_TEXT = 500;

/**
 * The agent's own keys, from the answers to questions that speak of the same thing as the key. What nobody asked or
 * answered stays the default: a value is read from the call or not at all.
 */
export function clientByRules(
  input: AnalysisInput,
  sense: LanguageSense,
): Record<string, ClientValue> | null {
  if (input.client === null) return null;
  const exchanges = exchangesOf(input, sense);
  const values: Record<string, ClientValue> = {};
  for (const [name, key] of Object.entries(input.client.keys)) {
    const found = valueOf(name, key, exchanges, input, sense);
    values[name] = found ?? key.default ?? null;
  }
  return values;
}

function valueOf(
  name: string,
  key: Key,
  exchanges: readonly Exchange[],
  input: AnalysisInput,
  sense: LanguageSense,
): ClientValue {
  if (key.type === 'enum') return enumValue(name, key, exchanges, input, sense);
  const about = exchanges.filter((exchange) => speaksOf(exchange.question, name, key));
  for (const { answer } of about.toReversed()) {
    const value = readAs(key.type, answer, input, sense);
    if (value !== null) return value;
  }
  return null;
}

function readAs(
  type: Exclude<Key['type'], 'enum'>,
  answer: string,
  input: AnalysisInput,
  sense: LanguageSense,
): ClientValue {
  const { language } = input;
  switch (type) {
    case 'boolean': {
      const polarity = sense.polarity(answer, language);
      return polarity === null ? null : polarity === 'yes';
    }
    case 'number':
      return sense.number(answer, language);
    case 'date':
      return askedDate(answer, { at: input.endedAt, zone: input.timeZone, language }, sense);
    case 'string':
      break;
  }
  return isBare(answer, input, sense) ? null : clip(answer, LONGEST_TEXT);
}

/** A yes or no alone tells nothing but itself. */
const isBare = (answer: string, { language }: AnalysisInput, sense: LanguageSense): boolean =>
  sense.polarity(answer, language) !== null && topicWords(answer).size <= 1;

/** The question and the key share half of what the key's name is about, or several words with its description. */
function speaksOf(question: string, name: string, key: Key): boolean {
  const asked = topicWords(question);
  const named = [...topicWords(name)];
  const shared = named.filter((word) => asked.has(word)).length;
  if (named.length > 0 && shared > 0 && shared * 2 >= named.length) return true;
  const described = [...topicWords(key.description ?? '')];
  return described.filter((word) => asked.has(word)).length >= 2;
}

/**
 * A value of the list that the person said, the latest one: to a question on the matter or one that offers the values,
 * or at all where there was no such question. A mere yes counts only as an answer.
 */
function enumValue(
  name: string,
  key: Key,
  exchanges: readonly Exchange[],
  input: AnalysisInput,
  sense: LanguageSense,
): string | null {
  const all = key.values ?? [];
  const about = exchanges.filter(
    ({ question }) => speaksOf(question, name, key) || all.some((value) => saysValue(question, value)),
  );
  const isAsked = about.length > 0;
  const values = isAsked ? all : all.filter((value) => sense.polarity(value, input.language) === null);
  const lines = isAsked ? about.map(({ answer }) => answer) : callerLines(input);
  for (const line of lines.toReversed()) {
    const said = values.filter((value) => saysValue(line, value));
    // Of "interested" and "very interested" the longer one was meant.
    const longest = said.toSorted((a, b) => b.length - a.length)[0];
    if (longest === undefined) continue;
    const others = said.filter((value) => !plain(longest).includes(plain(value)));
    if (others.length === 0) return longest;
  }
  return null;
}

const callerLines = (input: AnalysisInput): string[] =>
  input.transcript.filter((line) => line.role === 'caller').map((line) => line.text);

const NEGATED = /\b(?:not|no|never|dont|do not|isnt|wasnt|wont)(?: \p{L}+)? $/u;

function saysValue(line: string, value: string): boolean {
  const text = ` ${plain(line)} `;
  const wanted = plain(value);
  if (wanted === '') return false;
  const at = /[\p{Script=Han}\p{Script=Myanmar}]/u.test(wanted)
    ? text.indexOf(wanted)
    : text.indexOf(` ${wanted} `);
  return at >= 0 && !NEGATED.test(text.slice(0, at + 1));
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
