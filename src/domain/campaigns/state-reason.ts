/** Why a campaign is in its state: the sentence that is stored and shown by the API, by code. */
const SENTENCES = [
  ['by_request', 'Paused by request'],
  [
    'circuit_breaker',
    'Paused by the circuit breaker: {failed} of the last {attempts} calls failed at the carrier or in the service',
  ],
  ['balance', 'The balance does not cover another call; the campaign goes on when it does'],
  ['no_whatsapp_number', 'Paused: none of its WhatsApp numbers is attached to the agent any more'],
  ['template_refused', 'WhatsApp refuses the template with the error {error}'],
  ['terminated', 'Terminated by request'],
  ['end_time_passed', 'campaign_end_time passed'],
] as const;
export type ReasonCode = (typeof SENTENCES)[number][0];
export const REASON_CODES = SENTENCES.map(([code]) => code);
const SENTENCE_OF = Object.fromEntries(SENTENCES) as Readonly<Record<ReasonCode, string>>;

/** A code and the numbers of its sentence, from which a page makes a sentence in the language of its reader. */
export interface StateReason {
  readonly code: ReasonCode;
  readonly values: Readonly<Record<string, number>>;
}

const NAMES = /\{(\w+)\}/g;

/** The names of the values of a code's sentence. */
export const valuesOf = (code: ReasonCode): string[] =>
  [...SENTENCE_OF[code].matchAll(NAMES)].map(([, name = '']) => name);

/** The sentence of a reason. */
export const reasonSentence = (code: ReasonCode, values: StateReason['values'] = {}): string =>
  SENTENCE_OF[code].replaceAll(NAMES, (_, name: string) => String(values[name]));

/** The parts of the sentences between their values. */
const PARTS = REASON_CODES.map((code) => ({
  code,
  names: valuesOf(code),
  parts: SENTENCE_OF[code].split(/\{\w+\}/),
}));
const NUMBER = /^-?\d{1,9}/;

/** The numbers between the parts of a sentence, or null if it is another sentence. */
function numbersBetween(sentence: string, [first = '', ...others]: readonly string[]): number[] | null {
  if (!sentence.startsWith(first)) return null;
  let rest = sentence.slice(first.length);
  const numbers: number[] = [];
  for (const part of others) {
    const [digits] = NUMBER.exec(rest) ?? [];
    if (digits === undefined || !rest.startsWith(part, digits.length)) return null;
    numbers.push(Number(digits));
    rest = rest.slice(digits.length + part.length);
  }
  return rest === '' ? numbers : null;
}

/**
 * The reason that a stored sentence states, also in rows that an earlier version wrote; null for another sentence, such as
 * that of an import that failed.
 */
export function readReason(message: string | null): StateReason | null {
  if (message === null) return null;
  for (const { code, names, parts } of PARTS) {
    const numbers = numbersBetween(message, parts);
    if (numbers === null) continue;
    return { code, values: Object.fromEntries(names.map((name, index) => [name, numbers[index] ?? 0])) };
  }
  return null;
}
