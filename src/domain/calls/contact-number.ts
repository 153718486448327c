import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { whyNotDialled } from '../numbers/dialable-number.ts';
import { whyClosed, type Destinations } from '../workspaces/destinations.ts';
import { isUsualNumber } from '../numbers/usual-number.ts';

export interface NumberRules {
  /** Calling code (digits) for numbers in national form; null: every number needs its own country code. */
  readonly callingCode: string | null;
  /** Calling code of the workspace's own numbers, for suggestions; null or absent: they have several, or none. */
  readonly ownCallingCode?: string | null;
  readonly allowPremium: boolean;
  /** The destinations that the workspace may dial; absent: all, for lists stored by earlier versions. */
  readonly destinations?: Destinations;
  /** Accepts numbers outside every numbering plan; set when all calls go to the built-in test carrier. */
  readonly allowUnassigned: boolean;
}

export type NumberRead =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly reason: string; readonly suggestion: string | null };

const E164 = /^\+[1-9]\d{6,14}$/;
/** Digits and common separators. Letters make the cell no number. */
const NUMBER_SHAPE = /^\+?[\d\s().\-/\u00A0\u2010-\u2015]+$/u;
const SCIENTIFIC = /^\+?(\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})$/;
const DECIMAL = /^\+?(\d+)[.,]0*$/;

const NEEDS_CODE = 'must be a phone number in E.164 form with country code, such as +14155550100';
const NO_NUMBER = 'is not a phone number';
const refused = (reason: string, suggestion: string | null = null): NumberRead => ({
  ok: false,
  reason,
  suggestion,
});

/** Parses one cell of the number column. Pure. */
export function readContactNumber(text: string, rules: NumberRules): NumberRead {
  const value = text.trim();
  if (E164.test(value) && isUsualNumber(value)) {
    const closed = closedBy(rules, value);
    return closed === null ? { ok: true, e164: value } : refused(closed);
  }
  if (value === '') return refused('is required');
  const spoilt = spoiltBySpreadsheet(value, rules);
  if (spoilt !== null) return spoilt;
  if (!NUMBER_SHAPE.test(value)) return refused(NO_NUMBER, withoutNoise(value, rules));
  // `00` is the international prefix of most countries, and no national number begins with it.
  const abroad = value.startsWith('00') ? withPlus(value, rules) : null;
  if (abroad !== null) return { ok: true, e164: abroad };
  const isNational = !value.startsWith('+');
  if (isNational && rules.callingCode === null) return refused(NEEDS_CODE, withoutCode(value, rules));
  const number = parse(value, rules.callingCode);
  const judged = judge(number, rules);
  if (judged.ok || !isNational || number?.isValid() === true) return judged;
  // Not a valid national number: perhaps an international one without its plus, so suggest that.
  return refused(judged.reason, withPlus(withoutExit(value, rules), rules));
}

/**
 * The number that digits without a country code can mean: one that lacks only its plus, or one of the country of the
 * workspace's own numbers. Null when both are possible, or neither.
 */
function withoutCode(value: string, rules: NumberRules): string | null {
  const abroad = withPlus(value, rules);
  const { ownCallingCode } = rules;
  const own = ownCallingCode == null ? null : certain(parse(value, ownCallingCode), rules);
  return abroad === null || own === null || abroad === own ? (abroad ?? own) : null;
}

/** The calling code that all these numbers have; null when they have several, or none. */
export function sharedCallingCode(numbers: readonly string[]): string | null {
  const codes = new Set(numbers.map((number) => parse(number, null)?.countryCallingCode));
  const [code] = codes;
  return codes.size === 1 ? (code ?? null) : null;
}

/** Strips 011, the international prefix of North America, when national numbers are North American. */
const withoutExit = (value: string, rules: NumberRules): string =>
  rules.callingCode === '1' ? value.replaceAll(/\D/g, '').replace(/^011/, '') : value;

const closedBy = ({ destinations }: NumberRules, e164: string): string | null =>
  destinations === undefined ? null : whyClosed(destinations, e164);

function parse(value: string, callingCode: string | null): PhoneNumber | undefined {
  return parsePhoneNumberFromString(value, {
    extract: false,
    ...(callingCode === null ? {} : { defaultCallingCode: callingCode }),
  });
}

function judge(number: PhoneNumber | undefined, rules: NumberRules): NumberRead {
  if (number === undefined || number.ext !== undefined || !E164.test(number.number))
    return refused(NO_NUMBER);
  const refusal = whyNotDialled(number, rules);
  if (refusal !== null) return refused(refusal);
  if (!rules.allowUnassigned && !number.isValid()) {
    return refused('is not a valid phone number: no numbering plan has it');
  }
  const closed = closedBy(rules, number.number);
  return closed === null ? { ok: true, e164: number.number } : refused(closed);
}

/** Detects numbers that a spreadsheet rewrote. Digits may be lost, so it refuses the cell and only suggests a fix. */
function spoiltBySpreadsheet(value: string, rules: NumberRules): NumberRead | null {
  const decimal = DECIMAL.exec(value);
  if (decimal !== null) {
    return refused('was changed by a spreadsheet into a decimal number', suggest(decimal[1] ?? '', rules));
  }
  const match = SCIENTIFIC.exec(value);
  if (match === null) return null;
  const [, first = '', fraction = '', exponent = '0'] = match;
  // The mantissa holds every digit only when the fraction is as long as the exponent.
  const isWhole = fraction.length === Number(exponent);
  return refused(
    'was changed by a spreadsheet into scientific notation, which loses digits; format the column as text and export it again',
    isWhole ? suggest(first + fraction, rules) : null,
  );
}

/** The one valid number these digits can mean; null otherwise. */
function suggest(digits: string, rules: NumberRules): string | null {
  const own = rules.callingCode === null ? null : certain(parse(digits, rules.callingCode), rules);
  return own ?? certain(parse(`+${digits}`, null), rules);
}

const withPlus = (value: string, rules: NumberRules): string | null =>
  certain(parse(`+${value.replaceAll(/\D/g, '').replace(/^00/, '')}`, null), rules);

/** Suggests the number found among words, labels and apostrophes, when there is exactly one. */
function withoutNoise(value: string, rules: NumberRules): string | null {
  const runs = value.normalize('NFKC').match(/\+?\d[\d\s().\-/]{5,}\d/g) ?? [];
  const [run = ''] = runs;
  if (runs.length !== 1) return null;
  if (run.startsWith('+') || rules.callingCode !== null) return certain(parse(run, rules.callingCode), rules);
  return withPlus(run, rules);
}

function certain(number: PhoneNumber | undefined, rules: NumberRules): string | null {
  if (number === undefined || !number.isValid()) return null;
  const judged = judge(number, rules);
  return judged.ok ? judged.e164 : null;
}
