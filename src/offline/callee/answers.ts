/** A cooperative person's answer to the recognised words of an agent turn. */
export interface Answer {
  readonly say: string;
  readonly goodbye: boolean;
  /** False when no question or farewell was recognised and `say` is a guess. */
  readonly understood: boolean;
  /** The agent said that it did not understand. */
  readonly notCaught: boolean;
}

/** Worded for the built-in recogniser, which recognises these phrases best in the callee's voice. */
const ANSWERS: readonly { when: RegExp; say: string; goodbye?: true }[] = [
  {
    when: /\b(good ?bye|bye bye|(?<!come |stop )bye$|take care|have a (great|nice|good|lovely) (day|evening|weekend)|see you (then|soon))\b/g,
    say: 'Goodbye.',
    goodbye: true,
  },
  {
    when: /\b((is|was) (that|this|it) (right|correct|okay)|you said|did you say|let me confirm|(right|correct)$)\b/g,
    say: 'Yes.',
  },
  {
    when: /\b(what|which|whichever) (day|date|week ?day)\b|\b(best|better|preferred|another|new) (day|date)\b|\b(week)?day (suits|works|would)\b/g,
    say: 'On Tuesday.',
  },
  {
    when: /\b(what|which) (time|hour)\b|\b(best|better|preferred|good) time (to (come|call|visit)|for you)\b|\bwhen (would|can|could|should|shall|will)\b/g,
    say: 'Nine in the morning.',
  },
  {
    when: /\bhow (many|much)\b|\bnumber of\b|\bscale\b|\b(please|you) rate\b|\bone to (five|ten)\b/g,
    say: 'Three.',
  },
  {
    when: /\b(tell me|what is|confirm) (the|your) (phone |account |order )?number\b/g,
    say: 'One two three four.',
  },
  { when: /\byour (full )?name\b|\bwho am i (speaking|talking)\b|\bwho is this\b/g, say: 'Alex.' },
  {
    when: /\banything else\b|\bsomething else\b|\bany (other |more |further )?questions?\b/g,
    say: 'No, thank you.',
  },
];
/** A choice between two parts of the day: the answer is the first one. */
const CHOICE = /\b(morning|afternoon|evening)s?\b.{0,60}?\bor\b.{0,20}?\b(?:morning|afternoon|evening)/g;
const NOT_CAUGHT = /\b(did ?n.?t|did not) (quite )?(catch|understand|hear|get)\b/;

/** Alternatives, tried in order when the agent repeats a question. */
export const OTHER_ANSWERS: readonly string[] = [
  'Yes, please.',
  'No, thank you.',
  'On Friday.',
  'Nine in the morning.',
  'Three.',
];

/** Answers the last recognised question; "Yes." without one. */
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
    for (const match of text.matchAll(when)) consider(match.index, say, goodbye);
  }
  const choice = [...text.matchAll(CHOICE)].at(-1);
  if (choice !== undefined) consider(choice.index, offered(choice[1] ?? ''));
  return { say: best.say, goodbye: best.goodbye, understood: best.at >= 0, notCaught: NOT_CAUGHT.test(text) };
}

const offered = (part: string): string => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`;
