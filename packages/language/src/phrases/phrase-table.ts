/** The intents that a caller may express at any point of a call, apart from the pending question. */
export type Intent =
  | 'stop_calling'
  | 'goodbye'
  | 'robot'
  | 'who'
  | 'why'
  | 'human'
  | 'repeat'
  | 'hold'
  | 'later'
  | 'not_interested'
  | 'wrong_person'
  | 'thanks'
  | 'hello'
  | 'what';

export type SlotKind = 'date' | 'time' | 'number' | 'digits' | 'name';
export type DayPart = 'morning' | 'noon' | 'afternoon' | 'evening' | 'night';

/** Kinds of machines that answer a call, recognised by their words. */
export type MachineKind =
  /** A mailbox, or an announcement that the callee cannot be reached. */
  | 'voicemail'
  /** A mailbox that accepts no more messages. */
  | 'full'
  /** A call screener that asks for the caller's name before it puts the call through. */
  | 'screening'
  /** Asks the caller to wait: a call screener, an exchange, or a person. */
  | 'waiting'
  /** A menu of keys. */
  | 'menu'
  /** A queue that answers with music and announcements. */
  | 'hold'
  /** Somebody puts the call through: the next voice is another one. */
  | 'transfer';

/** The pattern applies to lower-case words without punctuation. `unless_person`: not beside words of `people`. */
export type MachinePhrase = readonly [MachineKind, RegExp, 'unless_person'?];

/** Everything the product says and recognises in one language. Matched phrases are compared in `normal` form. */
export interface PhraseTable {
  /** For weekday and month names (Intl). */
  readonly locale: string;
  readonly conversation: ConversationPhrases;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** Phrases of each intent; one that starts with `=` must be the whole line. English has patterns (intents.ts). */
  readonly intents: Readonly<Partial<Record<Intent, readonly string[]>>>;
  readonly questionWords: readonly string[];
  /** Number words with their values, as far as listed. English is read by rules (numbers.ts). */
  readonly numbers: readonly (readonly [string, number])[];
  readonly time: TimePhrases;
  /** What answering machines and networks say, by kind; the first match decides. */
  readonly machines: readonly MachinePhrase[];
  /** What only a person says: an offer to take a message, or a question. Not searched for phrases of machines. */
  readonly people: readonly RegExp[];
  readonly script: ScriptPhrases;
}

/** What the conversation core says and recognises itself, whichever model answers. */
export interface ConversationPhrases {
  readonly phrases: {
    readonly idleCheckIn: string;
    readonly idleGoodbye: string;
    readonly maxLengthGoodbye: string;
    readonly apology: string;
    readonly technicalGoodbye: string;
    readonly didNotCatch: string;
    readonly oneMoment: string;
  };
  /** Never interrupt the agent ("hmm", "okay"). */
  readonly backchannels: readonly string[];
  /** Do not interrupt the agent's goodbye ("bye", "thank you"). */
  readonly farewells: readonly string[];
  /** Picking up the phone ("hello"): neither interrupt the first message nor answer it. */
  readonly greetings: readonly string[];
  /** Complete answers ("yes", "no"): the turn ends after the shortest pause. */
  readonly shortAnswers: readonly string[];
  /** The caller asks for a moment ("one minute", "let me check"): the turn waits for what follows. */
  readonly waits: readonly string[];
  /** Words that stop the agent on their own ("no", "stop"). */
  readonly refusals: readonly string[];
}

export interface TimePhrases {
  readonly today: readonly string[];
  readonly tomorrow: readonly string[];
  readonly dayAfterTomorrow: readonly string[];
  /** Names of the parts of the day, as the agent repeats them. */
  readonly partNames: readonly string[];
  /** How the words for a part of the day begin; a stem that another one begins with stands after it. */
  readonly partStems: readonly (readonly [DayPart, readonly string[]])[];
  /** Patterns over `normal` text that turn a number of hours or minutes into a time from now; null: read by rules. */
  readonly fromNow: { readonly after: RegExp; readonly hour: RegExp; readonly minute: RegExp } | null;
}

/** What the keyless script brain says, and how it reads instructions written in the language. */
export interface ScriptPhrases {
  readonly say: Lines;
  /** Questions for what an instruction asks for without giving its wording. */
  readonly ask: Readonly<Record<SlotKind | 'free', string>>;
  /** Marker verbs of instructions, in `normal` form. */
  readonly instructions: {
    readonly ask: readonly string[];
    readonly tell: readonly string[];
    readonly close: readonly string[];
  };
  /** Third person to second: instructions speak about the caller, the agent speaks to the caller. */
  readonly address?: readonly (readonly [RegExp, string])[];
  /** Words in an instruction that name the kind of answer to ask for. */
  readonly slotWords: Readonly<Record<SlotKind, readonly string[]>>;
  /** Words in a question that name the kind of answer it wants. */
  readonly slotQuestions: Readonly<Record<SlotKind, readonly string[]>>;
  readonly conditions: readonly string[];
  readonly otherwise: readonly string[];
}

/** Lines of the script brain; several are variants used in rotation. `{…}` places are filled. */
export interface Lines {
  greeting: readonly string[];
  acknowledge: readonly string[];
  who: readonly string[];
  whyDefault: readonly string[];
  robot: readonly string[];
  /** The caller asks for a person, and there is none to connect. */
  noPerson: readonly string[];
  connecting: readonly string[];
  hold: readonly string[];
  hello: readonly string[];
  welcome: readonly string[];
  notUnderstood: readonly string[];
  /** A question without an answer. No engine may promise what nothing does: no call back, no follow-up. */
  cannotAnswer: readonly string[];
  verify: readonly string[];
  readBack: readonly string[];
  changeWhat: readonly string[];
  anythingElse: readonly string[];
  howHelp: readonly string[];
  goOn: readonly string[];
  askCallback: readonly string[];
  /** The service refused the callback that the caller asked for. */
  noCallback: readonly string[];
  callbackNoted: readonly string[];
  notInterested: readonly string[];
  optOut: readonly string[];
  wrongPerson: readonly string[];
  goodbye: readonly string[];
  keypadOnly: readonly string[];
  pressYesNo: readonly string[];
  pressChoice: readonly string[];
  pressDay: readonly string[];
  pressHour: readonly string[];
  pressNumber: readonly string[];
}
