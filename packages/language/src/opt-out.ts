import type { Language } from './languages.ts';
import { intentOf } from './intents.ts';
import { phrasesOf } from './phrases.ts';
import { expectedAnswer } from './question-kind.ts';
import { MOST_CHARS, sentences } from './text.ts';

const KEYS: Readonly<Record<string, string>> = Object.fromEntries([
  ...'zero one two three four five six seven eight nine'.split(' ').map((word, at) => [word, String(at)]),
  ...'0123456789*#'.split('').map((key) => [key, key]),
  ['star', '*'],
  ['hash', '#'],
  ['pound', '#'],
]);
const KEY = String.raw`press(?:es|ing|ed)?\s+(?:the\s+)?(?:key\s+|number\s+)?["'“‘]?(\d(?!\d)|[*#]|[a-z]+)`;
const STOP = String.raw`\b(?:stop (?:these|the|our|all|any|further|receiving|calling|calls)|opt(?:s|ed|ing)?[ -]?out|unsubscribe|(?:be )?removed?\b.{0,30}\blist|no (?:more|further) calls|do[ -]not[ -]call|not (?:to )?be called)`;
/** Up to 80 characters within one sentence. */
const BETWEEN = '[^.?!\\n]{0,80}?';
const ORDERS = [new RegExp(`${KEY}${BETWEEN}${STOP}`, 'i'), new RegExp(`${STOP}${BETWEEN}${KEY}`, 'i')];

/** The key that the texts offer for opting out ("press 9 to stop these calls"); null when they offer none. */
export function optOutKey(texts: readonly string[]): string | null {
  for (const text of texts) {
    for (const order of ORDERS) {
      const key = KEYS[order.exec(text)?.[1]?.toLowerCase() ?? ''];
      if (key !== undefined) return key;
    }
  }
  return null;
}

/** The texts of an agent that may name the opt-out key. */
interface AgentTexts {
  readonly introMessage: string;
  readonly tools: readonly { readonly description: string }[];
  readonly prompt: string;
}

export const optOutKeyOf = ({ introMessage, tools, prompt }: AgentTexts): string | null =>
  optOutKey([introMessage, ...tools.map((tool) => tool.description), prompt]);

/** Answer kinds typed as digits: a digit key among them belongs to the answer. */
const IN_DIGITS: readonly string[] = ['number', 'digits', 'time'];

/** Recognises an opt-out in what a caller says or types. */
export interface OptOutSense {
  words(text: string): boolean;
  keys(
    keys: string,
    prompt: { readonly expected: { readonly kinds: readonly string[] } | null; readonly question: string },
  ): boolean;
}

/** Recognises opt-outs in a call's two languages and by the agent's opt-out key, whichever model answers. */
export function optOutSense(
  agent: AgentTexts & { readonly language: Language; readonly secondaryLanguage: Language | null },
): OptOutSense {
  const { language, secondaryLanguage } = agent;
  const tables = [language, ...(secondaryLanguage === null ? [] : [secondaryLanguage])].map(phrasesOf);
  const key = optOutKeyOf(agent);
  // A turn that grows is asked about again and again, and only its beginning counts.
  let last = { text: '', isOptOut: false };
  return {
    words: (text) => {
      const beginning = text.slice(0, MOST_CHARS);
      if (beginning !== last.text) {
        const isOptOut = tables.some((table) => intentOf(beginning, table) === 'stop_calling');
        last = { text: beginning, isOptOut };
      }
      return last.isOptOut;
    },
    keys: (keys, { expected, question }) => {
      if (keys !== key) return false;
      const kinds = expected?.kinds ?? expectedKinds(question);
      return !/\d/.test(keys) || !kinds.some((kind) => IN_DIGITS.includes(kind));
    },
  };
}

/** The answer kinds a line asks for. A line that names the opt-out key expects no other digit. */
function expectedKinds(line: string): string[] {
  if (optOutKey([line]) !== null) return [];
  return sentences(line)
    .filter((sentence) => sentence.endsWith('?'))
    .map((sentence) => expectedAnswer(sentence).answer);
}
