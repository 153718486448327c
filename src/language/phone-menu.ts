/** Digits as menus speak them, in the languages whose menus can be read by option. */
const DIGITS: Readonly<Record<string, string>> = {
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  star: '*',
  pound: '#',
  hash: '#',
  शून्य: '0',
  एक: '1',
  दो: '2',
  तीन: '3',
  चार: '4',
  पांच: '5',
  पाँच: '5',
  satu: '1',
  dua: '2',
  tiga: '3',
  empat: '4',
  lima: '5',
  sifar: '0',
  kosong: '0',
};
const WORD = /[\p{L}\p{M}]+|\p{Nd}|[*#]/gu;
/** Words that say nothing about an option. */
const EMPTY = new Set([
  'the',
  'a',
  'an',
  'to',
  'for',
  'of',
  'and',
  'or',
  'option',
  'department',
  'with',
  'speak',
  'talk',
]);

const wordsIn = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(WORD) ?? [];

/**
 * The key that a menu gives an option; null: the menu has not named it. Menus say the key after the option ("for sales,
 * press two") or before it ("press two for sales"), the same way throughout.
 */
export function chosenKey(menu: string, option: string): string | null {
  const words = wordsIn(menu);
  const wanted = wordsIn(option).filter((word) => !EMPTY.has(word));
  if (wanted.length === 0) return null;
  const keys = words.flatMap((word, at) => {
    const digit = digitOf(word);
    return digit === null ? [] : [{ digit, at }];
  });
  const firstPress = words.findIndex((word) => word === 'press' || word === 'dial');
  const isKeyFirst =
    firstPress === 0 || (firstPress > 0 && words.slice(0, firstPress).every((w) => !isLead(w)));
  let best: { digit: string; hits: number } | null = null;
  for (const [i, { digit, at }] of keys.entries()) {
    const [from, to] = isKeyFirst
      ? [at + 1, keys[i + 1]?.at ?? words.length]
      : [i === 0 ? 0 : (keys[i - 1]?.at ?? 0) + 1, at];
    const span = words.slice(from, to);
    const hits = wanted.filter((word) => span.some((said) => isSame(said, word))).length;
    if (hits > 0 && hits > (best?.hits ?? 0)) best = { digit, hits };
  }
  return best?.digit ?? null;
}

const isLead = (word: string): boolean => word === 'for' || word === 'to';
const isSame = (said: string, wanted: string): boolean =>
  said === wanted ||
  (wanted.length >= 4 && (said.startsWith(wanted) || (said.length >= 4 && wanted.startsWith(said))));

function digitOf(word: string): string | null {
  if (/^[0-9*#]$/u.test(word)) return word;
  return Object.hasOwn(DIGITS, word) ? (DIGITS[word] ?? null) : null;
}

/** A sentence about a phone menu in an agent's task. */
const ABOUT_MENU = /\b(?:phone menu|menu|ivr|phone tree|automated (?:system|menu)|automatic menu)\b/iu;
const PRESS = /\b(?:press|dial|enter|key in)\s+((?:[0-9*#](?:\s*(?:,|then|and)?\s*)){1,12})/giu;
const CHOOSE =
  /\b(?:choose|select|pick|ask for|take)\s{1,3}(?:the\s{1,3})?(?:option\s{1,3})?(?:for\s{1,3})?["“]?([\p{L}][\p{L} ]{1,40}?)["”]?(?=\s{0,3}(?:,|;|\.|$|\bthen\b|\boption\b))/giu;
const SENTENCE = /[^.\n]+/gu;

/**
 * The way through a phone menu that an agent's task describes ("If a phone menu answers, press 2, then choose sales"):
 * keys and options in their order. Only sentences that name a menu count. Empty: the task has none.
 */
export function menuSteps(task: string): readonly ({ keys: string } | { option: string })[] {
  const sentences = (task.match(SENTENCE) ?? []).filter((sentence) => ABOUT_MENU.test(sentence));
  return sentences.flatMap((sentence) => {
    const found = [
      ...[...sentence.matchAll(PRESS)].flatMap((match) =>
        keyGroups(match[1] ?? '').map((keys) => ({ at: match.index, step: { keys } })),
      ),
      ...[...sentence.matchAll(CHOOSE)].map((match) => ({
        at: match.index,
        step: { option: (match[1] ?? '').trim() },
      })),
    ];
    return found.toSorted((one, other) => one.at - other.at).map(({ step }) => step);
  });
}

/** "1 then 3" are two steps, "123" is one. */
const keyGroups = (said: string): string[] => said.match(/[0-9*#]+/gu) ?? [];
