/** What the agent knows, and what callers ask about it. `answer` is in every right answer. */
export const QUESTIONS = [
  { ask: 'Where can I park my car?', answer: /behind the clinic/i },
  { ask: 'How much does a check up cost?', answer: /fifty dollars/i },
  { ask: 'What are your opening hours?', answer: /eight in the morning/i },
  { ask: 'Do you treat children?', answer: /from the age of three/i },
  { ask: 'Can I pay with a credit card?', answer: /credit cards/i },
  { ask: 'How long does a check up take?', answer: /half an hour/i },
] as const;

export const AGENT = {
  agent_name: 'Reception',
  introduction_and_objective: 'You are Claire, the receptionist of Riverside Dental. You book check-ups.',
  intro_message: 'Hello, this is Claire of Riverside Dental. How can I help you?',
  task: [
    '1. Ask "Which day would suit you?"',
    '2. Ask "What is your name?"',
    '3. Ask "What is your customer number?"',
    '4. Thank them and say goodbye.',
  ].join('\n'),
  faq: [
    'Q: Where can I park?\nA: You can park behind the clinic.',
    'Q: How much does a check-up cost?\nA: A check-up costs fifty dollars.',
    'Q: What are your opening hours?\nA: We are open from eight in the morning to six in the evening.',
    'Q: Do you treat children?\nA: We treat children from the age of three.',
    'Q: Can I pay by credit card?\nA: We take credit cards and cash.',
    'Q: How long does a check-up take?\nA: A check-up takes half an hour.',
  ].join('\n'),
};

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const;
const NAMES = ['Daniel', 'Susan', 'Robert', 'Emily', 'Thomas', 'Laura', 'Peter', 'Alice'] as const;
const DIGITS = [
  'four two seven one',
  'nine zero three five',
  'one eight six two',
  'five five three nine',
] as const;

/** The lines of one caller. */
export interface Caller {
  readonly voice: string;
  readonly questions: readonly (typeof QUESTIONS)[number][];
  readonly day: string;
  /** Another day, once the agent has read back the first one. */
  readonly change: string;
  readonly name: string;
  readonly number: string;
}

/** English voices of Kokoro but nicole, who whispers; the agent's is made of heart. */
export const CALLER_VOICES = [
  'af_bella',
  'am_michael',
  'bf_emma',
  'bm_george',
  'am_fenrir',
  'am_adam',
  'bf_isabella',
  'bm_lewis',
  'af_sarah',
  'am_eric',
  'af_sky',
  'am_liam',
  'bf_alice',
  'bm_daniel',
  'af_nova',
  'am_puck',
  'bf_lily',
  'bm_fable',
  'af_river',
  'am_onyx',
] as const;

const of = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

/** The nth caller: a voice, three of the questions, a day, another one, a name and a number. */
export const callerOf = (n: number): Caller => ({
  voice: of(CALLER_VOICES, n),
  questions: [0, 1, 2].map((i) => of(QUESTIONS, n + i)),
  day: `On ${of(DAYS, n)} please.`,
  change: `No, ${of(DAYS, n + 2)} would be better.`,
  name: `My name is ${of(NAMES, n)}.`,
  number: `${of(DIGITS, n)}.`,
});

export const YES = 'Yes, that is right.';
export const BYE = 'No thank you, goodbye.';

export const linesOf = (caller: Caller): string[] => [
  ...caller.questions.map(({ ask }) => ask),
  caller.day,
  caller.change,
  caller.name,
  caller.number,
  YES,
  BYE,
];
