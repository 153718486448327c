import { Fields } from '@callwright/fields';

/** The words of an utterance; times count ms of the audio that the recogniser has heard. */
export interface HeardWords {
  readonly text: string;
  readonly confidence: number;
  readonly words: readonly HeardWord[];
  /** A net has read the whole utterance. */
  readonly isRead?: true;
}
export interface HeardWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** What the model writes for breath and noise. */
const NOISES = new Set(['the', 'a', 'huh', 'uh', 'hm', 'hmm', 'mm', 'h']);
/** Words are taken for noise below this confidence, and anything below the least. */
const SURE_NOISE = 0.8;
const LEAST = 0.25;

export const partialText = (message: string): string => Fields.parse(message).text('partial').trim();

/** Reads a result; null: no words, or words that the model writes for noise. */
export function heardWords(message: string): HeardWords | null {
  const answer = Fields.parse(message);
  const text = answer.text('text').trim().replaceAll('[unk]', '').trim();
  if (text === '') return null;
  const found = answer.list('result');
  const words = found.flatMap((word): HeardWord[] => {
    const [startMs, endMs] = [word.seconds('start'), word.seconds('end')];
    return startMs === null || endMs === null ? [] : [{ text: word.text('word'), startMs, endMs }];
  });
  const sum = found.reduce((total, word) => total + (word.number('conf') ?? 0), 0);
  const confidence = found.length === 0 ? 1 : sum / found.length;
  const isNoise = text.split(' ').every((word) => NOISES.has(word));
  return confidence < (isNoise ? SURE_NOISE : LEAST) ? null : { text, confidence, words };
}
