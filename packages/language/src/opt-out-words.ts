/** Words that alone mean "no more messages", as carriers and messengers define them. */
const WORDS: ReadonlySet<string> = new Set([
  'stop',
  'stopall',
  'stop all',
  'unsubscribe',
  'optout',
  'opt out',
  'opt-out',
  'end messages',
]);
const MARKS = /["'.!]/g;
const LONGEST = 40;

/** True for a message that consists of an opt-out word. */
export const isOptOutWord = (text: string): boolean =>
  text.length <= LONGEST && WORDS.has(text.replaceAll(MARKS, '').trim().toLowerCase());
