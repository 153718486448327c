import { type Entry, wantedKinds } from './find-answer.ts';
import { isShown } from './kinds.ts';
import type { QuestionData } from './question-data.ts';

/** Likeness of meaning from which a fact answers a question, and by how much the next answer must be less alike. */
const LEAST = 0.45;
const LEAD = 0.03;

/** The texts of a fact whose meanings are compared: the question or heading over it, and what it says. */
export const textsOf = ({ fact }: Pick<Entry, 'fact'>): string[] =>
  [fact.topic, fact.text].filter((text) => text !== '');

/**
 * The answer whose meaning is most like that of a question, where it names what the question asks for (no price answers "how
 * long"). Null below the threshold, or where another answer is as near. `vectors`: of length 1, by their texts.
 */
export function answerByMeaning(
  question: string,
  entries: readonly Entry[],
  vectors: ReadonlyMap<string, Float32Array>,
  data: QuestionData,
): string | null {
  const asked = vectors.get(question);
  if (asked === undefined) return null;
  const wants = wantedKinds(question, data);
  const near = new Map<string, number>();
  for (const entry of entries) {
    if (!wants.every((kind) => isShown(entry.shows, kind))) continue;
    const alike = Math.max(
      0,
      ...textsOf(entry).map((text) => {
        const vector = vectors.get(text);
        return vector === undefined ? 0 : product(asked, vector);
      }),
    );
    const { answer } = entry.fact;
    near.set(answer, Math.max(near.get(answer) ?? 0, alike));
  }
  const [first, second] = [...near].toSorted(([, a], [, b]) => b - a);
  if (first === undefined || first[1] < LEAST) return null;
  return second !== undefined && first[1] - second[1] < LEAD ? null : first[0];
}

const product = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);
