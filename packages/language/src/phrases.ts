import type { Language } from './languages.ts';
import { PHRASE_DATA, WRITTEN, type PhraseData, type WrittenLanguage } from './phrases/phrase-data.ts';
import type {
  ConversationPhrases,
  DayPart,
  MachineKind,
  MachinePhrase,
  PhraseTable,
  TimePhrases,
} from './phrases/phrase-table.ts';

/** One pattern of its alternatives; null without any. */
const pattern = (rows: readonly string[]): RegExp | null =>
  rows.length === 0 ? null : new RegExp(rows.join('|'), 'u');

/** The most telling kind first. */
export const MACHINE_KINDS: readonly MachineKind[] = [
  'full',
  'screening',
  'voicemail',
  'menu',
  'hold',
  'transfer',
  'waiting',
];

function machinesOf({ machines, voicemailUnlessPerson }: PhraseData): MachinePhrase[] {
  return MACHINE_KINDS.flatMap((kind) => {
    const always = pattern(machines[kind]);
    const beside = kind === 'voicemail' ? pattern(voicemailUnlessPerson) : null;
    return [
      ...(always === null ? [] : [[kind, always] as const]),
      ...(beside === null ? [] : [[kind, beside, 'unless_person'] as const]),
    ];
  });
}

function timeOf({ time: { partStems, fromNow, ...time } }: PhraseData): TimePhrases {
  const [after, hour, minute] = [pattern(fromNow.after), pattern(fromNow.hour), pattern(fromNow.minute)];
  return {
    ...time,
    partStems: Object.entries(partStems) as [DayPart, readonly string[]][],
    fromNow: after === null || hour === null || minute === null ? null : { after, hour, minute },
  };
}

const tableOf = (data: PhraseData): PhraseTable => ({
  locale: data.locale,
  conversation: {
    phrases: data.says,
    backchannels: data.backchannels,
    farewells: data.farewells,
    greetings: data.greetings,
    shortAnswers: data.shortAnswers,
    waits: data.waits,
    refusals: data.refusals,
  },
  keypad: data.keypad,
  yes: data.yes,
  no: data.no,
  unsure: data.unsure,
  intents: data.intents,
  questionWords: data.questionWords,
  openQuestions: data.openQuestions,
  slotQuestions: data.slotQuestions,
  numbers: Object.entries(data.numbers),
  time: timeOf(data),
  machines: machinesOf(data),
  exchange: pattern(data.exchange),
  people: data.people.map(pattern).filter((people) => people !== null),
});

const TABLES = Object.fromEntries(
  Object.entries(PHRASE_DATA).map(([written, data]) => [written, tableOf(data)]),
) as Readonly<Record<WrittenLanguage, PhraseTable>>;

/** The phrase table of a language. */
export const phrasesOf = (language: Language): PhraseTable => TABLES[WRITTEN[language]];

/** English is understood beside every other language. */
export const ENGLISH: PhraseTable = TABLES.en;

/** One table for each written language. */
export const PHRASE_TABLES: readonly PhraseTable[] = Object.values(TABLES);

/** The conversation core's phrases. Lists to match include the English words, because callers mix them in. */
export function conversationPhrases(language: Language): ConversationPhrases {
  const own = phrasesOf(language).conversation;
  const { conversation } = ENGLISH;
  if (own === conversation) return conversation;
  return {
    phrases: own.phrases,
    backchannels: [...own.backchannels, ...conversation.backchannels],
    farewells: [...own.farewells, ...conversation.farewells],
    greetings: [...own.greetings, ...conversation.greetings],
    shortAnswers: [...own.shortAnswers, ...conversation.shortAnswers],
    waits: [...own.waits, ...conversation.waits],
    refusals: [...own.refusals, ...conversation.refusals],
  };
}
