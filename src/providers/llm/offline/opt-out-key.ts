import type { BrainContext } from '../../../voice/ports.ts';

const KEYS: Readonly<Record<string, string>> = Object.fromEntries([
  ...'zero one two three four five six seven eight nine'.split(' ').map((word, at) => [word, String(at)]),
  ...'0123456789*#'.split('').map((key) => [key, key]),
  ['star', '*'],
  ['hash', '#'],
  ['pound', '#'],
]);
const KEY = String.raw`press(?:es|ing|ed)?\s+(?:the\s+)?(?:key\s+|number\s+)?["'“‘]?(\d(?!\d)|[*#]|[a-z]+)`;
const STOP = String.raw`\b(?:stop (?:these|the|our|all|any|further|receiving|calling|calls)|opt(?:s|ed|ing)?[ -]?out|unsubscribe|(?:be )?removed?\b.{0,30}\blist|no (?:more|further) calls|do[ -]not[ -]call|not (?:to )?be called)`;
/** Of one sentence. */
const BETWEEN = '[^.?!\\n]{0,80}?';
const ORDERS = [new RegExp(`${KEY}${BETWEEN}${STOP}`, 'i'), new RegExp(`${STOP}${BETWEEN}${KEY}`, 'i')];

/** The key that somebody is told to press who wants no more calls: "press 9 to stop these calls". Null: none. */
export function optOutKey(texts: readonly string[]): string | null {
  for (const text of texts) {
    for (const order of ORDERS) {
      const key = KEYS[order.exec(text)?.[1]?.toLowerCase() ?? ''];
      if (key !== undefined) return key;
    }
  }
  return null;
}

/** As an agent's first message, tools and prompt have it. */
export const optOutKeyOf = ({ introMessage, tools, prompt }: BrainContext): string | null =>
  optOutKey([introMessage, ...tools.map((tool) => tool.description), prompt]);
