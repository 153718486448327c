/** What a friendly person says to the words heard of a turn, and whether that is their farewell. */
export interface Answer {
  readonly say: string;
  readonly goodbye: boolean;
  /** A question or farewell was made out; else `say` is a guess. */
  readonly understood: boolean;
  /** The agent said that it did not understand. */
  readonly notCaught: boolean;
}

/** Said in these words because the product's own recogniser hears them best in the callee's voice. */
const ANSWERS: readonly { when: RegExp; say: string; goodbye?: true }[] = [
  {
    when: /\b(good ?bye|bye bye|(?<!come |stop )bye$|take care|have a (great|nice|good|lovely) (day|evening|weekend)|see you (then|soon))\b/,
    say: 'Goodbye.',
    goodbye: true,
  },
  {
    when: /\b((is|was) (that|this|it) (right|correct|okay)|you said|did you say|let me confirm|(right|correct)$)\b/,
    say: 'Yes.',
  },
  {
    when: /\b(what|which|whichever) (day|date|week ?day)\b|\b(best|better|preferred|another|new) (day|date)\b|\b(week)?day (suits|works|would)\b/,
    say: 'On Tuesday.',
  },
  {
    when: /\b(what|which) (time|hour)\b|\b(best|better|preferred|good) time (to (come|call|visit)|for you)\b|\bwhen (would|can|could|should|shall|will)\b/,
    say: 'Nine in the morning.',
  },
  {
    when: /\bhow (many|much)\b|\bnumber of\b|\bscale\b|\b(please|you) rate\b|\bone to (five|ten)\b/,
    say: 'Three.',
  },
  {
    when: /\b(tell me|what is|confirm) (the|your) (phone |account |order )?number\b/,
    say: 'One two three four.',
  },
  { when: /\byour (full )?name\b|\bwho am i (speaking|talking)\b|\bwho is this\b/, say: 'Alex.' },
  {
    when: /\banything else\b|\bsomething else\b|\bany (other |more |further )?questions?\b/,
    say: 'No, thank you.',
  },
];
/** One of these offered against another: the first one is taken. */
const CHOICE = /\b(morning|afternoon|evening)s?\b.{0,60}?\bor\b.{0,20}?\b(?:morning|afternoon|evening)/g;
const NOT_CAUGHT = /\b(did ?n.?t|did not) (quite )?(catch|understand|hear|get)\b/;

/** Said one after the other by a person whose answer to the same question is not taken. */
export const OTHER_ANSWERS: readonly string[] = [
  'Yes, please.',
  'No, thank you.',
  'On Friday.',
  'Nine in the morning.',
  'Three.',
];

/** The answer to what was heard, as far as it was understood: the last question counts, yes to any other. */
export function replyTo(heard: string): Answer {
  const text = heard
    .toLowerCase()
    .replaceAll(/[^a-z' ]+/g, ' ')
    .trim();
  let best = { at: -1, say: 'Yes.', goodbye: false };
  const consider = (at: number, say: string, goodbye = false): void => {
    if (at >= best.at) best = { at, say, goodbye };
  };
  for (const { when, say, goodbye } of ANSWERS) {
    for (const match of text.matchAll(new RegExp(when, 'g'))) consider(match.index, say, goodbye);
  }
  const choice = [...text.matchAll(CHOICE)].at(-1);
  if (choice !== undefined) consider(choice.index, offered(choice[1] ?? ''));
  return { say: best.say, goodbye: best.goodbye, understood: best.at >= 0, notCaught: NOT_CAUGHT.test(text) };
}

const offered = (part: string): string => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`;
