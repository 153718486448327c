import type { PhraseTable } from '@callwright/language';
import leads from './lead-ins.json' with { type: 'json' };

type Asked = 'name' | 'address';
type Lists = Readonly<Record<Asked | `${Asked}End`, string>>;

const LISTS: Readonly<Record<string, Lists>> = leads;
/** Scripts that write words without blanks. */
const UNSPACED = /[\p{Script=Han}\p{Script=Myanmar}]$/u;
const SEPARATORS: ReadonlySet<string> = new Set(' \t\n,.:!;،，。।');

/** A name or an address without the words around it: "my address is", "मेरा नाम … है", "我叫". */
export function withoutLeadIns(text: string, asked: Asked, table: PhraseTable): string {
  const { locale, yes, conversation } = table;
  const own = LISTS[locale]!;
  const polite = [...yes, ...conversation.greetings];
  const from = without(without(trimmed(text), polite, 'start', true), listOf(own[asked]), 'start');
  const rest = without(from, listOf(own[`${asked}End`]), 'end');
  return rest === '' ? text : rest;
}

const listOf = (list: string): string[] => (list === '' ? [] : list.split('|'));

/** Without separators at both ends. */
function trimmed(text: string): string {
  let [from, to] = [0, Math.min(text.length, 300)];
  while (from < to && SEPARATORS.has(text[from]!)) from += 1;
  while (to > from && SEPARATORS.has(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

/** Takes the longest of these phrases off one end; `apart`: only where a comma parts it from the rest. */
function without(text: string, phrases: readonly string[], end: 'start' | 'end', apart = false): string {
  const lower = text.toLowerCase();
  const found = phrases
    .filter((phrase) => phrase.length < text.length && isAt(lower, phrase.toLowerCase(), end, apart))
    .toSorted((a, b) => b.length - a.length)[0];
  if (found === undefined) return text;
  return trimmed(end === 'start' ? text.slice(found.length) : text.slice(0, -found.length));
}

function isAt(text: string, phrase: string, end: 'start' | 'end', apart: boolean): boolean {
  if (!(end === 'start' ? text.startsWith(phrase) : text.endsWith(phrase))) return false;
  const next = end === 'start' ? text.charAt(phrase.length) : text.charAt(text.length - phrase.length - 1);
  if (apart) return /[,،，]/u.test(next);
  return UNSPACED.test(phrase) || /[\s,.:،]/u.test(next);
}
