import { normal } from '@callwright/language';
import { jsonObjectIn } from '../../domain/analysis/model-analyst.ts';
import { refusedLine, type CallerLine } from '../../domain/rehearsals/caller-lines.ts';
import phrases from './out-of-character.json' with { type: 'json' };

/** A longer line is cut after its last whole sentence, else after its last whole word. */
export const MOST_CHARACTERS = 300;
/** What is read of an answer at all. */
const MOST_READ = 4_000;
const LABEL = /^(?:caller|customer|callee|client|user|me)\s*:\s*/iu;
const DIRECTIONS = /\[[^[\]]{0,200}\]|\*[^*]{0,200}\*|\([^()]{0,200}\)/gu;
const QUOTES: ReadonlySet<string> = new Set('"“”\'‘’«»');
const SPACES = /\s+/gu;
const SENTENCE_END = /[.!?।。？！؟]/gu;
const A_WORD = /[\p{L}\p{N}]/u;
const LEAVES_CHARACTER = phrases.map((phrase) => normal(phrase));

/** The schema of an answer. */
export const LINE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['say', 'hangs_up'],
  properties: {
    say: { type: 'string', description: 'The next words of the caller, as they are spoken.' },
    hangs_up: { type: 'boolean', description: 'The caller hangs up after these words.' },
  },
} as const;

/**
 * Reads a model's answer as one line of a caller: one utterance of at most `MOST_CHARACTERS`. Refuses one that is empty, and one in which
 * the model does not speak as the caller; `heard`: what the agent said last. Pure.
 */
export function readLine(answer: string, heard: string): CallerLine {
  const sent = jsonObjectIn(answer.slice(0, MOST_READ));
  const say = sent?.['say'];
  if (typeof say !== 'string') return refusedLine('unreadable');
  const text = oneUtterance(say);
  if (!A_WORD.test(text)) return refusedLine('empty');
  const form = normal(text);
  const isOut = form === normal(heard) || LEAVES_CHARACTER.some((phrase) => form.includes(phrase));
  if (isOut) return refusedLine('out_of_character');
  return { text, hangsUp: sent?.['hangs_up'] === true, refused: null };
}

/** The first paragraph, without the label of a speaker, stage directions and quotes. */
function oneUtterance(said: string): string {
  const [first = ''] = said.trim().split('\n');
  const bare = first.replace(DIRECTIONS, ' ').trim().replace(LABEL, '');
  return cut(unquoted(bare).replace(SPACES, ' ').trim());
}

function unquoted(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && QUOTES.has(text[from]!)) from += 1;
  while (to > from && QUOTES.has(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const head = text.slice(0, MOST_CHARACTERS);
  const ends = [...head.matchAll(SENTENCE_END)].map(({ index }) => index + 1);
  const end = ends.at(-1) ?? head.lastIndexOf(' ');
  return (end > 0 ? head.slice(0, end) : head).toWellFormed().trim();
}
