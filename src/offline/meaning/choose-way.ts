import { words } from '@callwright/language';
import type { ChosenWay, Way, WayJudge } from '../../providers/ports/way-judge.ts';
import type { Meaning } from './meaning.ts';

/**
 * Likeness of meaning from which words take a way, by how much the next way must be less alike, and how alike words must be
 * to the only way. A wrong way is worse than another question, so that they are high: test/models/flow-whens.test.ts has the figures.
 */
const LEAST = 0.5;
const LEAD = 0.15;
const LEAST_ALONE = 0.6;

/** Words wait longer for their meaning than this only to be asked again. */
const WAIT_MS = 400;
/** One word alone ("sorry", "Tuesday") means too much. */
const LEAST_WORDS = 2;

/** How sentences about the caller begin, and how callers say the same. */
const FIRST_PERSON: readonly (readonly [about: string, says: string])[] = [
  ['wants ', 'I want '],
  ['needs ', 'I need '],
  ['has ', 'I have '],
  ['is ', 'I am '],
  ['will ', 'I will '],
  ['cannot ', 'I cannot '],
  ['does not ', 'I do not '],
  ['asks for ', 'I want '],
  ['asks to ', 'I want to '],
  ['asks about ', 'I want to know '],
  ['asks ', 'I want to know '],
];

/** The text, and how a caller would say it: "wants to book", "I want to book". */
function wordings(text: string): string[] {
  const found = FIRST_PERSON.find(([about]) => text.startsWith(about));
  return found === undefined ? [text] : [text, found[1] + text.slice(found[0].length)];
}

const DENIAL =
  /\b(?:not|never|no longer|nothing|cannot|already|yesterday|fine|found|fixed|solved|i know|(?:do|does|did|is|are|was|wo|ca|have|has)n['’]t)\b/i;
/** Models of meaning hardly see a "not", or that something is done. */
const isDenied = (text: string): boolean => DENIAL.test(text);

const WISH = /^(?:wants|needs|asks)\b/;
const REQUEST =
  /\?|\b(?:want|wants|need|needs|like|love|please|have to|has to|must|looking for|ready to|interested|can|could|may|would|shall|should|how|what|when|where|why|who|which|until|any|is there|are there|are you|do you|did you|have you|has anyone|book|cancel|order|help|give|send|tell|make)\b/i;
/** Whether words that only state something ("I am a teacher myself") are taken for a wish ("wants to speak with a teacher"). */
const mistakesWish = (line: string, when: string): boolean => WISH.test(when) && !REQUEST.test(line);

interface Near {
  readonly to: string;
  readonly alike: number;
  readonly text: string;
  /** The sentence of its way. */
  readonly when: string;
}

/**
 * The way whose texts are most like the words. Null below the threshold, where another way is nearly as alike, and where only one of
 * both denies. `vectors`: of length 1, by their texts.
 */
export function wayMeant(
  line: string,
  ways: readonly Way[],
  vectors: ReadonlyMap<string, Float32Array>,
): ChosenWay | null {
  const said = vectors.get(line);
  if (said === undefined || words(line).length < LEAST_WORDS) return null;
  const nearest = new Map<string, Near>();
  for (const { to, texts } of ways) {
    for (const text of texts.flatMap(wordings)) {
      const vector = vectors.get(text);
      const alike = vector === undefined ? 0 : product(said, vector);
      if (alike > (nearest.get(to)?.alike ?? 0)) nearest.set(to, { to, alike, text, when: texts[0] ?? '' });
    }
  }
  const [first, second] = [...nearest.values()].toSorted((a, b) => b.alike - a.alike);
  if (first === undefined || first.alike < (ways.length === 1 ? LEAST_ALONE : LEAST)) return null;
  if (first.alike - (second?.alike ?? 0) < LEAD || isDenied(line) !== isDenied(first.text)) return null;
  if (mistakesWish(line, first.when)) return null;
  return { to: first.to, alike: Math.min(1, Math.round(first.alike * 100) / 100) };
}

const product = (left: Float32Array, right: Float32Array): number =>
  left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);

const textsOf = (ways: readonly Way[]): string[] => ways.flatMap(({ texts }) => texts.flatMap(wordings));

/** Judges ways by the model of meanings. */
export const wayJudge = (meaning: Meaning): WayJudge => ({
  understands: (language) => meaning.understands(language),
  prepare(ways) {
    void meaning.vectorsOf(textsOf(ways), 0);
  },
  async choose(line, ways) {
    const vectors = await meaning.vectorsOf([line, ...textsOf(ways)], WAIT_MS);
    return vectors === null ? null : wayMeant(line, ways, vectors);
  },
});
