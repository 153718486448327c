import { normalised, wordsOf } from '../turn/words.ts';

const MOST_SENTENCES = 6;
/** A single word is no evidence of an echo: callers repeat the agent's words. */
const LEAST_WORDS = 2;

/** The agent's last sentences, newest last, in the form that `isOwnWords` compares. */
export const withSentence = (sentences: readonly string[], text: string): readonly string[] =>
  [...sentences, normalised(text)].slice(-MOST_SENTENCES);

/** Whether the words are a part of what the agent has just said, word for word. */
export const isOwnWords = (sentences: readonly string[], text: string): boolean =>
  wordsOf(text).length >= LEAST_WORDS && ` ${sentences.join(' ')} `.includes(` ${normalised(text)} `);
