import type { Expected } from '../../voice/ports.ts';
import { expectedAlternatives, RULES } from './expected-phrases.ts';

/** A closed grammar: JSGF text and every word in it. */
export interface Grammar {
  readonly jsgf: string;
  readonly words: readonly string[];
}

const MOST_PHRASES = 300;
const MOST_WORDS_OF_PHRASE = 12;
const WORD = /^[a-z](?:[a-z']{0,30}[a-z])?$/;
const UNITS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/**
 * A phrase as grammar words: lower case, apostrophes kept inside words, small numbers spelled. Null for one
 * that cannot be said with English letters or is too long.
 */
export function phraseWords(phrase: string): string[] | null {
  const words = phrase
    .slice(0, 200)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’‘]/g, "'")
    .replace(/\b\d{1,2}\b/g, (digits) => UNITS[Number(digits)] ?? digits)
    .replace(/&/g, ' and ')
    .split(/[^\p{L}\p{N}']+/u)
    .map((word) => word.replace(/^'+|'+$/g, ''))
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > MOST_WORDS_OF_PHRASE) return null;
  return words.every((word) => WORD.test(word)) ? words : null;
}

/** The grammar of one phrase per utterance for what is expected and the agent's own vocabulary. */
export function expectedGrammar(expected: Expected | null, vocab: readonly string[]): Grammar {
  const { rules, phrases } = expectedAlternatives(expected);
  const alternatives = new Set<string>(rules);
  const words = new Set<string>();
  for (const phrase of [...phrases, ...vocab]) {
    if (alternatives.size >= MOST_PHRASES) break;
    const parts = phraseWords(phrase);
    if (parts === null) continue;
    alternatives.add(parts.join(' '));
    for (const word of parts) words.add(word);
  }
  const needed = new Set<string>();
  for (const rule of rules) addRules(rule, needed);
  const definitions: string[] = [];
  for (const name of needed) {
    const body = RULES[name] ?? '';
    definitions.push(`<${name}> = ${body};`);
    for (const word of body.replace(/<\w+>/g, ' ').match(/[a-z][a-z']*/g) ?? []) words.add(word);
  }
  const jsgf = `#JSGF V1.0;\ngrammar said;\npublic <said> = ${[...alternatives].join(' | ')};\n${definitions.join('\n')}\n`;
  return { jsgf, words: [...words].sort() };
}

function addRules(text: string, into: Set<string>): void {
  for (const [, name] of text.matchAll(/<(\w+)>/g)) {
    if (name === undefined || into.has(name)) continue;
    into.add(name);
    addRules(RULES[name] ?? '', into);
  }
}
