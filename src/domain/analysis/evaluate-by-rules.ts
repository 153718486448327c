import type { Evaluation } from '../../store/json/call-record.ts';
import type { AnalysisInput } from './analysis.ts';
import { clip } from './exchanges.ts';

const QUOTE = /["“”«»`]/;
const SPEAKERS: ReadonlyMap<string, 'agent' | 'caller'> = new Map([
  ['agent', 'agent'],
  ['caller', 'caller'],
  ['callee', 'caller'],
  ['customer', 'caller'],
  ['person', 'caller'],
]);
const SAYING = ['say', 'says', 'said', 'mention', 'mentions', 'mentioned', 'ask', 'asks', 'asked'];
const NEGATIONS = ['not', 'never', 'no', 'doesnt', 'didnt', 'isnt', 'wasnt'];
const LONGEST_QUOTE = 200;

const NOT_JUDGED = {
  result: 'not_judged',
  reason:
    'Without a language model only a criterion is judged that quotes the words that the agent or the caller says, or the tool that is used.',
} as const;

/** Judges the criteria that need no understanding; the others are not judged, and say why. */
export const evaluateByRules = (input: AnalysisInput): Evaluation[] =>
  input.evaluations.map(({ name, criterion }) => ({ name, ...judged(criterion, input) }));

function judged(criterion: string, input: AnalysisInput): Pick<Evaluation, 'result' | 'reason'> {
  const [before = '', quote = '', after = '', ...more] = criterion.split(QUOTE);
  if (plain(quote) === '' || more.length > 0) return NOT_JUDGED;
  const words = plain(`${before} ${after}`).split(' ');
  const has = (list: readonly string[]): boolean => words.some((word) => list.includes(word));
  const isNegated = has(NEGATIONS);
  if (words.includes('tool')) {
    const isUsed = input.tools.some(({ name }) => name === quote);
    return verdict(isUsed !== isNegated, `The tool ${quote} was ${isUsed ? '' : 'not '}used.`);
  }
  const speaker = words.map((word) => SPEAKERS.get(word)).find((role) => role !== undefined);
  if (speaker === undefined || !has(SAYING)) return NOT_JUDGED;
  const line = input.transcript.find(({ role, text }) => role === speaker && holds(text, quote));
  return line === undefined
    ? verdict(isNegated, `No line of the ${speaker} has these words.`)
    : verdict(!isNegated, `The ${speaker} said: ${clip(line.text, LONGEST_QUOTE)}`);
}

const verdict = (isMet: boolean, reason: string) =>
  ({ result: isMet ? 'passed' : 'failed', reason }) as const;

const holds = (line: string, words: string): boolean => ` ${plain(line)} `.includes(` ${plain(words)} `);

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, ' ')
    .trim();
