import { isEnglish, phrasesOf, type Language } from '@callwright/language';

/** What a caller says by habit, in its language. */
export interface HabitWords {
  readonly backchannels: readonly string[];
  readonly repeat: string;
  readonly wait: string;
  readonly refuse: string;
  readonly hello: string;
  readonly unsure: string;
  /** Takes back what was said before. */
  readonly retract: string;
}

/** English intents are patterns, which have no words of their own. */
const ENGLISH = {
  backchannels: ['mhm', 'uh huh', 'hmm'],
  repeat: 'Sorry, can you say that again?',
  wait: 'One moment, please.',
  refuse: 'No thank you, I am not interested.',
  hello: 'Hello?',
  unsure: 'I am not sure.',
  retract: 'no, sorry,',
} as const;

const LISTENING = 3;

export function habitWords(language: Language): HabitWords {
  if (isEnglish(language)) return ENGLISH;
  const { conversation, intents, unsure, no } = phrasesOf(language);
  const first = (list: readonly string[] | undefined, preset: string): string =>
    (list?.[0] ?? preset).replace(/^=/u, '');
  return {
    backchannels: conversation.backchannels.slice(0, LISTENING),
    repeat: first(intents.repeat, ENGLISH.repeat),
    wait: first(conversation.waits, ENGLISH.wait),
    refuse: first(intents.not_interested, ENGLISH.refuse),
    hello: first(conversation.greetings, ENGLISH.hello),
    unsure: first(unsure, ENGLISH.unsure),
    retract: first(no, ENGLISH.retract),
  };
}
