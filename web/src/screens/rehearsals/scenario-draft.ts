import { t } from '../../words/words.ts';

/** Habits of a caller, in words. */
export const HABITS = {
  interrupts: 'Interrupts',
  backchannels: 'Says “mhm” while it listens',
  silent: 'Falls silent',
  asks_twice: 'Asks again',
  holds: 'Puts the assistant on hold',
  hands_over: 'Hands the phone over',
  spells: 'Spells',
  changes_mind: 'Changes its mind',
  says_no: 'Says no',
} as const;
export type Habit = keyof typeof HABITS;

export const TEMPERS = { calm: 'Calm', hurried: 'Hurried', angry: 'Angry' } as const;

/** Who words what a caller says. */
export const LINES = { rules: 'Rules, from its facts', model: 'The language model' } as const;

/** What an expectation asks for, in words; texts are one a line. */
export const EXPECTATIONS = {
  says: 'The assistant says one of these, one a line',
  never_says: 'The assistant says none of these, one a line',
  calls_tool: 'The assistant calls this tool',
  never_calls_tool: 'The assistant does not call this tool',
  ends: 'The call ends as one of these',
  replies_within: 'Replies within so many seconds',
  stops_within: 'Stops within so many seconds when it is interrupted',
  no_alarm: 'The detectors find nothing',
} as const;
export type ExpectationType = keyof typeof EXPECTATIONS;

/** How a call may end, in words, by the codes that a scenario stores. */
export const ENDS: Readonly<Record<string, string>> = {
  AGENT_ENDED: 'The assistant hangs up',
  CALL_TRANSFERRED: 'It transfers the caller',
  OPTED_OUT: 'It opts the caller out',
  USER_LEFT: 'The caller hangs up',
  USER_BECAME_IDLE: 'The caller stays silent',
  MAX_CALL_DURATION: 'The call reaches its longest time',
  VOICEMAIL_DETECTED: 'A voicemail box answers',
  CALL_SCREENED: 'A screening service answers',
  OPEN: 'The call does not end',
};

/** What an expectation is called over a column and beside a verdict. Scenarios as text have more types than the form. */
export const EXPECTATION_NAMES: Readonly<Record<ExpectationType | 'no_reply_for' | 'no_overlap', string>> = {
  says: 'Says certain words',
  never_says: 'Never says certain words',
  calls_tool: 'Uses a certain tool',
  never_calls_tool: 'Never uses a certain tool',
  ends: 'How the call ends',
  replies_within: 'Replies in time',
  stops_within: 'Falls silent in time when interrupted',
  no_reply_for: 'Waits before it replies',
  no_overlap: 'Does not talk over the caller',
  no_alarm: 'The detectors find nothing',
};

/** The type of an expectation in the reader's language; a type that this page does not know, as the service writes it. */
export const expectationName = (type: string): string =>
  t((EXPECTATION_NAMES as Readonly<Record<string, string>>)[type] ?? type.replaceAll('_', ' '));

export interface FactDraft {
  readonly asked: string;
  readonly says: string;
}
export interface ExpectationDraft {
  readonly type: ExpectationType;
  readonly text: string;
}
/** How a caller sounds; '': as usual. Speed and loss are percent. */
export interface LineDraft {
  readonly speed: string;
  readonly noise: string;
  readonly voice: string;
  readonly codec: string;
  readonly loss: string;
  readonly echo: string;
}
/** A scenario while it is typed. */
export interface ScenarioDraft {
  readonly name: string;
  readonly goal: string;
  /** '': that of the assistant. */
  readonly language: string;
  readonly temper: keyof typeof TEMPERS;
  readonly lines: keyof typeof LINES;
  /** Percent; '' or 0: never. */
  readonly habits: Readonly<Partial<Record<Habit, string>>>;
  readonly line: LineDraft;
  readonly facts: readonly FactDraft[];
  readonly expectations: readonly ExpectationDraft[];
}

export const NEW_SCENARIO: ScenarioDraft = {
  name: '',
  goal: '',
  language: '',
  temper: 'calm',
  lines: 'rules',
  habits: {},
  line: { speed: '', noise: '', voice: '', codec: '', loss: '', echo: '' },
  facts: [{ asked: '', says: '' }],
  expectations: [{ type: 'says', text: '' }],
};

const PERCENT = 100;
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The choice of endings, of which `text` has one a line: those that it can be, and codes in it that this page does not know. */
export const endChoices = (text: string): readonly (readonly [code: string, isChosen: boolean])[] => {
  const chosen = linesOf(text);
  return [...new Set([...Object.keys(ENDS), ...chosen])].map((code) => [code, chosen.includes(code)]);
};

/** The text with a code chosen or not, in the order of the choice. */
export const withEnd = (text: string, code: string, isChosen: boolean): string =>
  endChoices(text)
    .filter(([each, was]) => (each === code ? isChosen : was))
    .map(([each]) => each)
    .join('\n');

/** The expectation with another type. What was written stays, unless codes of endings would become words, or words codes. */
export const ofType = (each: ExpectationDraft, type: ExpectationType): ExpectationDraft =>
  type === each.type
    ? each
    : type === 'ends'
      ? { type, text: 'AGENT_ENDED' }
      : { type, text: each.type === 'ends' ? '' : each.text };

function toExpectation({ type, text }: ExpectationDraft): object {
  switch (type) {
    case 'says':
    case 'never_says':
      return { type, any_of: linesOf(text) };
    case 'calls_tool':
    case 'never_calls_tool':
      return { type, tool: text.trim() };
    case 'ends':
      return { type, as: linesOf(text) };
    case 'replies_within':
    case 'stops_within':
      return { type, seconds: Number(text) };
    case 'no_alarm':
      return { type };
    default:
      return type satisfies never;
  }
}

function toSound({ speed, noise, voice, codec, loss, echo }: LineDraft): object {
  const line = {
    ...(codec === '' ? {} : { codec }),
    ...(loss === '' ? {} : { loss: Number(loss) / PERCENT }),
    ...(echo === '' ? {} : { echo_db: Number(echo) }),
  };
  return {
    ...(speed === '' ? {} : { speed: Number(speed) / PERCENT }),
    ...(noise === '' ? {} : { noise }),
    ...(voice === '' ? {} : { voice }),
    ...(Object.keys(line).length === 0 ? {} : { line }),
  };
}

/** The scenario of a file. */
export function toScenario(draft: ScenarioDraft): object {
  const habits = Object.entries(draft.habits)
    .map(([habit, percent]) => [habit, Number(percent) / PERCENT] as const)
    .filter(([, chance]) => chance > 0);
  const answers = draft.facts
    .map(({ asked, says }) => ({ asked: linesOf(asked), says: says.trim() }))
    .filter(({ asked, says }) => asked.length > 0 || says !== '');
  return {
    name: draft.name.trim(),
    ...(draft.language === '' ? {} : { language: draft.language }),
    persona: {
      goal: draft.goal.trim(),
      ...(draft.lines === 'rules' ? {} : { lines: draft.lines }),
      temper: draft.temper,
      ...toSound(draft.line),
      ...(answers.length === 0 ? {} : { answers }),
      ...(habits.length === 0 ? {} : { habits: Object.fromEntries(habits) }),
    },
    expect: draft.expectations.map(toExpectation),
  };
}

/** The file of scenarios that the fields make, in JSON. */
export const toFile = (drafts: readonly ScenarioDraft[]): string =>
  JSON.stringify(drafts.map(toScenario), null, 2);
