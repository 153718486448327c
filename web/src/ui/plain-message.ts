import { pageEnding } from '../words/sentence-forms.ts';
import { t } from '../words/words.ts';
import { FIELD_RULES } from './field-rules.ts';
import { sentenceOf } from './service-words.ts';

/** A field as the API names it: `mobile_numbers[1]`, `call_config.call_time.timezone`. */
const FIELD = /(?<![\w"“'/.{])[a-z][a-z0-9]*(?:_[a-z0-9]+|\.[a-z][a-z0-9_]*|\[\d+\])+(?![\w"”'/}])/g;

/** The words of one part of a field's name, with the entry that it means. */
function partWords(part: string): string {
  const [, name = part, index] = /^([^[]+)(?:\[(\d+)\])?/.exec(part) ?? [];
  const words = name.replaceAll('_', ' ');
  return index === undefined
    ? words
    : t('entry {count} of {list}', { count: Number(index) + 1, list: words });
}

/** The words of a field: its last part, and the entry of the list that it is in. */
function fieldWords(field: string): string {
  // An address such as example.com is no field.
  if (!/[_[]/.test(field)) return field;
  const parts = field.split('.');
  const last = partWords(parts.at(-1) ?? field);
  const entry = parts.slice(0, -1).findLast((part) => part.includes('['));
  return entry === undefined ? last : t('{field} in {entry}', { field: last, entry: partWords(entry) });
}

/** Names of fields in words, numbers of entries from 1, no name of a standard. */
const inWords = (text: string): string =>
  text
    .replaceAll(FIELD, fieldWords)
    .replaceAll(/\ban E\.164 (?:phone )?number\b/g, 'a number with its country code')
    .replaceAll(/\bE\.164(?: form)?\b/g, 'international form');

/** One problem, with its rule in the reader's language where the pages have words for it. */
function problemWords(problem: string): string {
  const rule = pageEnding(FIELD_RULES, problem, inWords);
  const name = rule === null ? problem : problem.slice(0, rule.at);
  // More words than the name of a field: a sentence, which stays in one language.
  return rule === null || /\S\s+\S/.test(name) ? inWords(problem) : inWords(name) + rule.text;
}

/** A message of the service for people: in their language where the pages have words for it, else its problems in words. */
export function plainMessage(message: string): string {
  const sentence = sentenceOf(message);
  if (sentence !== null) return sentence;
  const plain = message.split('; ').map(problemWords).join('; ');
  return plain === message ? message : plain.charAt(0).toUpperCase() + plain.slice(1);
}
