import type { ClientAnalysis } from '../../store/json/agent-version.ts';
import { numberIn, phrasesOf, polarity } from '@callwright/language';
import type { AnalysisInput, ClientValue } from './analysis.ts';
import { namedDate } from './named-time.ts';
import { clip, exchangesOf, topicWords, type Exchange } from './exchanges.ts';

type Key = ClientAnalysis['keys'][string];
const LONGEST_TEXT = 500;

/**
 * Values of the agent's client-analysis keys, read from answers to questions on the key's topic. A key without such an
 * answer keeps its default; values are never guessed.
 */
export function clientByRules(input: AnalysisInput): Record<string, ClientValue> | null {
  if (input.client === null) return null;
  const exchanges = exchangesOf(input);
  const values: Record<string, ClientValue> = {};
  for (const [name, key] of Object.entries(input.client.keys)) {
    const found = valueOf(name, key, exchanges, input);
    values[name] = found ?? key.default ?? null;
  }
  return values;
}

function valueOf(name: string, key: Key, exchanges: readonly Exchange[], input: AnalysisInput): ClientValue {
  if (key.type === 'enum') return enumValue(name, key, exchanges, input);
  const about = exchanges.filter((exchange) => isAbout(exchange.question, name, key));
  for (const { answer } of about.toReversed()) {
    const value = readAs(key.type, answer, input);
    if (value !== null) return value;
  }
  return null;
}

function readAs(type: Exclude<Key['type'], 'enum'>, answer: string, input: AnalysisInput): ClientValue {
  const { language } = input;
  switch (type) {
    case 'boolean': {
      const answered = polarity(answer, phrasesOf(language));
      return answered === null ? null : answered === 'yes';
    }
    case 'number':
      return numberIn(answer);
    case 'date':
      return namedDate(answer, { at: input.endedAt, zone: input.timeZone, language });
    case 'string':
      break;
  }
  return isBare(answer, input) ? null : clip(answer, LONGEST_TEXT);
}

/** Whether an answer is only yes or no, which is no string value. */
const isBare = (answer: string, { language }: AnalysisInput): boolean =>
  polarity(answer, phrasesOf(language)) !== null && topicWords(answer).size <= 1;

/** Whether a question shares at least half of the topic words of the key's name, or two with its description. */
function isAbout(question: string, name: string, key: Key): boolean {
  const inQuestion = topicWords(question);
  const named = [...topicWords(name)];
  const shared = named.filter((word) => inQuestion.has(word)).length;
  if (named.length > 0 && shared > 0 && shared * 2 >= named.length) return true;
  const described = [...topicWords(key.description ?? '')];
  return described.filter((word) => inQuestion.has(word)).length >= 2;
}

/**
 * The listed value that the callee said last: in answers to questions on the topic or that offer the values, or in any
 * line where there was no such question. Values that mean yes or no count in answers only.
 */
function enumValue(
  name: string,
  key: Key,
  exchanges: readonly Exchange[],
  input: AnalysisInput,
): string | null {
  const all = key.values ?? [];
  const about = exchanges.filter(
    ({ question }) => isAbout(question, name, key) || all.some((value) => containsValue(question, value)),
  );
  const hasQuestion = about.length > 0;
  const values = hasQuestion
    ? all
    : all.filter((value) => polarity(value, phrasesOf(input.language)) === null);
  const lines = hasQuestion ? about.map(({ answer }) => answer) : callerLines(input);
  for (const line of lines.toReversed()) {
    const matches = values.filter((value) => containsValue(line, value));
    // "Very interested" also contains "interested": the longest value wins.
    const longest = matches.toSorted((a, b) => b.length - a.length)[0];
    if (longest === undefined) continue;
    const others = matches.filter((value) => !plain(longest).includes(plain(value)));
    if (others.length === 0) return longest;
  }
  return null;
}

const callerLines = (input: AnalysisInput): string[] =>
  input.transcript.filter((line) => line.role === 'caller').map((line) => line.text);

const NEGATED = /\b(?:not|no|never|dont|do not|isnt|wasnt|wont)(?: \p{L}+)? $/u;

function containsValue(line: string, value: string): boolean {
  const text = ` ${plain(line)} `;
  const phrase = plain(value);
  if (phrase === '') return false;
  const at = /[\p{Script=Han}\p{Script=Myanmar}]/u.test(phrase)
    ? text.indexOf(phrase)
    : text.indexOf(` ${phrase} `);
  return at >= 0 && !NEGATED.test(text.slice(0, at + 1));
}

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
