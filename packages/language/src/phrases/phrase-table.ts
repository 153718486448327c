/** The intents that a caller may express at any point of a call, apart from the pending question. */
export type Intent =
  | 'stop_calling'
  | 'goodbye'
  | 'robot'
  | 'who'
  | 'why'
  /** Why a question is asked. */
  | 'why_asked'
  | 'human'
  | 'repeat'
  | 'hold'
  | 'later'
  | 'not_interested'
  | 'wrong_person'
  | 'thanks'
  | 'hello'
  | 'what';

/** Kinds of answers that questions name. */
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
  readonly keypad: KeypadPhrases;
  readonly yes: readonly string[];
  readonly no: readonly string[];
  /** The caller has no answer ("I am not sure"). */
  readonly unsure: readonly string[];
  /** Phrases of each intent; one that starts with `=` must be the whole line. English has patterns (intents.ts). */
  readonly intents: Readonly<Partial<Record<Intent, readonly string[]>>>;
  readonly questionWords: readonly string[];
  readonly openQuestions: OpenQuestionWords;
  /** Words in a question that name the kind of answer it wants. English is read by rules (question-kind.ts). */
  readonly slotQuestions: Readonly<Record<SlotKind, readonly string[]>>;
  /** Number words with their values, as far as listed. English is read by rules (numbers.ts). */
  readonly numbers: readonly (readonly [string, number])[];
  readonly time: TimePhrases;
  /** What answering machines and networks say, the most telling kind first; the first match decides. */
  readonly machines: readonly MachinePhrase[];
  /** How an exchange begins that puts the call through without a greeting; null: none known. */
  readonly exchange: RegExp | null;
  /** What only a person says: an offer to take a message, or a question. Not searched for phrases of machines. */
  readonly people: readonly RegExp[];
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
    /** Said in turn with `oneMoment`. */
    readonly otherMoments: readonly string[];
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

/** Question words of one language, in word forms. English is read by rules (question-kind.ts). */
export interface OpenQuestionWords {
  /** They ask for words of the caller's own wherever they stand. */
  readonly open: readonly string[];
  /** The same inside a question; at its beginning or end they make it one of yes or no. */
  readonly inside: readonly string[];
  /** At the beginning only. */
  readonly first: readonly string[];
  /** A question that ends so is one of yes or no ("do you have any question?"). */
  readonly closed: readonly string[];
}

/** How to answer by keys. */
export interface KeypadPhrases {
  /** Speech is not understood. */
  readonly keypadOnly: string;
  readonly pressYesNo: string;
  /** `{digit}` and `{choice}` are filled. */
  readonly pressChoice: string;
  readonly pressDay: string;
  readonly pressHour: string;
  readonly pressNumber: string;
}
