import type { Answer } from '../api/client.ts';
import { personNumber } from '../parts/call-name.ts';
import type { Entry } from './palette-entries.ts';

export type Called = Pick<
  Answer<'listCalls'>['calls'][number],
  'call_id' | 'call_type' | 'callee_name' | 'from_number' | 'to_number'
>;

export const MOST_PEOPLE = 5;
const SHORTEST = 2;
const NUMBER = /^\+?[\d ()-]{2,20}$/;

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

/** Whether a text is long enough to be a part of a name or number. */
export const isSought = (text: string): boolean => text.length >= SHORTEST;
/** The digits of a text that may be a part of a number; empty: it is none. */
export const numberDigits = (text: string): string => (NUMBER.test(text) ? digitsOf(text) : '');

/** The people of calls whose name or number has the text, each once with the first of their calls, at most five. */
export function findPeople(calls: readonly Called[], text: string): readonly Entry[] {
  const wanted = text.trim().toLowerCase();
  if (!isSought(wanted)) return [];
  const digits = numberDigits(wanted);
  const rankOf = (name: string, number: string): number => {
    const small = name.toLowerCase();
    if (small.startsWith(wanted) || (digits !== '' && digitsOf(number).startsWith(digits))) return 0;
    if (small.split(/[\s,.-]+/).some((word) => word.startsWith(wanted))) return 1;
    return small.includes(wanted) || (digits !== '' && digitsOf(number).includes(digits)) ? 2 : 3;
  };
  const people = new Map<string, { readonly rank: number; readonly entry: Entry }>();
  for (const call of calls) {
    const number = personNumber(call);
    const name = call.callee_name;
    const key = number || name;
    const rank = rankOf(name, number);
    if (key === '' || rank > 2 || people.has(key)) continue;
    const entry: Entry = {
      name: name || number,
      ...(name === '' || number === '' ? {} : { kind: number }),
      target: { href: `/calls/${call.call_id}` },
      role: 'viewer',
    };
    people.set(key, { rank, entry });
  }
  return [...people.values()]
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST_PEOPLE)
    .map(({ entry }) => entry);
}
