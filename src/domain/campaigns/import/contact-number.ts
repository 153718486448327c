import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { whyNotDialled } from '../../numbers/dialable-number.ts';
import { isUsualNumber } from './usual-number.ts';

export interface NumberRules {
  /** Digits of the calling code that national numbers belong to; null: every number must carry its own. */
  readonly callingCode: string | null;
  readonly allowPremium: boolean;
  /** Numbers that belong to no numbering plan are taken: only the test carrier is there to dial them. */
  readonly allowUnassigned: boolean;
}

export type NumberRead =
  | { readonly ok: true; readonly e164: string }
  | { readonly ok: false; readonly reason: string; readonly suggestion: string | null };

const E164 = /^\+[1-9]\d{6,14}$/;
/** Digits and what people write between them; a letter is no part of a number. */
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

/** Reads a phone number as it stands in a contact list. Pure. */
export function readContactNumber(text: string, rules: NumberRules): NumberRead {
  const value = text.trim();
  if (E164.test(value) && isUsualNumber(value)) return { ok: true, e164: value };
  if (value === '') return refused('is required');
  const spoilt = spoiltBySpreadsheet(value, rules);
  if (spoilt !== null) return spoilt;
  if (!NUMBER_SHAPE.test(value)) return refused(NO_NUMBER, withoutNoise(value, rules));
  // How much of the world dials abroad: no national number begins with it.
  const abroad = value.startsWith('00') ? withPlus(value, rules) : null;
  if (abroad !== null) return { ok: true, e164: abroad };
  const isNational = !value.startsWith('+');
  if (isNational && rules.callingCode === null) return refused(NEEDS_CODE, withPlus(value, rules));
  const number = parse(value, rules.callingCode);
  const judged = judge(number, rules);
  if (judged.ok || !isNational || number?.isValid() === true) return judged;
  // What is no number of the country may have its country code, and only the plus is missing.
  return refused(judged.reason, withPlus(withoutExit(value, rules), rules));
}

/** Digits without what North America dials abroad with, where its numbers are national. */
const withoutExit = (value: string, rules: NumberRules): string =>
  rules.callingCode === '1' ? value.replaceAll(/\D/g, '').replace(/^011/, '') : value;

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
  return { ok: true, e164: number.number };
}

/** Spreadsheets turn long numbers into sums: digits may be lost, so nothing is guessed, only suggested. */
function spoiltBySpreadsheet(value: string, rules: NumberRules): NumberRead | null {
  const decimal = DECIMAL.exec(value);
  if (decimal !== null) {
    return refused('was changed by a spreadsheet into a decimal number', suggest(decimal[1] ?? '', rules));
  }
  const match = SCIENTIFIC.exec(value);
  if (match === null) return null;
  const [, first = '', fraction = '', exponent = '0'] = match;
  // All digits are there only when the fraction is as long as the exponent says; zeros may have been dropped.
  const isWhole = fraction.length === Number(exponent);
  return refused(
    'was changed by a spreadsheet into scientific notation, which loses digits; format the column as text and export it again',
    isWhole ? suggest(first + fraction, rules) : null,
  );
}

/** The number these digits can only mean; null when they may be none. */
function suggest(digits: string, rules: NumberRules): string | null {
  const own = rules.callingCode === null ? null : certain(parse(digits, rules.callingCode), rules);
  return own ?? certain(parse(`+${digits}`, null), rules);
}

const withPlus = (value: string, rules: NumberRules): string | null =>
  certain(parse(`+${value.replaceAll(/\D/g, '').replace(/^00/, '')}`, null), rules);

/** What is left without words, labels and apostrophes around one number. */
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
